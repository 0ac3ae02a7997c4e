/** What the app has to take for authentic: whatever parameters there are, in whatever order, in a writing of its language. */

import { ENCODING_NAMES, type EncodingName, encodings, type Pairs } from '../../../contracts/install-hash/index.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { curlOf } from '../../../harness/evidence/curl.ts';
import { once } from '../../../harness/integrator/once.ts';
import {
  isInformativeRefusal,
  isOverloaded,
  isShown,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { type AppCheck, type AppContext, appCheck } from '../session.ts';
import { hashOf, parametersOf, withHash, withNewHash, withoutHash } from '../steps/address.ts';
import { hashCommandOf } from '../steps/diagnosis.ts';
import { exchangesOf, hasInstallation } from '../steps/effects.ts';
import { givenFirst, installWaitMs, pace, settingsPace } from '../steps/given.ts';
import {
  type Alteration,
  AUTHENTIC_WAIT_MS,
  authenticLoads,
  firstLoads,
  hasEffects,
  type Outcome,
  secondLoads,
  settingsLoads,
} from '../steps/loads/index.ts';
import { givenStillServed } from '../steps/still-served.ts';
import { journeyOf } from '../steps/user-flow/index.ts';

/** Values that can't be sent as they are, and that every language writes in the same way. */
const ENCODED: Pairs = [
  ['proofmark_a', 'R&D = 50%+1/2?#'.replaceAll(' ', '')],
  ['proofmark_b', 'Müller"Söhne;é€😀'],
];
/** What languages write differently, each in two ways. */
const AMBIGUOUS = [' ', '~', '*', '!', "'", '(', ')'] as const;

type Shape = readonly [change: string, reshape: (pairs: Pairs) => Pairs, hashAt?: number];

const SHAPES: readonly Shape[] = [
  ['an additional parameter at the end', (pairs) => [...pairs, ['proofmark_extra', 'one']]],
  [
    'an additional parameter in front, as in an address with its own query',
    (pairs) => [['proofmark_own', 'two'], ...pairs],
  ],
  ['the parameters in the reverse order', (pairs) => pairs.toReversed()],
  ['the parameters in alphabetical order', (pairs) => pairs.toSorted(([a], [b]) => (a < b ? -1 : 1))],
  ['hash in front of the other parameters', (pairs) => pairs, 0],
  ['hash among the other parameters', (pairs) => pairs, 2],
  ['an additional parameter without a value', (pairs) => [...pairs, ['proofmark_empty', '']]],
  ['values that need encoding', (pairs) => [...pairs, ...ENCODED]],
  [
    'additional parameters whose names begin and end like hash, one with a number in digits of its own',
    (pairs) => [...pairs, ['proofmark_hash', '007.50'], ['hash_proofmark', 'one']],
  ],
];

const authentic = ({ session }: AppContext, [change, reshape, hashAt]: Shape): Alteration => ({
  change,
  alter: (url) =>
    withNewHash(url, reshape(withoutHash(parametersOf(url))), session.app.secret!, {
      hashed: session.dialect,
      ...(hashAt === undefined ? {} : { hashAt }),
    }),
});

/** What became of the shapes, tried once. */
const shapesOf = once(async (context: AppContext): Promise<Outcome[]> => {
  const { first: waitMs } = await pace(context);
  const ways = SHAPES.map((shape) => authentic(context, shape));
  return authenticLoads(context, ways, waitMs);
});

const isServed = ({ callback }: Outcome): boolean => callback !== undefined;

/** Encodings in the writing of percent digits that the app takes. */
const encodingsOf = ({ session }: AppContext): EncodingName[] => {
  const isLower = (name: EncodingName): boolean => name.endsWith('-lowercase') || name === 'dotnet';
  return ENCODING_NAMES.filter((name) => isLower(name) === isLower(session.dialect));
};

const written = ({ session }: AppContext, value: string, encoding: EncodingName): Alteration => ({
  change: encoding,
  alter: (url) =>
    withNewHash(url, [...withoutHash(parametersOf(url)), ['proofmark_extra', value]], session.app.secret!, {
      sent: encoding,
    }),
});

/** What a first load is verified over, one with an authCode is too. */
const OTHER_LOADS: Shape = [
  'additional parameters, one of them without a value, in the reverse order',
  (pairs) => [...ENCODED, ['proofmark_empty', ''], ...pairs.toReversed()],
];

const AS_USUAL: Shape = ['the parameters as usual', (pairs) => pairs];

/** Which of the loads with an authCode the app refuses although they are authentic, in words; what it refuses is tried again, alone. */
async function refusedLoads(context: AppContext): Promise<string[]> {
  const { session } = context;
  const { second, settings } = await journeyOf(context);
  if (session.driver.signIn !== undefined || second?.installed === undefined) return [];
  const shaped = authentic(context, OTHER_LOADS);
  const refused: string[] = [];
  // What a driver does there, it does for loads that are as usual.
  if (session.driver.afterInstall === undefined) {
    const waitMs = await installWaitMs(context);
    const isIgnored = async (alteration: Alteration): Promise<boolean> =>
      (await secondLoads(context, [alteration], { waitMs }, 'alone')).some(
        (outcome) => outcome.wasSentBack === true && !hasEffects(outcome) && !isOverloaded(outcome.snapshot),
      );
    const isRefused = (): Promise<boolean> => isIgnored(shaped);
    // An app that ignores further installations as usual does so for another reason.
    const isForItsShape = async (): Promise<boolean> => !(await isIgnored(authentic(context, AS_USUAL)));
    if ((await isRefused()) && (await isRefused()) && (await isForItsShape())) refused.push('the second load');
  }
  if (settings === undefined || !isShown(settings.snapshot) || !hasInstallation(session, settings.authCode))
    return refused;
  const waitMs = await settingsPace(context);
  const isRefused = async (): Promise<boolean> =>
    (await settingsLoads(context, settings.authCode, [shaped], waitMs, 'alone')).some(
      ({ snapshot, callback }) => callback === undefined && isInformativeRefusal(snapshot),
    );
  if ((await isRefused()) && (await isRefused())) refused.push('the settings request');
  return refused;
}

const needs = ['browser', 'app'];

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.hash.authentic-accepted',
    'MUST accept the authentic hash of the service',
    { clauses: ['app.hash.covers-all-parameters'], needs },
    async (context) => {
      const { first, refusal } = await journeyOf(context);
      if (refusal !== undefined) context.screenshots.push(...first.screenshots);
      context.expect.that(refusal === undefined, refusal?.sentence ?? '', {
        ...refusal?.evidence,
        curl: `${hashCommandOf(first.address)}\n${curlOf({ method: 'GET', url: first.address }, context.session.redaction)}`,
      });
      const { callback } = await givenFirst(context);
      context.restOn([callback.exchange]);
    },
  ),
  appCheck(
    'app.hash.any-parameters-accepted',
    'MUST verify the hash over all received parameters, in any order and position',
    { clauses: ['app.hash.covers-all-parameters'], needs },
    async (context) => {
      await givenFirst(context);
      const outcomes = await shapesOf(context);
      context.restOn(exchangesOf(outcomes.map(({ callback }) => callback)));
      const refused = outcomes.filter((outcome) => !isServed(outcome));
      if (refused.length > 0) await givenStillServed(context);
      context.expect.that(
        refused.length === 0,
        `the app must accept an authentic request with ${refused.map(({ change }) => change).join('; ')}`,
        {
          ...(refused[0] === undefined
            ? {}
            : {
                actual: `status ${refused[0].snapshot.status}`,
                curl: curlOf({ method: 'GET', url: refused[0].address }, context.session.redaction),
              }),
        },
      );
      const loads = await refusedLoads(context);
      context.expect.that(
        loads.length === 0,
        `the app must accept an authentic request with ${OTHER_LOADS[0]}, as it does for the first load, for ${loads.join(' and ')} too`,
      );
    },
  ),
  appCheck(
    'app.hash.any-encoding-accepted',
    'MUST verify values that programming languages encode differently',
    { clauses: ['app.hash.covers-all-parameters'], observations: ['app.hash.encoding'], needs },
    async (context) => {
      await givenFirst(context);
      const names = encodingsOf(context);
      const all = AMBIGUOUS.join('a');
      const tried = await shapesOf(context);
      context.given.holds(
        tried.some((outcome) => outcome.change === SHAPES[0]?.[0] && isServed(outcome)),
        'app.hash.covers-all-parameters',
        'the app refuses an authentic request with any additional parameter',
      );
      const ways = names.map((name) => written(context, all, name));
      const { first: waitMs } = await pace(context);
      const whole = await firstLoads(context, ways, Math.max(AUTHENTIC_WAIT_MS, waitMs));
      const taken = whole.filter(isServed).map(({ change }) => change);
      if (taken.length > 0) {
        context.restOn(exchangesOf(whole.map(({ callback }) => callback)));
        context.observe('app.hash.encoding', { takes: taken, asReceived: taken.length === names.length });
        context.expect.that(true, 'one of the encodings is accepted');
        return;
      }
      // An unknown encoder: each character has two writings, one of them must be its own.
      for (const character of AMBIGUOUS) {
        const both = bothEncodings(context, character);
        const outcomes = await authenticLoads(context, both, waitMs);
        if (!outcomes.some(isServed)) await givenStillServed(context);
        context.expect.that(
          outcomes.some(isServed),
          `the app refuses an authentic request with ${character === ' ' ? 'a space' : character} in a value, in either encoding`,
          { expected: 'acceptance with one of the encodings', actual: both.map(({ change }) => change) },
        );
      }
      context.observe('app.hash.encoding', { takes: [], asReceived: false });
    },
  ),
  appCheck(
    'app.hash.repeated-hash',
    'OBSERVES how the app handles a request with two hash parameters',
    { clauses: [], observations: ['app.hash.repeated-parameter'], needs },
    async (context) => {
      await givenFirst(context);
      const outcomes = await firstLoads(context, TWICE, AUTHENTIC_WAIT_MS);
      context.restOn(exchangesOf(outcomes.map(({ callback }) => callback)));
      context.observe(
        'app.hash.repeated-parameter',
        Object.fromEntries(outcomes.map((outcome) => [outcome.change, isServed(outcome) ? 'accepted' : 'refused'])),
      );
    },
  ),
];

const TWICE: readonly Alteration[] = [
  { change: 'a wrong hash, then the correct one', alter: (url) => url.replace(/([?&])hash=/, '$1hash=0&hash=') },
  { change: 'the correct hash, then a wrong one', alter: (url) => `${withHash(url, hashOf(url))}&hash=0` },
  { change: 'the correct hash twice', alter: (url) => `${withHash(url, hashOf(url))}&hash=${hashOf(url)}` },
];

/** The known encodings by what they make of a character: one of each way. */
function bothEncodings(context: AppContext, character: string): Alteration[] {
  const ways = new Map<string, EncodingName>();
  for (const name of encodingsOf(context)) ways.set(encodings[name]([['', character]]), name);
  if (ways.size === 0) throw new Inconclusive('no known encoding covers this character', 'harness');
  return [...ways.values()].map((name) => written(context, `a${character}b`, name));
}
