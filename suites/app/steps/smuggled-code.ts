/**
 * The authentic settings request of one installation, which also carries the authCode of another one where the hash may not
 * see it: an app that verifies one value and uses another shows every user the settings of any installation.
 */
import { inspectPage } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { inContext, open, waitUntilSettled } from '../../../harness/integrator/page/visit.ts';
import { pause, until } from '../../../harness/process/until.ts';
import type { AppContext } from '../session.ts';
import { callsFor, comesAnyway, exchangesOf, mark } from './effects.ts';
import { pace } from './given.ts';
import { type Alteration, hasEffects, type Outcome, posting, secondLoads, UNALTERED } from './loads/index.ts';
import { expectRefused } from './refusals.ts';
import { callingInstallations, otherInstallation } from './sessions/in-session.ts';

/** A way to give an authentic address a second authCode. */
interface Way {
  readonly change: string;
  readonly alter: (url: string, code: string) => string;
  readonly body?: (code: string) => string;
}

const encoded = (code: string): string => `authCode=${encodeURIComponent(code)}`;

/** Frameworks differ in which of two parameters of one name they return, and in whether those of a form come before those of the address. */
const WAYS: readonly Way[] = [
  {
    change: 'the authCode of another installation before its own',
    alter: (url, code) => url.replace(/([?&])authCode=/, `$1${encoded(code)}&authCode=`),
  },
  {
    change: 'the authCode of another installation behind its own',
    alter: (url, code) => url.replace(/[?&]authCode=[^&#]*/, `$&&${encoded(code)}`),
  },
  { change: 'the authCode of another installation in a posted form', alter: (url) => url, body: encoded },
];

/**
 * Asserts that no such request makes the app call the service for the other installation. What the app does with its own one is
 * open. Nothing is judged where users sign in, for a user may own both, nor where an authentic request makes the app call nothing.
 */
export async function expectOwnCodeUsed(context: AppContext): Promise<void> {
  const { session } = context;
  const codes = await callingInstallations(context);
  if (codes === undefined) return;
  const { known, other, waitMs } = codes;
  // What the control may still cause is not of the next load.
  await pause(waitMs);
  for (const way of WAYS) {
    const found = await loaded(context, known, other, way, waitMs);
    if (found === undefined) continue;
    if (await comesAnyway(session, (since) => callsFor(session, [other], since))) return;
    // Once more: what came by chance hardly comes again.
    const again = await loaded(context, known, other, way, waitMs);
    if (again === undefined) continue;
    context.restOn(exchangesOf(again.calls.slice(0, 1)));
    expectRefused(context, { served: [again], refused: [] }, 'no call for the other installation');
  }
}

/**
 * Asserts the same of the second load of a new installation, to which the authCode of another one is posted: a form that anybody may
 * send. An app that finishes the other one connects its new user with the website of another user.
 */
export async function expectOwnCodeInstalled(context: AppContext): Promise<void> {
  const { session } = context;
  if (session.driver.signIn !== undefined) return;
  const other = await otherInstallation(context);
  if (other === undefined) return;
  const { second: waitMs } = await pace(context);
  await pause(waitMs);
  const posted: Alteration = {
    change: 'an authentic request with the authCode of another installation in a posted form',
    alter: (url) => url,
    body: encoded(other),
  };
  const load = async (alteration: Alteration): Promise<Outcome | undefined> => {
    const from = mark(session);
    const calls = () => callsFor(session, [other], from);
    const isDone = (own: Pick<Outcome, 'callback' | 'calls'>): boolean => hasEffects(own) || calls().length > 0;
    const [outcome] = await secondLoads(context, [alteration], { waitMs, until: isDone }, 'alone');
    // Of what an app calls for an installation, the first call may be its own.
    if (calls().length === 0) await pause(waitMs);
    return outcome === undefined || calls().length === 0 ? undefined : { ...outcome, calls: calls() };
  };
  if ((await load(posted)) === undefined) return;
  if (await comesAnyway(session, (since) => callsFor(session, [other], since))) return;
  // An app may inspect all its installations whenever it has a new one.
  if ((await load(UNALTERED)) !== undefined) return;
  const again = await load(posted);
  if (again === undefined) return;
  context.restOn(exchangesOf(again.calls.slice(0, 1)));
  expectRefused(context, { served: [again], refused: [] }, 'no call for the other installation');
}

/** What the app called for the other installation; undefined where that was nothing. */
function loaded(
  { session }: AppContext,
  known: string,
  other: string,
  { change, alter, body }: Way,
  waitMs: number,
): Promise<Outcome | undefined> {
  return inContext(
    () => session.browserContext(),
    async (browser) => {
      const page = await browser.newPage();
      const { url, token } = session.counterpart.beginSettings(known);
      const address = alter(url, other);
      const from = mark(session);
      const calls = () => callsFor(session, [other], from);
      const opened = await open(page, address, posting(body?.(other)));
      await until(() => (calls().length > 0 ? true : undefined), waitMs);
      await waitUntilSettled(page, opened);
      if (calls().length === 0) return undefined;
      const snapshot = await inspectPage(page, opened.status);
      const asked = `an authentic request with ${change}`;
      return {
        change: asked,
        address,
        ...posting(body?.(other)),
        authCode: other,
        token,
        snapshot,
        callback: undefined,
        calls: calls(),
      };
    },
  );
}
