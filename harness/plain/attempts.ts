/**
 * A refusal of a value that a check chose decides nothing. A check that ends with one runs once more with plain stand-ins for its
 * values. If that run decides anything, only its result counts.
 */

import { screenshotPages } from '../browser/steps/failed-pages.ts';
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { type Ending, endingOf, isFinding } from '../check/ending.ts';
import { summary } from '../check/expect.ts';
import { discardBorrowed, releaseBorrowed } from '../resources/methods/borrowed.ts';
import { deleteIdle } from '../resources/methods/idle-methods.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { breachOfFirstTry } from './first-try.ts';
import { hasLearnedReferences } from './learned-references.ts';
import { type Attempt, isUndecided, leftSomething, type PlainRun, restsOnRefusal, runPlain } from './plain-run.ts';
import { afterPause, refusedForState } from './refused-for-state.ts';
import { runForRefusedKinds, runForUnservedCalls } from './refused-kinds.ts';
import { CODE_FORMS, type CodeForm } from './stand-ins/codes.ts';
import { COUNTRY_OF_CHECKS } from './stand-ins/home-country.ts';
import { StandIns } from './stand-ins/stand-ins.ts';

const UNAUTHORIZED = 401;

/** Only says which calls have plainer stand-ins; nothing is sent through it. */
const WATCH = new StandIns({ mark: '', languages: [], country: 'LV' });

/**
 * Runs the body of a check, and cleans up after each run:
 *
 * 1. briefly, and in full if that does not pass;
 * 2. if it ended with a refusal, in plain values for the kinds that seem to be refused, without label addresses, or in the country of the
 *    store alone;
 * 3. in plain values throughout;
 * 4. sending the minimum, if plain values were refused as well;
 * 5. with ids of digits or capitals, or countries in lower case;
 * 6. after a pause, if an update was refused for what is there.
 *
 * All of it again if a method that was made meanwhile has shown which references the target takes. Also if it turned out that the owner can
 * have only few methods, or that handles of deleted ones are given to new ones, and the check decided nothing or found something.
 */
export async function attempt(check: Check, resources: Resources): Promise<Attempt> {
  const { operations } = resources;
  const knew = operations.takesFewMethods;
  let first = await attemptOnce(check, resources);
  if (!leftSomething(first.context) && (await hasLearnedReferences(check, first))) {
    const again = await attemptOnce(check, resources);
    again.context.adopt(first.context);
    first = again;
  }
  if (knew || leftSomething(first.context) || !isDisturbed(first, resources)) return first;
  // Methods that nothing needs were in its way, perhaps those of other workers.
  await deleteIdle(resources);
  await resources.takeTurnWithMethods();
  const second = await attemptOnce(check, resources);
  second.context.adopt(first.context);
  return second;
}

/**
 * Whether a check may have met the methods of other workers: it was undecided when it turned out that an owner can have only few of
 * them, or it found a fault while other workers were given handles that it had known, or it theirs.
 */
function isDisturbed({ ending, context }: Attempt, resources: Resources): boolean {
  if (!resources.areTurnsAnnounced) return false;
  if (ending.verdict === 'inconclusive') return true;
  return isFinding(ending) || context.breaches.size > 0;
}

async function attemptOnce(check: Check, resources: Resources): Promise<Attempt> {
  const { context, ending } = await untilResponse(check, resources);
  const undecided = undecidedByRefusal(ending, resources);
  // A model that skipped refusals has shown nothing about what they refused.
  const isPartly = ending.verdict === 'pass' && context.choices.skipped > 0;
  const rests = restsOnRefusal(ending);
  let last: PlainRun | undefined;
  const adopt = ({ plain }: PlainRun): void => context.adopt(plain);
  if (rests) last = await runForRefusedKinds(check, resources, context, adopt);
  if (last === undefined && (rests || isPartly) && context.refused.ownValues) last = await runPlain(check, resources);
  if (rests && (last === undefined ? context.refused.moreThanMinimum : canSendLessAfter(last))) {
    if (last !== undefined) adopt(last);
    last = await runPlain(check, resources, { sendsMinimum: true });
  }
  if (last !== undefined && rests) last = await tryOtherCodes(check, resources, last);
  if (last === undefined && ending.verdict === 'pass') last = await foundWithLess(check, resources, context);
  if (last !== undefined && rests && isPartlyPassed(last)) last = await foundInPlainValues(check, resources, last);
  const decidedLater = await afterPause(check, resources, { context, ending }, last);
  if (decidedLater !== undefined) {
    if (last !== undefined) adopt(last);
    last = decidedLater;
  }
  const first = refusedForState(undecided, ending, context);
  if (last === undefined) return { context, ending: first };
  const { plain, decided } = last;
  // The first try only met a refusal; the last one found out what the contract leaves open.
  if (isUndecided(decided) && !isLeftOpen(decided)) {
    context.adopt(plain);
    return { context, ending: first === undecided ? refusedForState(undecided, decided, plain) : first };
  }
  if (isPartly && decided.verdict === 'pass') {
    context.adopt(plain);
    return { context, ending };
  }
  plain.adopt(context);
  const note = `${whyRepeated(ending.evidence?.response, plain)}${whatIsExchanged(check, plain)}`;
  return {
    context: plain,
    ending: { ...decided, reason: decided.reason === undefined ? `decided ${note}` : `${decided.reason} (${note})` },
  };
}

