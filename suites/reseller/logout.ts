import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { atOnce } from '../../harness/process/at-once.ts';
import type { Reseller } from '../../harness/target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../harness/target/response/judge-response.ts';
import { ask, login, TOKEN_WORKS, withOwnSessions } from './steps/login/session.ts';
import { READING } from './steps/options.ts';

/** Calls whose responses a service may keep by their tokens. */
const readings = (reseller: Reseller) => [
  reseller.listWebsites('POST'),
  reseller.readSettings('GET'),
  reseller.readBalance('POST'),
];

/** Reads all of them; returns whether the first one was served. */
async function isOpen({ send }: Context, reseller: Reseller): Promise<boolean> {
  const [first] = await atOnce(readings(reseller).map((call) => () => send(call, 'control')));
  return first !== undefined && isServed(first);
}

/** Logs out and asserts that the token is refused from then on. */
async function endsByLogout(context: Context, first: Reseller): Promise<void> {
  const { expect, send } = context;
  let reseller = first;
  let out = await ask(context, (via) => reseller.logOut(via), 'logout');
  if (!isServed(out) && !isServed(await ask(context, (via) => reseller.listWebsites(via), 'control'))) {
    // The token may have expired: its lifetime and the form of that refusal are not stated.
    reseller = await login(context);
    out = await ask(context, (via) => reseller.logOut(via), 'logout');
  }
  expect.served(out, 'logging out with a valid token must be served');
  for (const response of await atOnce(readings(reseller).map((call) => () => send(call, 'probe')))) {
    expect.that(isRefused(response) !== 'served', 'a token must not be served after its logout', {
      expected: 'a refusal: 4XX or 5XX with the error envelope',
      actual: response.status,
      response: response,
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
      const isOneOfTwo = await isOpen(context, reseller);
      if (!isOneOfTwo) await isOpen(context, younger);
      await endsByLogout(context, isOneOfTwo ? reseller : younger);
      // The refusals were about the token: a new one works.
      const again = await login(context);
      await given.accepted(
        ask(context, (via) => again.listWebsites(via), 'control'),
        TOKEN_WORKS,
      );
    }),
  ),
];
