/**
 * A refusal of a value that a check chose decides nothing. A check that ends with one runs once more with plain stand-ins for its
 * values; only what it comes to then counts, if it comes to anything.
 */

import { picturePages } from '../browser/steps/failed-pages.ts';
import type { Check } from '../check/check.ts';
import { Context } from '../check/context.ts';
import { type Ending, endingOf, isFinding } from '../check/ending.ts';
import { summary } from '../check/expect.ts';
import { needsPages } from '../check/needs.ts';
import { longTemporaryPassword, plainTemporaryPassword, temporaryPassword } from '../cleanup/undo/index.ts';
import { discardBorrowed, releaseBorrowed } from '../resources/borrowed.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { CODE_FORMS, type CodeForm } from './codes.ts';
import { breachOfFirstTry } from './first-try.ts';
import { COUNTRY_OF_CHECKS, homeOf } from './home-country.ts';
import { StandIns } from './stand-ins.ts';

export interface Attempt {
  readonly context: Context;
  readonly ending: Ending;
}

const UNAUTHORIZED = 401;

/** Says which calls have plainer stand-ins; nothing is sent through it. */
const WATCH = new StandIns({ mark: '', languages: [], country: 'LV' });

/**
 * Runs the body of a check: briefly, at length where that does not pass, once more in plain values where it ended with a refusal of
 * its own ones, then sending the minimum, and with ids of digits or capitals or countries in lower case. Cleans up after each.
 */
export async function attempt(check: Check, resources: Resources): Promise<Attempt> {
  const { context, ending } = await untilResponse(check, resources);
  const undecided = undecidedByRefusal(ending, resources);
  // A model that skipped refusals has shown nothing about what they refused.
  const isPartly = ending.verdict === 'pass' && context.choices.passedOver > 0;
  const rests = restsOnRefusal(ending);
  let last: Plainly | undefined;
  if ((rests || isPartly) && context.sentOwnValues) last = await plainly(check, resources, false);
  if (rests && (last === undefined ? context.sentMoreThanLeast : couldAskLessAfter(last))) {
    if (last !== undefined) context.adopt(last.plain);
    last = await plainly(check, resources, true);
  }
  if (last !== undefined && rests) last = await inOtherCodes(check, resources, last);
  if (last === undefined) return { context, ending: undecided };
  const { plain, decided } = last;
  if (isUndecided(decided)) {
    context.adopt(plain);
    return { context, ending: undecided };
  }
  if (isPartly && decided.verdict === 'pass') {
    context.adopt(plain);
    return { context, ending };
  }
  plain.adopt(context);
  const note = `${whyRepeated(ending.evidence?.response)}${whatIsExchanged(check, resources)}`;
  return {
    context: plain,
    ending: { ...decided, reason: decided.reason === undefined ? `decided ${note}` : `${decided.reason} (${note})` },
  };
}

/** More losses than that are how a target behaves, and not an accident of the network. */
const MAX_LOSSES = 20;
const lostIn = new WeakMap<Resources, number>();

/** A check with many calls may meet a second loss when it runs again. */
const MAX_REPEATS = 2;

/**
 * Again where a connection was lost in the middle of the check, or the target was away for a moment, unless something is left of
 * the first try: a second one would leave as much again. A target that is gone by then was lost in the first one.
 */
async function untilResponse(check: Check, resources: Resources, repeats = MAX_REPEATS): Promise<Attempt> {
  const first = await briefFirst(check, resources);
  const losses = lostIn.get(resources) ?? 0;
  const isLeft = leftSomething(first.context);
  const isLost = first.ending.isLost === true || (first.context.wasAway && isFinding(first.ending));
  if (!isLost || isLeft || repeats === 0 || losses >= MAX_LOSSES) return first;
  lostIn.set(resources, losses + 1);
  const second = await untilResponse(check, resources, repeats - 1);
  if (second.ending.attribution === 'network') {
    first.context.adopt(second.context);
    return first;
  }
  second.context.adopt(first.context);
  return second;
}

