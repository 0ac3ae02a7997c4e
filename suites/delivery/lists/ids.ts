/** Ids that show what a page or a link does to them: order, signs, length, case and accents. */

import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure } from '../../../harness/check/failures.ts';
import { distinguishes, type Likeness } from '../steps/awkward-values/similar-ids.ts';

/** Ids that are not sorted in the order in which they are sent, in either direction. */
export function shuffledIds(count: number): string[] {
  // 10,007 is a prime, so that ids are unique for any smaller count.
  return Array.from({ length: count }, (_, at) => `p${String(((at + 1) * 7919) % 10_007).padStart(5, '0')}`);
}

/** Several sets of as many ids, from the most revealing to plain ones: a service may limit length and alphabet. */
export async function idsToTry(context: Context, plain: readonly string[]): Promise<(readonly string[])[]> {
  const signed = equalAsNumbers(plain.map(withSign).map(inBothCases));
  const similar = withZero(await withSimilar(context, signed));
  const unsigned = equalAsNumbers(plain.map(inBothCases));
  return [
    ...LONG_BEGINNINGS.map((beginning) => withBeginning(similar, beginning)),
    similar,
    signed,
    withBeginning(unsigned, LONG_BEGINNINGS.at(-1)!),
    unsigned,
    plain,
  ];
}

/**
 * A link to the next page may name the last item of its page: each of these has to be encoded there, and decoded once. The list reads
 * the same from both ends, so that pages of one size end with the same signs in both orders. In base64, three tildes have a plus sign
 * wherever they begin.
 */
const SIGNS = ['', '%25', '+', '#', ' ~~~', 'ē', '&page_size=1', '='];

const withSign = (id: string, at: number, all: readonly string[]): string =>
  `${id}${SIGNS[Math.min(at, all.length - 1 - at) % SIGNS.length]}`;

/** A database may sort without regard to case, while the next page is looked for with regard to it. */
const inBothCases = (id: string, at: number): string => (at % 3 === 1 ? id.replace(/^p/, 'P') : id);

/**
 * The first and the last one are the same number to some languages: a page that begins with one of them must not be looked for by
 * such a comparison. In both orders one of them is met first, and the other one begins the last page.
 */
const equalAsNumbers = (ids: readonly string[]): string[] =>
  ids.map((id, at) => (ids.length < 2 ? id : at === 0 ? '0012' : at === ids.length - 1 ? '12' : id));

/**
 * A link that cuts the id of an item, or looks for it without regard to case or accents, finds another one: some ids share a long
 * beginning, and in two pairs the second one is the first one in the other case, or with an accent. These are in the places that are
 * the same from both ends, so that they have the same signs. A service may limit the length of an id.
 */
const LONG_BEGINNINGS: readonly string[] = [72, 24].map((length) => 'long-'.padEnd(length, 'x'));
const PLACES_OF_LONG: readonly number[] = [3, 6];
const PLACE_OF_CASES = 4;
const PLACE_OF_ACCENTS = 5;

const withBeginning = (ids: readonly string[], beginning: string): string[] =>
  ids.map((id, at) => (PLACES_OF_LONG.includes(Math.min(at, ids.length - 1 - at)) ? `${beginning}${id}` : id));

/** Trying it out reads a list to its end. If that fails, the checks of lists find out why with other ids. */
async function areApart(context: Context, likeness: Likeness): Promise<boolean> {
  try {
    return await distinguishes(context, likeness);
  } catch (error) {
    if (error instanceof GivenFailure && error.clause.startsWith('delivery.lists.')) return false;
    throw error;
  }
}

async function withSimilar(context: Context, ids: readonly string[]): Promise<string[]> {
  const similar = [...ids];
  const put = (place: number, change: (id: string) => string): void => {
    const [first, last] = [ids[place], ids.length - 1 - place];
    if (first !== undefined && last > place) similar[last] = change(first);
  };
  if (await areApart(context, 'cases')) put(PLACE_OF_CASES, inOtherCase);
  if (await areApart(context, 'accents'))
    put(PLACE_OF_ACCENTS, (id) => id.replace(/^p/i, (letter) => `${letter}\u0301`.normalize()));
  return similar;
}

const inOtherCase = (id: string): string => id.replace(/^p/i, (letter) => (letter === 'p' ? 'P' : 'p'));

/** A link may name the first item of the next page, and some languages treat this id as none. A service may refuse it. */
const withZero = (ids: readonly string[]): string[] => ids.map((id, at) => (at === 1 && ids.length > 2 ? '0' : id));
