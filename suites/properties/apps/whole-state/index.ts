/**
 * Sequences of calls on two installations, after each of which everything that the app can read has to be as the calls left it:
 * the data and every snippet of both, and at the end their records and the pages. Where the model of Apps looks for what calls
 * do to each other, this also sends values of any alphabet, refused calls and calls that are repeated.
 */
import fc from 'fast-check';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { type Check, check } from '../../../../harness/check/check.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { forAll, givenProperties } from '../../../../harness/property/index.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { rememberData } from '../../../apps/steps/data.ts';
import { appsOf, hasSecondInstallation } from '../../../apps/steps/installations.ts';
import { WRITING } from '../../../apps/steps/options.ts';
import { plainSnippet, type Slot, saveForRestore } from '../../../apps/steps/snippets.ts';
import { Comparison, WHOLE_STATE_CLAUSES } from './compare.ts';
import { StepRunner } from './play.ts';
import { stepArbitrary } from './steps.ts';
import { type Place, World } from './world.ts';

/** Each place set once, and a look at all of them after each step. */
const REQUESTS_PER_RUN = 90;
const MAX_STEPS = 12;
/** Languages of either installation beside the snippet for all pages. */
const MAX_LANGUAGES = 3;

const sequences = fc.array(stepArbitrary, { minLength: 1, maxLength: MAX_STEPS, size: 'max' });

export const checks: readonly Check[] = [
  check(
    'properties.apps.whole-state',
    'MUST show exactly the state that calls left in data, snippets, records and pages of both installations',
    { ...WRITING, clauses: WHOLE_STATE_CLAUSES, additional: true },
    async (context) => {
      givenProperties(context);
      const slots = await slotsOf(context);
      for (const { kind, ...slot } of slots) {
        if (kind === 'data') await rememberData(context, slot, 'apps.data.string-kept');
        else await saveForRestore(context, slot);
      }
      await forAll(context, { requestsPerRun: REQUESTS_PER_RUN, stepsAt: 0 }, [sequences], async (run, steps) => {
        const world = new World(slots.map(placeOf));
        const comparison = new Comparison(run.context, world);
        const runner = new StepRunner(run.context, world, comparison, run.step);
        await comparison.before();
        for (const place of world.places) {
          const words = `Proofmark ${run.context.resources.newMark()}`;
          await runner.set(place, place.kind === 'data' ? words : plainSnippet(words));
        }
        await comparison.compareAll();
        for (const step of steps) await runner.play(step);
        await comparison.compareRest();
      });
    },
  ),
];

type KindOfSlot = Slot & Pick<Place, 'kind'>;

/** The places of the installation, and of the second one where the profile has one. */
async function slotsOf(context: Context): Promise<KindOfSlot[]> {
  const known = context.profile.website?.languages ?? (await languagesListed(context, 'own'));
  const own = snippetSlots({ apps: context.apps, installation: 'own' }, known);
  if (!hasSecondInstallation(context)) return own;
  // The second installation may be in another website.
  const others = await languagesListed(context, 'other');
  return [...own, ...snippetSlots({ apps: context.otherApps, installation: 'other' }, others)];
}

const snippetSlots = (slot: Slot, languages: readonly string[]): KindOfSlot[] => [
  { ...slot, kind: 'data' },
  { ...slot, kind: 'snippet' },
  ...languages.slice(0, MAX_LANGUAGES).map((language): KindOfSlot => ({ ...slot, kind: 'snippet', language })),
];

async function languagesListed(context: Context, installation: 'own' | 'other'): Promise<string[]> {
  const response = await context.send(appsOf(context, installation).getLanguages(), 'given');
  const listed = isServed(response) && isJsonObject(response.json) ? response.json.languages : [];
  return Array.isArray(listed) ? listed.filter((code) => typeof code === 'string' && code !== '') : [];
}

const placeOf = (slot: KindOfSlot): Place => {
  const { kind, installation, language } = slot;
  const what = kind === 'data' ? 'the data' : `the snippet${language === undefined ? '' : ` in ${language}`}`;
  const name = `${what}${installation === 'own' ? '' : ' of the other installation'}`;
  return { ...slot, name, value: undefined, former: undefined };
};
