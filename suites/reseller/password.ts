/**
 * Changing the account's password (spec: Endpoints, C. Reseller endpoints). The temporary password is derived from the old one, so
 * that the old one can be restored even after a crash.
 */
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import { withOtherLetters } from '../../harness/cleanup/undo/reseller/temporary-passwords.ts';
import { withPair } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { authorizeCall, type Reseller } from '../../harness/target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../harness/target/response/judge-response.ts';
import type { Secret } from '../../harness/target/secrets/secret.ts';
import { expectErrorFalse } from './steps/form.ts';
import { setKnownPassword, signInAfterChange, NEW_PASSWORD_WORKS as WORKS } from './steps/login/new-password.ts';
import { account, ask, temporaryPasswords, tokenIn, withOwnSessions } from './steps/login/session.ts';
import { changePassword, sharedPassword } from './steps/login/shared-password.ts';
import { givenRefusedForPassword, logInAfterChange } from './steps/login/wrong-password.ts';
import { PASSWORD } from './steps/options.ts';

/** Sets the most awkward password that the service accepts, signs in with it and not without parts of it, and sets a plain one again. */
async function keepsAwkward(context: Context, session: Reseller): Promise<void> {
  const { awkward, lettered, longAwkward, shortAwkward } = temporaryPasswords(context);
  let set: Secret | undefined;
  for (const password of [longAwkward, lettered, awkward, shortAwkward]) {
    if (!isServed(await ask(context, (via) => session.changePassword(password, via), 'change'))) continue;
    set = password;
    break;
  }
  if (set === undefined) return;
  const own = await signInAfterChange(context, set, session);
  const begun = set === longAwkward ? await logInWith(context, set, beginningOf(set)) : undefined;
  const swapped = set === awkward ? undefined : await logInWith(context, set, withOtherLetters(set.reveal()));
  await setKnownPassword(context, own);
  refuses(context, begun, 'the beginning of a long password');
  refuses(context, swapped, 'a password with other letters outside ASCII');
}

/** Some hash functions read this many bytes of a password. An account's own password is usually shorter. */
const MAX_HASHED_BYTES = 72;

const beginningOf = (password: Secret): string =>
  Buffer.from(password.reveal()).subarray(0, MAX_HASHED_BYTES).toString();

/** A login with a text that is like the password. */
function logInWith(context: Context, password: Secret, like: string): Promise<ServiceResponse> {
  const wrong = context.secret('WRONG_PASSWORD', like, password);
  return ask(context, (via) => authorizeCall(account(context).email, wrong, via), 'probe');
}

function refuses({ expect }: Context, login: ServiceResponse | undefined, what: string): void {
  if (login === undefined) return;
  expect.that(tokenIn(login) === undefined, `must refuse ${what}`, {
    clauses: ['reseller.authorize.wrong-password-refused'],
    expected: 'a refusal',
    actual: summary(login),
    response: login,
  });
}

const FORMER = 'the password of the first change must no longer authorize';

export const checks: readonly Check[] = [
  // First: a service that loses a second change would also lose the restoration after the other checks.
  check(
    'reseller.password.second-change',
    'MUST accept the password of a second change and refuse that of the first',
    { clauses: [WORKS, 'reseller.password.old-refused'], additional: true, ...PASSWORD },
    withOwnSessions(async (context) => {
      const { given, expect } = context;
      const shared = await sharedPassword(context);
      if (shared !== undefined) {
        for (const response of [shared.done, shared.undone]) await given.accepted(response, WORKS);
        const works = [shared.shown, shared.shownAfter].every((login) => tokenIn(login) !== undefined);
        expect.that(works, 'each password must authorize after it was set');
        return expect.that(tokenIn(shared.former) === undefined, FORMER);
      }
      const { email, password: original } = account(context);
      const { response, password: first } = await changePassword(context);
      await given.accepted(response, WORKS);
      const changed = await signInAfterChange(context, first);
      // The first password again. A service may refuse a previously used one: then another one.
      const change = (to: Secret) => ask(context, (via) => changed.changePassword(to, via), 'change');
      const { plain } = temporaryPasswords(context);
      const isBack = isServed(await change(original));
      if (!isBack) await given.accepted(change(plain), WORKS);
      const authorized = await logInAfterChange(context, isBack ? original : plain);
      if (tokenIn(authorized) === undefined) givenRefusedForPassword(context, authorized);
      expect.that(tokenIn(authorized) !== undefined, 'the password of the second change must authorize', {
        clauses: [WORKS],
        expected: 'a token',
        actual: isServed(authorized) ? 'no token' : summary(authorized),
        response: authorized,
      });
      const former = await ask(context, (via) => authorizeCall(email, first, via), 'probe');
      expect.that(tokenIn(former) === undefined, FORMER, {
        clauses: ['reseller.password.old-refused'],
        expected: 'a refusal',
        actual: summary(former),
        response: former,
      });
    }),
  ),
  check(
    'reseller.password.new-works',
    'MUST accept the new password after it was changed',
    {
      clauses: [WORKS],
      observations: ['reseller.password.token-after-change'],
      ...PASSWORD,
    },
    withOwnSessions(async (context) => {
      const { expect } = context;
      const reseller = await context.reseller();
      const { response, password } = await changePassword(context);
      expect.accepted(response, 'changing the password must be served');
      expectErrorFalse(context, 'a change of the password', response);
      // Where its token has ended, a login for another one would send the password of before.
      context.resources.session.forget();
      const still = await ask(context, (via) => reseller.listWebsites(via), 'session');
      // Where a session outlives a change, it can correct a password that does not authorize: only then more is tried.
      const lasting = isServed(still) ? reseller : undefined;
      // Again: a service may refuse the present password.
      if (lasting !== undefined) await ask(context, (via) => lasting.changePassword(password, via), 'same password');
      const session = await signInAfterChange(context, password, lasting);
      if (lasting !== undefined) await keepsAwkward(context, session);
      context.observe(
        'reseller.password.token-after-change',
        isServed(still)
          ? 'the token that changed the password is still served'
          : `the token is refused (${still.status})`,
      );
    }),
  ),
  check(
    'reseller.password.old-refused',
    'MUST refuse the old password after it was changed',
    { clauses: ['reseller.password.old-refused'], ...PASSWORD },
    withOwnSessions(async (context) => {
      const { given, expect } = context;
      const shared = await sharedPassword(context);
      if (shared !== undefined)
        return expect.that(isRefused(shared.old) === 'refused', 'the old password must no longer authorize');
      const { email, password: old } = account(context);
      const { response, password } = await changePassword(context);
      await given.accepted(response, WORKS);
      const login = await logInAfterChange(context, password);
      if (tokenIn(login) === undefined) givenRefusedForPassword(context, login);
      given.holds(tokenIn(login) !== undefined, WORKS, 'the new password does not authorize', { response: login });
      await expect.refuses(authorizeCall(email, password), (call) => withPair(call, 'form', 'password', old), {
        clause: WORKS,
        change: 'the old password',
        accepted: (control) => tokenIn(control) !== undefined,
      });
    }),
  ),
];
