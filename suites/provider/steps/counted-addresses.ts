/** Addresses that differ in a counter alone: anyone who has one of them can derive the others. */

/** Longer numbers are timestamps or random. */
const COUNTER = /\d{1,15}/g;
/** Others may print between two labels of a precheck. */
const MAX_STEP = 20;
/** Two numbers may be near each other by chance. */
const MIN_COUNTED = 3;

/**
 * The addresses of a list that are counted up, in the order of their numbers; none where they can't be guessed from each other. Some
 * of them may be written in another way: numbers of invoices are.
 */
export function countedAddresses(urls: readonly string[]): readonly string[] {
  const all = [...new Set(urls)];
  const alike = Map.groupBy(all, (url) => url.replaceAll(COUNTER, '#'));
  const different = [...alike.values()].reduce((most, some) => (some.length > most.length ? some : most), []);
  if (different.length < MIN_COUNTED || different.length * 2 <= all.length) return [];
  const numbers = different.map((url) => [...url.matchAll(COUNTER)].map(([digits]) => Number(digits)));
  const varying = numbers[0]!.flatMap((_, at) => (new Set(numbers.map((row) => row[at])).size > 1 ? [at] : []));
  const [place] = varying;
  if (place === undefined || varying.length > 1) return [];
  const sorted = different
    .map((url, at) => ({ url, number: numbers[at]![place]! }))
    .sort((one, other) => one.number - other.number);
  const isCounted = sorted.every(({ number }, at) => at === 0 || number - sorted[at - 1]!.number <= MAX_STEP);
  return isCounted ? sorted.map(({ url }) => url) : [];
}
