/**
 * The credentials of a profile that are valid in another interface only. A service that keeps all its keys in one table, or looks them up
 * in one function, takes them for its own.
 */
import type { Profile } from '../target/profile/types.ts';
import type { Secret } from '../target/secrets/secret.ts';
import type { Context } from './context.ts';

const CREDENTIALS = {
  'the key of a store': ({ delivery }) => delivery?.private?.apiKey,
  'the key of a delivery provider': ({ delivery }) => delivery?.public?.apiKey,
  'the key of an app': ({ apps }) => apps?.apiKey,
  'the authCode of an installation': ({ apps }) => apps?.authCode,
} satisfies Readonly<Record<string, (profile: Profile) => Secret | undefined>>;

export type CredentialName = keyof typeof CREDENTIALS;

export interface ForeignCredential {
  /** What it is, as in `the key of an app`. */
  readonly name: string;
  readonly value: Secret;
}

/** Whether both interfaces have one origin: a credential is not sent to a host that does not know it. */
export function haveOneOrigin({ profile }: Context): boolean {
  const [v1, api] = [profile.v1, profile.api];
  return v1 !== undefined && api !== undefined && new URL(v1).origin === new URL(api).origin;
}

/** Those of the named credentials that the profile has, and that differ from `own`, the one that is valid here. */
export function foreignCredentials(
  { profile }: Context,
  names: readonly CredentialName[],
  own?: Secret,
): ForeignCredential[] {
  return names.flatMap((name) => {
    const value = CREDENTIALS[name](profile);
    return value === undefined || value.reveal() === own?.reveal() ? [] : [{ name, value }];
  });
}
