/** Reseller calls with exactly one thing wrong about their token. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../../harness/check/context.ts';
import type { Probe } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import { type CallValue, withPair } from '../../../harness/target/client/request.ts';
import { TOKEN_WORKS } from './session.ts';

const withToken = (change: string, token: CallValue | undefined): Probe => ({
  change,
  mutate: (call) => withPair(call, call.method === 'GET' ? 'query' : 'form', 'apiToken', token),
});

export const withoutToken: readonly Probe[] = [withToken('no apiToken', undefined), withToken('an empty apiToken', '')];

/** A token like the session's, by its length. */
export async function wrongTokens(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  const length = Math.max(16, token.reveal().length);
  const wrong = context.secret('WRONG_API_TOKEN', randomBytes(length).toString('hex').slice(0, length));
  return [withToken('an apiToken that was never issued', wrong)];
}

export async function nearMissTokens(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  return context.nearMisses(token).map(({ change, value }) => withToken(`an apiToken with ${change}`, value));
}

/** No token, and one that is almost right: for calls that are looked at one by one. */
export async function oneOfEach(context: Context): Promise<Probe[]> {
  const { token } = await context.reseller();
  return [withoutToken[0]!, withToken('an apiToken with one character changed', context.nearMiss(token))];
}

/** Asserts that a call is refused without a good token and accepted with it; `meanwhile` looks whether anything changed. */
export async function refusesBadTokens(
  context: Context,
  call: ServiceRequest,
  meanwhile?: () => Promise<void>,
  clause = TOKEN_WORKS,
): Promise<void> {
  const probes = (await oneOfEach(context)).map(({ change, mutate }) => ({
    change: `${change} (${call.path})`,
    mutate,
  }));
  await context.expect.refusesEach(call, probes, { clause, ...(meanwhile === undefined ? {} : { meanwhile }) });
}
