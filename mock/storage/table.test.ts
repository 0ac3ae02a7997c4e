import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Journal, type Sink, Table } from './table.ts';

describe('tables', () => {
  test('a change that throws is rolled back, including the order of rows', () => {
    const journal = new Journal();
    const table = new Table<{ n: number }>('t', journal);
    journal.change(() => ['a', 'b', 'c'].forEach((key, n) => void table.set(key, { n })));
    const before = table.entries();
    assert.throws(
      () =>
        journal.change(() => {
          table.delete('b');
          table.set('d', { n: 9 });
          table.patch('a', { n: 7 });
          table.delete('a');
          table.set('b', { n: 8 });
          throw new Error('no');
        }),
      /^Error: no$/,
    );
    assert.deepEqual(table.entries(), before);
  });

  test('a change inside a change is part of it', () => {
    const journal = new Journal();
    const table = new Table<number>('t', journal);
    assert.throws(() =>
      journal.change(() => {
        journal.change(() => table.set('a', 1));
        throw new Error('no');
      }),
    );
    assert.equal(table.size, 0);
  });

  test('writes outside a change, and asynchronous changes, throw', () => {
    const journal = new Journal();
    const table = new Table<number>('t', journal);
    assert.throws(() => table.set('a', 1), /inside service.change/);
    assert.throws(() => journal.change(async () => table.set('a', 1)), /synchronous/);
    assert.equal(table.size, 0);
    assert.throws(() => journal.change(() => table.patch('a', 2)), /no row a/);
  });

  test('a change that cannot be stored is rolled back in memory too', () => {
    const calls: string[] = [];
    const sink: Sink = {
      row: () => {
        throw new Error('disk full');
      },
      points: () => {},
      dropPoints: () => {},
      begin: () => void calls.push('begin'),
      commit: () => void calls.push('commit'),
      rollback: () => void calls.push('rollback'),
    };
    const journal = new Journal(sink);
    const table = new Table<number>('t', journal);
    assert.throws(() => journal.change(() => table.set('a', 1)), /disk full/);
    assert.equal(table.size, 0);
    assert.deepEqual(calls, ['begin', 'rollback']);
  });
});
