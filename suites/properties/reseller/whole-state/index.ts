/**
 * Sequences of calls on an account, after each of which all that it shows has to be as the calls left it: every setting, every
 * record, domains of several websites, the balance, by GET and by POST in turn. Where the model of Reseller looks for what calls
 * do to each other, this also repeats calls, sends texts of any alphabet and calls to be refused, and uses a second session.
 */
import fc from 'fast-check';
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { forAll, givenProperties } from '../../../../harness/property/index.ts';
import { READING } from '../../../reseller/steps/options.ts';
import { ALLOWED_EFFECTS, capabilitiesOf } from '../means.ts';
import { MODEL_CLAUSES } from '../state.ts';
import { SystemUnderTest } from '../system-under-test.ts';
import { COMPARED_CLAUSES, Comparison } from './comparison.ts';
import { EVERY_WRITE, REFUSED_CHANGES_NOTHING, StepRunner } from './play.ts';
import { type Step, stepArbitrary } from './steps.ts';

/** A look at everything after each of some steps. */
const REQUESTS_PER_RUN = 150;
const MAX_STEPS = 9;

/** A domain of the website first, so that there is one to lose, and a subscription. */
const stocked: Step = { do: 'call', said: { do: 'add-domain', nth: 0 } };
const subscribed = fc
  .constantFrom('premium' as const, 'premiumplus' as const)
  .map((level): Step => ({ do: 'call', said: { do: 'start', level } }));
const steps = fc.array(stepArbitrary, { minLength: 1, maxLength: MAX_STEPS, size: 'max' });
const sequences = fc.oneof(
  steps,
  steps.map((rest): Step[] => [stocked, ...rest]),
  fc.tuple(subscribed, steps).map(([start, rest]): Step[] => [stocked, start, ...rest]),
);

/** Plays a sequence from what the account shows, with a comparison after each step. */
export async function playAll(context: Context, system: SystemUnderTest, steps: readonly Step[]): Promise<void> {
  const comparison = new Comparison(context, system);
  const model = await system.begin();
  await comparison.before();
  const runner = new StepRunner(context, system, comparison, model);
  await runner.before();
  for (const step of steps) await runner.play(step);
  // Steps that have no meaning here are skipped, and a case of nothing but those would judge nothing.
  await runner.after();
}

export const checks: readonly Check[] = [
  check(
    'properties.reseller.whole-state',
    'MUST show exactly the state that calls left in websites, domains, settings and balance, by GET and by POST',
    {
      ...READING,
      usesAllowed: ALLOWED_EFFECTS,
      clauses: [...MODEL_CLAUSES, ...COMPARED_CLAUSES, EVERY_WRITE, REFUSED_CHANGES_NOTHING],
      additional: true,
    },
    async (context) => {
      givenProperties(context);
      const means = await capabilitiesOf(context);
      await forAll(context, { requestsPerRun: REQUESTS_PER_RUN, stepsAt: 0 }, [sequences], async (run, steps) => {
        await playAll(
          run.context,
          new SystemUnderTest(run.context, means, { step: run.step, comparesState: false }),
          steps,
        );
      });
    },
  ),
];
