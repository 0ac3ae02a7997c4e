/**
 * The one place where secrets are taken out of whatever is written: by value, in the encodings that `docs/trust.md` names.
 * Personal data of other people is masked beside it, by the names of fields (`personal-data.ts`).
 */
import { isCredentialField } from './credential-names.ts';
import { createSearch, type Find, type SecretText } from './search.ts';

export { isPersonalField, MASK, maskPersonal, maskPersonalText } from './personal-data.ts';

/** A value that must not be written. */
export interface AddedSecret {
  readonly name: string;
  readonly value: string;
  /** The target handed it out: of these only the latest are kept, so that no target can fill the memory with them. */
  readonly learned?: boolean;
  /** How a POSIX shell makes the value of another secret: `"${STORE_KEY%?}"`. */
  readonly shell?: string | undefined;
}

/** A stretch of redacted text: either as it was written, or the label (`$STORE_KEY`) of the secret that was there. */
export interface RedactedPiece {
  readonly text: string;
  readonly isLabel: boolean;
}

export interface Redaction {
  /** From now on this value is replaced by `$NAME`. Values shorter than 8 characters only where a field or header carries them. */
  add(secret: AddedSecret): void;
  text(text: string): string;
  /** The same as pieces, so that a label is never mistaken for what a target wrote; as the value of a field when one is named. */
  pieces(text: string, field?: string): readonly RedactedPiece[];
  /** The same over bytes, whatever their encoding. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Deep over a JSON value: strings and keys; short secrets by the name of their field. */
  value<T>(value: T): T;
  /** The value of a header or form field of that name. */
  field(name: string, value: string): string;
  /** How a shell makes the secret of that name from another one; undefined when it can only be given. */
  shellOf(name: string): string | undefined;
  /** The text with what `instead` gives for each short secret in a field that carries credentials. */
  shortInFields(text: string, instead: (found: string) => string): string;
}

/** Shorter values occur by chance in ordinary text, so they are replaced only in fields that carry credentials. */
export const MIN_EVERYWHERE_CHARS = 8;
/** No response is read that is nested deeper than 500 levels; this only keeps the stack whole. */
const MAX_LEVELS = 1_000;
/** Single lines of a key file this long are secret on their own; shorter ones are not worth a search. */
const LINE_OF_KEY_FILE_CHARS = 16;

/** Of what a target handed out, the latest values are kept: at least up to these limits, and at most a quarter more. */
export const MAX_LEARNED_SECRETS = 1_000;
const MAX_LEARNED_CHARS = 64 * 1024;
/** Forgetting costs a new index of all: a service with a new cookie in each response must not pay that for each one. */
const LEARNED_SURPLUS = 1.25;

/**
 * `password=abc`, `"apiToken": "abc"`, `Authorization: ApiKey abc`: a credential field in running text, up to its value. All
 * runs are bounded, so that the time stays in proportion to the text.
 */
const CREDENTIAL_IN_TEXT =
  '((?:api[-_]?key|api[-_]?token|app[-_]?secret|auth[-_]?code|authorization|email|login[-_]?url|password|secret|token)' +
  '(?:%22|\\\\{0,15}["\'])?\\s{0,8}(?:=|:|%3[aA]|%3[dD])\\s{0,8}(?:%22|\\\\{0,15}["\'])?' +
  '(?:(?:ApiKey|Basic|Bearer)(?:\\s|%20|\\+){1,8})?)';

