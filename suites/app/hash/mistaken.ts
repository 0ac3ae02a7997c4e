/** Hashes that are made in wrong ways that are known. */
import type { AppContext } from '../session.ts';
import { withHash } from '../steps/address.ts';
import { givenSettings } from '../steps/given.ts';
import type { Alteration } from '../steps/loads/index.ts';
import { redirectsPrograms } from '../steps/loads/plain-loads.ts';
import { type Guess, mistakesOf } from '../steps/mistakes.ts';
import type { LoadKind } from '../steps/refusals.ts';
import { loadedUnlikeRefusal, nextSecond, nextSettings } from '../steps/unlike-refusal.ts';
import { WRONG_HASH } from './wrong-hash.ts';

/**
 * Hashes that are made in each wrong way that is known: an app may accept one besides the right one, as an earlier version of it did.
 * Only where they cost no page of a browser.
 */
export async function mistaken(context: AppContext, isOfCheck: (id: string) => boolean): Promise<Alteration[]> {
  return (await redirectsPrograms(context)) ? made(mistakesOf(context), isOfCheck) : [];
}

const made = (guesses: readonly Guess[], isOfCheck: (id: string) => boolean): Alteration[] =>
  guesses
    .filter(({ id }) => !ALSO_QUERIES.has(id) && isOfCheck(id))
    .map((guess) => ({
      change: `a hash that would be right if ${guess.says}`,
      alter: (url: string) => withHash(url, guess.made(url).hash),
    }));

/**
 * The same for loads with an authCode, which an app may verify in a way of its own, and others of the kind: those that are not answered
 * like a refusal.
 */
export async function mistakenWithCode(
  context: AppContext,
  kind: Exclude<LoadKind, 'first'>,
  isOfCheck: (id: string) => boolean,
  others: readonly Alteration[],
): Promise<readonly Alteration[]> {
  if (!(await redirectsPrograms(context))) return [];
  const next = kind === 'second' ? nextSecond : nextSettings((await givenSettings(context)).authCode);
  const guesses = mistakesOf(context, next(context.session));
  return loadedUnlikeRefusal(context, next, WRONG_HASH, [...others, ...made(guesses, isOfCheck)]);
}

/** Mistakes in which parameters are hashed, and in which order. */
export const ABOUT_PARAMETERS: ReadonlySet<string> = new Set([
  'own-parameters-left-out',
  'own-parameters-moved',
  'authcode-left-out',
  'authcode-added',
  'parameter-left-out',
  'parameters-left-out',
  'empty-parameters-left-out',
  'parameters-sorted',
  'parameters-reversed',
  'documented-order',
]);

/** An address may have these characters in its query as they are, so that such a text is a query string as well. */
const ALSO_QUERIES: ReadonlySet<string> = new Set([
  'decoded-values',
  'reserved-characters-bare',
  'slash-left-bare',
  'php-names',
]);
