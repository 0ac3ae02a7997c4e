/** Several installations of one app: each is finished with its own authCode, also after one was removed and made again. */
import type { BrowserContext } from '@playwright/test';
import { isServiceAddress, type Received } from '../../../harness/integrator/counterpart.ts';
import { inContext } from '../../../harness/integrator/page/visit.ts';
import { pause } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { callsFor, comesAnyway, exchangesOf, mark } from '../steps/effects.ts';
import { givenInstalled, pace } from '../steps/given.ts';
import {
  AUTHENTIC_WAIT_MS,
  firstLoads,
  givenNotLimited,
  type Outcome,
  settingsLoads,
  UNALTERED,
} from '../steps/loads/index.ts';
import { foreignFact } from '../steps/user-flow/website-facts.ts';
import {
  exceptRounds,
  expectFinished,
  expectOwnCode,
  foreignOfAnother,
  givenFinished,
  inSecondWebsite,
  install,
  provenForeign,
  removedBefore,
} from './further.ts';

/** The user whose browser knows the app from an earlier installation is sent back like any other. */
async function givenSentBackAgain(context: AppContext, before: Outcome, again: Outcome): Promise<void> {
  if (before.wasSentBack !== true || again.wasSentBack !== false) return;
  givenNotLimited(again);
  const [control] = await firstLoads(context, [UNALTERED], AUTHENTIC_WAIT_MS, 'alone');
  context.restOn(exchangesOf([control?.callback]));
  context.given.holds(
    control?.callback === undefined,
    'app.install.first-load-redirects',
    'the app redirects a user in a new browser, but not one whose browser it knows from an earlier installation',
  );
}

const needs = ['browser', 'app'];
const clauses = ['app.installations.separate'];

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.installations.own-auth-code',
    'MUST use only the authCode of its own installation',
    { clauses, needs },
    async (context) => {
      await givenInstalled(context);
      const second = await install(context);
      await expectFinished(context, second, 'a second installation');
      expectOwnPage(context, second.outcome);
      const foreign = await provenForeign(context, second.foreign, () => foreignOfAnother(context));
      expectOwnCode(context, foreign, 'during a second installation');
    },
  ),
  appCheck(
    'app.installations.reinstall-after-uninstall',
    'MUST use the new authCode when it is installed again',
    { clauses, needs },
    async (context) => {
      await givenInstalled(context);
      // In one browser, as the user has it: a session with the app that began with the first installation is still there.
      await inContext(
        () => context.session.browserContext(),
        async (browser) => {
          const removed = await install(context, browser);
          await givenFinished(context, removed);
          const since = mark(context.session);
          const again = await install(context, browser);
          await givenSentBackAgain(context, removed.outcome, again.outcome);
          await expectFinished(context, again, 'an installation after an uninstalled one');
          await expectNoneOf(context, removed.outcome.authCode, { since, authCode: again.outcome.authCode, browser });
        },
      );
    },
  ),
];

/** The page that follows an installation shows nothing of the website or the user of another one. */
function expectOwnPage({ session, expect }: AppContext, { snapshot, authCode }: Outcome): void {
  if (isServiceAddress(session.counterpart, snapshot.place)) return;
  const foreign = foreignFact(session, snapshot, authCode);
  expect.that(
    foreign === undefined,
    `the page after an installation shows the website or the user of another one (${foreign}): choose what is shown by the authCode of the request`,
    { expected: 'the own website, or none' },
  );
}

/**
 * The code of an installation that was removed is used neither while the app is installed again nor in its settings. What the app
 * does of its own at any time may be for all installations that it knows of: the service does not notify it that one was removed.
 */
async function expectNoneOf(
  context: AppContext,
  removed: string,
  again: { readonly since: number; readonly authCode: string; readonly browser: BrowserContext },
): Promise<void> {
  const { session } = context;
  const { second: waitMs } = await pace(context);
  const codes = (): string[] => [...new Set([...(removedBefore.get(session) ?? []), removed])];
  const stale = (since: number): readonly Received[] =>
    exceptRounds(session, since, again.authCode, callsFor(session, codes(), since));
  const snapshot = async (): Promise<readonly Received[]> => {
    const from = mark(session);
    await settingsLoads(context, again.authCode, [UNALTERED], waitMs);
    await pause(waitMs);
    return stale(from);
  };
  const during = stale(again.since);
  const inSettings = await snapshot();
  if (during.length + inSettings.length === 0 || (await comesAnyway(session, stale, waitMs * 2))) return;
  const proven =
    during.length > 0 ? await staleOnceMore(context, [...codes(), again.authCode], again.browser) : await snapshot();
  expectOwnCode(context, proven, 'after an uninstalled installation');
}

/** A job of the app's learns within this time, by a refusal, that an installation was removed. */
const LEARNED_MS = 8_000;

/**
 * Calls with removed codes during one more installation: a job may meet the first one by chance, until the service has refused
 * its call.
 */
async function staleOnceMore(
  context: AppContext,
  removed: readonly string[],
  browser: BrowserContext,
): Promise<readonly Received[]> {
  const { session } = context;
  for (const code of removed) session.counterpart.uninstall(code);
  inSecondWebsite.get(session)?.clear();
  await pause(LEARNED_MS);
  const from = mark(session);
  await install(context, browser);
  return callsFor(session, removed, from);
}
