/** The arithmetic and the page of the benchmarks; no figure is judged here. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { BEGIN, type BenchResults, END, withResults } from './document.ts';
import { inTurn, quantile } from './measure.ts';
import { sharesOf } from './measures/profile.ts';
import { plotOf } from './plot.ts';

test('a quantile is a value of the list, and the median its middle', () => {
  assert.equal(quantile([3, 1, 2]), 2);
  assert.equal(
    quantile(
      Array.from({ length: 100 }, (_, i) => i),
      0.99,
    ),
    99,
  );
  assert.throws(() => quantile([]), /median of nothing/);
});

test('ways are run in turn, every round', async () => {
  const order: string[] = [];
  const way = (name: string, value: number) => () => {
    order.push(name);
    return value + order.length;
  };
  const { a } = await inTurn({ a: way('a', 10), b: way('b', 20) }, 3);
  assert.deepEqual(order, ['a', 'b', 'a', 'b', 'a', 'b']);
  assert.deepEqual(a, { median: 13, range: [11, 15] });
});

test('a plot names its axes and escapes its texts', () => {
  const svg = plotOf('a < b', {
    x: 'points',
    y: 'ms',
    series: [
      {
        name: 'x & y',
        points: [
          [1, 2],
          [10, 4],
        ],
      },
    ],
  });
  assert.match(svg, /<title>a &#60; b<\/title>/);
  assert.match(svg, /x &#38; y/);
  assert.equal(svg.match(/<circle/g)?.length, 2);
});

const RESULTS: BenchResults = {
  at: '2026-01-02T03:04:05Z',
  machine: 'a machine',
  proofmark: '0.1.0',
  measures: [
    {
      id: 'one',
      title: 'One',
      goal: 'at most 2 s',
      figures: [{ what: 'it', value: 3.1234, unit: 's', range: [3, 4], ratio: 2 }],
      isMet: false,
    },
    { id: 'two', title: 'Two', figures: [], failure: 'there is no browser' },
  ],
};

test('results replace what was between the marks, and nothing else', () => {
  const page = withResults(`before\n${BEGIN}\nold\n${END}\nafter`, RESULTS);
  assert.match(page, /^before\n.*\nafter$/s);
  assert.doesNotMatch(page, /\bold\b/);
  assert.match(page, /Goal: at most 2 s\. \*\*Not met\.\*\*/);
  assert.match(page, /\| it \| 3\.1 s \| 3 to 4 \| x 2 \|/);
  assert.match(page, /Not measured: there is no browser/);
  assert.match(page, /\| One \| at most 2 s \| \*\*not met\*\* \|/);
  assert.doesNotMatch(page, /\| Two \|/);
  assert.throws(() => withResults('no marks', RESULTS), /has lost the marks/);
});

test('docs/speed.md has a place for results', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/speed.md'), 'utf8');
  assert.ok(withResults(page, RESULTS).includes('### One'));
});

test('shares of a profile are those of its busy time, whatever process they are of', () => {
  const frame = (id: number, functionName: string) => ({ id, callFrame: { functionName, url: '', lineNumber: 0 } });
  const nodes = [frame(1, '(idle)'), frame(2, 'parse'), frame(3, 'write')];
  const one = { startTime: 0, nodes, samples: [1, 2, 3], timeDeltas: [9_000_000, 1_000_000, 2_000_000] };
  const other = { startTime: 1, nodes, samples: [2], timeDeltas: [1_000_000] };
  assert.deepEqual(
    sharesOf([one, other], ({ functionName }) => functionName),
    {
      busySeconds: 4,
      shares: [
        ['parse', 0.5],
        ['write', 0.5],
      ],
    },
  );
});
