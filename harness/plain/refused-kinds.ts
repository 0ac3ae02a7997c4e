/**
 * A target that refuses one kind of value, such as long texts, takes others as the check chose them: its check runs once more with plain
 * stand-ins for that kind alone. Which kind it is says the call that was refused; what helped one check of a run is tried first in the
 * next one.
 */
import type { Check } from '../check/check.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import { isUndecided, type PlainRun, runPlain } from './plain-run.ts';
import { COUNTRY_OF_CHECKS, homeOf } from './stand-ins/home-country.ts';
import { VALUE_KINDS, type ValueKind } from './stand-ins/kinds.ts';
import { StandIns } from './stand-ins/stand-ins.ts';

/** What a run has learnt of its target: the kinds that it refuses, and how many checks came to nothing. */
interface Learnt {
  readonly refused: Set<ValueKind>;
  fruitless: number;
}

const learntOf = new WeakMap<Resources, Learnt>();

/** A target that refuses calls for other reasons costs no more than the attempts of so many checks. */
const MAX_FRUITLESS = 6;
/** Further kinds that are tried for one check. */
const MAX_KINDS = 4;

/**
 * Runs a check with stand-ins for refused kinds of values alone. Undefined if that decides nothing; `adopt` gets each run that decided
 * nothing. `refused`: the call, as the check chose it, whose refusal ended the run before.
 */
export async function runForRefusedKinds(
  check: Check,
  resources: Resources,
  refused: ServiceRequest | undefined,
  adopt: (run: PlainRun) => void,
): Promise<PlainRun | undefined> {
  const kinds = refused === undefined ? [] : kindsIn(refused, resources);
  if (kinds.length === 0) return undefined;
  const learnt = learntOf.get(resources) ?? { refused: new Set(), fruitless: 0 };
  learntOf.set(resources, learnt);
  const known = kinds.filter((kind) => learnt.refused.has(kind));
  const further = learnt.fruitless < MAX_FRUITLESS ? kinds.filter((kind) => !learnt.refused.has(kind)) : [];
  const attempts = [
    ...(known.length > 0 ? [known] : []),
    ...further.slice(0, MAX_KINDS).map((kind) => [...known, kind]),
  ];
  for (const only of attempts) {
    const run = await runPlain(check, resources, { only: new Set(only) });
    if (!isUndecided(run.decided)) {
      for (const kind of only) learnt.refused.add(kind);
      return run;
    }
    adopt(run);
  }
  learnt.fruitless += 1;
  return undefined;
}

/** The kinds of values in a call of Delivery or Apps that have a plainer stand-in. */
export function kindsIn(call: ServiceRequest, { profile }: Pick<Resources, 'profile'>): ValueKind[] {
  if (call.api === 'api') return [];
  const { languages = [], country } = profile.website ?? {};
  const options = { mark: '', languages, country: country ?? COUNTRY_OF_CHECKS, home: homeOf(country) };
  return VALUE_KINDS.filter((kind) => new StandIns({ ...options, only: new Set([kind]) }).changes(call));
}