/**
 * The first try of a check is brief: on borrowed methods, and without what only explains a failure. What a pass rests on is not left
 * out; anything else may come of what others left in a method, or of something that another clause is about.
 */
async function briefFirst(check: Check, resources: Resources): Promise<Attempt> {
  const brief = new Context(check, resources, { watch: WATCH, mayShare: resources.run.isolated !== true });
  const ending = await endingOf(check, brief);
  if (isFinding(ending)) await picturePages(brief);
  // What the check made is removed, and a second attempt made, when the target is there again.
  if (isFinding(ending) && (brief.wasAway || ending.isLost === true)) await resources.client.untilBack();
  await brief.cleanUp();
  const isGood = isSettled(ending);
  if (isGood) releaseBorrowed(brief);
  else discardBorrowed(brief);
  // A target that is not there is not asked again, nor one that could not be put back: what a second try meets is what the first one
  // left, such as an account whose password nobody knows, and no longer what the check is about.
  const isFinal = isGood || !brief.isBrief || ending.attribution === 'network' || leftSomething(brief);
  if (isFinal) return { context: brief, ending };
  const context = new Context(check, resources, { watch: WATCH });
  const decided = await endingOf(check, context);
  if (isFinding(decided)) await picturePages(context);
  await context.cleanUp();
  const seen = isSettled(decided) ? breachOfFirstTry(check, { context: brief, ending }) : undefined;
  if (seen !== undefined && !brief.breaches.has(seen.clause)) brief.breaches.set(seen.clause, seen);
  context.adopt(brief);
  return { context, ending: decided };
}

/** Whether the target kept something that a try has changed, or lost what it should have put back. */
const leftSomething = ({ changes }: Context): boolean => changes.some(({ what }) => what === 'orphan');

const isSettled = ({ verdict }: Ending): boolean => verdict === 'pass' || verdict === 'observed';

/** Why the second attempt decides. After a 401 its new login may be what differs, rather than its values. */
function whyRepeated(refused: ServiceResponse | undefined): string {
  if (refused === undefined) return 'with plain values, because the target refused the values that the check chose';
  return refused.status === UNAUTHORIZED
    ? `in a second attempt, because the target refused the credentials of the first one, as if the token had ended (${summary(refused)})`
    : `with plain values, because the target refused the values that the check chose (${summary(refused)})`;
}

/** Which country is written for which, as the end of a note: the exchanges show them as they were sent. */
function whatIsExchanged(check: Check, { profile }: Resources): string {
  const { country } = profile.website ?? {};
  const isOfDelivery = check.partList.some((part) => part.startsWith('delivery'));
  return isOfDelivery && !needsPages(check) && homeOf(country) !== undefined
    ? `; ${COUNTRY_OF_CHECKS} is written here for ${country}, the country of the store, and the reverse`
    : '';
}

/** How a check runs once more: its codes in a form, and with the fewest demands or not. */
interface Manner {
  readonly codes: CodeForm;
  readonly asksLeast: boolean;
}

const MANNERS: readonly Manner[] = [false, true].flatMap((asksLeast) =>
  CODE_FORMS.map((codes) => ({ codes, asksLeast })),
);

/** More of a manner than the form of one code: rarely needed together, and not tried again once they were of no use several times. */
const isRare = ({ codes, asksLeast }: Manner): boolean => asksLeast || codes.includes(',');
const MAX_FRUITLESS = 6;

/** The manner that decided something last, and how often each was of no use. */
interface Experience {
  helpful: Manner | undefined;
  readonly fruitless: Map<Manner, number>;
}
const experiences = new WeakMap<Resources, Experience>();

