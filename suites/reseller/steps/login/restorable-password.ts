/** What comes before each change of the account's password: it has to be put back (spec: Endpoints, C. Reseller endpoints, password). */
import type { Context } from '../../../../harness/check/context.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { once } from '../../../../harness/resources/once.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { account, ask } from './session.ts';

/** Services take a new password of this length, but an account may be older than the rule. */
const MIN_USUAL_CHARACTERS = 8;

/** Notes that the password is about to be changed, and states that it can be put back. Call it before each change. */
export async function trackPassword(context: Context): Promise<void> {
  context.given.track({ kind: 'password' });
  await givenRestorable(context);
}

/**
 * States that a short password of the account is taken as a new one: after a change it could not be restored otherwise. A longer one is
 * not asked about, since a service may refuse the present password although it takes it again later.
 */
async function givenRestorable(context: Context): Promise<void> {
  const { password } = account(context);
  if (password.reveal().length >= MIN_USUAL_CHARACTERS) return;
  const isTaken = await once(context, 'the own password as a new one', async () => {
    const session = await context.resellerUnchecked();
    return isServed(await ask(context, (via) => session.changePassword(password, via), 'same password'));
  });
  if (isTaken) return;
  throw new Inconclusive(
    `the target refuses the present password as a new one, so that it could perhaps not be restored: give the account one of at least ${MIN_USUAL_CHARACTERS} characters, and write it into "reseller.password"`,
    'configuration',
  );
}
