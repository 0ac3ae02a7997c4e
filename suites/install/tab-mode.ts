/** Where an app is opened (spec: App manifest, app_tab_mode). */
import type { Page } from '@playwright/test';
import { type Check, check } from '../../harness/check/check.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { INSTALLS } from './sequence/sequence.ts';
import { firstOf, secondLoadOf, walkOf } from './steps/reading.ts';
import type { Load } from './steps/user-flow.ts';

/** The tab of a load; a load that no tab made was not made by the user. */
function tabOf({ tab, received }: Load): Page {
  if (tab !== undefined) return tab;
  throw new Inconclusive(
    `the load of ${received.path} did not come from the browser, so its tab is unknown: let the driver press the button on the page that it receives`,
    'configuration',
  );
}

export const checks: readonly Check[] = [
  check(
    'install.tab-mode.blank',
    'MUST open an app with tab mode blank in a new tab',
    { ...INSTALLS, clauses: ['install.tab-mode.blank'] },
    async (context) => {
      const walk = await walkOf(context, 'blank');
      // The install address may be visited in passing; what counts is where the app comes to stay.
      const stays = [secondLoadOf(context, walk), ...(walk.settings === undefined ? [] : [walk.settings])];
      for (const load of stays) {
        context.expect.that(tabOf(load) !== walk.userTab, 'must open the app in a new tab', {
          expected: 'a tab other than that in which the user pressed the button',
          actual: `${load.received.path} was loaded in the same tab`,
          exchange: load.received.exchange,
        });
      }
    },
  ),

  check(
    'install.tab-mode.self',
    'MUST open an app with tab mode self in the same tab',
    { ...INSTALLS, clauses: ['install.tab-mode.self'] },
    async (context) => {
      const walk = await walkOf(context, 'self');
      const loads = [
        firstOf(context, walk),
        secondLoadOf(context, walk),
        ...(walk.settings === undefined ? [] : [walk.settings]),
      ];
      for (const load of loads) {
        context.expect.that(tabOf(load) === walk.userTab, 'must open the app in the same tab', {
          expected: 'the tab in which the user pressed the button',
          actual: `${load.received.path} was loaded in another tab`,
          exchange: load.received.exchange,
        });
      }
    },
  ),
];