/** Once more with ids, references and countries in each form that services insist on, as long as they are refused. */
async function inOtherCodes(check: Check, resources: Resources, before: Plainly): Promise<Plainly> {
  const experience = experiences.get(resources) ?? { helpful: undefined, fruitless: new Map<Manner, number>() };
  experiences.set(resources, experience);
  const { helpful, fruitless } = experience;
  let last = before;
  let couldAskLess = before.plain.sentMoreThanLeast;
  for (const manner of helpful === undefined ? MANNERS : [helpful, ...MANNERS.filter((one) => one !== helpful)]) {
    if (!restsOnRefusal(last.decided) || !last.plain.sentCodes) return last;
    const isOfNoUse = isRare(manner) && (fruitless.get(manner) ?? 0) >= MAX_FRUITLESS;
    if (isOfNoUse || (manner.asksLeast && !couldAskLess)) continue;
    const next = await plainly(check, resources, manner.asksLeast, manner.codes);
    next.plain.adopt(last.plain);
    couldAskLess ||= next.plain.sentMoreThanLeast;
    const isOfUse = !isUndecided(next.decided);
    // Once it was of use it always may be.
    fruitless.set(manner, isOfUse ? -Infinity : (fruitless.get(manner) ?? 0) + 1);
    if (isOfUse) experience.helpful = manner;
    last = next;
  }
  return isUndecided(last.decided) ? { ...last, decided: before.decided } : last;
}

/** A run of a body in plain values. */
interface Plainly {
  readonly plain: Context;
  readonly decided: Ending;
}

/** Runs the body in plain values, and cleans up after it; again where the target was away meanwhile. */
async function plainly(check: Check, resources: Resources, asksLeast: boolean, codes?: CodeForm): Promise<Plainly> {
  const first = await plainlyOnce(check, resources, asksLeast, codes);
  const isLeft = leftSomething(first.plain);
  const wasAway = first.plain.wasAway || first.decided.isLost === true;
  if (!isFinding(first.decided) || !wasAway || isLeft) return first;
  await resources.client.untilBack();
  const second = await plainlyOnce(check, resources, asksLeast, codes);
  second.plain.adopt(first.plain);
  return second;
}

async function plainlyOnce(
  check: Check,
  resources: Resources,
  asksLeast: boolean,
  codes: CodeForm | undefined,
): Promise<Plainly> {
  const standIns = standInsOf(resources, check, asksLeast, codes);
  const plain = new Context(check, resources, { standIns, asksLeast, codes });
  const decided = await endingOf(check, plain);
  if (isFinding(decided)) await picturePages(plain);
  await plain.cleanUp();
  return { plain, decided };
}

const couldAskLessAfter = ({ plain, decided }: Plainly): boolean => restsOnRefusal(decided) && plain.sentMoreThanLeast;

const isUndecided = (ending: Ending): boolean =>
  ending.verdict === 'error' || ending.verdict === 'inconclusive' || restsOnRefusal(ending);

/**
 * A MUST that ends with a refusal of a call which the target serves with other values: neither of the two values of the check was
 * taken, and no value is promised. A call that is never served, or one that the contract promises, stays a failure.
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

/** Whether a refusal is all that a check ended with: of its precondition, or of the call that it is about. */
function restsOnRefusal({ restsOn, verdict, evidence }: Ending): boolean {
  if (restsOn !== undefined) return true;
  return (verdict === 'fail' || verdict === 'warn') && evidence?.refusedChoice === true;
}

const standInsOf = (resources: Resources, check: Check, asksLeast: boolean, codes?: CodeForm): StandIns => {
  const { website, reseller } = resources.profile;
  const old = reseller?.password;
  const another = asksLeast ? longTemporaryPassword : plainTemporaryPassword;
  const { run } = resources.run;
  const password =
    old === undefined
      ? undefined
      : ([
          resources.secret('TEMPORARY_PASSWORD', temporaryPassword(old, run)),
          resources.secret('TEMPORARY_PASSWORD', another(old, run)),
        ] as const);
  return new StandIns({
    mark: resources.newMark(),
    languages: website?.languages ?? [],
    country: website?.country ?? COUNTRY_OF_CHECKS,
    // A page shows the store where it is.
    home: needsPages(check) ? undefined : homeOf(website?.country),
    password,
    codes,
    exact: check.exactValues ?? [],
    methodReference: () => resources.operations.methodReference,
    fillsLabelAddress: () => !asksLeast || resources.operations.takesLabelAddress,
    isServedBy: (method, path) =>
      resources.operations.wasServed({ method, url: `${resources.profile.api ?? ''}${path}`, headers: [] }),
  });
};
