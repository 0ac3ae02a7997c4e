/**
 * A target that refuses one kind of value, such as long texts, takes others as the check chose them: its check runs once more with plain
 * stand-ins for that kind alone. Which kind it is says the call that was refused; what helped one check of a run is tried first in the
 * next one.
 */
import type { Check } from '../check/check.ts';
import type { Context } from '../check/context.ts';
import { needsPages } from '../check/needs/index.ts';
import type { Resources } from '../resources/resources.ts';
import { isUndecided, leftSomething, type PlainRun, restsOnRefusal, runPlain } from './plain-run.ts';
import type { RefusedCall } from './refused-calls.ts';
import { carriesLabelAddress } from './simplified.ts';
import { COUNTRY_OF_CHECKS, homeOf, namesOtherCountry } from './stand-ins/home-country.ts';
import { updateKindOf, VALUE_KINDS, type ValueKind } from './stand-ins/kinds.ts';
import { StandIns } from './stand-ins/stand-ins.ts';

/** Of texts and their lengths. */
const TEXTS = /title|address|city|text|long|length|character/i;

/** Of fields that a call lacks. */
const LACKING = /missing|required|need|has to|must|without/i;

/** Words by which a refusal may name a kind. They decide only what is tried first. */
const NAMED: Readonly<Partial<Record<ValueKind, RegExp>>> = {
  'fields-of-methods': /missing|required|empty|fill|null/i,
  'fields-of-points': /missing|required|empty|fill|null/i,
  'fields-in-method-updates': LACKING,
  'fields-in-point-updates': LACKING,
  languages: /language/i,
  'longer-texts': TEXTS,
  'long-texts': TEXTS,
  texts: TEXTS,
  attributes: /attribute/i,
  zip: /zip|post/i,
  ids: /\bid\b/i,
  reference: /reference/i,
  'label-address': /label|url/i,
  country: /countr/i,
  'title-objects': /title|object|language/i,
  'small-countries': /countr/i,
  contents: /snippet|data/i,
  digits: /\bid\b|reference|digit|number/i,
  capitals: /\bid\b|reference|capital|upper/i,
};

/** What a run has learnt of its target: the kinds that it refuses, and how many checks came to nothing. */
interface Learnt {
  readonly refused: Set<ValueKind>;
  /** Whether sending the minimum has helped a check. */
  needsMinimum: boolean;
  /** Whether the country of the store, in place of others, has helped a check. */
  needsOneCountry: boolean;
  /** Whether leaving out the label address has helped a check. */
  needsNoLabelAddress: boolean;
  fruitless: number;
}

const learntOf = new WeakMap<Resources, Learnt>();

/** A target that refuses calls for other reasons costs no more than the attempts of so many checks. */
const MAX_FRUITLESS = 6;
/** Further kinds that are tried for one check. */
const MAX_KINDS = 8;
/** Kinds that are tried for one check in addition to one with which it was refused for another reason. */
const MAX_ADDED_KINDS = 6;

function learntAbout(resources: Resources): Learnt {
  const learnt = learntOf.get(resources) ?? {
    refused: new Set(),
    needsMinimum: false,
    needsOneCountry: false,
    needsNoLabelAddress: false,
    fruitless: 0,
  };
  learntOf.set(resources, learnt);
  return learnt;
}

/**
 * Runs a check with stand-ins for refused kinds of values alone, without label addresses, in the country of the store alone, and so that it
 * sends the minimum.
 * Undefined if that decides nothing; `adopt` gets each run that decided nothing. `first`: the run before, which a refusal ended.
 */
