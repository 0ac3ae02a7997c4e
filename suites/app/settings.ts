/** The settings sequence as a user goes through it. */

import { Inconclusive } from '../../harness/check/failures.ts';
import { curlOf } from '../../harness/evidence/curl.ts';
import { isElsewhere, isShown, lookInWords } from '../../harness/integrator/page/page-inspection.ts';
import { type AppCheck, appCheck } from './session.ts';
import { exchangesOf, REMOVED_ITSELF } from './steps/effects.ts';
import { givenInstalled, givenSecond, givenSeen } from './steps/given.ts';
import { journeyOf } from './steps/user-flow.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.settings.shows-page',
    'MUST show its own page for an authentic settings request',
    { clauses: ['app.settings.shows-page'], needs: ['browser', 'app'] },
    async (context) => {
      await givenSecond(context);
      const { settings } = await journeyOf(context);
      if (settings === undefined) throw new Inconclusive(REMOVED_ITSELF, 'target');
      const { look, failure, callback, calls } = settings;
      context.screenshots.push(...settings.screenshots);
      context.restOn(exchangesOf([callback, ...calls]));
      const shown = isShown(look) && !isElsewhere(look, context.session.counterpart) && callback === undefined;
      // An app may well refuse to be set up before it was installed.
      if (!shown) await givenInstalled(context);
      if (callback === undefined) givenSeen(look);
      context.expect.that(shown, 'a user who presses Settings must see a page of the app', {
        expected: 'a page of the app with something to see',
        actual:
          callback === undefined
            ? `${look.place}: ${lookInWords(look, failure)}`
            : 'the user was sent back to the service',
        exchange: callback?.exchange,
        curl: curlOf({ method: 'GET', url: settings.address }, context.session.redaction),
      });
    },
  ),
];
