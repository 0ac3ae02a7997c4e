/** The call that finishes an installation (spec: B. Apps endpoints; Installation sequence). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { INSTALLS } from '../../install/sequence/sequence.ts';
import { installationOf, walkOf } from '../../install/steps/reading.ts';
import type { InstallState, Walk } from '../../install/steps/user-flow.ts';

/** What the checks that ask whether an app counts as installed need. */
export const STATES = { ...INSTALLS, needs: [...INSTALLS.needs, 'driver.installState'] };

/** The installation whose state was read before and after the call. */
async function walkWithStates(context: Context): Promise<Walk> {
  const walk = await walkOf(context, 'blank');
  installationOf(context, walk);
  // One that was finished before is installed already, and may not be finished again.
  if (walk.isKnown === true && walk.stateBefore?.installed === true) {
    throw new Inconclusive(
      'installing the app again opened the installation that the website has, with its code, so that none was begun: let the driver install on a website without the app, and uninstall it there before',
      'configuration',
    );
  }
  return walk;
}

/** What the driver reported; inconclusive where it could not. */
export function stateIn({ stateProblem }: Walk, state: InstallState | undefined): InstallState {
  if (state !== undefined) return state;
  throw stateProblem ?? new Inconclusive('the driver could not report the state of the installation', 'configuration');
}

export const checks: readonly Check[] = [
  check(
    'apps.installed.required',
    'MUST NOT count an app as installed before it calls installed',
    { ...STATES, clauses: ['apps.installed.required'] },
    async (context) => {
      const walk = await walkWithStates(context);
      const { installed } = stateIn(walk, walk.stateBefore);
      context.expect.that(!installed, 'must not count the app as installed before installed is called', {
        expected: 'not installed',
        actual: 'installed',
        exchange: walk.second?.received.exchange,
      });
      context.expect.that(
        walk.finishedByOther !== true,
        'must not count an app as installed because another one called',
        {
          expected: 'not installed',
          actual: 'installed, after another installation of the app called installed',
          exchange: walk.second?.received.exchange,
        },
      );
      // A driver that never sees an app as installed would pass.
      const after = stateIn(walk, walk.stateAfter);
      context.given.holds(
        after.installed,
        'apps.installed.completes-installation',
        'the app does not count as installed at all',
      );
    },
  ),

  check(
    'apps.installed.completes-installation',
    'MUST count an app as installed after it calls installed',
    { ...STATES, clauses: ['apps.installed.completes-installation'] },
    async (context) => {
      const walk = await walkWithStates(context);
      const response = context.given.present(
        walk.installed,
        'install.sequence.second-load-with-auth-code',
        'installed could not be called',
      );
      if (!isServed(response)) {
        // A code that opens nothing has a check of its own.
        const other = context.send(installationOf(context, walk).getLanguages());
        await context.given.accepted(other, 'install.sequence.auth-code-works');
      }
      context.expect.served(response, 'must accept the installed call');
      context.expect.that(stateIn(walk, walk.stateAfter).installed, 'must count the app as installed after the call', {
        expected: 'installed',
        actual: 'not installed',
        response,
      });
      const before = stateIn(walk, walk.stateBefore);
      context.given.holds(!before.installed, 'apps.installed.required', 'the app counted as installed before the call');
    },
  ),
];
