/** Requests are GET or POST (spec: Endpoints, C. Reseller endpoints): a setting that was changed is returned by both. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Via } from '../../../harness/target/interfaces/reseller.ts';
import { isObject, isServed } from '../../../harness/target/response/judge-response.ts';
import { SETTINGS } from '../steps/options.ts';
import {
  acceptsCurrentValues,
  type Candidate,
  changed,
  noneChangeable,
  pairsOf,
  restorable,
  set,
  textOf,
  track,
  untestableSettings,
} from '../steps/settings.ts';

interface Shown {
  readonly candidate: Candidate;
  readonly texts: Readonly<Record<Via, string>>;
  readonly response: ServiceResponse;
}

/** Settings that were set to their new texts, whether the account applies that or not: all in one call, or else one that applies it. */
async function sent(context: Context): Promise<readonly Candidate[]> {
  const all = await restorable(context);
  if (all.length === 0 || !(await acceptsCurrentValues(context, all))) return changed(context);
  track(context, ...all);
  return isServed(await set(context, pairsOf(all, 'fresh'))) ? all : changed(context);
}

/** What each method returns for these settings. Skips where one of the methods is refused, which other checks judge. */
async function readByBoth(context: Context, candidates: readonly Candidate[]): Promise<Shown[]> {
  const reseller = await context.reseller();
  const [get, post] = await atOnce([
    () => context.send(reseller.readSettings('GET'), 'GET'),
    () => context.send(reseller.readSettings('POST'), 'POST'),
  ]);
  if (!isServed(get) || !isServed(post)) throw new Skipped('settings are not returned by both GET and POST');
  const [byGet, byPost] = [get, post].map(({ json }) => resourceOf(json, 'settings'));
  return candidates.map((candidate) => {
    const text = (settings: unknown): string => textOf(isObject(settings) ? settings[candidate.name] : undefined);
    const texts = { GET: text(byGet), POST: text(byPost) };
    return { candidate, texts, response: texts.GET === candidate.fresh ? post : get };
  });
}

const isShownBy = ({ candidate, texts }: Shown, via: Via): boolean => texts[via] === candidate.fresh;

/** Exactly one of the methods returns the new text: what both return in a form of the service's own is not judged. */
const isShownByOne = (shown: Shown): boolean => isShownBy(shown, 'GET') !== isShownBy(shown, 'POST');

export const checks: readonly Check[] = [
  check(
    'reseller.calls.changed-settings',
    'MUST return a setting as it was set, by GET and by POST',
    { clauses: ['reseller.settings.set-applies'], additional: true, ...SETTINGS },
    async (context) => {
      const candidates = await sent(context);
      const first = await readByBoth(context, candidates);
      const suspects = first.filter(isShownByOne).map(({ candidate }) => candidate);
      // Another client's change between the two readings does not come and go with the method.
      const second = suspects.length === 0 ? [] : await readByBoth(context, suspects);
      const found = second.find(
        (now) => isShownByOne(now) && first.some((before) => isShownAlike(before, now) && isShownByOne(before)),
      );
      const isAnyShown = first.some((one) => isShownBy(one, 'GET') || isShownBy(one, 'POST'));
      if (!isAnyShown) throw noneChangeable(await untestableSettings(context));
      const blind = found === undefined || isShownBy(found, 'GET') ? 'POST' : 'GET';
      const message = `${found?.candidate.name} was set, and only one of GET and POST returns the new text, read twice`;
      context.expect.that(found === undefined, message, {
        ...(found && { expected: found.candidate.fresh, actual: found.texts[blind], response: found.response }),
      });
    },
  ),
];

const isShownAlike = (before: Shown, now: Shown): boolean =>
  before.candidate.name === now.candidate.name && isShownBy(before, 'GET') === isShownBy(now, 'GET');