export async function runForRefusedKinds(
  check: Check,
  resources: Resources,
  first: Context,
  adopt: (run: PlainRun) => void,
): Promise<PlainRun | undefined> {
  const { last, moreThanMinimum } = first.refused;
  // Each attempt on a target that could not be restored would leave as much again.
  if (last?.own.api !== 'v1' || leftSomething(first)) return undefined;
  const learnt = learntAbout(resources);
  const exact = check.exactValues ?? [];
  const attempts = attemptsAt(kindsIn(last, resources, { exact }), {
    learnt,
    hasMinimum: moreThanMinimum,
    hasOtherCountry: namesOtherCountry(last.own, resources.profile.website?.country ?? COUNTRY_OF_CHECKS),
    isForCountry: isNamedIn(last.text, 'country'),
    hasLabelAddress: !resources.operations.takesLabelAddress && carriesLabelAddress(last.own),
    isForLabel: isNamedIn(last.text, 'label-address'),
    // Pages show the real country of the store.
    isElsewhere: !needsPages(check) && homeOf(resources.profile.website?.country) !== undefined,
    // What a check does on pages, such as an order, stays.
    mayExplore: learnt.fruitless < MAX_FRUITLESS && !first.usesDriver,
  });
  // With values of another kind a check may come further, to a call that it can send with less.
  const mayShorten = learnt.needsMinimum || learnt.fruitless < MAX_FRUITLESS;
  const cameFurther = ({ plain }: PlainRun): boolean =>
    plain.refused.last !== undefined && !isSameRefusal(plain.refused.last, last);
  const tried = new Set(attempts.map(nameOf));
  let addable = learnt.fruitless < MAX_FRUITLESS ? MAX_ADDED_KINDS : 0;
  for (let options = attempts.shift(); options !== undefined; options = attempts.shift()) {
    const run = await runPlain(check, resources, options);
    const canSendLess = !options.sendsMinimum && run.plain.refused.moreThanMinimum;
    if (mayShorten && canSendLess && (!moreThanMinimum || cameFurther(run)) && restsOnRefusal(run.decided))
      attempts.unshift({ ...options, sendsMinimum: true });
    const further = restsOnRefusal(run.decided)
      ? kindsAfter(last, run.plain.refused.last, resources, { exact, beside: options.only })
      : [];
    const combined = further
      .map((kind) => ({ ...options, only: new Set([...options.only, kind]) }))
      .filter((one) => !tried.has(nameOf(one)))
      .slice(0, addable);
    for (const one of combined) tried.add(nameOf(one));
    addable -= combined.length;
    attempts.unshift(...combined);
    if (!isUndecided(run.decided)) {
      for (const kind of options.only) learnt.refused.add(kind);
      learnt.needsMinimum ||= options.sendsMinimum;
      learnt.needsOneCountry ||= options.hasOneCountry;
      learnt.needsNoLabelAddress ||= options.hasNoLabelAddress;
      return run;
    }
    adopt(run);
    if (leftSomething(run.plain)) return undefined;
  }
  learnt.fruitless += 1;
  return undefined;
}

const UPDATE_KINDS: ReadonlySet<ValueKind> = new Set([true, false].map(updateKindOf));

/**
 * Which kinds a second refusal speaks of, where a target that was sent plain values of the first kinds refuses the check for another reason:
 * it may dislike values of two kinds. A target that needs all fields in the updates of one resource may need them in those of the other,
 * whatever its refusals say.
 */
function kindsAfter(
  first: RefusedCall,
  second: RefusedCall | undefined,
  resources: Resources,
  { exact, beside }: Required<KindOptions>,
): ValueKind[] {
  if (second === undefined) return [];
  const isSame = isSameRefusal(second, first);
  const needsUpdates = [...beside].some((kind) => UPDATE_KINDS.has(kind));
  return kindsIn(second, resources, { exact, beside }).filter(
    (kind) => (needsUpdates && UPDATE_KINDS.has(kind)) || (!isSame && isNamedIn(second.text, kind)),
  );
}

const isSameRefusal = (one: RefusedCall, other: RefusedCall): boolean =>
  withoutDigits(one.text) === withoutDigits(other.text);

/** A service may quote ids. */
const withoutDigits = (text: string): string => text.replaceAll(/\d+/g, '#');

const nameOf = ({ only, ...less }: AttemptOptions): string => `${[...only].sort().join()} ${JSON.stringify(less)}`;

interface AttemptOptions {
  readonly only: ReadonlySet<ValueKind>;
  readonly sendsMinimum: boolean;
  readonly hasOneCountry: boolean;
  readonly hasNoLabelAddress: boolean;
}

interface Situation {
  readonly learnt: Learnt;
  /** Whether the check can send less. */
  readonly hasMinimum: boolean;
  /** Whether the refused call names another country than that of the store. */
  readonly hasOtherCountry: boolean;
  /** Whether the refusal speaks of countries. */
  readonly isForCountry: boolean;
  /** Whether the refused call carries a label address, and the target has taken none so far. */
  readonly hasLabelAddress: boolean;
  /** Whether the refusal speaks of label addresses. */
  readonly isForLabel: boolean;
  readonly isElsewhere: boolean;
  /** Whether more is tried than what has helped another check. */
  readonly mayExplore: boolean;
}