/** Whether a check came to the end of what it can try, and its rule remains undecided because the contract leaves a choice. */
const isLeftOpen = (ending: Ending): boolean =>
  ending.verdict === 'inconclusive' && ending.attribution === 'contract' && !restsOnRefusal(ending);

/** Whether a model passed and skipped refusals, although the kind of values that ended its first run was replaced. */
const isPartlyPassed = ({ decided, plain }: PlainRun): boolean =>
  decided.verdict === 'pass' && plain.replaced !== undefined && plain.choices.skipped > 0;

/** The run in plain values throughout, if it found something that `partly` did not; `partly` otherwise. */
async function foundInPlainValues(check: Check, resources: Resources, partly: PlainRun): Promise<PlainRun> {
  if (leftSomething(partly.plain)) return partly;
  const run = await runPlain(check, resources);
  const [better, other] = isFinding(run.decided) && !isUndecided(run.decided) ? [run, partly] : [partly, run];
  better.plain.adopt(other.plain);
  return better;
}

/** A run that found something where a pass had met refusals of every call of its kind; undefined where it found nothing. */
async function foundWithLess(check: Check, resources: Resources, context: Context): Promise<PlainRun | undefined> {
  const run = await runForUnservedCalls(check, resources, context);
  if (run === undefined) return undefined;
  if (isFinding(run.decided) && !isUndecided(run.decided)) return run;
  context.adopt(run.plain);
  return undefined;
}

/** Repeats that met another loss: more of them than that are the target's behaviour, not an accident of the network. */
const MAX_FRUITLESS_REPEATS = 20;
const fruitlessRepeats = new WeakMap<Resources, number>();

/** A check with many calls may meet a second loss when it runs again. */
const MAX_REPEATS = 2;

/**
 * Runs the check again if a connection was lost in its middle, or the target was away for a moment. Not if the first try left
 * something on the target, because a second one would leave as much again. If the target is gone by then, the first try counts.
 */
async function untilResponse(check: Check, resources: Resources, repeats = MAX_REPEATS): Promise<Attempt> {
  const first = await briefFirst(check, resources);
  const fruitless = fruitlessRepeats.get(resources) ?? 0;
  const isLeft = leftSomething(first.context);
  const isLost = first.ending.isLost === true || (first.context.wasAway && isFinding(first.ending));
  if (!isLost || isLeft || repeats === 0 || fruitless >= MAX_FRUITLESS_REPEATS) return first;
  const second = await untilResponse(check, resources, repeats - 1);
  if (second.ending.attribution === 'network') {
    fruitlessRepeats.set(resources, (fruitlessRepeats.get(resources) ?? 0) + 1);
    first.context.adopt(second.context);
    return first;
  }
  second.context.adopt(first.context);
  return second;
}

/**
 * The first try of a check is brief: it works on borrowed methods and leaves out what only explains a failure. A pass counts, because
 * nothing that it rests on is left out. Any other result may come from what other checks left in a method, or from a deviation that
 * another clause is about, so the check runs again in full.
 */
async function briefFirst(check: Check, resources: Resources): Promise<Attempt> {
  const wereTurns = resources.areTurnsAnnounced;
  const brief = new Context(check, resources, { watch: WATCH, mayShare: resources.run.isolated !== true });
  const ending = await endingOf(check, brief);
  if (isFinding(ending)) await screenshotPages(brief);
  // Clean-up and a second try wait until the target is back.
  if (isFinding(ending) && (brief.wasAway || ending.isLost === true)) await resources.client.untilBack();
  await brief.cleanUp();
  const isGood = isSettled(ending);
  if (isGood) releaseBorrowed(brief);
  else discardBorrowed(brief);
  // No second try on a target that is gone, nor on one that could not be restored: it would meet what the first try left, such as an
  // account with an unknown password.
  const isFinal = isGood || !brief.isBrief || ending.attribution === 'network' || leftSomething(brief);
  if (isFinal) return { context: brief, ending };
  const context = new Context(check, resources, { watch: WATCH });
  const decided = await endingOf(check, context);
  if (isFinding(decided)) await screenshotPages(context);
  await context.cleanUp();
  // What other workers did to its methods meanwhile is not the target's fault.
  const isCalm = wereTurns || !resources.areTurnsAnnounced;
  const seen = doesNotRefute(decided) && isCalm ? breachOfFirstTry(check, { context: brief, ending }) : undefined;
  if (seen !== undefined && !brief.breaches.has(seen.clause)) brief.breaches.set(seen.clause, seen);
  context.adopt(brief);
  return { context, ending: decided };
}

