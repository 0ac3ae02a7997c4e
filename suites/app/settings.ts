/** The settings sequence as a user goes through it. */

import { Inconclusive } from '../../harness/check/failures.ts';
import { curlOf } from '../../harness/evidence/curl.ts';
import { failsForItself } from '../../harness/integrator/own-failure.ts';
import { describePage, isOverloaded, isShown } from '../../harness/integrator/page/inspection/page-inspection.ts';
import { type AppCheck, appCheck } from './session.ts';
import { inLanguage, inLaterVersions, OTHER_LANGUAGES } from './steps/address.ts';
import { exchangesOf, UNINSTALLED_ITSELF } from './steps/effects.ts';
import { givenSecond, givenSeen, givenSettingsInNewBrowser, settingsPace } from './steps/given.ts';
import { type Alteration, givenNotLimited, type Outcome, settingsLoads, UNALTERED } from './steps/loads/index.ts';
import { givenStillServed } from './steps/still-served.ts';
import { expectAppPage } from './steps/user-flow/app-page.ts';
import { journeyOf } from './steps/user-flow/index.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.settings.shows-page',
    'MUST show its own page for an authentic settings request',
    { clauses: ['app.settings.shows-page'], needs: ['browser', 'app'] },
    async (context) => {
      await givenSecond(context);
      const { settings } = await journeyOf(context);
      if (settings === undefined) throw new Inconclusive(UNINSTALLED_ITSELF, 'target');
      const { callback, calls, address, screenshots } = settings;
      context.screenshots.push(...screenshots);
      context.restOn(exchangesOf([callback, ...calls]));
      await expectAppPage(context, settings, 'a user who presses Settings must see a page of the app', {
        curl: curlOf({ method: 'GET', url: address }, context.session.redaction),
      });
    },
  ),
  appCheck(
    'app.settings.any-language',
    'MUST show its settings to users of any language, also after an update of the service',
    { clauses: ['app.settings.shows-page'], needs: ['browser', 'app'] },
    async (context) => {
      const { authCode } = await givenSettingsInNewBrowser(context);
      const waitMs = await settingsPace(context);
      const ways = [
        ...OTHER_LANGUAGES.map((language) => inLanguage(context.session, language)),
        ...inLaterVersions(context.session),
      ];
      const isServed = ({ snapshot, callback }: Outcome): boolean => isShown(snapshot) && callback === undefined;
      const first = await settingsLoads(context, authCode, ways, waitMs);
      const missed = ways.filter(({ change }) => first.some((one) => one.change === change && !isServed(one)));
      // A page that was busy with several at once is given its time.
      const again = missed.length === 0 ? [] : await settingsLoads(context, authCode, missed, waitMs, 'alone');
      const refused = again.filter((outcome) => !isServed(outcome));
      // These loads name no page that they come from; that of the user flow does.
      const [control] =
        refused.length === ways.length ? await settingsLoads(context, authCode, [UNALTERED], waitMs, 'alone') : [];
      const isSentReferer = control === undefined || isServed(control);
      context.restOn(exchangesOf([...first, ...again].flatMap(({ calls }) => calls.slice(0, 1))));
      const alone = async (way: Alteration) => (await settingsLoads(context, authCode, [way], waitMs, 'alone'))[0];
      const isOwnFailure = ({ change }: Outcome): Promise<boolean> =>
        failsForItself({
          again: async () => {
            const way = ways.find((one) => one.change === change);
            const outcome = way === undefined ? undefined : await alone(way);
            return outcome === undefined || isServed(outcome) ? undefined : outcome.snapshot;
          },
          control: async () => {
            const outcome = await alone(UNALTERED);
            return outcome !== undefined && isServed(outcome);
          },
        });
      for (const outcome of refused) {
        if (isOverloaded(outcome.snapshot) && !(await isOwnFailure(outcome))) givenNotLimited(outcome);
        givenSeen(outcome.snapshot);
      }
      if (refused.length > 0) await givenStillServed(context);
      context.expect.that(
        refused.length === 0,
        isSentReferer
          ? `the app must show its settings after ${refused.map(({ change }) => change).join('; ')}`
          : 'the app must show its settings after an authentic request without a Referer: the policy of a store, or of a browser, may leave that out, and the hash alone decides',
        {
          ...(refused[0] === undefined
            ? {}
            : {
                actual: describePage(refused[0].snapshot),
                curl: curlOf({ method: 'GET', url: refused[0].address }, context.session.redaction),
              }),
        },
      );
    },
  ),
];
