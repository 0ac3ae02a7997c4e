/** For the tests of vectors: reads their files. */
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Fields } from '../signing/index.ts';

export const folder = new URL('./', import.meta.url);
// biome-ignore lint/suspicious/noExplicitAny: the first test says what the files hold
export const read = (name: string): any => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

export interface Vector {
  readonly name: string;
  readonly operation?: string;
  readonly mistake?: string;
  readonly [member: string]: unknown;
}

/** Runs `body` as one test per vector of one half of a file. */
export function each<V>(
  rule: string,
  half: 'accept' | 'reject',
  body: (vector: V & Vector, file: Record<string, unknown>) => void,
): void {
  const file = read(`${rule}.json`) as Record<string, unknown> & Record<'accept' | 'reject', Array<V & Vector>>;
  test(`${rule}: ${half}`, async (t) => {
    for (const vector of file[half]) await t.test([vector.operation, vector.name].join(' '), () => body(vector, file));
  });
}

export interface SigningVector {
  readonly key: string;
  readonly fields: Fields;
  readonly message: string;
  readonly signature: string;
}

export interface HashVector {
  readonly secret: string;
  readonly address: string;
  readonly encoding: string;
  readonly query: string;
  readonly hash: string;
}
