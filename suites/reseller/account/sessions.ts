/** What one session of an account changes is there for all of them (spec: Endpoints, C. Reseller endpoints). */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Reseller } from '../../../harness/target/interfaces/reseller.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';
import { ask, login, withOwnSessions } from '../steps/login/session.ts';
import { SETTINGS } from '../steps/options.ts';
import { changed, givenQuietSettings, textOf } from '../steps/settings.ts';

const APPLIES = 'reseller.settings.set-applies';

/** Asserts that a session shows a setting as another one has set it. A session that has ended by now shows nothing. */
async function expectShown(
  context: Context,
  session: Reseller,
  [name, text]: readonly [name: string, text: string],
  message: string,
): Promise<void> {
  const response = await ask(context, (via) => session.readSettings(via));
  if (!isServed(response)) return;
  const settings = resourceOf(response.json, 'settings');
  const shown = isObject(settings) ? textOf(settings[name]) : undefined;
  await givenQuietSettings(context, shown === text ? [] : [name]);
  context.expect.equal(shown, text, message, { pointer: `/${name}`, response });
}

export const checks: readonly Check[] = [
  check(
    'reseller.account.sessions-share-settings',
    'MUST return a setting in every session as it was set in another one',
    { clauses: [APPLIES], ...SETTINGS },
    withOwnSessions(async (context) => {
      const [{ name, old, fresh }] = await changed(context);
      const older = await context.reseller();
      const newer = await login(context);
      await expectShown(context, newer, [name, fresh], `a new session must return ${name} as an older one has set it`);
      const back = ask(context, (via) => newer.changeSettings([[name, old]], via), 'set');
      await context.given.accepted(back, APPLIES);
      await expectShown(context, older, [name, old], `an older session must return ${name} as a new one has set it`);
    }),
  ),
];
