/** Signing in with a password that was set a moment ago (spec: Endpoints, C. Reseller endpoints). */
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { Reseller } from '../../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import type { Secret } from '../../../../harness/target/secrets/secret.ts';
import { ask, temporaryPasswords, tokenIn } from './session.ts';
import { givenRefusedForPassword, logInAfterChange } from './wrong-password.ts';

export const NEW_PASSWORD_WORKS = 'reseller.password.new-works';

/** Sets a password that cleanup tries: the second one if the service takes none that it had before. */
export async function setKnownPassword(context: Context, session: Reseller): Promise<void> {
  const { usual, plain } = temporaryPasswords(context);
  for (const password of [usual, plain])
    if (isServed(await ask(context, (via) => session.changePassword(password, via), 'back'))) return;
}

/**
 * Asserts that a password which was just set authorizes, and returns the session. Asserted by whatever check changes the password
 * first: a service that keeps another text than it was sent also does so when the password is put back, and then leaves no
 * account to judge anything else with. `session`: one that outlives a change; it then sets a plain password.
 */
export async function signInAfterChange(context: Context, password: Secret, session?: Reseller): Promise<Reseller> {
  const response = await logInAfterChange(context, password);
  const token = tokenIn(response);
  if (token === undefined && session !== undefined) await setKnownPassword(context, session);
  if (token === undefined) givenRefusedForPassword(context, response);
  context.expect.that(token !== undefined, 'a password must authorize after it was set', {
    clauses: [NEW_PASSWORD_WORKS],
    expected: 'a token',
    actual: isServed(response) ? 'no token' : summary(response),
    response,
  });
  return new Reseller(context.secret('API_TOKEN', token!));
}
