/** Whether an app serves what it served before: some lock out for good a client that sends many forged requests. */
import { GivenFailure } from '../../../harness/check/failures.ts';
import { showsCommonContent } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { AppContext } from '../session.ts';
import { exchangesOf } from './effects.ts';
import { givenSettings } from './given.ts';
import { AUTHENTIC_WAIT_MS, firstLoads, settingsLoads, UNALTERED } from './loads/index.ts';

/**
 * Throws where the app refuses a first load and the settings of the first installation as well: what it refuses besides is not
 * because of what that is. An app whose settings were never shown is not excused.
 */
export async function givenStillServed(context: AppContext): Promise<void> {
  const [first] = await firstLoads(context, [UNALTERED], AUTHENTIC_WAIT_MS, 'alone');
  if (first?.callback !== undefined) return;
  const shown = await unlessUndecided(() => givenSettings(context));
  if (shown === undefined) return;
  const { authCode, snapshot } = shown;
  const [settings] = await settingsLoads(context, authCode, [UNALTERED], AUTHENTIC_WAIT_MS, 'alone');
  context.restOn(exchangesOf(settings?.calls ?? []));
  if (settings === undefined || settings.calls.length > 0) return;
  if (showsCommonContent(settings.snapshot, [snapshot, snapshot])) return;
  throw new GivenFailure(
    'the app serves neither a first load nor the settings of the first installation any more, which it served before: where it locks out a client that sends many forged requests, let it lock out none during the precheck',
    'app.install.first-load-redirects',
    {},
    'refusal',
  );
}
