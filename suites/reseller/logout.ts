import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { atOnce } from '../../harness/process/at-once.ts';
import type { Reseller, Via } from '../../harness/target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../harness/target/response/judge-response.ts';
import { ask, login, TOKEN_WORKS, withOwnSessions } from './steps/login/session.ts';
import { READING } from './steps/options.ts';

type Reading = readonly [name: 'listWebsites' | 'readSettings' | 'readBalance', via: Via];

/** Calls whose responses a service may keep by their tokens, with the method that is tried first. */
const READINGS: readonly Reading[] = [
  ['listWebsites', 'POST'],
  ['readSettings', 'GET'],
  ['readBalance', 'POST'],
];

/** Sends each of them, by its other method if it is refused by the first; returns those that are served. */
async function served({ send }: Context, reseller: Reseller): Promise<Reading[]> {
  const found = await atOnce(
    READINGS.map(([name, first]) => async () => {
      for (const via of [first, first === 'POST' ? 'GET' : 'POST'] as const)
        if (isServed(await send(reseller[name](via), 'control'))) return [name, via] as const;
      return undefined;
    }),
  );
  return found.filter((reading) => reading !== undefined);
}

/** Logs out and asserts that the token is refused from then on, also by the calls that were served before. */
async function endsByLogout(context: Context, first: Reseller, readings: readonly Reading[]): Promise<void> {
  const { expect, send } = context;
  let reseller = first;
  let out = await ask(context, (via) => reseller.logOut(via), 'logout');
  if (!isServed(out) && !isServed(await ask(context, (via) => reseller.listWebsites(via), 'control'))) {
    // The token may have expired: its lifetime and the form of that refusal are not stated.
    reseller = await login(context);
    out = await ask(context, (via) => reseller.logOut(via), 'logout');
  }
  expect.served(out, 'logging out with a valid token must be served');
  for (const response of await atOnce(
    readings.map(
      ([name, via]) =>
        () =>
          send(reseller[name](via), 'probe'),
    ),
  )) {
    expect.that(isRefused(response) !== 'served', 'a token must not be served after its logout', {
      expected: 'a refusal: 4XX or 5XX with the error envelope',
      actual: response.status,
      response,
    });
  }
}

export const checks: readonly Check[] = [
  check(
    'reseller.logout.invalidates',
    'MUST refuse a token after its logout',
    { clauses: ['reseller.logout.invalidates'], ...READING },
    withOwnSessions(async (context) => {
      const { given } = context;
      const reseller = await login(context);
      await given.accepted(
        ask(context, (via) => reseller.listWebsites(via), 'control'),
        TOKEN_WORKS,
      );
      // With a newer session, which may have ended this one: then the newer one logs out.
      const younger = await login(context);
      const older = await served(context, reseller);
      const isOneOfTwo = older.length > 0;
      const readings = isOneOfTwo ? older : await served(context, younger);
      given.granted(readings.length > 0, TOKEN_WORKS, 'no call that reads is served with a new token');
      await endsByLogout(context, isOneOfTwo ? reseller : younger, readings);
      // The refusals were about the token: a new one works.
      const again = await login(context);
      await given.accepted(
        ask(context, (via) => again.listWebsites(via), 'control'),
        TOKEN_WORKS,
      );
    }),
  ),
];
