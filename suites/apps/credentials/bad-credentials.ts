/** Apps calls with exactly one thing wrong about their credentials. */
import { randomBytes } from 'node:crypto';
import type { Context } from '../../../harness/check/context.ts';
import type { Probe, RefusalProof } from '../../../harness/check/expect.ts';
import { AssertionFailure } from '../../../harness/check/failures.ts';
import { type ServiceRequest, withPair } from '../../../harness/target/client/request.ts';
import { headersOf } from '../../../harness/target/network/wire.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../harness/target/secrets/secret.ts';

const withKey = (call: ServiceRequest, key: Secret | undefined): ServiceRequest =>
  withPair(call, 'headers', 'Authorization', headersOf(key)[0]?.[1]);

const withCode = (call: ServiceRequest, code: Secret | string | undefined): ServiceRequest =>
  withPair(call, 'query', 'authCode', code);

export const withoutKey: readonly Probe[] = [
  { change: 'no Authorization header', mutate: (call) => withKey(call, undefined) },
  {
    change: 'no key in the Authorization header',
    mutate: (call) => withPair(call, 'headers', 'Authorization', 'ApiKey'),
  },
];

export const withoutCode: readonly Probe[] = [
  { change: 'no authCode', mutate: (call) => withCode(call, undefined) },
  { change: 'an empty authCode', mutate: (call) => withCode(call, '') },
];

/** Keys that do not belong to the app: one that was never issued, and the one that opens Delivery, where there is one. */
export function wrongKeys(context: Context): Probe[] {
  const { apps, delivery } = context.profile;
  const own = apps?.apiKey?.reveal();
  const ofStore = delivery?.private?.apiKey;
  return [
    { change: 'a key that was never issued', mutate: (call) => withKey(call, neverIssued(context, 'APP_KEY', own)) },
    ...(ofStore === undefined || ofStore.reveal() === own
      ? []
      : [{ change: 'the key of a store', mutate: (call: ServiceRequest) => withKey(call, ofStore) }]),
  ];
}

export function wrongCodes(context: Context): Probe[] {
  const code = neverIssued(context, 'AUTH_CODE', context.profile.apps?.authCode?.reveal());
  return [{ change: 'an authCode that was never issued', mutate: (call) => withCode(call, code) }];
}

export const nearMissKeys = (context: Context): Probe[] =>
  context.nearMisses(context.apps.key).map(({ change, value }) => ({
    change: `a key with ${change}`,
    mutate: (call) => withKey(call, value),
  }));

export const nearMissCodes = (context: Context): Probe[] =>
  context.nearMisses(context.apps.authCode).map(({ change, value }) => ({
    change: `an authCode with ${change}`,
    mutate: (call) => withCode(call, value),
  }));

/** One of each kind, for what is not about credentials. */
export function oneOfEach(context: Context): Probe[] {
  const key = context.nearMiss(context.apps.key);
  const code = context.nearMiss(context.apps.authCode);
  return [
    withoutKey[0]!,
    { change: 'a key with one character changed', mutate: (call) => withKey(call, key) },
    withoutCode[0]!,
    { change: 'an authCode with one character changed', mutate: (call) => withCode(call, code) },
  ];
}

/** Every bad key and code, by the clause of the check that tries it on the list of languages. */
function badCredentials(context: Context): readonly (readonly [clause: string, probes: readonly Probe[]])[] {
  return [
    ['apps.credentials.missing-key-refused', withoutKey],
    ['apps.credentials.wrong-key-refused', wrongKeys(context)],
    ['apps.credentials.near-miss-key-refused', nearMissKeys(context)],
    ['apps.credentials.missing-auth-code-refused', withoutCode],
    ['apps.credentials.wrong-auth-code-refused', wrongCodes(context)],
    ['apps.credentials.near-miss-auth-code-refused', nearMissCodes(context)],
  ];
}

/**
 * Asserts that a call is refused with every bad key and code: what one operation refuses, another may take. Where it is served with
 * one, that is tried on the list of languages: what opens everything is not a fault of one operation.
 */
export async function refusesEveryBadCredential(
  context: Context,
  call: ServiceRequest,
  proof: Omit<RefusalProof, 'change'>,
): Promise<void> {
  const probes = badCredentials(context).flatMap(([, all]) => all);
  const named = probes.map(({ change, mutate }) => ({ change: `${change} (${call.path})`, mutate }));
  try {
    await context.expect.refusesEach(call, named, proof);
  } catch (error) {
    if (error instanceof AssertionFailure) await givenRefusedElsewhere(context);
    throw error;
  }
}

async function givenRefusedElsewhere(context: Context): Promise<void> {
  for (const [clause, probes] of badCredentials(context)) {
    for (const { change, mutate } of probes) {
      const answer = await context.send(mutate(context.apps.getLanguages()), 'given');
      const what = `the languages were given to a call with ${change}`;
      context.given.holds(!isServed(answer), clause, what, { answer });
    }
  }
}

/** A key like the real one, by its length. */
function neverIssued(context: Context, name: string, like = ''): Secret {
  const length = Math.max(16, like.length);
  return context.secret(`WRONG_${name}`, randomBytes(length).toString('hex').slice(0, length));
}
