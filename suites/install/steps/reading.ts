/** Walks as preconditions: what did not come has a check of its own, which then fails. */
import type { Context } from '../../../harness/check/context.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { once } from '../../../harness/resources/once.ts';
import type { Apps } from '../../../harness/target/interfaces/apps.ts';
import { type AppShape, appOf } from './registration.ts';
import { install, type Load, pressSettings, type Walk } from './user-flow.ts';

/** The installation of the app in that shape, with a press of Settings at its end; made once for all checks. */
export function walkOf(context: Context, shape: AppShape): Promise<Walk> {
  return once(context, `installation: ${shape}`, async () => {
    // The first installation of a run shows whether what it calls stays with it.
    const earlier = shape === 'self' ? undefined : await walkOf(context, 'self').catch(() => undefined);
    const walk = await install(context, await appOf(context, shape), earlier?.apps);
    if (earlier !== undefined) earlier.next = walk;
    await pressSettings(context, walk);
    if (earlier?.settings !== undefined) await pressSettingsOfEarlier(context, walk, earlier);
    return walk;
  });
}

/** Presses Settings of an installation that is not the latest any more. What the driver can't do is left out. */
async function pressSettingsOfEarlier(context: Context, walk: Walk, { apps }: Walk): Promise<void> {
  if (apps === undefined || apps.authCode.reveal() === walk.apps?.authCode.reveal()) return;
  const { app, userTab } = walk;
  const again: Walk = { app, apps, userTab, early: [], isAccepted: true, settingsPressed: false };
  await pressSettings(context, again);
  if (again.settings !== undefined) walk.settingsOfEarlier = again.settings;
}

/** The first load of the install address. */
export function firstOf({ given }: Context, walk: Walk): Load {
  return given.present(walk.first, 'install.sequence.first-load', 'pressing Install did not load the install address');
}

/** The second load of the install address. */
export function secondLoadOf(context: Context, walk: Walk): Load {
  givenAccepted(context, walk);
  const clause = 'install.sequence.second-load-with-auth-code';
  return context.given.present(walk.second, clause, 'the install address was not loaded again after the acceptance');
}

/** Both loads of the install address, each when it is asked for: what the first one shows is judged also where the second did not come. */
export function* loadsOf(context: Context, walk: Walk): Generator<Load, void> {
  yield firstOf(context, walk);
  yield secondLoadOf(context, walk);
}

/** States that the user was asked for permissions and could accept them. */
export function givenAccepted(context: Context, walk: Walk): void {
  firstOf(context, walk);
  if (walk.isAccepted || walk.second !== undefined) return;
  // A driver that can't press the button says nothing about the target.
  if (walk.acceptProblem instanceof Inconclusive) throw walk.acceptProblem;
  const why = walk.acceptProblem?.message ?? 'the app could not send the user back';
  context.given.holds(false, 'install.sequence.permission-request', why);
}

/** The installation that came of a walk, with its code. */
export function installationOf(context: Context, walk: Walk): Apps {
  const { received } = secondLoadOf(context, walk);
  const clause = 'install.sequence.second-load-with-auth-code';
  return context.given.present(walk.apps, clause, 'the second load had no authCode', { exchange: received.exchange });
}

/** The settings request of a walk's installation. */
export function settingsOf(context: Context, walk: Walk): Load {
  installationOf(context, walk);
  // A driver that could not press is the driver's affair, and stays it.
  if (walk.settings === undefined && walk.settingsProblem !== undefined) throw walk.settingsProblem;
  const clause = 'settings.request.loads-settings-url';
  return context.given.present(walk.settings, clause, 'pressing Settings did not load the settings address');
}
