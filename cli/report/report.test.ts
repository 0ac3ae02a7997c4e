import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { UsageError } from '../../harness/process/usage-error.ts';
import { cleanRun, sampleRun } from '../../reports/sample.fixture.ts';
import { reportCommand } from './index.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-report-'));
after(() => rmSync(home, { recursive: true, force: true }));

function runFolder(name: string, events: readonly unknown[]): string {
  const folder = join(home, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'events.ndjson'), events.map((event) => `${JSON.stringify(event)}\n`).join(''));
  return folder;
}

/** The exit code of the command and what it printed. */
async function report(t: TestContext, ...argv: string[]): Promise<{ code: number; printed: string }> {
  let printed = '';
  const write = t.mock.method(process.stdout, 'write', (text: string) => {
    printed += text;
    return true;
  });
  try {
    return { code: await reportCommand(argv), printed };
  } finally {
    write.mock.restore();
  }
}

test('report DIR writes the reports again, prints the summary and ends as the run did', async (t) => {
  const folder = runFolder('failed', sampleRun());
  const { code, printed } = await report(t, folder);
  assert.equal(code, 1);
  assert.match(printed, /NOT CONFORMANT/);
  assert.equal(JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')).outcome, 'non-conformant');
  assert.equal((await report(t, runFolder('cut', cleanRun().slice(0, -1)))).code, 3);
});

test('report DIR of a precheck is about the clauses of that precheck', async (t) => {
  const [header, ...rest] = cleanRun();
  for (const [scope, prefix] of [
    ['app', 'app.'],
    ['delivery', 'provider.'],
  ] as const) {
    const folder = runFolder(scope, [{ ...header, command: `precheck ${scope}`, party: 'integrator' }, ...rest]);
    await report(t, folder);
    const { clauses } = JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as { clauses: { id: string }[] };
    const inScope = clauses.filter(({ id }) => id.startsWith(prefix) || id === 'envelope.v1.request-bodies-are-json');
    const foreign = clauses.filter(({ id }) => /^(?:app|provider|reseller)\./.test(id) && !id.startsWith(prefix));
    assert.ok(inScope.length > 20, scope);
    assert.deepEqual(foreign, [], scope);
  }
});

test('report --diff compares folders or files, and says when something got worse', async (t) => {
  const [before, after] = [runFolder('before', cleanRun()), runFolder('after', sampleRun())];
  await report(t, before);
  await report(t, after);
  const worse = await report(t, '--diff', before, join(after, 'results.json'));
  assert.equal(worse.code, 1);
  assert.match(worse.printed, /delivery\.method\.add/);
  assert.equal((await report(t, '--diff', before, before)).code, 0);
});

test('bad input is one sentence, and nothing is printed', async (t) => {
  const broken = runFolder('broken', ['x']);
  const cases: [string[], RegExp][] = [
    [['nowhere'], /^There is no nowhere.events\.ndjson: give the folder .*$/],
    [[broken], /^Line 1 of .* is not an event of a run: .*$/],
    [['--diff', broken], /^.* compares two runs: .*$/],
    [['--diff', broken, broken], /^There is no .*results\.json: .*$/],
    [['--diff', join(broken, 'events.ndjson'), broken], /^.* is not the results of a run: .*$/],
    [['a', 'b'], /^.* takes one folder, .*$/],
    [['--unknown'], /^.*--unknown.*$/],
  ];
  for (const [argv, message] of cases) {
    await assert.rejects(report(t, ...argv), (error) => error instanceof UsageError && message.test(error.message));
  }
});

test('the real command ends with exit 2 on bad input', () => {
  const command = join(import.meta.dirname, '../proofmark.mjs');
  const ran = spawnSync(process.execPath, [command, 'report', join(home, 'nowhere')], { encoding: 'utf8' });
  assert.equal(ran.status, 2);
  assert.match(ran.stderr, /^proofmark: There is no .*\n$/);
});

test('report --har writes every exchange as an entry that other tools read', async (t) => {
  const folder = runFolder('har', sampleRun());
  const log = t.mock.method(console, 'log', () => undefined);
  assert.equal((await report(t, folder, '--har')).code, 1);
  assert.equal(log.mock.calls.at(-1)?.arguments[0], `HAR: ${join(folder, 'exchanges.har')}`);
  const { log: har } = JSON.parse(readFileSync(join(folder, 'exchanges.har'), 'utf8'));
  assert.deepEqual(
    har.entries.map((entry: { _n: number; response: { status: number } }) => [entry._n, entry.response.status]),
    [
      [1, 200],
      [2, 200],
      [3, 204],
      [4, 0],
    ],
  );
  assert.equal(har.entries[2].response.content.encoding, 'base64');
  assert.equal(har.entries[3].response._error, 'no answer within 15 s');
  await assert.rejects(reportCommand(['--har', '--merge', folder]), UsageError);
  await assert.rejects(reportCommand(['--evidence', folder]), UsageError);
});

test('report --against and --history put a run beside earlier ones, as text, JSON and Markdown', async (t) => {
  const [before, after] = [runFolder('all/1', cleanRun()), runFolder('all/2', sampleRun())];
  await report(t, before);
  await report(t, after);
  const text = await report(t, before, '--against', before);
  assert.equal(text.code, 0);
  assert.match(text.printed, /No verdict and no observation changed/);
  const json = JSON.parse((await report(t, after, '--against', before, '--format', 'json')).printed);
  // The two samples have no check in common.
  assert.equal(json.changes.compared.checks, 0);
  const trend = await report(t, after, '--history', join(home, 'all'), '--format', 'markdown');
  assert.match(trend.printed, /## Trend/);
  await assert.rejects(report(t, after, '--format', 'json'), UsageError);
  await assert.rejects(report(t, after, '--against', before, '--format', 'xml'), UsageError);
  await assert.rejects(report(t, after, '--history', join(home, 'nowhere')), UsageError);
});
