/**
 * The kinds of values that stand-ins replace, with words for each. A target that refuses one of them may take the others as a check chose
 * them, so that they are still judged.
 */

/**
 * `fields-of-…`: those that a check leaves out of a new object. `fields-in-…-updates`: those that it leaves out of an update, as they are
 * on the target; they are no replacement, so that the replacement of all kinds does not add them. `longer-texts`, `long-texts`: only those that a limit of length may refuse, a usual one and
 * a strict one, references among them. `contents`: snippets and data of apps. The last four only change the form of codes or of titles, and
 * are no part of the replacement of all kinds.
 */
const WORDS = {
  'fields-of-methods': 'all fields of methods filled',
  'fields-of-points': 'all fields of points filled',
  'fields-in-method-updates': 'all fields in each update of a method',
  'fields-in-point-updates': 'all fields in each update of a point',
  languages: 'texts in every language',
  'longer-texts': 'texts of usual lengths',
  'long-texts': 'short texts',
  texts: 'plain texts',
  attributes: 'plain attributes',
  zip: 'plain postal codes',
  ids: 'plain ids',
  reference: 'plain references',
  'label-address': 'plain label addresses',
  country: 'the country of the store',
  contents: 'plain contents',
  'title-objects': 'new titles as objects',
  'small-countries': 'countries in small letters',
  digits: 'ids and references of digits',
  capitals: 'ids and references in capitals',
} as const;

export type ValueKind = keyof typeof WORDS;

/** The kind of the fields that an update leaves out, by whether it is one of a point. */
export const updateKindOf = (isOfPoint: boolean): ValueKind =>
  isOfPoint ? 'fields-in-point-updates' : 'fields-in-method-updates';

export const VALUE_KINDS = Object.keys(WORDS) as readonly ValueKind[];

/** `plain texts and plain attributes`. */
export const wordsOf = (kinds: Iterable<ValueKind>): string =>
  [...kinds].map((kind) => WORDS[kind]).join(' and ') || 'the values of the check';
