/**
 * A text that differs from the given one in exactly one character, in the middle, and keeps its alphabet: a service that
 * compares a prefix, a suffix or without regard to case takes it, one that compares all of it does not. A digit of a short
 * number becomes a letter: numbers may be counted up, and then the neighbours of this text belong to others.
 */
export function nearMissOf(text: string): string {
  return text === '' ? 'x' : changedAt(text, isUuid(text) ? UUID_LAST_GROUP : Math.floor([...text].length / 2));
}

/** Where the last group of a UUID begins: in its middle is a hyphen, and after that its variant. */
const UUID_LAST_GROUP = 24;

/**
 * In SQL's LIKE an underscore matches any character. A service that overlooks one in the middle for another reason compares a beginning
 * or an end only, and accepts other near misses as well.
 */
const UNDERSCORE = 'an underscore instead of one character in the middle';

/** The class of all letters and digits, as regular expressions, file name patterns and some LIKEs write it. */
const CLASS = '[0-9A-Za-z]';

/** What a near miss that is a pattern has instead of a character. */
export const ANY_CHARACTER = ['_', CLASS] as const;
const CHARACTER_CLASS = `${CLASS} instead of one character in the middle`;

const UNSIGNED = 'its signature removed';
const SIGNED_BY_NONE = 'none as its algorithm and no signature';

/** Of a signed token (RFC 7519), the same claims without a signature; nothing of other texts. */
function unsigned(text: string): { readonly change: string; readonly value: string }[] {
  const [header = '', claims, signature, ...rest] = text.split('.');
  if (claims === undefined || signature === undefined || rest.length > 0) return [];
  let algorithm: unknown;
  try {
    ({ alg: algorithm } = JSON.parse(Buffer.from(header, 'base64url').toString()));
  } catch {
    return [];
  }
  if (typeof algorithm !== 'string') return [];
  const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url');
  return [
    { change: UNSIGNED, value: `${header}.${claims}.` },
    { change: SIGNED_BY_NONE, value: `${none}.${claims}.` },
  ];
}

/** Whether a near miss is tried with every operation. How texts are compared is tried with one: the operations share that code. */
export const isDecisive = (change: string): boolean =>
  ![UNDERSCORE, CHARACTER_CLASS, UNSIGNED, SIGNED_BY_NONE].some((end) => change.endsWith(end));

/**
 * The near misses of a non-empty string, all different from it: one character changed at the start, in the middle and
 * at the end, one fewer, one more, letters of its second half in the other case, patterns that match it, and a signed token without its
 * signature. A comparison of a part only, or one that takes the text for a pattern, accepts at least one of them.
 *
 * @example nearMissesOf('aBc').map(({ value }) => value) // ['qBc', 'a_c', 'a[0-9A-Za-z]c', 'aBq', 'aB', 'aBcq', 'abC']
 */
export function nearMissesOf(text: string): { readonly change: string; readonly value: string }[] {
  const characters = [...text];
  const last = characters.length - 1;
  const swapped = isUuid(text) ? undefined : caseSwappedAtEnd(text);
  const all = [
    { change: 'its first character changed', value: changedAt(text, 0) },
    { change: UNDERSCORE, value: withUnderscore(text) },
    { change: CHARACTER_CLASS, value: replacedNearMiddle(text, /[0-9A-Za-z]/, CLASS) ?? '' },
    { change: 'its last character changed', value: changedAt(text, last, isMixed(text) ? otherBits : undefined) },
    endRemoved(text),
    { change: 'one character added at the end', value: `${text}q` },
    ...(swapped === undefined ? [] : [{ change: 'letters in the other case', value: swapped }]),
    ...unsigned(text),
  ];
  return all.filter(({ value }, at) => value !== '' && all.findIndex((other) => other.value === value) === at);
}

/**
 * Texts that only a loose comparison takes for this one: without its first character, with one more in front of it, and with other signs
 * between the same letters and digits, as numbers of accounts are compared. Of a number that may be counted up only the longer one.
 */
export function looseMissesOf(text: string): { readonly change: string; readonly value: string }[] {
  const preceded = { change: 'one character added at the start', value: `q${text}` };
  if (isCounted(text)) return [preceded];
  return [beheaded(text), preceded, ...(isUuid(text) ? [] : [regrouped(text)])].filter(({ value }) => value !== '');
}

