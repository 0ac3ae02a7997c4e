/** Apps calls with exactly one thing wrong about their credentials. */
import { randomBytes } from 'node:crypto';
import type { Context, NamedMiss } from '../../../harness/check/context.ts';
import type { Probe, RefusalProof } from '../../../harness/check/expect.ts';
import { type CredentialName, foreignCredentials } from '../../../harness/check/foreign-credentials.ts';
import { type ServiceRequest, withOperator, withPair } from '../../../harness/target/client/request.ts';
import { isDecisive, rearranged } from '../../../harness/target/near-miss.ts';
import { headersOf } from '../../../harness/target/network/wire.ts';
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

/** What some languages make of a missing value: it must not match a row without one. */
export const nullKeys: readonly Probe[] = [
  {
    change: 'the word null as the key',
    mutate: (call) => withPair(call, 'headers', 'Authorization', 'ApiKey null'),
  },
  { change: 'a zero as the key', mutate: (call) => withPair(call, 'headers', 'Authorization', 'ApiKey 0') },
];

export const nullCodes: readonly Probe[] = [
  { change: 'the word null as authCode', mutate: (call) => withCode(call, 'null') },
  { change: 'a zero as authCode', mutate: (call) => withCode(call, '0') },
];

export const operatorForCode: Probe = {
  change: 'an operator instead of authCode',
  mutate: (call) => withOperator(call, 'query', 'authCode'),
};

const foreignKeys = (context: Context, names: readonly CredentialName[]): Probe[] =>
  foreignCredentials(context, names, context.profile.apps?.apiKey).map(({ name, value }) => ({
    change: name,
    mutate: (call) => withKey(call, value),
  }));

/** Keys that do not belong to the app: one that was never issued, and those that open Delivery, where there are any. */
export function wrongKeys(context: Context): Probe[] {
  const own = context.profile.apps?.apiKey?.reveal();
  return [
    { change: 'a key that was never issued', mutate: (call) => withKey(call, neverIssued(context, 'APP_KEY', own)) },
    ...foreignKeys(context, ['the key of a store', 'the key of a delivery provider']),
  ];
}

/** What belongs to an installation, where the key of the app has to be. */
export const codeAsKey = (context: Context): Probe[] => foreignKeys(context, ['the authCode of an installation']);

/**
 * An authCode of the usual form that no installation has, and the id of the app. The key of the app is not tried: it would go into an
 * address, which servers log.
 */
export function wrongCodes(context: Context): Probe[] {
  const { authCode, appId } = context.profile.apps ?? {};
  const code = neverIssued(context, 'AUTH_CODE', authCode?.reveal());
  return [
    { change: 'an authCode that was never issued', mutate: (call) => withCode(call, code) },
    ...(appId === undefined || appId === authCode?.reveal()
      ? []
      : [{ change: 'the id of the app as authCode', mutate: (call: ServiceRequest) => withCode(call, appId) }]),
  ];
}

const keyProbe = ({ change, value }: NamedMiss): Probe => ({
  change: `a key with ${change}`,
  mutate: (call) => withKey(call, value),
});

const codeProbe = ({ change, value }: NamedMiss): Probe => ({
  change: `an authCode with ${change}`,
  mutate: (call) => withCode(call, value),
});

export const nearMissKeys = (context: Context): Probe[] => context.allNearMisses(context.apps.key).map(keyProbe);

export const nearMissCodes = (context: Context): Probe[] => context.allNearMisses(context.apps.authCode).map(codeProbe);

/** The near misses with which each operation is tested: those that show whether it compares the credential, and all of it. */
const decisive = (context: Context, secret: Secret): NamedMiss[] =>
  context.nearMisses(secret).filter(({ change }) => isDecisive(change));

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

/** Asserts that a call is refused with bad keys and codes of every kind: what one operation refuses, another may take. */
export async function refusesEveryBadCredential(
  context: Context,
  call: ServiceRequest,
  proof: Omit<RefusalProof, 'change'>,
): Promise<void> {
  // What takes a key or a code that was never issued takes one that is nearly right, and how an empty one is compared does not depend on
  // the operation: only the languages are tried with all of them.
  const { key, authCode } = context.apps;
  const keys = [withoutKey[0]!, ...wrongKeys(context).slice(1), ...decisive(context, key).map(keyProbe)];
  const codes = [withoutCode[0]!, ...decisive(context, authCode).map(codeProbe)];
  const named = [...keys, ...codes].map(({ change, mutate }) => ({ change: `${change} (${call.path})`, mutate }));
  await context.expect.refusesEach(call, named, proof);
}

/** A key like the real one, by its length. */
function neverIssued(context: Context, name: string, like = ''): Secret {
  const length = Math.max(16, like.length);
  const other = rearranged(like) ?? randomBytes(length).toString('hex').slice(0, length);
  return context.secret(`WRONG_${name}`, other);
}
