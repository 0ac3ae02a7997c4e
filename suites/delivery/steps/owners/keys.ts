/** Wrong keys: a missing one, one that was never issued, and near misses of the correct one. */
import type { Context, NamedMiss } from '../../../../harness/check/context.ts';
import type { Probe } from '../../../../harness/check/expect.ts';
import { type CredentialName, foreignCredentials } from '../../../../harness/check/foreign-credentials.ts';
import { withPair } from '../../../../harness/target/client/request.ts';
import { isDecisive, nearMissOf, rearranged } from '../../../../harness/target/near-miss.ts';
import { type Secret, sealed } from '../../../../harness/target/secrets/secret.ts';

const withAuthorization = (change: string, value: string | Secret | undefined): Probe => ({
  change,
  mutate: (call) => withPair(call, 'headers', 'Authorization', value),
});

/** A call without the header, and one whose header contains only the scheme. */
export const WITHOUT_KEY: readonly Probe[] = [
  withAuthorization('no Authorization header', undefined),
  withAuthorization('no key after the word ApiKey', 'ApiKey'),
];

/** What some languages make of a missing key, or take for one: it must not match an owner without a key. */
export const NULL_KEYS: readonly Probe[] = [
  withAuthorization('the word null as the key', 'ApiKey null'),
  withAuthorization('a zero as the key', 'ApiKey 0'),
];

/** The characters of the key in other places; of a short key, a text that differs from it in every character. */
export function wrongKey(context: Context, key: Secret): Probe {
  const text = key.reveal();
  const wrong = rearranged(text) ?? [...text].map(nearMissOf).join('');
  const secret = context.secret(`${key.name}_WRONG`, wrong, key);
  return withAuthorization('a key that was never issued', sealed`ApiKey ${secret}`);
}

/** The key with one changed character in the middle, for checks that are not about keys. */
export function nearMissKey(context: Context, key: Secret): Probe {
  return withAuthorization('one character of the key changed', sealed`ApiKey ${context.nearMiss(key)}`);
}

const foreignProbes = (context: Context, names: readonly CredentialName[], key: Secret): Probe[] =>
  foreignCredentials(context, names, key).map(({ name, value }) => withAuthorization(name, sealed`ApiKey ${value}`));

/** The key of Apps, if the profile has a different one. */
export const keysOfApps = (context: Context, key: Secret): Probe[] =>
  foreignProbes(context, ['the key of an app'], key);

/** The credentials of Apps as keys. */
export const credentialsOfApps = (context: Context, key: Secret): Probe[] =>
  foreignProbes(context, ['the key of an app', 'the authCode of an installation'], key);

const nearMissProbe = ({ change, value }: NamedMiss): Probe =>
  withAuthorization(`a key with ${change}`, sealed`ApiKey ${value}`);

/** All near misses of the key: a service that compares only a part of it, or loosely, accepts one of them. */
export const nearMissKeys = (context: Context, key: Secret): Probe[] => context.allNearMisses(key).map(nearMissProbe);

/** The near misses with which each operation is tested: those that show whether it compares the key, and all of it. */
export const decisiveKeys = (context: Context, key: Secret): Probe[] =>
  context
    .nearMisses(key)
    .filter(({ change }) => isDecisive(change))
    .map(nearMissProbe);
