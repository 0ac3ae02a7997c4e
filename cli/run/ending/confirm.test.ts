import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RunEvent } from '../../../contracts/run/events.ts';
import { readEvents } from '../../../reports/events/read.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import { CLAUSES, sampleCheck, sampleExchange, sampleFooter, sampleHeader } from '../../../reports/sample.fixture.ts';
import { writeReports } from '../../../reports/write.ts';
import { folderFor, proofmark, resultsIn } from '../../common/command.fixture.ts';
import { runOptionsOf } from '../options.ts';
import { confirmFailures } from './confirm.ts';

const [BROKEN, FLAKY, GOOD] = ['delivery.method.add', 'delivery.batch.refuses-101-points', 'reseller.login'] as const;

async function write(folder: string, events: readonly RunEvent[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, EVENTS_FILE);
  writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  await writeReports(folder, file, CLAUSES);
}

const failed = { verdict: 'fail', attribution: 'target', reason: 'it answered 500' } as const;

test('both results are reported, the first one counts, and what only failed once is named as not confirmed', async (t) => {
  const out = folderFor(t);
  await write(out, [
    sampleHeader({ selected: [BROKEN, FLAKY, GOOD] }),
    sampleExchange(1, BROKEN),
    sampleExchange(2, FLAKY),
    sampleCheck(BROKEN, { ...failed, exchanges: [1] }),
    sampleCheck(FLAKY, { ...failed, exchanges: [2] }),
    sampleCheck(GOOD, { verdict: 'pass' }),
    sampleFooter(),
  ]);
  let asked: readonly string[] = [];
  const options = { ...runOptionsOf(['--confirm', '--out', out, '--quiet', '--bail', '2', '--shard', '1/2']) };
  const log = t.mock.method(process.stdout, 'write', () => true);
  const code = await confirmFailures(options, async ({ only, out: again, ...rest }) => {
    asked = only;
    assert.deepEqual([rest.bail, rest.shard, rest.promote], [undefined, undefined, false]);
    await write(again, [
      sampleHeader({ selected: [...only] }),
      sampleExchange(1, BROKEN),
      sampleCheck(BROKEN, { ...failed, reason: 'it answered 503', exchanges: [1] }),
      sampleCheck(FLAKY, { verdict: 'pass' }),
      { type: 'ledger', what: 'orphan', object: 'delivery method pm-1' },
      sampleFooter({ requests: 3, notices: ['of the repetition'] }),
    ]);
  });
  log.mock.restore();
  assert.equal(code, 1);
  assert.deepEqual(asked, [BROKEN, FLAKY]);
  const { checks, counts, ledger, requests, notices } = resultsIn(out);
  const [broken, flaky, good] = checks;
  assert.deepEqual(broken?.confirmation, { verdict: 'fail', reason: 'it answered 503', actual: null, exchanges: [3] });
  assert.deepEqual([flaky?.verdict, flaky?.confirmation?.verdict], ['fail', 'pass']);
  assert.equal(good?.confirmation, undefined);
  assert.equal(counts.fail, 2);
  assert.deepEqual(ledger.orphans, [{ object: 'delivery method pm-1' }]);
  assert.equal(requests, sampleFooter().requests + 3);
  assert.ok(notices.includes('of the repetition'));
  const roles: string[] = [];
  for await (const event of readEvents(join(out, EVENTS_FILE)))
    if (event.type === 'exchange') roles.push(`${event.n} ${event.role}`);
  assert.deepEqual(roles.slice(-1), [`3 repeated, ${sampleExchange(1, BROKEN).role}`]);
  for (const file of ['junit.xml', 'report.html', 'summary.md']) {
    const text = readFileSync(join(out, file), 'utf8');
    assert.match(text, /Confirmed: the check was repeated at the end of the run, again with the result fail\./, file);
    assert.match(
      text,
      /Not confirmed: the check was repeated at the end of the run, with the result pass\. The first result counts\./,
      file,
    );
  }
  const { results } = JSON.parse(readFileSync(join(out, 'ctrf.json'), 'utf8'));
  assert.deepEqual(
    results.tests.map(({ flaky: isFlaky }: { flaky?: boolean }) => isFlaky),
    [false, true, undefined],
  );
});

test('nothing is repeated without a failure, or after an interruption', async (t) => {
  const repeat = () => Promise.reject(new Error('nothing to repeat'));
  const log = t.mock.method(process.stdout, 'write', () => true);
  for (const [footer, verdict, code] of [
    [{}, 'pass', 3],
    [{ interrupted: 'Ctrl-C' }, 'fail', 1],
  ] as const) {
    const out = folderFor(t);
    await write(out, [sampleHeader({ selected: [GOOD] }), sampleCheck(GOOD, { verdict }), sampleFooter(footer)]);
    assert.equal(await confirmFailures(runOptionsOf(['--confirm', '--out', out]), repeat), code);
  }
  log.mock.restore();
});

test('proofmark run --confirm runs the failed checks again and prints one summary', async (t) => {
  const folder = folderFor(t);
  const args = [
    '--target',
    'mock:fault=batch.adds-instead-of-replacing',
    '--only',
    'delivery.batch.replaces-all',
    '--workers',
    '1',
  ];
  const { code, stdout, stderr } = await proofmark(['run', ...args, '--confirm', '--out', folder], { cwd: folder });
  assert.equal(code, 1, stderr);
  assert.match(stderr, /Repeating 1 failed check \(--confirm\)/);
  assert.match(stdout, /Confirmed: the check was repeated at the end/);
  assert.equal(stdout.match(/^NOT CONFORMANT/gm)?.length, 1, stdout);
  assert.equal(resultsIn(folder).checks[0]?.confirmation?.verdict, 'fail');
});
