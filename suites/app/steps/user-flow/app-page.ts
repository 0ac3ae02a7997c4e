/** Whether a user sees a page of the app. */
import {
  describePage,
  isOutsideApp,
  isShown,
  programErrorOf,
} from '../../../../harness/integrator/page/inspection/page-inspection.ts';
import type { AppContext } from '../../session.ts';
import { givenInstalled, givenSeen } from '../given.ts';
import type { CodedLoad } from './index.ts';

/** Asserts that the app showed a page of its own and did not send the user back to the service. */
export async function expectAppPage(
  context: AppContext,
  { snapshot, failure, callback }: Pick<CodedLoad, 'snapshot' | 'failure' | 'callback'>,
  message: string,
  evidence: object = {},
): Promise<void> {
  const isSentBack = callback !== undefined;
  const error = programErrorOf(snapshot);
  const shown =
    isShown(snapshot) && !isOutsideApp(snapshot, context.session.counterpart) && !isSentBack && error === undefined;
  // An app that could not finish its installation may show an error, or refuse to open its settings.
  if (!shown) await givenInstalled(context);
  if (!isSentBack) givenSeen(snapshot);
  context.expect.that(shown, error === undefined ? message : `${message}, and not an error of its program`, {
    expected: 'a page of the app with visible content',
    actual: isSentBack
      ? 'the user was sent back to the service'
      : `${snapshot.place}: ${describePage(snapshot, failure)}`,
    exchange: callback?.exchange,
    ...evidence,
  });
}
