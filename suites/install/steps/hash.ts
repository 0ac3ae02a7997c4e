/** Verifying the hash of a load (spec: Authentication, B. Apps interface). */
import { HASH_PARAMETER, verifyInstallHash } from '../../../contracts/install-hash/index.ts';
import type { Context } from '../../../harness/check/context.ts';
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

/** Asserts that the hash of a load is right under one of the conforming encodings. */
export async function expectHash(context: Context, load: Load, which: string): Promise<void> {
  const answer = await verified(context, load);
  const reason = answer.authentic ? '' : `: ${answer.diagnosis}`;
  context.expect.that(answer.authentic, `must send the right hash with ${which}${reason}`, {
    expected: "lower-case hexadecimal HMAC-SHA-256 over the rest of the query, under the app's secret",
    actual: parameterOf(load, HASH_PARAMETER) ?? 'no hash',
    pointer: 'query hash',
    exchange: load.received.exchange,
  });
}