/** The text without its first character, or without a number at its start and what is behind that, since a shorter number may be in use. */
function beheaded(text: string): { readonly change: string; readonly value: string } {
  const number = numbersIn(text).find(({ start }) => start === 0);
  if (number === undefined) return { change: 'the first character missing', value: [...text].slice(1).join('') };
  return { change: 'the number at its start missing', value: [...text].slice(number.end + 1).join('') };
}

/** The same letters and digits, but other signs between them. */
function regrouped(text: string): { readonly change: string; readonly value: string } {
  const joined = text.replaceAll(/[^A-Za-z0-9]/g, '');
  if (joined !== text && joined !== '') return { change: 'only its letters and digits', value: joined };
  const middle = Math.floor(text.length / 2);
  return { change: 'a hyphen added in the middle', value: `${text.slice(0, middle)}-${text.slice(middle)}` };
}

/**
 * Whether a text is a UUID: in capitals or without hyphens it is the same one in another notation (RFC 9562, section 4), which a service
 * that stores its keys as UUIDs may accept.
 */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** An underscore instead of the character in the middle, or of the next one that is not an underscore. */
export const withUnderscore = (text: string): string => replacedNearMiddle(text, /[^_]/, '_') ?? nearMissOf(text);

/** The same to the eye, and to what normalises texts (NFKC): a letter or digit near the middle in full width. */
export const withFullWidth = (text: string): string =>
  replacedNearMiddle(text, /[0-9A-Za-z]/, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0)) ?? text;

/** What filters take out of a text, so that it is the same behind them, each with what it is called. */
export const FILTERED = [
  ['a zero-width space', '\u200b'],
  ['a tag', '<b>'],
  ['a backslash', '\\'],
] as const;

/** The text with something else in its middle. */
export function withInMiddle(text: string, what: string): string {
  const characters = [...text];
  return characters.toSpliced(Math.floor(characters.length / 2), 0, what).join('');
}

/** Shorter texts, or numbers that are counted up, may differ from another one in use in their first character alone. */
const MIN_OWN_CHARACTERS = 6;

/** An underscore instead of the first character; undefined where a pattern could match more than this text. */
export function withLeadingUnderscore(text: string): string | undefined {
  const [first, ...others] = [...text];
  if (first === undefined || first === '_' || isCounted(text) || others.length < MIN_OWN_CHARACTERS) return undefined;
  return ['_', ...others].join('');
}

/** Replaces the first character from the middle on that matches. */
function replacedNearMiddle(text: string, which: RegExp, by: string | ((old: string) => string)): string | undefined {
  const characters = [...text];
  const middle = Math.floor(characters.length / 2);
  const at = characters.findIndex((character, place) => place >= middle && which.test(character));
  const old = characters[at];
  return old === undefined ? undefined : characters.with(at, typeof by === 'string' ? by : by(old)).join('');
}

function changedAt(text: string, at: number, usual = next): string {
  const characters = [...text];
  const change = isUuid(text) ? nextOfUuid : usual;
  const isOfNumber = numbersIn(text).some(({ start, end }) => start <= at && at < end);
  return characters.with(at, (isOfNumber ? letter : change)(characters[at]!)).join('');
}

/** From this length on numbers are not counted up: the digits are drawn, and no neighbour is in use. */
const UNGUESSABLE_DIGITS = 16;

/**
 * The numbers in a text that may be counted up (`7`, `store-7`, `store7`, `7|secret`), as places of characters: digits between signs, or
 * the only digits, at the end. Those among drawn letters, and those of a UUID, are not.
 */
function numbersIn(text: string): { readonly start: number; readonly end: number }[] {
  if (isUuid(text)) return [];
  const characters = [...text];
  const isDigit = (at: number): boolean => DIGIT.test(characters[at] ?? '');
  const isAlphanumeric = (at: number): boolean => /[0-9A-Za-z]/.test(characters[at] ?? '');
  const numbers: { start: number; end: number }[] = [];
  for (let start = 0; start < characters.length; start += 1) {
    if (!isDigit(start)) continue;
    let end = start;
    while (isDigit(end)) end += 1;
    const isOnly = end === characters.length && !DIGIT.test(characters.slice(0, start).join(''));
    const isBounded = (!isAlphanumeric(start - 1) || isOnly) && !isAlphanumeric(end);
    if (isBounded && end - start < UNGUESSABLE_DIGITS) numbers.push({ start, end });
    start = end;
  }
  return numbers;
}

