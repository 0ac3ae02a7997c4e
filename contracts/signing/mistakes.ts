/** The wrong messages that people sign, so that a wrong signature can be explained to its author. */
import type { Variant } from './digests.ts';
import { LABEL_CALLBACK_FIELDS, LABEL_REQUEST_FIELDS } from './field-names.ts';
import { type Fields, formEncode, SIGNATURE_FIELD, signedFields } from './message.ts';
import { jsonTexts, namedTexts, SEPARATORS } from './wrong-texts.ts';

/** Up to this many fields every selection of them is tried, and every order: 2^5 and 5! messages at most. */
const MAX_EXHAUSTIVE_FIELDS = 5;
/** Up to this many fields every pair is tried as left out; a label request has about 40. */
const MAX_PAIRS_FIELDS = 45;
/** Beyond this many fields single omissions are no longer tried: the list is not a request of this contract. */
const MAX_SINGLE_FIELDS = 200;

const join = (fields: Fields) => fields.map(([, value]) => value).join('');
const mapped = (fields: Fields, change: (value: string) => string) => fields.map(([, value]) => change(value)).join('');

/**
 * The right message first, then every known wrong one that differs from those before it.
 *
 * @param fields the received fields, `signature` among them
 * @param options `pairs`: whether each pair of many fields is left out, hundreds of messages; true by default
 */
export function messageVariants(
  fields: Fields,
  { pairs = true }: { readonly pairs?: boolean } = {},
): Variant<string | Buffer>[] {
  const signed = signedFields(fields);
  const seen = new Set<string>();
  const variants: Variant<string | Buffer>[] = [];
  const add = (id: string, says: string, message: string) => {
    if (seen.has(message)) return;
    seen.add(message);
    variants.push({ id, says, value: message });
  };
  add('message', '', join(signed));
  for (const [id, says, message] of rewrittenValues(signed)) add(id, says, message);
  for (const [id, says, message] of lineFeedsOfOneValue(signed)) add(id, says, message);
  for (const [id, says, message] of numbersRewritten(signed)) add(id, says, message);
  for (const [id, says, message] of otherOrders(signed)) add(id, says, message);
  for (const [id, says, message] of omissions(signed, pairs)) add(id, says, message);
  for (const [id, says, message] of additions(fields, signed)) add(id, says, message);
  return [...variants, ...otherCharacterSets(join(signed))];
}

type Wrong = readonly [id: string, says: string, message: string];

function* rewrittenValues(signed: Fields): Generator<Wrong> {
  const value = (id: string, says: string, change: (text: string) => string): Wrong => [
    id,
    says,
    mapped(signed, change),
  ];
  yield value('values-trimmed', 'the whitespace around the values were part of the message', (v) => v.trim());
  yield value('lf-for-crlf', 'line breaks were signed as transmitted (CR LF) instead of as LF', (v) =>
    v.replaceAll('\r\n', '\n'),
  );
  yield value('crlf-for-lf', 'line breaks were signed as transmitted (LF) instead of as CR LF', (v) =>
    v.replace(/\r?\n/g, '\r\n'),
  );
  yield value('line-breaks-removed', 'line breaks were part of the message', (v) => v.replace(/[\r\n]+/g, ''));
  yield value('plus-read-as-space', 'a "+" in a value were signed as a plus instead of as a space', (v) =>
    v.replaceAll('+', ' '),
  );
  yield value(
    'values-percent-encoded',
    'the values were signed decoded instead of percent-encoded',
    encodeURIComponent,
  );
  yield value('values-percent-encoded', 'the values were signed decoded instead of form-encoded', (v) =>
    formEncode([['', v]]).slice(1),
  );
  yield value('values-decoded-twice', 'the values were decoded once instead of twice', decode);
  yield value('values-html-escaped', 'the values were signed without HTML escapes', (v) => escapeHtml(v, '&#039;'));
  yield value('values-html-escaped', 'the values were signed without HTML escapes', (v) => escapeHtml(v, "'"));
  yield value('values-lower-cased', 'the case of the letters in the values were kept', (v) => v.toLowerCase());
  yield value('values-upper-cased', 'the case of the letters in the values were kept', (v) => v.toUpperCase());
  yield value('values-normalised', 'the letters were signed as transmitted instead of in Unicode form NFC', (v) =>
    v.normalize('NFC'),
  );
  yield value('values-normalised', 'the letters were signed as transmitted instead of in Unicode form NFD', (v) =>
    v.normalize('NFD'),
  );
  yield value('values-not-ascii-dropped', 'non-ASCII letters were part of the message', (v) =>
    v.replace(/[^\x00-\x7f]/g, ''),
  );
}

