/** Verifying the hash of a load (spec: Authentication, B. Apps interface). */
import { HASH_PARAMETER, type InstallHashResult, verifyInstallHash } from '../../../contracts/install-hash/index.ts';
import type { Context } from '../../../harness/check/context.ts';
import { walkOf } from './reading.ts';
import { type Load, parameterOf } from './user-flow.ts';

/** Verifies the hash of a load under every conforming encoding, with a diagnosis of a wrong one. */
export async function verified(context: Context, { received }: Load) {
  const { profile, given } = context;
  const secret = given.configured(profile.apps?.appSecret, 'apps.appSecret');
  const { base } = await context.listener();
  const key = profile.apps?.apiKey?.reveal();
  return verifyInstallHash(
    base + received.target.slice(1),
    secret.reveal(),
    key === undefined ? {} : { "the app's API key": key },
  );
}

type Wrong = Extract<InstallHashResult, { authentic: false }>;

/** Whether the secret itself may be the reason: no known mistake of the service explains the hash. */
const isUnexplained = (response: InstallHashResult): response is Wrong =>
  !response.authentic && response.mistake === 'unexplained';

/**
 * States that a wrong hash is not due to the secret of the profile: one load whose hash is right proves the secret. Where no
 * load has one and no known mistake of the service explains any, either the secret or the service is wrong.
 */
export async function givenSecret(context: Context, response: InstallHashResult): Promise<void> {
  if (!isUnexplained(response)) return;
  for (const shape of ['self', 'blank'] as const) {
    const { first, second, settings } = await walkOf(context, shape);
    for (const load of [first, second, settings]) {
      if (load === undefined || parameterOf(load, HASH_PARAMETER) === undefined) continue;
      if (!isUnexplained(await verified(context, load))) return;
    }
  }
  context.vouchedFor(
    'apps.appSecret',
    "No hash of any install or settings request is correct under the app's secret, and no known mistake explains it",
    'write app_secret of the manifest under which this app is registered',
  );
}

/** Asserts that the hash of a load is right under one of the conforming encodings. */
export async function expectHash(context: Context, load: Load, which: string): Promise<void> {
  const response = await verified(context, load);
  if (!response.authentic) await givenSecret(context, response);
  const reason = response.authentic ? '' : `: ${response.diagnosis}`;
  context.expect.that(response.authentic, `must send the correct hash with ${which}${reason}`, {
    expected: "lower-case hexadecimal HMAC-SHA-256 over the rest of the query, under the app's secret",
    actual: parameterOf(load, HASH_PARAMETER) ?? 'no hash',
    pointer: 'query hash',
    exchange: load.received.exchange,
  });
}
