/** Whether what the app shows is for people. */
import { Skipped } from '../../harness/check/failures.ts';
import { describePage, isShown } from '../../harness/integrator/page/page-inspection.ts';
import { programOutputOf } from '../../harness/integrator/page/program-output.ts';
import { type AppCheck, appCheck } from './session.ts';
import { exchangesOf } from './steps/effects.ts';
import { givenFirst } from './steps/given.ts';
import { journeyOf } from './steps/user-flow.ts';

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
];
