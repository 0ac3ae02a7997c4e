import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from '@playwright/test';
import { Skipped } from '../check/failures.ts';
import type { SpooledEvent } from '../evidence/events/spool.ts';
import type { Recorder } from '../evidence/recorder.ts';
import { createRedaction } from '../evidence/redaction/index.ts';
import { type IntegratorCheck, integratorCheck } from './check.ts';
import type { IntegratorContext } from './context.ts';
import type { Counterpart } from './counterpart.ts';
import type { Fetcher } from './fetch/fetcher.ts';
import { runIntegratorChecks } from './run.ts';
import { IntegratorSession, type SessionOptions } from './session.ts';

type Check = IntegratorCheck<IntegratorContext>;

const session = (more: Partial<SessionOptions> = {}): IntegratorSession =>
  new IntegratorSession({
    counterpart: { origin: 'http://127.0.0.1:1' } as Counterpart,
    redaction: createRedaction(),
    recorder: {} as Recorder,
    fetcher: {} as Fetcher,
    secrets: [],
    ...more,
  });

const must = (id: string, body: Check['body'], needs: readonly string[] = []): Check =>
  integratorCheck<IntegratorContext>(`app.${id}`, 'MUST be so', { clauses: ['app.manifest.https'], needs }, body);

async function verdictsOf(checks: readonly Check[], options: { checkTimeoutMs?: number } = {}, on = session()) {
  const results = await runIntegratorChecks([{ name: 'app', checks }], on, options);
  return results.map(({ verdict, attribution, because, reason }) => ({ verdict, attribution, because, reason }));
}

test('each way to end has its verdict', async () => {
  const results = await verdictsOf([
    must('pass', async ({ expect }) => expect.that(true, 'is so')),
    must('fail', async ({ expect }) => expect.that(false, 'has to be so')),
    must('given', async ({ given }) => given.holds(false, 'app.manifest.https', 'is not')),
    must('skipped', async () => {
      throw new Skipped('nothing to judge');
    }),
    must('vacuous', async () => undefined),
    must('bug', async () => {
      throw new RangeError('ours');
    }),
  ]);
  assert.deepEqual(
    results.map(({ verdict, attribution }) => [verdict, attribution]),
    [
      ['pass', undefined],
      ['fail', 'target'],
      ['inconclusive', 'target'],
      ['not-applicable', 'configuration'],
      ['error', 'harness'],
      ['error', 'harness'],
    ],
  );
  assert.equal(results[2]?.because, 'app.manifest.https');
});

test('a check that does not end is stopped, and its clean-up runs', async () => {
  let cleaned = false;
  const [result] = await verdictsOf(
    [
      must('endless', async (context) => {
        context.atEnd(async () => {
          cleaned = true;
        });
        await new Promise(() => undefined);
      }),
    ],
    { checkTimeoutMs: 20 },
  );
  assert.equal(result?.verdict, 'inconclusive');
  assert.match(result?.reason ?? '', /not decided within 0\.02 s/);
  assert.equal(cleaned, true);
});

test('what a check needs and is not there decides it with the session’s reason', async () => {
  const on = session();
  on.unusable.set('label', { verdict: 'not-applicable', attribution: 'configuration', reason: 'nobody asked' });
  const results = await verdictsOf(
    [must('browser', async () => undefined, ['browser']), must('label', async () => undefined, ['label'])],
    {},
    on,
  );
  assert.deepEqual(
    results.map(({ verdict }) => verdict),
    ['inconclusive', 'not-applicable'],
  );
  assert.match(results[0]?.reason ?? '', /no browser/);
});

test('a check whose browser was lost is tried again, but not without end where it needs no other one', async () => {
  const browser = () =>
    ({
      isConnected: () => false,
      newContext: async () => ({ setDefaultTimeout: () => undefined, on: () => undefined }),
      close: async () => undefined,
    }) as unknown as Browser;
  for (const [opensEachTime, attempts, verdict] of [
    [false, 2, 'pass'],
    [true, 3, 'inconclusive'],
  ] as const) {
    let [started, tries] = [0, 0];
    const on = session({
      launchBrowser: async () => {
        started += 1;
        return browser();
      },
    });
    const check = must(
      'lost',
      async ({ session: its, expect }) => {
        tries += 1;
        if (opensEachTime || tries === 1) await its.browserContext();
        expect.that(tries > 1 && !opensEachTime, 'seen');
      },
      ['browser'],
    );
    const [result] = await verdictsOf([check], {}, on);
    assert.deepEqual([result?.verdict, tries, started], [verdict, attempts, opensEachTime ? 3 : 1]);
  }
});

test('results are redacted, but words of our own stay', async () => {
  const on = session();
  on.secret('APP_SECRET', 'installed-secret');
  on.secret('API_KEY', 'app.leaking');
  const emitted: SpooledEvent[] = [];
  const check = must('leaking', async ({ expect }) => expect.that(false, 'it says installed-secret'));
  await runIntegratorChecks([{ name: 'app', checks: [check] }], on, { emit: (event) => emitted.push(event) });
  const [event] = emitted;
  assert.ok(event?.type === 'check');
  assert.equal(event.id, 'app.leaking');
  assert.equal(event.reason, 'it says $APP_SECRET');
});

test('after an interruption no further check begins', async () => {
  const controller = new AbortController();
  const results = await runIntegratorChecks(
    [
      {
        name: 'app',
        checks: [
          must('one', async ({ expect }) => {
            expect.that(true, 'so');
            controller.abort();
          }),
          must('two', async () => undefined),
        ],
      },
    ],
    session(),
    { signal: controller.signal },
  );
  assert.deepEqual(
    results.map(({ id }) => id),
    ['app.one'],
  );
});

test('a browser that is about to end, and still counts as connected, is lost to a check that did not pass', async () => {
  const context = { setDefaultTimeout: () => undefined, on: () => undefined, close: async () => undefined };
  const ending = (): Browser => {
    let isGone = false;
    return {
      isConnected: () => true,
      newContext: async () => {
        if (isGone) throw new Error('Target page, context or browser has been closed');
        isGone = true;
        return context;
      },
      close: async () => undefined,
    } as unknown as Browser;
  };
  const on = session({ launchBrowser: async () => ending() });
  const check = must(
    'ending',
    async ({ session: its, expect }) => {
      await its.browserContext();
      expect.that(false, 'seen');
    },
    ['browser'],
  );
  const [result] = await verdictsOf([check], {}, on);
  assert.deepEqual([result?.verdict, result?.attribution], ['inconclusive', 'harness']);
});
