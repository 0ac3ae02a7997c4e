/** What is found out once for a whole precheck, however many checks ask for it. */
import type { Steps } from '../browser/steps/step-recorder.ts';
import type { IntegratorSession } from './session.ts';

/**
 * Makes a function that does a job once for each session. What threw is tried again by the next check that asks; so is what was
 * seen in a browser that came to its end meanwhile, since that says nothing about the pages in it.
 *
 * @example const pressOf = once((context: DeliveryContext) => press(context.session));
 */
export function once<C extends { readonly session: IntegratorSession }, T>(
  job: (context: C) => Promise<T>,
): (context: C) => Promise<T> {
  const known = new WeakMap<IntegratorSession, Promise<T>>();
  /** The browser steps of the check that did the job: they are behind whatever rests on it. */
  const madeIn = new WeakMap<Promise<T>, Steps>();
  return (context) => {
    const { session } = context;
    const before = known.get(session);
    if (before !== undefined) {
      session.steps?.restOn(madeIn.get(before));
      return before;
    }
    const done = job(context);
    const steps = session.steps?.current;
    if (steps !== undefined) madeIn.set(done, steps);
    known.set(session, done);
    const forget = (): void => void known.delete(session);
    void done.then(async () => {
      if (await session.hasLostBrowser()) forget();
    }, forget);
    return done;
  };
}
