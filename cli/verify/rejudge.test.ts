/** What the exchanges of a precheck say against its verdicts, regardless of who made the package. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { CheckResult, Exchange } from '../../contracts/run/events.ts';
import type { OpenPackage } from '../../harness/evidence/package/read.ts';
import { sampleCheck, sampleExchange, sampleHeader } from '../../reports/sample.fixture.ts';
import type { Contents } from './contents.ts';
import { rejudge } from './rejudge.ts';

const home = mkdtempSync(join(tmpdir(), 'proofmark-rejudge-'));
after(() => rmSync(home, { recursive: true, force: true }));

const header = sampleHeader({ command: 'precheck delivery', party: 'integrator' });

async function judged(check: CheckResult, exchange: Exchange, ...others: readonly CheckResult[]): Promise<void> {
  const eventsFile = join(home, 'events.ndjson');
  writeFileSync(eventsFile, [header, exchange].map((event) => `${JSON.stringify(event)}\n`).join(''));
  await rejudge({ eventsFile } as OpenPackage, { checks: [check, ...others], header } as unknown as Contents, {});
}

/** The label as it was fetched. */
const label = (more: Partial<NonNullable<Exchange['response']>>): Exchange => ({
  ...sampleExchange(1, 'a.b'),
  response: { status: 200, headers: [['content-type', 'application/pdf']], body: { text: '%PDF-1.4 …' }, ...more },
});

const passed = (clause: string): CheckResult =>
  sampleCheck('a.b', { level: 'MUST', verdict: 'pass', clauses: [clause], exchanges: [1] });

describe('a pass that rests on a label', () => {
  test('is refused where the label is not a document', async () => {
    for (const clause of ['provider.label.is-pdf', 'provider.label.served-again']) {
      const check = passed(clause);
      await judged(check, label({}));
      await judged(check, label({ body: { base64: Buffer.from('\n%PDF-2.0').toString('base64'), truncated: 9 } }));
      for (const more of [{ status: 404 }, { body: { text: '<html>' } }, { body: { base64: 'aGVsbG8=' } }])
        await assert.rejects(judged(check, label(more)), new RegExp(`exchange 1 breaks the clause ${clause}`));
    }
  });

  test('is refused where it was served as something else', async () => {
    const check = passed('provider.label.content-type');
    await judged(check, label({ headers: [['Content-Type', 'Application/PDF; x=1']] }));
    for (const headers of [[], [['content-type', 'text/html']]] as [string, string][][])
      await assert.rejects(judged(check, label({ headers })), /exchange 1 breaks the clause/);
  });
});

test('a clause that an exchange breaks does apply', async () => {
  const clause = 'provider.calls.portion-size';
  const check = sampleCheck('a.b', { level: 'MUST', verdict: 'not-applicable', clauses: [clause], exchanges: [] });
  const upload = (count: number): Exchange => ({
    ...sampleExchange(1, 'a.b'),
    request: {
      method: 'POST',
      url: 'https://service.example/v1/store/delivery_method/m-1/pickup_points/batch_replace/',
      headers: [
        ['authorization', 'ApiKey $API_KEY'],
        ['content-type', 'application/json'],
      ],
      body: { text: JSON.stringify({ pickup_points: Array.from({ length: count }, (_, at) => ({ id: `p${at}` })) }) },
    },
  });
  await judged(check, upload(100));
  await assert.rejects(judged(check, upload(101)), /calls a\.b not applicable, but exchange 1 breaks the clause/);
  // Where another check reports what the exchange shows, or what every call may suffer from, nothing is concealed.
  const about = { level: 'MUST', clauses: ['provider.callback.by-get'], exchanges: [1] } as const;
  for (const reported of [
    sampleCheck('c.d', { ...about, verdict: 'fail', exchanges: [] }),
    sampleCheck('c.d', { ...about, verdict: 'warn', level: 'SHOULD' }),
  ])
    await judged(check, upload(101), reported);
  const unrelated = sampleCheck('c.d', { ...about, verdict: 'warn', level: 'SHOULD', exchanges: [] });
  await assert.rejects(judged(check, upload(101), unrelated), /exchange 1 breaks the clause/);
});
