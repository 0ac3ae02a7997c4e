/** Two users of one app at the same moment: what the app keeps of the one while it waits for the service must not become the other's. */
import { Skipped } from '../../../harness/check/failures.ts';
import { isShown } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { pause, until } from '../../../harness/process/until.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { callsFor, comesAnyway, exchangesOf, hasInstallation, isInstalledCall, mark } from '../steps/effects.ts';
import { givenInstalled, givenSettings, installWaitMs, settingsPace } from '../steps/given.ts';
import { type Outcome, secondLoads, settingsLoads, UNALTERED } from '../steps/loads/index.ts';
import { otherInstallation } from '../steps/sessions/in-session.ts';
import { foreignFact } from '../steps/user-flow/website-facts.ts';

const needs = ['browser', 'app'];
const clauses = ['app.installations.separate'];
/** What is mixed up depends on the moment: so often it is tried, and so often it has to be seen. */
const ROUNDS = 3;
const MIN_SEEN = 2;
/** What waits for a queue is not mixed up at once, and takes too long to be repeated. */
const MAX_LAG_MS = 2_000;

/** What was mixed up, as the end of a sentence, and what shows it. */
interface MixUp {
  readonly what: string;
  readonly instead: Outcome;
}

/** One user had no calls of their own, while another had more than alone. */
const CALLED_TWICE = 'the app called the service twice for one of them and not at all for the other';

/** A user saw the website or the user of another installation. */
function foreignSeen({ session }: AppContext, outcomes: readonly (Outcome | undefined)[]): MixUp | undefined {
  const users = outcomes.filter((outcome) => outcome !== undefined);
  for (const user of users) {
    const seen = foreignFact(session, user.snapshot, user.authCode);
    if (seen !== undefined)
      return { what: `the app showed one of them the website or the user of another one (${seen})`, instead: user };
  }
  return undefined;
}

/** Asserts that no round, or only one, mixed its users up. A user without calls alone proves nothing: the app may be busy. */
async function expectNoneMixedUp(
  context: AppContext,
  round: () => Promise<MixUp | undefined>,
  what: string,
): Promise<void> {
  const seen: MixUp[] = [];
  for (let done = 0; done < ROUNDS && seen.length < MIN_SEEN && seen.length + ROUNDS - done >= MIN_SEEN; done += 1) {
    const mixed = await round();
    if (mixed !== undefined) seen.push(mixed);
  }
  const [first] = seen;
  context.restOn(exchangesOf(first?.instead.calls.slice(0, 2) ?? []));
  context.expect.that(
    first === undefined || seen.length < MIN_SEEN,
    `${what} at the same time must each be served with the authCode of their own request: ${first?.what}`,
    { expected: 'the calls and the page of each user', exchange: first?.instead.calls[0]?.exchange },
  );
}

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.installations.simultaneous-settings',
    'MUST use the authCode of each of two users who open their settings at the same time',
    { clauses, needs },
    async (context) => {
      const { session } = context;
      await givenInstalled(context);
      const { authCode: first } = await givenSettings(context);
      const second = await otherInstallation(context);
      if (second === undefined || !hasInstallation(session, first)) throw new Skipped('there is one installation only');
      const waitMs = await settingsPace(context);
      const open = async (code: string): Promise<Outcome | undefined> =>
        (await settingsLoads(context, code, [UNALTERED], waitMs))[0];
      const alone = [await open(first), await open(second)];
      if (alone.some((one) => one === undefined || !isShown(one.snapshot) || one.calls.length === 0))
        throw new Skipped('the settings call nothing that shows whose they are');
      const seen = foreignSeen(context, alone);
      context.expect.that(
        seen === undefined,
        `users who open their settings one after another must each see their own: ${seen?.what}`,
        { expected: 'the website and the user of each', exchange: seen?.instead.calls[0]?.exchange },
      );
      if (await comesAnyway(session, (since) => callsFor(session, [first, second], since)))
        throw new Skipped('the app calls the service for its installations all the time');
      const round = async (): Promise<MixUp | undefined> => {
        const from = mark(session);
        const both = await Promise.all([open(first), open(second)]);
        await pause(waitMs);
        const calls = [first, second].map((code) => callsFor(session, [code], from));
        const at = calls.findIndex((own) => own.length === 0);
        const other = 1 - at;
        const instead = both[other];
        const isMixed = at >= 0 && calls[other]!.length > alone[other]!.calls.length;
        if (isMixed && instead !== undefined)
          return { what: CALLED_TWICE, instead: { ...instead, calls: calls[other]! } };
        return foreignSeen(context, both);
      };
      await expectNoneMixedUp(context, round, 'Users who open their settings');
    },
  ),
  appCheck(
    'app.installations.simultaneous-installs',
    'MUST use the authCode of each of several users who install it at the same time',
    { clauses, needs },
    async (context) => {
      const way = await givenInstalled(context);
      if (way.lagMs > MAX_LAG_MS) throw new Skipped('a queue finishes one installation after another');
      const usual = way.calls.filter(isInstalledCall).length;
      const waitMs = await installWaitMs(context);
      const lost: Outcome[] = [];
      const round = async (): Promise<MixUp | undefined> => {
        const options = { waitMs, until: ({ calls }: Pick<Outcome, 'calls'>) => calls.some(isInstalledCall) };
        const users = await secondLoads(context, [UNALTERED, UNALTERED, UNALTERED], options);
        const installedBy = ({ authCode }: Outcome) => callsFor(context.session, [authCode]).filter(isInstalledCall);
        lost.push(...(await lostAmong(context, users, (user) => installedBy(user).length > 0)));
        const without = users.find((user) => installedBy(user).length === 0);
        const instead = users.find((user) => installedBy(user).length > usual);
        return without === undefined || instead === undefined
          ? foreignSeen(context, users)
          : { what: CALLED_TWICE, instead: { ...instead, calls: installedBy(instead) } };
      };
      await expectNoneMixedUp(context, round, 'Users who install the app');
      context.expect.that(
        lost.length < MIN_SEEN,
        'users who install the app at the same time must each be installed: it showed one of them its page, and called installed for others alone',
        { clauses: ['app.install.calls-installed'], expected: 'a call of installed for each user' },
      );
    },
  ),
];

/** Many times as long as an app whose lag is judged here takes. */
const LOST_MS = 12_000;

/**
 * The first of several users who sees a good page, although installed is called for others alone, also later. An error shows that an
 * app was busy, and its user tries again; a button that has to be pressed may have come too late for us.
 */
async function lostAmong(
  { session }: AppContext,
  users: readonly Outcome[],
  isInstalled: (user: Outcome) => boolean,
): Promise<Outcome[]> {
  const waiting = users.filter((user) => isShown(user.snapshot) && !isInstalled(user));
  const needsPerson = session.driver.afterInstall !== undefined || session.lastButtons > 0;
  if (needsPerson || !users.some(isInstalled)) return [];
  await until(() => (waiting.every(isInstalled) ? true : undefined), LOST_MS);
  return waiting.filter((user) => !isInstalled(user)).slice(0, 1);
}
