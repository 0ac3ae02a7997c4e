/** What a run that was killed is reported with: every verdict that its workers had reached. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { CheckResult, RunEvent } from '../../../contracts/run/events.ts';
import { openSpool } from '../../../harness/evidence/events/spool.ts';
import { EventWriter } from '../../../harness/evidence/events/writer.ts';
import { asRedacted } from '../../../harness/evidence/redaction/redacted.ts';
import { JOB_FILE } from '../../../harness/runner/job.ts';
import { sampleCheck, sampleExchange, sampleHeader } from '../../../reports/sample.fixture.ts';
import { recoverVerdicts } from './cut-off.ts';

const eventsIn = (file: string): RunEvent[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as RunEvent);

test('verdicts that a killed writer held back are in the events again, with their exchanges', (t) => {
  const home = mkdtempSync(join(tmpdir(), 'proofmark-cut-off-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  const header = { ...sampleHeader(), run: 'r-1', selected: ['a.first', 'a.second'], plan: [] };
  const file = join(home, 'events.ndjson');
  const spoolFolder = join(home, 'r-1', 'spool');
  mkdirSync(spoolFolder, { recursive: true, mode: 0o700 });
  writeFileSync(
    join(home, 'r-1', JOB_FILE),
    JSON.stringify({ profile: { text: '{ "name": "mock" }', folder: home }, spoolFolder }),
  );
  const spool = openSpool(spoolFolder, 'worker-0');
  spool.append(
    asRedacted(sampleExchange(41, 'a.second')),
    asRedacted(sampleCheck('a.second', { verdict: 'fail', exchanges: [41], decisive: 41 })),
  );
  spool.close();
  // As the killed writer left it: the first check has no verdict, so that of the second one was held back.
  const writer = new EventWriter(file, header, { redact: (value) => value });
  writer.follow(spoolFolder);
  writer.take();
  writer.leave();
  assert.deepEqual(
    eventsIn(file).map(({ type }) => type),
    ['header', 'exchange'],
  );

  recoverVerdicts(file, home);
  const [, exchange, check] = eventsIn(file);
  assert.equal(exchange?.type === 'exchange' && exchange.n, 1);
  const { id, verdict, exchanges, decisive } = check as CheckResult;
  assert.deepEqual(
    { id, verdict, exchanges, decisive },
    { id: 'a.second', verdict: 'fail', exchanges: [1], decisive: 1 },
  );

  const before = readFileSync(file, 'utf8');
  recoverVerdicts(file, join(home, 'nowhere'));
  assert.equal(readFileSync(file, 'utf8'), before, 'without the folder of the workers nothing is changed');
});
