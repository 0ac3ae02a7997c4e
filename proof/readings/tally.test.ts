import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Judgement } from './judge.ts';
import type { Reading } from './reading.ts';
import { linesOf, markdownOf, published } from './tally.ts';

const row = (id: string): Reading => ({
  id,
  section: 'A',
  silence: 'Something.',
  answers: [
    { id: 'one', about: 'One.' },
    { id: 'two', about: 'Two.', open: 'A check.' },
  ],
});
const [first, second] = [row('a.first'), row('a.second')];

const judgement = (part: Partial<Judgement>): Judgement => ({ problems: [], forced: [], warned: [], ...part });
const JUDGED = [
  { choice: new Map([[first, first.answers[0]!]]), judgement: judgement({}) },
  {
    choice: new Map([
      [first, first.answers[0]!],
      [second, second.answers[0]!],
    ]),
    judgement: judgement({
      problems: [
        { kind: 'blamed', check: 'x.y', message: 'no' },
        { kind: 'undecided', check: 'x.z', message: 'no' },
      ],
      forced: [{ check: 'x.w', answers: ['a.second/one'] }],
    }),
  },
];

test('services, alarms and undecided checks are counted for each row that they answer', () => {
  assert.deepEqual(linesOf([first, second], JUDGED), [
    { row: 'a.first', answers: 3, services: 2, alarms: 1, undecided: 1, forced: 0 },
    { row: 'a.second', answers: 3, services: 1, alarms: 1, undecided: 1, forced: 1 },
  ]);
});

test('the table says how many services there were, and is between its marks', () => {
  const table = markdownOf([first, second], JUDGED);
  assert.match(table, /^2 rows with 4 answers .* 2 wait for a better check\.$/m);
  assert.match(table, /^2 services \(1 with one answer, 1 with several\): 1 alarms, 1 checks undecided/m);
  assert.match(table, /^\| a\.second \| 3 \| 1 \| 1 \| 1 \| 1 \|$/m);
  const page = 'before\n<!-- readings: begin -->\nold\n<!-- readings: end -->\nafter\n';
  const written = published(page, table);
  assert.ok(written.startsWith('before\n') && written.endsWith('after\n') && !written.includes('old'));
  assert.equal(published(written, table), written);
  assert.throws(() => published('a page', table), /does not hold/);
});
