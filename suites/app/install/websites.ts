/**
 * Websites with other names than most (spec: App records, `brandname` is a text). An app may ask for another name before it finishes; one
 * whose program fails on the name does not.
 */
import { Skipped } from '../../../harness/check/failures.ts';
import { isOverloaded } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { installOnce, isInstalled } from '../installations/further.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { exchangesOf, isInstalledCall } from '../steps/effects.ts';
import { givenInstalled, settingsPace } from '../steps/given.ts';
import { givenNotLimited, type Outcome, settingsLoads, UNALTERED } from '../steps/loads/index.ts';
import { givenStillServed } from '../steps/still-served.ts';

const NAMES = [
  ['without a name', ''],
  ['with a name in letters of several scripts', 'Rīga “東京” & Кафе 🚚'],
] as const;
const SERVER_ERROR = 500;

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.install.any-website',
    'MUST NOT end the installation with an error of its program because of the name of a website',
    { clauses: ['app.install.calls-installed'], needs: ['browser', 'app'] },
    async (context) => {
      await givenInstalled(context);
      const finished: string[] = [];
      for (const [which, brandname] of NAMES) {
        const outcome = await installedIn(context, brandname);
        const { status = 0 } = outcome.snapshot;
        context.expect.that(
          isInstalled(outcome) || status < SERVER_ERROR,
          `the app does not call installed in a website ${which}: its program fails`,
          { expected: 'a call of installed', actual: `status ${status}` },
        );
        if (!isInstalled(outcome)) continue;
        finished.push(which);
        await givenNoServerError(context, outcome, { which, brandname });
      }
      if (finished.length === 0) throw new Skipped('the app finishes no installation in a website with such a name');
    },
  ),
];

/** One more installation, in a website of this name; a busy app is given a second chance. */
async function installedIn(context: AppContext, brandname: string): Promise<Outcome> {
  const attempt = () => installOnce(context, { brandname });
  const once = await attempt();
  const { outcome, foreign } = isInstalled(once.outcome) ? once : await attempt();
  context.restOn(exchangesOf(outcome.calls.slice(0, 1)));
  if (isInstalled(outcome)) return outcome;
  context.given.holds(
    !foreign.some(isInstalledCall),
    'app.installations.separate',
    'the app finishes another installation in place of a further one',
  );
  givenNotLimited(outcome);
  await givenStillServed(context);
  const usual = await installOnce(context, 'new');
  context.given.holds(
    isInstalled(usual.outcome),
    'app.installations.separate',
    'the app does not finish an installation in a further website',
  );
  return outcome;
}

const failsItself = ({ snapshot }: Outcome): boolean =>
  !isOverloaded(snapshot) && (snapshot.status ?? 0) >= SERVER_ERROR;

/**
 * The page after the installation and the settings of the website come without an error of the program. One that does not come again
 * is not because of the name.
 */
async function givenNoServerError(
  context: AppContext,
  installed: Outcome,
  { which, brandname }: { readonly which: string; readonly brandname: string },
): Promise<void> {
  const { given } = context;
  const message = (page: string): string => `the ${page} of a website ${which} is an error of the program`;
  const isPageBroken = failsItself(installed) && failsItself(await installedIn(context, brandname));
  given.holds(!isPageBroken, 'app.install.shows-page', message('page after the installation'));
  const waitMs = await settingsPace(context);
  const settingsFail = async (): Promise<boolean> =>
    (await settingsLoads(context, installed.authCode, [UNALTERED], waitMs, 'alone')).some(failsItself);
  const areBroken = (await settingsFail()) && (await settingsFail());
  given.holds(!areBroken, 'app.settings.shows-page', message('settings'));
}
