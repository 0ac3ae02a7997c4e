// What is wrong for the second installation of an app only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { profileOf } from '../../../mock/profile.ts';
import { type DeviationRow, findsEach, type Http, judged } from './whole-state.fixture.ts';

/** Cases of each property in which both installations have their turn. */
const RUNS = 40;

/** A deviation for every authCode but the first. */
const forSecond =
  (http: NonNullable<Http>): (() => Http) =>
  () =>
  (request, next, service) => {
    const { apps } = profileOf(service) as { apps: { authCode: string } };
    const code = new URL(request.url).searchParams.get('authCode');
    return code === null || code === apps.authCode ? next(request) : http(request, next, service);
  };

/** A call whose JSON body arrives changed. */
const changed =
  (path: string, change: (text: string) => string): NonNullable<Http> =>
  async (request, next) => {
    if (!new URL(request.url).pathname.endsWith(path) || request.method === 'GET') return next(request);
    const { method, url, headers } = request;
    return next(new Request(url, { method, headers, body: change(await request.text()) }));
  };

const ROWS: ReadonlyArray<readonly [property: string, ...DeviationRow]> = [
  [
    'properties.apps.data',
    'numbers of the second installation become texts',
    forSecond(changed('/set_data/', (text) => text.replaceAll(/:(\d+)\b/g, ':"$1"'))),
    /^apps\.data\.object-kept$/,
  ],
  [
    'properties.apps.snippets',
    'entities in snippets of the second installation are decoded',
    forSecond(changed('/set_snippet/', (text) => text.replaceAll('&amp;', '&'))),
    /^apps\.snippet\.default-kept$/,
  ],
];
for (const [property, ...row] of ROWS) findsEach(property, [row], RUNS);

test('a second installation that is refused is left out, and decides nothing', async () => {
  const refused = forSecond(() =>
    Promise.resolve(Response.json({ error: true, error_code: 403, error_message: 'Forbidden' }, { status: 403 })),
  );
  for (const property of ['properties.apps.data', 'properties.apps.snippets']) {
    const result = await judged(property, refused(), RUNS);
    assert.equal(result.verdict, 'pass', result.reason);
  }
});
