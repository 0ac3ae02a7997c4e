/** Reseller calls whose only defect is their token. */
import { randomBytes } from 'node:crypto';
import type { Context, NamedMiss } from '../../../../harness/check/context.ts';
import type { Probe } from '../../../../harness/check/expect.ts';
import { foreignCredentials, haveOneOrigin } from '../../../../harness/check/foreign-credentials.ts';
import { atOnce } from '../../../../harness/process/at-once.ts';
import { keptForAll } from '../../../../harness/resources/once.ts';
import type { Resources } from '../../../../harness/resources/resources.ts';
import type { ServiceRequest } from '../../../../harness/target/client/request.ts';
import { type CallValue, withOperator, withPair } from '../../../../harness/target/client/request.ts';
import { isDecisive, rearranged } from '../../../../harness/target/near-miss.ts';
import { isRefused, isServed } from '../../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../../harness/target/secrets/secret.ts';
import { expectRefusalForm } from '../form.ts';
import { ask, login, TOKEN_WORKS } from './session.ts';

const withToken = (change: string, token: CallValue | undefined): Probe => ({
  change,
  mutate: (call) => withPair(call, call.method === 'GET' ? 'query' : 'form', 'apiToken', token),
});

export const withoutToken: readonly Probe[] = [withToken('no apiToken', undefined), withToken('an empty apiToken', '')];

/** The keys and codes of the other interfaces as tokens, for a form only: an address would go into the logs of servers. */
export function foreignTokens(context: Context): Probe[] {
  if (!haveOneOrigin(context)) return [];
  const names = ['the key of a store', 'the key of a delivery provider', 'the key of an app'] as const;
  return foreignCredentials(context, [...names, 'the authCode of an installation']).map(({ name, value }) =>
    withToken(`${name} as apiToken`, value),
  );
}

/** The characters of the session's token in other places; where it is short, a text of its length. */
export async function wrongTokens(context: Context): Promise<Probe[]> {
  const { token } = await context.resellerUnchecked();
  const length = Math.max(16, token.reveal().length);
  const other = rearranged(token.reveal()) ?? randomBytes(length).toString('hex').slice(0, length);
  const wrong = context.secret('WRONG_API_TOKEN', other);
  return [withToken('an apiToken that was never issued', wrong)];
}

const tokenProbe = ({ change, value }: NamedMiss): Probe => withToken(`an apiToken with ${change}`, value);

/** apiTokens that nearly equal the one of the session. */
export async function nearMissTokens(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  return context.allNearMisses(token).map(tokenProbe);
}

/** What some languages make of a missing token. */
export const nullTokens: readonly Probe[] = [
  withToken('the word null as apiToken', 'null'),
  withToken('a zero as apiToken', '0'),
];

export const operatorForToken: Probe = {
  change: 'an operator instead of apiToken',
  mutate: (call) => withOperator(call, call.method === 'GET' ? 'query' : 'form', 'apiToken'),
};

/** A missing token and a near miss, for checks that are not about tokens. */
export async function oneOfEach(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  return [withoutToken[0]!, withToken('an apiToken with one character changed', context.nearMiss(token))];
}

/**
 * The bad tokens with which each call is tested, because one call may accept what another refuses. A call that accepts an unknown token
 * also accepts a near miss, and how an empty token is compared does not depend on the call: only the list of websites is tested with all
 * of them.
 */
export async function allBadTokens(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  const misses = context.nearMisses(token).filter(({ change }) => isDecisive(change));
  return [withoutToken[0]!, ...misses.map(tokenProbe)];
}

/** Sends a call that is refused: what an error leaves behind shows in the call after it. */
export async function sendRefused(context: Context): Promise<void> {
  const reseller = await context.reseller();
  await context.send(withoutToken[0]!.mutate(reseller.listWebsites()), 'probe');
}

/** Asserts that a call is refused with a token that was logged out. */
async function refusesEndedToken(context: Context, call: ServiceRequest): Promise<void> {
  const ended = endedTokens.get(context.resources);
  const { token } = await context.reseller();
  // A service may return the same token at the next login.
  if (ended === undefined || ended.reveal() === token.reveal()) return;
  const response = await context.send(withToken('an apiToken that was logged out', ended).mutate(call), 'probe');
  context.expect.that(!isServed(response), `must refuse ${call.path} with a token after its logout`, {
    expected: 'a refusal: 4XX or 5XX with the error envelope',
    actual: response.status,
    response,
    clauses: ['reseller.logout.invalidates'],
  });
}