const DIGIT = /[0-9]/;

const isCounted = (text: string): boolean => /^[0-9]+$/.test(text) && numbersIn(text).length > 0;

/** The text without its last character, or without a number at its end and what is before that, since a shorter number may be in use. */
function endRemoved(text: string): { readonly change: string; readonly value: string } {
  const characters = [...text];
  const number = numbersIn(text).find(({ end }) => end === characters.length);
  if (number === undefined) return { change: 'its last character removed', value: characters.slice(0, -1).join('') };
  return {
    change: 'the number at its end removed',
    value: characters.slice(0, Math.max(0, number.start - 1)).join(''),
  };
}

const letter = (): string => 'q';

/** Shorter texts may have a rearranged one beside them: codes of a few characters are counted up, or drawn from few. */
const MIN_REARRANGED_CHARACTERS = 16;

/**
 * The same characters in other places, each kind of them (letters of one case, digits) among themselves, so that the form is kept: a
 * service that adds up what it compares accepts it. Undefined where that is the text itself, or where it may be in use.
 */
export function rearranged(text: string): string | undefined {
  const characters = [...text];
  if (characters.length < MIN_REARRANGED_CHARACTERS || numbersIn(text).length > 0) return undefined;
  for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/]) {
    const places = characters.flatMap((character, at) => (kind.test(character) ? [at] : []));
    const moved = places.map((_, at) => characters[places[(at + 1) % places.length]!]!);
    for (const [at, place] of places.entries()) characters[place] = moved[at]!;
  }
  const made = characters.join('');
  return made === text ? undefined : made;
}

/** Another character of the same kind. */
function next(old: string): string {
  if (/[0-9]/.test(old)) return String((Number(old) + 1) % 10);
  const letter = old.toLowerCase() === 'q' ? 'z' : 'q';
  return /[A-Z]/.test(old) ? letter.toUpperCase() : letter;
}

/** Another hexadecimal digit, and a letter for a digit: in tests UUIDs are counted up in their last digits. */
export function nextOfUuid(old: string): string {
  if (/[0-9]/.test(old)) return String.fromCharCode('a'.charCodeAt(0) + (Number(old) % 6));
  if (/f/i.test(old)) return old === 'f' ? 'a' : 'A';
  return String.fromCharCode(old.charCodeAt(0) + 1);
}

/** Letters of both cases: the text may be base64, as a signed token is. */
const isMixed = (text: string): boolean => /[A-Z]/.test(text) && /[a-z]/.test(text);

/**
 * Another character that is another one in base64 too. The last character of base64 carries bits that mean nothing, so that
 * some neighbours of it decode to the same bytes: a service that decodes first would rightly accept them.
 */
const otherBits = (old: string): string => (/[g-v]/.test(old) ? 'A' : 'q');

/**
 * The text with the case of the letters in its second half swapped: of a key whose beginning is only a name by which it is looked up, a
 * service may compare no more than this without regard to case. The whole text, when its second half has no letters.
 */
function caseSwappedAtEnd(text: string): string | undefined {
  const characters = [...text];
  const middle = Math.floor(characters.length / 2);
  const end = caseSwapped(characters.slice(middle).join(''));
  return end === undefined ? caseSwapped(text) : characters.slice(0, middle).join('') + end;
}

/** The text with the case of its ASCII letters swapped (others may leave what a header can carry); `undefined` when it has none. */
export function caseSwapped(text: string): string | undefined {
  const swapped = text.replaceAll(/[A-Za-z]/g, (c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()));
  return swapped === text ? undefined : swapped;
}

/** What programs take for the key of an owner that they do not know: nothing, or the words for it in JavaScript, PHP and Python. */
export const KEYS_OF_NONE = ['', 'undefined', 'null', 'None'] as const;
