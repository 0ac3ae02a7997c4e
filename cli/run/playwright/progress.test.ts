import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Suite } from '../../../harness/check/check.ts';
import { sampleCheck, sampleExchange } from '../../../reports/sample.fixture.ts';
import { showProgress } from '../progress.ts';

const IDS = ['a.one', 'a.two', 'a.three', 'a.four'];
const SUITE = { name: 'a/suite', serialGroup: 'delivery', checks: IDS.map((id) => ({ id })) } as unknown as Suite;
const ended = (id: string, verdict: 'pass' | 'fail') => sampleCheck(id, { suite: 'a/suite', verdict });

test('a terminal shows done of total, time left, verdicts and the current check, in one line', () => {
  const written: string[] = [];
  let time = 0;
  const out = { isTTY: true, columns: 200, write: (text: string) => written.push(text) };
  const progress = showProgress([SUITE], IDS, out, () => time);
  time = 10_000;
  progress.seen(ended('a.one', 'fail'));
  progress.seen(sampleExchange(1, 'a.two'));
  const line = () => written.at(-1)?.replace('\r\x1b[2K', '');
  assert.equal(line(), '1/4 checks, 30.0 s left, 1 request (1 failed) a.two');
  progress.seen(ended('a.two', 'pass'));
  assert.equal(line(), '2/4 checks, 10.0 s left, 1 request (1 failed, 1 passed) a.two');
  out.columns = 0;
  progress.seen(sampleExchange(3, 'a.four'));
  assert.match(line() ?? '', /a\.four$/, 'a width that is not known is taken for an ordinary one');
  out.columns = 30;
  progress.seen(sampleExchange(2, 'a.three'));
  assert.ok((written.at(-1) ?? '').length <= 30 + '\r\x1b[2K'.length);
});

test('a log gets one line a suite, when its last check ended', () => {
  const written: string[] = [];
  const progress = showProgress([SUITE], IDS, { write: (text: string) => written.push(text) });
  for (const id of IDS) progress.seen(ended(id, id === 'a.one' ? 'fail' : 'pass'));
  assert.deepEqual(written, ['a/suite: 4 checks (1 failed)\n']);
  const alone = showProgress([SUITE], IDS.slice(0, 1), { write: (text: string) => written.push(text) });
  alone.seen(ended('a.one', 'pass'));
  assert.equal(written.at(-1), 'a/suite: 1 check\n');
});