const isSettled = ({ verdict }: Ending): boolean => verdict === 'pass' || verdict === 'observed';

/**
 * Whether a second try does not contradict what the first one found. An undecided one does not: what the first one made may be in its
 * way, and no clean-up finds what has another name now.
 */
const doesNotRefute = (ending: Ending): boolean => isSettled(ending) || ending.verdict === 'inconclusive';

/** Why the second attempt decides. After a 401 its new login may be the difference, rather than its values. */
function whyRepeated(refused: ServiceResponse | undefined, { replaced, variation }: Context): string {
  const how = replaced === undefined ? 'with plain values' : variation;
  if (refused === undefined) return `${how}, because the target refused the values that the check chose`;
  return refused.status === UNAUTHORIZED
    ? `in a second attempt, because the target refused the credentials of the first one, as if the token had ended (${summary(refused)})`
    : `${how}, because the target refused the values that the check chose (${summary(refused)})`;
}

/** Which country replaces which, as the end of a note: the exchanges show them as they were sent. */
function whatIsExchanged(check: Check, { isElsewhere, resources }: Context): string {
  const isOfDelivery = check.partList.some((part) => part.startsWith('delivery'));
  return isOfDelivery && isElsewhere
    ? `; here ${COUNTRY_OF_CHECKS} means ${resources.profile.website?.country}, the country of the store, and the reverse`
    : '';
}

/** How a check runs once more: with codes in this form, and sending the minimum or not. */
interface Variation {
  readonly codes: CodeForm;
  readonly sendsMinimum: boolean;
}

const VARIATIONS: readonly Variation[] = [false, true].flatMap((sendsMinimum) =>
  CODE_FORMS.map((codes) => ({ codes, sendsMinimum })),
);

/** More than the form of one code: rarely needed, and no longer tried after it decided nothing several times. */
const isRare = ({ codes, sendsMinimum }: Variation): boolean => sendsMinimum || codes.includes(',');
const MAX_FRUITLESS = 6;

/** The variation that decided something last, and how often each decided nothing. */
interface Experience {
  helpful: Variation | undefined;
  readonly fruitless: Map<Variation, number>;
}
const experiences = new WeakMap<Resources, Experience>();

/** Runs once more with ids, references and countries in each form that services insist on, as long as they are refused. */
async function tryOtherCodes(check: Check, resources: Resources, before: PlainRun): Promise<PlainRun> {
  const experience = experiences.get(resources) ?? { helpful: undefined, fruitless: new Map<Variation, number>() };
  experiences.set(resources, experience);
  const { helpful, fruitless } = experience;
  let last = before;
  let canSendLess = before.plain.refused.moreThanMinimum;
  for (const variation of helpful === undefined
    ? VARIATIONS
    : [helpful, ...VARIATIONS.filter((one) => one !== helpful)]) {
    if (!restsOnRefusal(last.decided) || !last.plain.refused.codes) return last;
    const isFruitless = isRare(variation) && (fruitless.get(variation) ?? 0) >= MAX_FRUITLESS;
    if (isFruitless || (variation.sendsMinimum && !canSendLess)) continue;
    const next = await runPlain(check, resources, variation);
    next.plain.adopt(last.plain);
    canSendLess ||= next.plain.refused.moreThanMinimum;
    const hasDecided = !isUndecided(next.decided);
    // A variation that decided something once is always tried again.
    fruitless.set(variation, hasDecided ? -Infinity : (fruitless.get(variation) ?? 0) + 1);
    if (hasDecided) experience.helpful = variation;
    last = next;
  }
  return isUndecided(last.decided) ? { ...last, decided: before.decided } : last;
}

const canSendLessAfter = ({ plain, decided }: PlainRun): boolean =>
  restsOnRefusal(decided) && plain.refused.moreThanMinimum;

/**
 * Turns a failure into `inconclusive` if it is a refusal of a call that the target serves with other values: it accepted neither the
 * check's own values nor the plain ones, and the contract promises no value. A call that is never served, or one that the contract
 * promises, remains a failure.
 */
function undecidedByRefusal(ending: Ending, resources: Resources): Ending {
  const { verdict, evidence } = ending;
  const response = evidence?.response;
  if (verdict !== 'fail' || response === undefined || evidence?.refusedChoice !== true) return ending;
  if (!resources.operations.wasServed(response.request)) return ending;
  const why =
    response.status === UNAUTHORIZED
      ? 'not decided, because the target twice refused credentials that it accepts in other calls'
      : 'not decided, because the target refuses the values that the check chose, including plain ones';
  return { ...ending, verdict: 'inconclusive', reason: `${why}: ${ending.reason ?? ''} (${summary(response)})` };
}
