/** A password that is changed and changed back once, for all checks that judge it. Use it inside `withOwnSessions`. */
import type { Context } from '../../../../harness/check/context.ts';
import { GivenFailure } from '../../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import { authorizeCall, Reseller, type Via } from '../../../../harness/target/interfaces/reseller.ts';
import type { Secret } from '../../../../harness/target/secrets/secret.ts';
import { type SharedChange, shared } from '../shared-changes.ts';
import { NEW_PASSWORD_WORKS } from './new-password.ts';
import { trackPassword } from './restorable-password.ts';
import { account, ask, temporary, tokenIn } from './session.ts';
import { givenRefusedForPassword, learnWrongPassword, logInAfterChange } from './wrong-password.ts';

/** Changes the password until the end of the check. */
export async function changePassword(
  context: Context,
): Promise<{ response: ServiceResponse; password: Secret; session: Reseller }> {
  const session = await context.resellerUnchecked();
  const password = temporary(context);
  await learnWrongPassword(context);
  await trackPassword(context);
  const response = await ask(context, (via) => session.changePassword(password, via), 'change');
  return { session, password, response };
}

/** What is shown are logins with the password that was just set. */
interface SharedPassword extends SharedChange<ServiceResponse> {
  /** A login with the old password after the change. */
  readonly old: ServiceResponse;
  /** A login with the new one after it was changed back. */
  readonly former: ServiceResponse;
}

/** The method by which a call was served: by the other one, a refusal of the same call may be about the method. */
const servedBy = ({ request }: ServiceResponse): Via => (request.method === 'GET' ? 'GET' : 'POST');

export const sharedPassword = (context: Context): Promise<SharedPassword | undefined> =>
  shared(context, 'a password that was changed and changed back', async () => {
    const { email, password: original } = account(context);
    const logInOnce = (secret: Secret) => ask(context, (via) => authorizeCall(email, secret, via), 'probe');
    const { response: done, password, session } = await changePassword(context);
    const shown = await logInAfterChange(context, password);
    const token = tokenIn(shown);
    if (token === undefined) {
      // The session may have outlived the change: no other one can put the password back.
      await ask(context, (via) => session.changePassword(original, via), 'back');
      givenRefusedForPassword(context, shown);
      throw new GivenFailure('the new password does not authorize', NEW_PASSWORD_WORKS, { response: shown });
    }
    const old = await context.send(authorizeCall(email, original, servedBy(shown)), 'probe');
    const changed = new Reseller(context.secret('API_TOKEN', token));
    const undone = await ask(context, (via) => changed.changePassword(original, via), 'change');
    const shownAfter = await logInAfterChange(context, original);
    // A limit of logins may be reached just here.
    if (tokenIn(shownAfter) === undefined) givenRefusedForPassword(context, shownAfter);
    return { done, shown, old, undone, shownAfter, former: await logInOnce(password) };
  });
