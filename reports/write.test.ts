import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { RunEvent } from '../contracts/run/events.ts';
import { foldRun } from './events/fold.ts';
import { EventsError, readEvents } from './events/read.ts';
import { REPORT_FILES } from './files.ts';
import { foldEvidence } from './html/exchanges/evidence.ts';
import { readResults } from './results/file.ts';
import { foldResults } from './results/index.ts';
import { CLAUSES, sampleCheck, sampleExchange, sampleFooter, sampleHeader, sampleRun } from './sample.fixture.ts';
import { removeReports, writeReports } from './write.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-reports-'));
after(() => rmSync(home, { recursive: true, force: true }));
let count = 0;
function folderWith(lines: readonly unknown[]): { folder: string; file: string } {
  const folder = mkdtempSync(join(home, `${count++}-`));
  const file = join(folder, 'events.ndjson');
  writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
  return { folder, file };
}
async function readAll(file: string): Promise<RunEvent[]> {
  const events: RunEvent[] = [];
  for await (const event of readEvents(file)) events.push(event);
  return events;
}

test('writes all reports, whole, and nothing else', async () => {
  const { folder, file } = folderWith(sampleRun());
  const results = await writeReports(folder, file, CLAUSES);
  assert.deepEqual(readdirSync(folder).sort(), ['events.ndjson', ...REPORT_FILES].sort());
  const written = readFileSync(join(folder, 'results.json'), 'utf8');
  assert.deepEqual(JSON.parse(written), JSON.parse(JSON.stringify(results)));
  assert.deepEqual(results, foldResults(sampleRun(), CLAUSES));
  assert.equal(readResults(written, 'results.json').outcome, 'non-conformant');
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<\/html>\n$/);
  const traces = join(folder, 'traces');
  mkdirSync(traces);
  for (const name of ['a.b.zip', 'notes of a person.txt']) writeFileSync(join(traces, name), '');
  await removeReports(folder);
  assert.deepEqual(readdirSync(folder), ['traces']);
  assert.deepEqual(readdirSync(traces), ['notes of a person.txt'], 'what a run did not write stays');
});

test('one reading of the file gives what the events give in memory, whatever bytes come before an exchange', async () => {
  const events = sampleRun().map((event) =>
    event.type === 'exchange' ? { ...event, failure: 'ā\u2028👍\ud800' } : event,
  );
  const { file } = folderWith(events);
  const { results, evidence } = await foldRun(file, CLAUSES);
  assert.deepEqual(results, foldResults(events, CLAUSES));
  assert.ok(evidence.exchanges.size > 0);
  assert.deepEqual(evidence, foldEvidence(events, results));
});

test('a torn last line is skipped, as is a whole one without its line feed; the run counts as cut off', async () => {
  const { folder, file } = folderWith(sampleRun().slice(0, -1));
  appendFileSync(file, '{"type":"footer","endedAt":"2026');
  assert.equal((await writeReports(folder, file, CLAUSES)).exitCode, 3);
  const { file: whole } = folderWith([sampleHeader()]);
  appendFileSync(whole, JSON.stringify(sampleFooter()));
  assert.equal((await readAll(whole)).length, 2);
});

test('a file that ends within its header is not a run', async () => {
  const { file } = folderWith([]);
  appendFileSync(file, '{"type":"header","proofma');
  await assert.rejects(readAll(file), /Line 1 of .* is incomplete/);
});

test('line separators of other alphabets do not cut a line', async () => {
  const hostile = sampleExchange(1, 'a.b', { failure: 'one\u2028two\u2029three\rfour\u0085' });
  const { file } = folderWith([sampleHeader(), hostile]);
  assert.deepEqual((await readAll(file))[1], hostile);
});

test('what is not a run is refused with the line and a remedy', async () => {
  const cases: [unknown[], RegExp][] = [
    [[], /is empty/],
    [['not json', sampleHeader()], /Line 1 of .* is not JSON/],
    [[sampleFooter()], /Line 1 of .* is not the header of a run/],
    [[sampleHeader(), sampleHeader()], /Line 2 of .* is a second header/],
    [[sampleHeader(), sampleFooter(), sampleCheck('a.b')], /Line 3 of .* is after the footer/],
    [[sampleHeader(), { ...sampleCheck('a.b'), verdict: 'great' }], /Line 2 of .*: \/verdict must be equal/],
    [[sampleHeader(), { type: 'surprise' }], /Line 2 of .*: it has no known "type"/],
    [[sampleHeader(), null], /Line 2 of .*: it has no known "type"/],
    [[sampleHeader(), '', sampleFooter()], /Line 2 of .* is not JSON/],
  ];
  for (const [lines, message] of cases) {
    const { folder, file } = folderWith(lines);
    await assert.rejects(
      writeReports(folder, file, CLAUSES),
      (error) => error instanceof EventsError && message.test(error.message),
    );
    assert.deepEqual(readdirSync(folder), ['events.ndjson'], 'nothing is written');
  }
});

test('results from elsewhere are judged by their schema', () => {
  assert.throws(() => readResults('{', 'x.json'), /x\.json is not JSON/);
  assert.throws(
    () => readResults('{}', 'x.json'),
    /x\.json is not the results of a run: it must have required property/,
  );
});

test('a run of 10,000 exchanges is reported on a page that stays small', async () => {
  const exchanges = Array.from({ length: 10_000 }, (_, n) => sampleExchange(n + 1, `a.${n % 100}`));
  const checks = Array.from({ length: 100 }, (_, c) =>
    sampleCheck(`a.${c}`, {
      verdict: c === 0 ? 'fail' : 'pass',
      exchanges: exchanges.filter((_, n) => n % 100 === c).map((exchange) => exchange.n),
    }),
  );
  const selected = checks.map((check) => check.id);
  const { folder, file } = folderWith([sampleHeader({ selected }), ...exchanges, ...checks, sampleFooter()]);
  await writeReports(folder, file, CLAUSES);
  assert.ok(readFileSync(join(folder, 'report.html')).length < 3_000_000);
});
