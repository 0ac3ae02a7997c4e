/** A Reseller call changes nothing but its object, whether served or refused (spec: Endpoints, C. Reseller endpoints; Errors). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { authorizeCall } from '../../../harness/target/interfaces/reseller.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { NEW_PASSWORD_WORKS, signInAfterChange } from '../steps/login/new-password.ts';
import { trackPassword } from '../steps/login/restorable-password.ts';
import { account, ask, login, temporary, website, withOwnSessions } from '../steps/login/session.ts';
import { learnWrongPassword } from '../steps/login/wrong-password.ts';
import { LINKS, PASSWORD, SETTINGS } from '../steps/options.ts';
import { allChanged } from '../steps/settings.ts';
import { logOutWithBadTokens, refuse, refusedLoginLink, refusedSettings } from './refused.ts';
import { expectNothingElseChanges } from './whole.ts';

const SETTINGS_OF_WEBSITE = { ...SETTINGS, needs: [...SETTINGS.needs, 'reseller.website'] } as const;

const NOTHING_ELSE = 'reseller.account.nothing-else-changes';
const REFUSED = 'envelope.reseller.refusal-changes-nothing';

/** The clause is decided by the sessions and settings of the account, which need no permission of these. */
const BESIDE = { additional: true } as const;

export const checks: readonly Check[] = [
  // First, and with values in all settings: a lost value cannot be observed to be lost again.
  check(
    'reseller.account.nothing-else-changes-sessions',
    'MUST leave the rest of the account unchanged on authorize and logout, served or refused, and on a change of settings',
    { clauses: [NOTHING_ELSE, REFUSED], ...SETTINGS_OF_WEBSITE },
    withOwnSessions(async (context) => {
      const refused = async (): Promise<void> => {
        await refusesWrongLogins(context);
        await logOutWithBadTokens(context, (await context.reseller()).logOut());
      };
      const served = async (): Promise<void> => {
        const reseller = await login(context).catch((error: unknown) => {
          // The settings that were changed include an e-mail address, which may log in now.
          if (!(error instanceof GivenFailure) || error.clause !== NOTHING_ELSE) throw error;
          context.expect.that(false, error.message, { ...error.evidence, clauses: [NOTHING_ELSE] });
          throw error;
        });
        await ask(context, (via) => reseller.logOut(via), 'logout');
        context.resources.session.forget();
      };
      let noSetting: Inconclusive | undefined;
      const changed = async (): Promise<void> => {
        await allChanged(context).catch((error: unknown) => {
          if (!(error instanceof Inconclusive)) throw error;
          // Which settings can be changed is not stated: the other calls are judged all the same.
          noSetting = error;
        });
      };
      await expectNothingElseChanges(context, [
        { what: 'a change of settings', purposes: ['settings'], clause: NOTHING_ELSE, send: changed },
        { what: 'a refused login and a refused logout', purposes: [], clause: REFUSED, send: refused },
        { what: 'logging in and out', purposes: [], clause: NOTHING_ELSE, send: served },
      ]);
      if (noSetting !== undefined) throw noSetting;
    }),
  ),
  refusedSettings,
];

/** One wrong password for the account, which may be locked after several, between two for an account that does not exist. */
async function refusesWrongLogins(context: Context): Promise<void> {
  const { given, resources, send } = context;
  const { email, password } = account(context);
  const unknown = authorizeCall(`${resources.newMark()}@proofmark.invalid`, password);
  const wrong = authorizeCall(email, context.secret('WRONG_PASSWORD', `Pm-${resources.newMark()}`));
  const wrongLogins = [
    [unknown, 'reseller.authorize.wrong-email-refused'],
    [wrong, 'reseller.authorize.wrong-password-refused'],
    [unknown, 'reseller.authorize.wrong-email-refused'],
  ] as const;
  for (const [call, clause] of wrongLogins) {
    const response = await send(call, 'probe');
    given.holds(!isServed(response), clause, 'a wrong login was served', { response });
  }
}

/** First among the checks of login links: what the first link loses cannot be observed to be lost by another. */
export const loginLinkChecks: readonly Check[] = [
  check(
    'reseller.account.nothing-else-changes-login-link',
    'MUST leave the rest of the account unchanged when it returns a login link',
    { clauses: ['reseller.account.nothing-else-changes'], ...BESIDE, ...LINKS },
    async (context) => {
      const reseller = await context.reseller();
      const send = () => ask(context, (via) => reseller.createLoginLink(website(context), via));
      await expectNothingElseChanges(context, [{ what: 'asking for a login link', purposes: [], send }]);
    },
  ),
  refusedLoginLink,
];

/** In a separate suite: a failed change of the password locks out all other checks. */
export const passwordChecks: readonly Check[] = [
  check(
    'reseller.account.nothing-else-changes-password',
    'MUST leave the rest of the account unchanged when it changes the password, or refuses to',
    {
      clauses: [NOTHING_ELSE, REFUSED, NEW_PASSWORD_WORKS],
      ...BESIDE,
      ...PASSWORD,
      needs: [...PASSWORD.needs, 'reseller.website'],
    },
    withOwnSessions(async (context) => {
      const { given } = context;
      const reseller = await context.resellerUnchecked();
      await learnWrongPassword(context);
      await trackPassword(context);
      const change = async (): Promise<void> => {
        const changed = ask(context, (via) => reseller.changePassword(temporary(context), via), 'change');
        await given.accepted(changed, NEW_PASSWORD_WORKS);
        // The change may end the session: restore the old password and log in again.
        context.resources.session.forget();
        const again = await signInAfterChange(context, temporary(context));
        const { password } = account(context);
        const restored = await ask(context, (via) => again.changePassword(password, via), 'back');
        // A service may refuse a password that the account had before: what the change left is compared in this session then.
        if (!isServed(restored)) return void context.resources.session.take(again.token.reveal());
        await signInAfterChange(context, password);
        context.resources.session.forget();
      };
      // With the present password: a service that serves it changes nothing.
      const refused = () => refuse(context, reseller.changePassword(account(context).password));
      await expectNothingElseChanges(context, [
        { what: 'a refused change of the password', purposes: [], clause: REFUSED, send: refused },
        { what: 'changing the password', purposes: [], clause: NOTHING_ELSE, send: change },
      ]);
    }),
  ),
];
