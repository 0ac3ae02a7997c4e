/** All examples, for the tests and for the table of the documentation: read from their folders, so that none is forgotten. */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ExampleNote } from './kit/example.ts';
import type { Settings } from './kit/settings.ts';
import type { Kind } from './start.ts';

/** `fault` breaks its clauses and nothing else; `variant` is correct in another way; `hostile` has to be survived. */
export type Sort = 'fault' | 'variant' | 'hostile';

export interface Example extends ExampleNote {
  readonly kind: Kind;
  readonly sort: Sort;
  /** For `startExample`: its path under this folder. */
  readonly file: string;
  /** The example itself, for tests in this process. */
  readonly make: new (
    settings: Settings,
  ) => {
    answer(request: Request): Promise<Response>;
    start?(): void;
    /** What `start` has begun. */
    readonly uploaded?: Promise<void>;
  };
}

const HERE = import.meta.dirname;
const FOLDERS: ReadonlyArray<readonly [folder: string, sort: Sort]> = [
  ['faults', 'fault'],
  ['variants', 'variant'],
  ['hostile', 'hostile'],
];

/** Every example but the three correct ones of each kind, in the order of their ids. */
export async function examples(): Promise<readonly Example[]> {
  const found: Example[] = [];
  for (const kind of ['app', 'label'] as const) {
    for (const [folder, sort] of FOLDERS) {
      for (const path of globSync('**/*.ts', { cwd: join(HERE, kind, folder) })) {
        const file = `${kind}/${folder}/${path.replaceAll('\\', '/')}`;
        const { note, default: make } = await import(pathToFileURL(join(HERE, file)).href);
        found.push({ ...note, kind, sort, file, make });
      }
    }
  }
  return found.sort((a, b) => (a.id < b.id ? -1 : 1));
}
