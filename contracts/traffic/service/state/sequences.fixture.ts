/** For tests: sequences of calls, and the one clause that each breaks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TrafficOptions } from '../../index.ts';
import { broken, type ExchangeDescription } from '../../traffic.fixture.ts';

export type Json = Readonly<Record<string, unknown>>;
export const ok = { error: false };

export interface Sequence {
  readonly name: string;
  readonly clause?: string;
  readonly calls: readonly ExchangeDescription[];
}

/** Each row is a name, the clause that the calls break, if they break one, and the calls. */
export const sequencesOf = (
  rows: ReadonlyArray<readonly [string, string | undefined, ...ExchangeDescription[]]>,
): Sequence[] => rows.map(([name, clause, ...calls]) => ({ name, calls, ...(clause === undefined ? {} : { clause }) }));

/** A test for each sequence. */
export function judgeAll(sequences: readonly Sequence[], options: Partial<TrafficOptions> = {}): void {
  for (const { name, clause, calls } of sequences)
    test(`${name}: ${clause ?? 'open'}`, () =>
      assert.deepEqual(broken(calls, options), clause === undefined ? [] : [clause]));
}

export const get = (url: string, response: unknown, status = 200): ExchangeDescription => ({ url, response, status });
export const send = (method: string, url: string, body?: unknown, response: unknown = ok): ExchangeDescription => ({
  ...{ method, url, response },
  ...(body === undefined ? {} : { body }),
});
