/**
 * Why an app refuses authentic requests. It is shown the same request with hashes made in other ways: in the encodings of
 * other languages, which are as correct as the service's own, and then with every mistake that is known. What it takes says
 * how it computes its own. Where it takes none, and answers an authentic request as it answers a forged one, the diagnosis says so.
 */

import { randomBytes } from 'node:crypto';
import { ENCODING_NAMES, type EncodingName, encodings } from '../../../contracts/install-hash/index.ts';
import { hmacSha256 } from '../../../contracts/signing/digests.ts';
import type { Evidence } from '../../../harness/check/failures.ts';
import {
  describePage,
  isInformativeRefusal,
  type PageSnapshot,
  showsSamePage,
} from '../../../harness/integrator/page/inspection/page-inspection.ts';
import type { AppContext } from '../session.ts';
import { hashOf, parametersOf, withHash, withoutHash } from './address.ts';
import { type Alteration, firstLoads, type Outcome } from './loads/index.ts';
import { type Guess, MAX_GUESSES, mistakesOf, rightQueries, twoMistakesOf } from './mistakes.ts';
import { loadedUnlikeRefusal, nextFirst } from './unlike-refusal.ts';

/** An authentic hash that the app refuses. */
export interface Refusal {
  /** What is wrong, without a full stop; for the checks that wait for it. */
  readonly brief: string;
  /** The same, with what is needed to find the reason. */
  readonly sentence: string;
  /** The text that is hashed and what comes of it, beside what the app does. */
  readonly evidence: Evidence;
}

export type Diagnosis = { readonly encoding: EncodingName } | { readonly refusal: Refusal } | undefined;

/** What the app would take instead, as far as that can be found out. `waitMs`: for its return redirect. `first`: its refusal. */
export async function diagnose(
  context: AppContext,
  first: { readonly address: string; readonly snapshot: PageSnapshot },
  waitMs: number,
): Promise<Diagnosis> {
  const secret = context.session.app.secret;
  if (secret === undefined) return undefined;
  const hexOf = (text: string): string => hmacSha256(secret.reveal(), text).toString('hex');

  const encoding = await taken(context, otherEncodings(hexOf), waitMs);
  if (encoding !== undefined) return { encoding: encoding.guess.id as EncodingName };

  const right = { text: rightQueries(first.address)[0] ?? '', hash: hashOf(first.address) };
  const guesses = mistakesOf(context);
  const found =
    (await takenPlainly(context, [...guesses, ...twoMistakesOf(context)], waitMs)) ??
    (await taken(context, guesses.slice(0, MAX_GUESSES), waitMs));
  if (found !== undefined) {
    const { guess, outcome } = found;
    const sentence = `your app refuses an authentic hash; its own hash would be correct if ${guess.says}`;
    const url = outcome.address;
    const expected = { text: rightQueries(url)[0] ?? '', hash: hexOf(rightQueries(url)[0] ?? '') };
    return { refusal: { brief: sentence, sentence, evidence: { expected, actual: guess.made(url) } } };
  }
  const { status } = first.snapshot;
  if (!isInformativeRefusal(first.snapshot) || !(await respondsToForgedAlike(context, first.snapshot, waitMs)))
    return undefined;
  const brief = 'your app refuses an authentic hash, and no known mistake explains it';
  return {
    refusal: {
      brief,
      sentence: `${brief}: it responds as it does to a forged one, with status ${status}. ${comparison(right)}`,
      evidence: {
        expected: { ...right, response: 'a redirect to the address in callback' },
        actual: { text: 'it is unknown what your app hashes', hash: 'its own', response: describePage(first.snapshot) },
      },
    },
  };
}

/** The text of an authentic address and its hash, for readers who compute it. */
export function comparison(right: { readonly text: string; readonly hash: string }): string {
  return `The text is ${right.text} and its HMAC-SHA-256 under your app_secret, in lower-case hexadecimal, is ${right.hash}: print both in your app and compare`;
}

/** A command that computes the hash of an authentic address. The secret is in the environment. */
export const hashCommandOf = (address: string): string =>
  `printf %s '${rightQueries(address)[0] ?? ''}' | openssl dgst -sha256 -hmac "$APP_SECRET"  # ${hashOf(address)}`;

/** The same for an address of the service, whatever its encoding. */
export const comparisonOf = (address: string): string =>
  comparison({ text: rightQueries(address)[0] ?? '', hash: hashOf(address) });

/** The same, found by plain requests first: so many more guesses can be tried. */
async function takenPlainly(
  context: AppContext,
  guesses: readonly Guess[],
  waitMs: number,
): Promise<{ readonly guess: Guess; readonly outcome: Outcome } | undefined> {
  // What a driver does in a browser, no plain request can do.
  if (context.session.driver.signIn !== undefined) return undefined;
  const tried = guesses.map((guess) => ({
    guess,
    change: guess.says,
    alter: (url: string) => withHash(url, guess.made(url).hash),
  }));
  const unlike = new Set<Alteration>(await loadedUnlikeRefusal(context, nextFirst, FORGED, tried));
  const some = tried.filter((one) => unlike.has(one)).map(({ guess }) => guess);
  return some.length === 0 ? undefined : taken(context, some, waitMs);
}

const FORGED: Alteration = {
  change: 'forged',
  alter: (url) => withHash(url, randomBytes(32).toString('hex')),
};

/** The guess that the app takes, and what it did. */
async function taken(
  context: AppContext,
  guesses: readonly Guess[],
  waitMs: number,
): Promise<{ readonly guess: Guess; readonly outcome: Outcome } | undefined> {
  const alterations: Alteration[] = guesses.map(({ made }, at) => ({
    change: String(at),
    alter: (url) => withHash(url, made(url).hash),
  }));
  const outcomes = await firstLoads(context, alterations, waitMs);
  const outcome = outcomes.find(({ callback }) => callback !== undefined);
  const guess = outcome === undefined ? undefined : guesses[Number(outcome.change)];
  return outcome === undefined || guess === undefined ? undefined : { guess, outcome };
}

/** What the service sends reads the same in all encodings, up to the case of the percent digits: one of those will do. */
function otherEncodings(hexOf: (text: string) => string): Guess[] {
  const lower = ENCODING_NAMES.filter((name) => name.endsWith('-lowercase') || name === 'dotnet').slice(0, 1);
  return lower.map((name) => ({
    id: name,
    says: '',
    made: (url) => {
      const text = encodings[name](withoutHash(parametersOf(url)));
      return { text, hash: hexOf(text) };
    },
  }));
}

/** Whether a request with the hash of something else is answered in the same way. */
async function respondsToForgedAlike(context: AppContext, snapshot: PageSnapshot, waitMs: number): Promise<boolean> {
  const [outcome] = await firstLoads(context, [FORGED], waitMs);
  return outcome !== undefined && outcome.callback === undefined && showsSamePage(outcome.snapshot, snapshot);
}