/** Tokens that were logged out and are refused, by run; undefined if the service still accepts them. */
const endedTokens = new WeakMap<Resources, Secret | undefined>();

/**
 * Logs a token out, once per run, with which each call is then tested. Call this first, because logging in may end the
 * shared session. Returns whether it has logged in and out now.
 */
export async function logOutOneToken(context: Context): Promise<boolean> {
  const { resources, send } = context;
  if (endedTokens.has(resources)) return false;
  resources.session.forget();
  const reseller = await login(context);
  // Directly before the logout that is served: what a refusal leaves behind for the next call.
  await send(withoutToken[0]!.mutate(reseller.logOut()), 'probe');
  const out = await ask(context, (via) => reseller.logOut(via), 'logout');
  const after = await send(reseller.listWebsites(), 'probe');
  endedTokens.set(resources, isServed(out) && isRefused(after) === 'refused' ? reseller.token : undefined);
  return true;
}

/**
 * Asserts that a call is refused without a valid token and accepted with it; `meanwhile` asserts that nothing changed, where the call
 * does not only read.
 */
export async function refusesBadTokens(
  context: Context,
  call: ServiceRequest,
  meanwhile?: (() => Promise<void>) | 'read',
  clause = TOKEN_WORKS,
): Promise<void> {
  const probes = (await allBadTokens(context)).map(({ change, mutate }) => ({
    change: `${change} (${call.path})`,
    mutate,
  }));
  // Directly before the call that is served, which a read would hide: what a refusal leaves behind for the next call.
  const last = typeof meanwhile === 'function' ? probes.pop() : undefined;
  const { probes: refused } = await context.expect.refusesEach(call, probes, {
    clause,
    // Before the call has its effect, because a repeated call may be refused with any token.
    beside: () =>
      atOnce([
        ...(typeof meanwhile === 'function' ? [() => refusesByGet(context, call)] : []),
        () => refusesEndedToken(context, call),
      ]),
    ...(typeof meanwhile === 'function'
      ? {
          meanwhile: async () => {
            await meanwhile();
            if (last !== undefined) await refusesOne(context, call, last);
          },
        }
      : {}),
    ...(meanwhile === 'read' ? { control: 'beside' } : {}),
  });
  for (const { probe } of refused) expectRefusalForm(context, `${call.path} with a bad token`, probe);
}

/** Asserts that a call is refused with one bad token. Its control is the call that follows. */
async function refusesOne(context: Context, call: ServiceRequest, { change, mutate }: Probe): Promise<void> {
  const response = await context.send(mutate(call), 'probe');
  context.expect.that(!isServed(response), `must refuse a call with ${change}`, {
    expected: 'a refusal: 4XX or 5XX with the error envelope',
    actual: response.status,
    response,
  });
  expectRefusalForm(context, `${call.path} with a bad token`, response);
}

/** The same call by GET, with its form fields in the query; undefined for one that has none. */
export function byGetOf(call: ServiceRequest): ServiceRequest | undefined {
  if (call.method !== 'POST' || call.body === undefined || !('form' in call.body)) return undefined;
  const { body, ...rest } = call;
  return { ...rest, method: 'GET', query: body.form };
}

/** The name under which a check keeps that a call was refused by GET without a token and with a near miss, and changed nothing. */
export const refusedByGet = ({ path }: ServiceRequest): string => `${path.replaceAll(/[0-9]+/g, 'ID')} refused by GET`;

/**
 * Asserts that a call that changes something is refused by GET as well: parameters in a query are read by other code than a form. A
 * service that does not have the call by GET refuses it anyway, so that no control is needed.
 */
export async function refusesByGet(context: Context, call: ServiceRequest): Promise<void> {
  const byGet = byGetOf(call);
  if (byGet === undefined) return;
  const [tried, [_, ...others]] = [await oneOfEach(context), await allBadTokens(context)];
  const areRefused = (await keptForAll(context, refusedByGet(call))) === true;
  const bad = [...(areRefused ? [] : tried), ...others];
  await atOnce([
    ...bad.map(({ change, mutate }) => async () => {
      const response = await context.send(mutate(byGet), 'probe');
      context.expect.that(!isServed(response), `must refuse ${call.path} by GET with ${change}`, {
        expected: 'a refusal: 4XX or 5XX with the error envelope',
        actual: response.status,
        response,
      });
    }),
    () => refusesEndedToken(context, byGet),
  ]);
}