/**
 * What is known to help first, then each further kind, then less of what the contract does not promise. A store far from the country of
 * checks may take its own alone.
 */
function attemptsAt(kinds: readonly ValueKind[], situation: Situation): AttemptOptions[] {
  const { learnt, hasMinimum, isElsewhere, mayExplore } = situation;
  const { refused, needsMinimum, needsOneCountry, needsNoLabelAddress } = learnt;
  const helpful = kinds.filter((kind) => refused.has(kind));
  const further = mayExplore ? kinds.filter((kind) => !refused.has(kind)).slice(0, MAX_KINDS) : [];
  const single = [...(helpful.length > 0 ? [helpful] : []), ...further.map((kind) => [...helpful, kind])];
  const usual = { sendsMinimum: false, hasOneCountry: false, hasNoLabelAddress: needsNoLabelAddress };
  const known = new Set([...refused, ...(isElsewhere ? (['country'] as const) : [])]);
  const less = {
    label: { ...usual, only: known, hasNoLabelAddress: true },
    country: { ...usual, only: known, hasOneCountry: true },
  };
  const isWorth = {
    label: situation.hasLabelAddress && (mayExplore || needsNoLabelAddress),
    country: situation.hasOtherCountry && (mayExplore || needsOneCountry),
  };
  const comesFirst = {
    label: needsNoLabelAddress || situation.isForLabel,
    country: needsOneCountry || situation.isForCountry,
  };
  const ways = (['label', 'country'] as const).filter((way) => isWorth[way]);
  const all = [
    ...ways.filter((way) => comesFirst[way]).map((way) => less[way]),
    ...single.map((only) => ({ ...usual, only: new Set(only) })),
    ...ways.filter((way) => !comesFirst[way]).map((way) => less[way]),
  ];
  if (!hasMinimum || !(mayExplore || needsMinimum)) return all;
  const minimum = { ...usual, only: known, sendsMinimum: true };
  return needsMinimum && ways.length === 0 ? [minimum, ...all] : [...all, minimum];
}

/**
 * A check that passes although every call of some operation was refused, for values of a kind that the target is known to refuse, has
 * shown little: it runs once more with stand-ins for that kind. Undefined where there is no such call.
 */
export async function runForUnservedCalls(
  check: Check,
  resources: Resources,
  first: Context,
): Promise<PlainRun | undefined> {
  const { refused } = learntAbout(resources);
  if (refused.size === 0 || needsPages(check) || leftSomething(first)) return undefined;
  const known = [...first.refused.unserved]
    .flatMap((call) => kindsIn(call, resources, { exact: check.exactValues ?? [] }))
    .filter((kind) => refused.has(kind));
  return known.length === 0 ? undefined : runPlain(check, resources, { only: new Set(known) });
}

interface KindOptions {
  /** What the check sends as it chose it. */
  readonly exact: readonly string[];
  /** Kinds that are replaced already, which may give others something to replace: a title as an object can have more languages. */
  readonly beside?: ReadonlySet<ValueKind>;
}

/** The kinds of values in a call of Delivery or Apps that have a plainer stand-in, first those that the refusal seems to name. */
function kindsIn(
  { own, text }: RefusedCall,
  { profile, operations }: Resources,
  { exact, beside = new Set() }: KindOptions,
): ValueKind[] {
  if (own.api === 'api') return [];
  const { languages = [], defaultLanguage, country } = profile.website ?? {};
  const options = {
    mark: '',
    languages,
    defaultLanguage,
    country: country ?? COUNTRY_OF_CHECKS,
    home: homeOf(country),
    codeServedAs: operations.codeServedAs.bind(operations),
  };
  const standInsFor = (kinds: readonly ValueKind[]) => new StandIns({ ...options, exact, only: new Set(kinds) });
  const before = standInsFor([...beside]).call(own);
  const kinds = VALUE_KINDS.filter((kind) => {
    if (beside.has(kind)) return false;
    const standIns = standInsFor([...beside, kind]);
    return UPDATE_KINDS.has(kind) ? standIns.completion(own) !== undefined : standIns.changes(own, before);
  });
  const isNamed = (kind: ValueKind): boolean => isNamedIn(text, kind);
  return [...kinds.filter(isNamed), ...kinds.filter((kind) => !isNamed(kind))];
}

const isNamedIn = (text: string, kind: ValueKind): boolean => NAMED[kind]?.test(text) === true;
