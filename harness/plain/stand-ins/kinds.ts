/**
 * The kinds of values that stand-ins replace, with words for each. A target that refuses one of them may take the others as a check chose
 * them, so that they are still judged.
 */

/** `missing`: fields and languages that a check leaves out. `contents`: snippets and data of apps. The last one replaces no other kind. */
const WORDS = {
  missing: 'all fields filled',
  texts: 'plain texts',
  attributes: 'plain attributes',
  zip: 'plain postal codes',
  ids: 'plain ids',
  reference: 'plain references',
  'label-address': 'plain label addresses',
  country: 'the country of the store',
  contents: 'plain contents',
  'small-countries': 'countries in small letters',
} as const;

export type ValueKind = keyof typeof WORDS;

export const VALUE_KINDS = Object.keys(WORDS) as readonly ValueKind[];

/** `plain texts and plain attributes`. */
export const wordsOf = (kinds: Iterable<ValueKind>): string =>
  [...kinds].map((kind) => WORDS[kind]).join(' and ') || 'the values of the check';
