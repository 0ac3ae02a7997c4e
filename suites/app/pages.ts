/** Whether what the app shows is for people, and whether it shows as text what is text. */

import type { Page } from '@playwright/test';
import { Skipped } from '../../harness/check/failures.ts';
import { markupOf, watchMarkup } from '../../harness/integrator/page/form/markup-probe.ts';
import { describePage, isShown } from '../../harness/integrator/page/inspection/page-inspection.ts';
import { programOutputOf } from '../../harness/integrator/page/inspection/program-output.ts';
import { inContext } from '../../harness/integrator/page/visit.ts';
import { type AppCheck, type AppContext, appCheck } from './session.ts';
import { exchangesOf, hasInstallation } from './steps/effects.ts';
import { givenFirst, givenInstalled, installWaitMs, settingsPace } from './steps/given.ts';
import { secondLoads, settingsLoads, UNALTERED } from './steps/loads/index.ts';
import { journeyOf } from './steps/user-flow/index.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.pages.for-people',
    'SHOULD show its users pages, not data or messages of its program',
    { clauses: ['app.pages.for-people'], needs: ['browser', 'app'] },
    async (context) => {
      await givenFirst(context);
      const { second, settings } = await journeyOf(context);
      const pages = [
        { name: 'the page after the installation', load: second },
        { name: 'the settings page', load: settings },
      ].flatMap(({ name, load }) =>
        load !== undefined && load.callback === undefined && isShown(load.snapshot) ? [{ name, ...load }] : [],
      );
      if (pages.length === 0) throw new Skipped('the app showed no page');
      context.restOn(exchangesOf(pages.flatMap(({ calls }) => calls.slice(0, 1))));
      for (const { name, snapshot } of pages) {
        const output = programOutputOf(snapshot);
        context.expect.that(output === undefined, `${name} ${output}`, {
          expected: 'something that a person can read and use',
          actual: `${snapshot.place}: ${describePage(snapshot)}`,
        });
      }
    },
  ),
  appCheck(
    'app.pages.brand-markup',
    'SHOULD NOT run markup in the name of a website',
    { clauses: ['app.pages.brand-markup'], needs: ['browser', 'app'] },
    async (context) => {
      await givenInstalled(context);
      const { second, settings } = await journeyOf(context);
      const asked = [...(second?.calls ?? []), ...(settings?.calls ?? [])].filter(({ path }) =>
        WEBSITE_PATH.test(path),
      );
      if (asked.length === 0) throw new Skipped('the app does not ask for the name of a website');
      context.restOn(exchangesOf(asked.slice(0, 1)));
      const place = await placeOfMarkup(context);
      context.expect.that(
        place === undefined,
        `the app runs markup in the brandname of a website on ${place}: anyone who may name a website can run scripts in the session of the app. Escape each value where it is written into a page`,
        { expected: 'the name as text', actual: `a script on ${place}` },
      );
    },
  ),
];

const WEBSITE_PATH = /^\/v1\/+apps\/+website\/?$/;

/** The page of the app that runs markup in the name of a website, if there is one. */
async function placeOfMarkup(context: AppContext): Promise<string | undefined> {
  const { session } = context;
  const waitMs = await installWaitMs(context);
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const probe = await watchMarkup(browser);
      let found = false;
      const read = async (page: Page): Promise<void> => {
        found ||= (await probe.found(page)).has(0);
      };
      const website = { brandname: markupOf(0) };
      const [made] = await secondLoads(context, [UNALTERED], { waitMs, website, read }, browser);
      if (found) return 'the page after the installation';
      if (made === undefined || !hasInstallation(session, made.authCode)) return undefined;
      await settingsLoads(context, made.authCode, [UNALTERED], { waitMs: await settingsPace(context), read }, browser);
      return found ? 'the settings page' : undefined;
    },
  );
}
