/**
 * A correct service that is away for a moment in the middle of a run: a restart behind a gateway, a network that is gone. No check
 * may fail for it or stay undecided, and nothing may be left behind. The soak tries more places of a run.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';
import { isDrawn } from '../draw.ts';

/** What comes in place of an answer while the service is away. */
const AWAY: Readonly<Record<string, () => Response>> = {
  'a page of a gateway': () =>
    new Response('<html><h1>502 Bad Gateway</h1></html>', { status: 502, headers: { 'content-type': 'text/html' } }),
  'an error envelope': () => {
    const body = {
      error: true,
      error_code: 503,
      error_message: 'Maintenance',
      errorCode: 503,
      errorMsg: 'Maintenance',
    };
    return Response.json(body, { status: 503 });
  },
  'no connection': () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  },
  'a connection that is closed': () => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  },
};
/** One in so many of the checks; the soak runs all of them. */
const SAMPLE = process.env.PROOFMARK_SOAK === '1' ? 1 : 4;
/** Calls that meet nothing, one after the other: most of them ask whether it is back. */
const CALLS_AWAY = 12;
/** Calls from one moment to the next. */
const GAPS = process.env.PROOFMARK_SOAK === '1' ? [173, 211, 251, 331, 431, 523, 701] : [331];

/** What the checks come to, without properties, on a service that is away at these calls, or whose answer is lost. */
async function judged(
  isAway: (call: number, request: Request) => boolean,
  away: () => Response,
  { isCarriedOut = false, wanted = (id: string): boolean => isDrawn(id, SAMPLE) } = {},
) {
  const service = createService({ origin: 'http://127.0.0.1:9' });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  let calls = 0;
  const transport = async (request: Request): Promise<Response> => {
    calls += 1;
    if (!isAway(calls, request)) return service.fetch(request);
    if (isCarriedOut) await service.fetch(request);
    return away();
  };
  const before = service.state.methods.all().length;
  const options = { profile, transport, instantPauses: true };
  const results = await runInProcess(SUITES, options, ({ id }) => !id.startsWith('properties.') && wanted(id));
  const left = service.state.methods.all().length - before;
  service.close();
  const bad = results.filter(({ verdict }) => !['pass', 'observed'].includes(verdict));
  return { calls, left, bad: bad.map(({ id, verdict, reason }) => `${id}: ${verdict}: ${reason}`) };
}

const usual = await judged(
  () => false,
  () => new Response(),
);

for (const [name, away] of Object.entries(AWAY)) {
  test(`${name} for a moment changes no verdict`, async () => {
    assert.deepEqual(usual.bad, []);
    // Several times within one run, so that few runs try many places.
    for (const gap of GAPS) {
      const met = await judged((call) => call % gap < CALLS_AWAY && call > gap, away);
      assert.deepEqual(met.bad, []);
      assert.equal(met.left, usual.left);
      assert.ok(met.calls > usual.calls + CALLS_AWAY, `${met.calls} calls in place of ${usual.calls}`);
    }
  });
}

test('every 97th call that is lost leaves no check undecided, however many writes are among them', async () => {
  for (const at of GAPS.length > 1 ? [7, 26, 44, 63, 82] : [44]) {
    const met = await judged((call) => call % 97 === at, AWAY['a page of a gateway']!);
    assert.deepEqual(met.bad, []);
    assert.equal(met.left, usual.left);
  }
});

test('a gateway that gives up waiting for every seventh write, which is carried out, is not blamed', async () => {
  const ofPoints = (id: string): boolean => /^delivery\.(?:point|batch|method)\./.test(id);
  let writes = 0;
  const isLate = (_call: number, { method }: Request): boolean => {
    if (method !== 'GET') writes += 1;
    return method !== 'GET' && writes % 7 === 0;
  };
  const page = (): Response => new Response('<h1>504 Gateway Time-out</h1>', { status: 504 });
  const { bad, left } = await judged(isLate, page, { isCarriedOut: true, wanted: ofPoints });
  // Many checks need more than six writes, so that most of them stay undecided.
  assert.deepEqual(
    bad.filter((line) => !/: inconclusive: /.test(line)),
    [],
  );
  assert.equal(left, usual.left);
});