/** Makes an empty redaction; secrets can be added at any time, also while a run is on. Without `fragments` only whole secrets are replaced. */
export function createRedaction({ fragments = true }: { readonly fragments?: boolean } = {}): Redaction {
  const known = new Set<string>();
  const learned = new Map<string, string>();
  let learnedChars = 0;
  const shells = new Map<string, string>();
  const search = createSearch({ fragments });
  /** Long secrets of hardly anything but quotes and backslashes, which the search passes over: found as they are written. */
  let exact: SecretText[] = [];
  const short: SecretText[] = [];
  let shortInText: RegExp | undefined;

  const add = ({ name, value, learned: isLearned = false, shell }: AddedSecret): void => {
    if (value === '') return;
    if (shell !== undefined) shells.set(name, shell);
    if (known.has(value)) {
      // What the run itself uses is kept, even if the target handed it out.
      if (!isLearned && learned.delete(value)) learnedChars -= value.length;
      return;
    }
    known.add(value);
    if (value.length < MIN_EVERYWHERE_CHARS) {
      short.push({ name, value });
      short.sort((a, b) => b.value.length - a.value.length);
      shortInText = new RegExp(
        `${CREDENTIAL_IN_TEXT}(${short.map((one) => formsOfShort(one.value)).join('|')})(?![A-Za-z0-9_])`,
        'gi',
      );
      return;
    }
    const lines = value.includes('\n')
      ? value.split(/\r?\n/).filter((line) => line.length >= LINE_OF_KEY_FILE_CHARS)
      : [];
    for (const line of lines) if (!line.startsWith('-----')) search.add({ name, value: line });
    if (!search.add({ name, value })) exact.push({ name, value });
    if (isLearned) keepLatest(name, value);
  };

  const isWithin = (share: number): boolean =>
    learned.size <= MAX_LEARNED_SECRETS * share && learnedChars <= MAX_LEARNED_CHARS * share;

  const keepLatest = (name: string, value: string): void => {
    learned.set(value, name);
    learnedChars += value.length;
    if (isWithin(LEARNED_SURPLUS)) return;
    for (const oldest of learned.keys()) {
      if (isWithin(1)) return;
      learned.delete(oldest);
      learnedChars -= oldest.length;
      known.delete(oldest);
      search.remove(oldest);
      exact = exact.filter((one) => one.value !== oldest);
    }
  };

  const everywhere = (text: string): readonly RedactedPiece[] => {
    let pieces: readonly RedactedPiece[] = replaced(text, search.find(text));
    for (const { name, value } of exact) {
      pieces = within(pieces, new RegExp(formsOfShort(value), 'g'), () => ['', `$${name}`]);
    }
    return pieces;
  };

  const pieces = (input: string, name?: string): readonly RedactedPiece[] => {
    let output = everywhere(input);
    if (shortInText !== undefined) {
      output = within(output, shortInText, ([, before = '', found = '']) => [before, nameOfShort(found)]);
    }
    if (name === undefined || !isCredentialField(name)) return output;
    for (const one of short) {
      output = within(output, new RegExp(escaped(one.value), 'g'), () => ['', `$${one.name}`]);
    }
    return output;
  };

  const text = (input: string): string => joined(pieces(input));
  const field = (name: string, input: string): string => joined(pieces(input, name));

  const shortInFields = (input: string, instead: (found: string) => string): string =>
    shortInText === undefined
      ? input
      : input.replace(shortInText, (_all, before: string, found: string) => `${before}${instead(found)}`);

  const nameOfShort = (found: string): string => {
    const match =
      short.find(({ value }) => value === found) ??
      short.find(({ value }) => new RegExp(`^(?:${formsOfShort(value)})$`, 'i').test(found));
    return match === undefined ? '$SECRET' : `$${match.name}`;
  };

  const value = <T>(input: T): T => deep(input, '', 0) as T;
  const deep = (input: unknown, name: string, level: number): unknown => {
    if (typeof input === 'string') return field(name, input);
    if (typeof input !== 'object' || input === null) return input;
    if (input instanceof Uint8Array) return bytes(input);
    if (level >= MAX_LEVELS) return `… (more than ${MAX_LEVELS} levels deep)`;
    if (isBytes(input)) return ofBytes(input);
    if (Array.isArray(input)) return input.map((item) => deep(item, name, level + 1));
    if ('toJSON' in input && typeof input.toJSON === 'function') return deep(input.toJSON(), name, level + 1);
    const pairs = Object.entries(input).map(([key, item]) => [text(key), deep(item, key, level + 1)] as const);
    return Object.fromEntries(pairs);
  };

  /** A list of numbers, as a buffer is written in JSON. */
  const ofBytes = (input: readonly number[]): unknown[] => {
    const before = JSON.stringify(input);
    const after = text(before);
    return after === before ? [...input] : (JSON.parse(after) as unknown[]);
  };

  const bytes = (input: Uint8Array): Uint8Array => {
    const before = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('latin1');
    const after = text(before);
    return after === before ? input : Buffer.from(after, 'latin1');
  };

  return { add, text, pieces, bytes, value, field, shellOf: (name) => shells.get(name), shortInFields };
}

function joined(pieces: readonly RedactedPiece[]): string {
  const [only] = pieces;
  // Nearly every text holds no secret.
  return pieces.length === 1 && only !== undefined ? only.text : pieces.map(({ text }) => text).join('');
}

/** Replaces what a pattern finds in the text between labels: by what stays before it, and the label. */
function within(
  pieces: readonly RedactedPiece[],
  pattern: RegExp,
  parts: (match: RegExpExecArray) => readonly [before: string, label: string],
): readonly RedactedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.isLabel) return [piece];
    const output: RedactedPiece[] = [];
    let at = 0;
    for (const match of piece.text.matchAll(pattern)) {
      const [before, label] = parts(match);
      output.push({ text: piece.text.slice(at, match.index) + before, isLabel: false }, { text: label, isLabel: true });
      at = match.index + match[0].length;
    }
    return at === 0 ? [piece] : [...output, { text: piece.text.slice(at), isLabel: false }];
  });
}

const isBytes = (list: unknown): list is readonly number[] =>
  Array.isArray(list) &&
  list.length >= MIN_EVERYWHERE_CHARS &&
  list.every((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 0xff);

/** A short secret is looked for as it is and URL-encoded. */
function formsOfShort(value: string): string {
  const forms = new Set([value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]);
  return [...forms].map(escaped).join('|');
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** Overlapping finds are one: nothing of either stays, and the longest one gives the name; of equal ones the exact one. */
function replaced(text: string, finds: readonly Find[]): RedactedPiece[] {
  const output: RedactedPiece[] = [];
  let at = 0;
  for (let i = 0; i < finds.length; ) {
    let longest = finds[i]!;
    let { end } = longest;
    const { start } = longest;
    for (i += 1; i < finds.length && finds[i]!.start < end; i += 1) {
      const other = finds[i]!;
      end = Math.max(end, other.end);
      const more = other.length - longest.length;
      if (more > 0 || (more === 0 && other.isExact && !longest.isExact)) longest = other;
    }
    output.push({ text: text.slice(at, start), isLabel: false }, { text: longest.label, isLabel: true });
    at = end;
  }
  output.push({ text: text.slice(at), isLabel: false });
  return output;
}
