/** All examples, for the tests and for the tables of the documentation: read from their folders, so that none is forgotten. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { VariedExample } from './support/example.ts';

export type Kind = 'app' | 'label';

/** `fault` breaks its clauses and nothing else; `variant` is correct in another way; `hostile` has to be survived. */
export type Sort = 'fault' | 'variant' | 'hostile';

export interface Example extends VariedExample {
  readonly kind: Kind;
  readonly sort: Sort;
  /** Where its entry is: a path under this folder. */
  readonly file: string;
}

const HERE = import.meta.dirname;
const FILES: ReadonlyArray<readonly [files: string, sort: Sort]> = [
  ['faults/*.ts', 'fault'],
  ['variants/*.ts', 'variant'],
  ['hostile.ts', 'hostile'],
];

/** Every example but the three correct ones of each kind, in the order of their ids. */
export async function examples(): Promise<readonly Example[]> {
  const found: Example[] = [];
  for (const kind of ['app', 'label'] as const) {
    for (const [files, sort] of FILES) {
      for (const path of globSync(files, { cwd: join(HERE, kind) })) {
        const file = `${kind}/${path.replaceAll('\\', '/')}`;
        const table: readonly VariedExample[] = (await import(pathToFileURL(join(HERE, file)).href)).default;
        found.push(...table.map((example) => ({ ...example, kind, sort, file })));
      }
    }
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
