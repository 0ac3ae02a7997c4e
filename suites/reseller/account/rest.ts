/** A Reseller call changes nothing but its object, whether served or refused (spec: Endpoints, C. Reseller endpoints; Errors). */
import { type Check, check } from '../../../harness/check/check.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { NEW_PASSWORD_WORKS, signInAfterChange } from '../steps/login/new-password.ts';
import { account, ask, login, temporary, website, withOwnSessions } from '../steps/login/session.ts';
import { LINKS, PASSWORD, SETTINGS } from '../steps/options.ts';
import { allChanged } from '../steps/settings.ts';
import { refusedLoginLink, refusedSettings } from './refused.ts';
import { expectNothingElseChanges } from './whole.ts';

const SETTINGS_OF_WEBSITE = { ...SETTINGS, needs: [...SETTINGS.needs, 'reseller.website'] } as const;

/** Side effects that the mutants (`proof/mutants`) and the model of Reseller prove, and no fault of the matrix. */
const BESIDE = { additional: true } as const;

export const checks: readonly Check[] = [
  // First, and with values in all settings: a lost value cannot be observed to be lost again.
  check(
    'reseller.account.nothing-else-changes-sessions',
    'MUST leave the settings unchanged on authorize and logout',
    { clauses: ['reseller.account.nothing-else-changes'], ...BESIDE, ...SETTINGS_OF_WEBSITE },
    withOwnSessions(async (context) => {
      await allChanged(context);
      const send = async (): Promise<void> => {
        const reseller = await login(context);
        await ask(context, (via) => reseller.logOut(via), 'logout');
        context.resources.forgetToken();
      };
      await expectNothingElseChanges(context, [{ what: 'logging in and out', purposes: [], send }]);
    }),
  ),
  refusedSettings,
];

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
    'MUST leave the rest of the account unchanged when it changes the password',
    {
      clauses: ['reseller.account.nothing-else-changes', NEW_PASSWORD_WORKS],
      ...BESIDE,
      ...PASSWORD,
      needs: [...PASSWORD.needs, 'reseller.website'],
    },
    withOwnSessions(async (context) => {
      const { given, send } = context;
      const reseller = await context.reseller();
      given.track({ kind: 'password' });
      const change = async (): Promise<void> => {
        await given.accepted(send(reseller.changePassword(temporary(context)), 'change'), NEW_PASSWORD_WORKS);
        // The change may end the session: restore the old password and log in again.
        context.resources.forgetToken();
        const again = await signInAfterChange(context, temporary(context));
        const { password } = account(context);
        if (isServed(await send(again.changePassword(password), 'back'))) await signInAfterChange(context, password);
        context.resources.forgetToken();
      };
      await expectNothingElseChanges(context, [{ what: 'changing the password', purposes: [], send: change }]);
    }),
  ),
];