/** Decimal numbers as programs write them that read them as numbers: all of them, or those of one field. */
function* numbersRewritten(signed: Fields): Generator<Wrong> {
  const rewritten = (value: string): string => (/^\d{1,12}(?:\.\d{1,9})?$/.test(value) ? String(Number(value)) : value);
  const says = (what: string): string => `${what} were signed as transmitted instead of as converted numbers`;
  yield ['numbers-rewritten', says('decimal numbers'), mapped(signed, rewritten)];
  if (signed.length > MAX_SINGLE_FIELDS) return;
  for (const [at, [name, value]] of signed.entries()) {
    const changed = signed.map((field, i) => (i === at ? ([name, rewritten(value)] as const) : field));
    yield ['numbers-rewritten', says(`"${name}"`), join(changed)];
  }
}

/** A text that a program stored has LF and one that a browser posted has CR LF: signed as stored, only the former is wrong. */
function* lineFeedsOfOneValue(signed: Fields): Generator<Wrong> {
  for (const [at, [name, value]] of signed.entries()) {
    if (!value.includes('\r\n')) continue;
    const says = `the line breaks of "${name}" were signed as transmitted (CR LF) instead of as LF`;
    const changed = value.replaceAll('\r\n', '\n');
    yield ['lf-for-crlf', says, join(signed.map((field, i) => (i === at ? [name, changed] : field)))];
  }
}

function* otherOrders(signed: Fields): Generator<Wrong> {
  const byName = [...signed].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  const documented = [LABEL_CALLBACK_FIELDS, LABEL_REQUEST_FIELDS].map((order) => inOrderOf(order, signed));
  const also = documented.some((order) => join(order) === join(byName)) ? ', which is also the documented order' : '';
  yield ['fields-sorted', `the values were in field order instead of sorted by field name${also}`, join(byName)];
  for (const order of documented) {
    yield [
      'documented-order',
      'the values were in the order in which they were sent instead of the documented one',
      join(order),
    ];
  }
  yield [
    'fields-sorted-backwards',
    'the values were in field order instead of sorted backwards by name',
    join(byName.toReversed()),
  ];
  const byValue = [...signed].sort(([, a], [, b]) => (a < b ? -1 : a > b ? 1 : 0));
  yield ['values-sorted', 'the values were in field order instead of sorted', join(byValue)];
  yield ['fields-reversed', 'the values were in field order instead of in reverse', join(signed.toReversed())];
  if (signed.length > MAX_EXHAUSTIVE_FIELDS) return;
  for (const order of permutations(signed)) {
    yield ['fields-reordered', `the values were in field order instead of in the order ${names(order)}`, join(order)];
  }
}

/** The fields in a documented order, those beyond it at the end. */
function inOrderOf(documented: readonly string[], fields: Fields): Fields {
  const rank = (name: string) => (documented.includes(name) ? documented.indexOf(name) : documented.length);
  return [...fields].sort(([a], [b]) => rank(a) - rank(b));
}

