/** Runs the checks of an integrator, one after another, each within its time. */
import type { CheckResult } from '../../contracts/run/events.ts';
import { type Ending, endingOf, isFinding, resultOf, startCheck } from '../check/ending.ts';
import type { SpooledEvent } from '../evidence/events/spool.ts';
import type { Redacted } from '../evidence/redaction/redacted.ts';
import { within } from '../process/until.ts';
import type { IntegratorCheck, IntegratorSuite } from './check.ts';
import { IntegratorContext } from './context.ts';
import { type IntegratorSession, LOST_BROWSER } from './session.ts';

export interface IntegratorRunOptions {
  /** Ids of the checks in scope; all when left out. */
  readonly selected?: ReadonlySet<string>;
  /** Called with the check that begins, so that exchanges are recorded under it. */
  readonly begins?: (id: string) => void;
  /** Takes results and observations as they come. */
  readonly emit?: (event: Redacted<SpooledEvent>) => void;
  /** When it is aborted, no further check begins. */
  readonly signal?: AbortSignal;
  readonly checkTimeoutMs?: number;
}

/** Pages have shorter limits of their own; a check that still runs then is held up by a page that never comes to rest. */
const CHECK_TIMEOUT_MS = 60_000;

/** Runs the suites over one session. Never throws for what an integrator does. */
export async function runIntegratorChecks<S extends IntegratorSession>(
  suites: readonly IntegratorSuite<IntegratorContext<S>>[],
  session: S,
  options: IntegratorRunOptions = {},
): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for (const suite of suites) {
    for (const check of suite.checks) {
      if (options.signal?.aborted === true) return results;
      if (options.selected !== undefined && !options.selected.has(check.id)) continue;
      options.begins?.(check.id);
      results.push(await runOne(check, suite.name, session, options));
    }
  }
  return results;
}

async function runOne<S extends IntegratorSession>(
  check: IntegratorCheck<IntegratorContext<S>>,
  suite: string,
  session: S,
  options: IntegratorRunOptions,
): Promise<CheckResult> {
  const began = startCheck();
  session.steps?.begin(check.id);
  const limit = options.checkTimeoutMs ?? CHECK_TIMEOUT_MS;
  const tooLong = (): Ending => ({
    verdict: 'inconclusive',
    attribution: 'target',
    reason: `the check was not decided within ${limit / 1000} s: check what keeps the integrator's pages busy`,
  });
  const unusable = unusableFor(check, session);
  const attempt = async () => {
    const context = new IntegratorContext(check, session);
    const ending = unusable ?? (await within(endingOf(check, context), limit, tooLong));
    await within(context.cleanUp(), limit, () => undefined);
    return { context, ending };
  };
  // An attempt that starts no browser rests on what was seen before the last one ended, and loses nothing with it.
  let startedBefore: number | undefined;
  let { context, ending } = await attempt();
  const isLost = async (): Promise<boolean> =>
    unusable === undefined &&
    check.needs.includes('browser') &&
    session.browsersStarted !== startedBefore &&
    (await session.hasLostBrowser(ending.verdict !== 'pass' && ending.verdict !== 'observed'));
  // A browser that was ended from outside shows as pages that do nothing: the check begins again in another one.
  while (session.mayLaunch && (await isLost())) {
    await session.pages.drop();
    startedBefore = session.browsersStarted;
    ({ context, ending } = await attempt());
  }
  if (ending.verdict !== 'pass' && (await isLost()))
    ending = { verdict: 'inconclusive', attribution: 'harness', reason: LOST_BROWSER };
  context.trace = await session.steps?.end(isFinding(ending));
  const result = resultOf(check, suite, context, ending, began, session.redaction);
  for (const seen of context.observations(session.redaction)) options.emit?.(seen);
  options.emit?.(result);
  return result;
}

function unusableFor(check: { readonly needs: readonly string[] }, session: IntegratorSession): Ending | undefined {
  for (const need of check.needs) {
    const unusable = session.unusable.get(need);
    if (unusable !== undefined) return unusable;
  }
  return undefined;
}