function* omissions(signed: Fields, pairs: boolean): Generator<Wrong> {
  if (signed.length > MAX_SINGLE_FIELDS) return;
  for (const i of signed.keys()) {
    const [name] = signed[i]!;
    yield ['field-left-out', `the field "${name}" were part of the message`, join(signed.filter((_, k) => k !== i))];
  }
  for (const documented of [LABEL_REQUEST_FIELDS, LABEL_CALLBACK_FIELDS] as ReadonlyArray<readonly string[]>) {
    const known = signed.filter(([name]) => documented.includes(name));
    const says = `fields beyond the documented ones (${names(signed.filter(([name]) => !documented.includes(name)))}) were part of the message`;
    if (known.length > 1) yield ['additional-fields-left-out', says, join(known)];
  }
  const leftOut = (gone: ReadonlySet<number>): Wrong => [
    'fields-left-out',
    `the fields ${names(signed.filter((_, i) => gone.has(i)))} were part of the message`,
    join(signed.filter((_, i) => !gone.has(i))),
  ];
  if (signed.length <= MAX_EXHAUSTIVE_FIELDS) {
    for (let bits = 1; bits < 1 << signed.length; bits++) {
      yield leftOut(new Set([...signed.keys()].filter((i) => bits & (1 << i))));
    }
  } else if (pairs && signed.length <= MAX_PAIRS_FIELDS) {
    for (const i of signed.keys()) for (let k = i + 1; k < signed.length; k++) yield leftOut(new Set([i, k]));
  }
}

function* additions(all: Fields, signed: Fields): Generator<Wrong> {
  const says = 'the field names were not part of the message';
  yield ['names-included', says, formEncode(signed)];
  for (const { how, text } of namedTexts(signed)) yield ['names-included', `${says} (${how} was used)`, text];
  for (const separator of SEPARATORS) {
    yield [
      'separator-between-values',
      `the values were joined without a separator (${JSON.stringify(separator)} was used)`,
      signed.map(([, value]) => value).join(separator),
    ];
  }
  yield ['trailing-line-break', 'the message had no line break at its end', `${join(signed)}\n`];
  for (const { how, text } of jsonTexts(signed))
    yield ['json', `the message were the bare values instead of JSON${how}`, text];
  yield [
    'json',
    'the message were the bare values instead of a list in JSON',
    JSON.stringify(signed.map(([, value]) => value)),
  ];
  const inPlace = (text: string) => all.map(([name, value]) => (name === SIGNATURE_FIELD ? text : value)).join('');
  yield ['signature-included', 'the word "signature" were not part of the message', inPlace(SIGNATURE_FIELD)];
  for (const i of all.keys()) {
    if (all[i]![0] !== SIGNATURE_FIELD) continue;
    const message = all.filter(([name], k) => name !== SIGNATURE_FIELD || k === i);
    yield ['signature-included', 'a `signature` field were not part of the message', join(message)];
  }
}

/** The message in another character set, and the one of a program that decoded UTF-8 as another character set. */
function otherCharacterSets(message: string): Variant<Buffer>[] {
  if (/^[\x00-\x7f]*$/.test(message)) return [];
  const encoded = (name: string) => `the message were encoded in UTF-8 instead of ${name}`;
  const replaced = (beyond: RegExp) => Buffer.from(message.replace(beyond, '?'), 'latin1');
  const marks = 'with "?" for each character that it does not have';
  const decoded = Buffer.from(message, 'utf8').toString('latin1');
  const variants = [
    [encoded('UTF-16'), Buffer.from(message, 'utf16le')],
    [encoded(/^[\x00-\xff]*$/.test(message) ? 'Latin-1' : `Latin-1 (${marks})`), replaced(/[^\x00-\xff]/gu)],
    [encoded('Latin-1 (with the low byte of each character)'), Buffer.from(message, 'latin1')],
    [encoded(`ASCII (${marks})`), replaced(/[^\x00-\x7f]/gu)],
    ['the values were decoded from UTF-8 instead of from Latin-1', Buffer.from(decoded, 'utf8')],
  ] as const;
  return variants.map(([says, value]) => ({ id: 'not-utf8', says, value }));
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value;
  }
}

function escapeHtml(text: string, apostrophe: string): string {
  const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": apostrophe };
  return text.replace(/[&<>"']/g, (character) => escapes[character]!);
}

function* permutations(fields: Fields): Generator<Fields> {
  if (fields.length <= 1) {
    yield fields;
    return;
  }
  for (const i of fields.keys()) {
    for (const rest of permutations(fields.filter((_, k) => k !== i))) yield [fields[i]!, ...rest];
  }
}

function names(fields: Fields): string {
  return fields.map(([name]) => `"${name}"`).join(', ');
}
