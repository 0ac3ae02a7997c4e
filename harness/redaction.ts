/**
 * The one place where secrets are taken out of whatever is written: by value, in every encoding that a report could hold.
 * Personal data of other people is masked beside it, by the names of fields (`personal-data.ts`).
 */
import { isCredentialField } from './credential-names.ts';
import { createSearch, type Find, type SecretText } from './redaction-search.ts';

export { maskPersonal, maskPersonalText } from './personal-data.ts';

export interface Redaction {
  /** From now on this value is replaced by `$NAME`. Values shorter than 8 characters only where a field or header carries them. */
  add(secret: { readonly name: string; readonly value: string }): void;
  text(text: string): string;
  /** The same over bytes, whatever their encoding. */
  bytes(bytes: Uint8Array): Uint8Array;
  /** Deep over a JSON value: strings and keys; short secrets by the name of their field. */
  value<T>(value: T): T;
  /** The value of a header or form field of that name. */
  field(name: string, value: string): string;
  /** The text with what `instead` gives for each short secret that stands in a field which carries credentials. */
  shortInFields(text: string, instead: (found: string) => string): string;
}

/** Shorter values occur by chance in ordinary text, so they are replaced only in fields that carry credentials. */
export const SHORTEST_EVERYWHERE_CHARS = 8;
/** Single lines of a key file this long are secret on their own; shorter ones are not worth a search. */
const LINE_OF_KEY_FILE_CHARS = 16;

/** `password=abc`, `"apiToken": "abc"`, `Authorization: ApiKey abc`: a credential field in running text, up to its value. */
const CREDENTIAL_IN_TEXT =
  '((?:api[-_]?key|api[-_]?token|app[-_]?secret|auth[-_]?code|authorization|email|login[-_]?url|password|secret|token)' +
  '(?:%22|\\\\*["\'])?\\s*(?:=|:|%3[aA]|%3[dD])\\s*(?:%22|\\\\*["\'])?(?:(?:ApiKey|Basic|Bearer)(?:\\s|%20|\\+)+)?)';

/** Makes an empty redaction; secrets can be added at any time, also while a run is on. */
export function createRedaction(): Redaction {
  const known = new Set<string>();
  const search = createSearch();
  /** Long secrets of hardly anything but quotes and backslashes, which the search passes over: found as they are written. */
  const exact: SecretText[] = [];
  const short: SecretText[] = [];
  let shortInText: RegExp | undefined;

  const add = ({ name, value }: SecretText): void => {
    if (value === '' || known.has(value)) return;
    known.add(value);
    if (value.length < SHORTEST_EVERYWHERE_CHARS) {
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
  };

  const everywhere = (text: string): string => {
    let output = replaced(text, search.find(text));
    for (const { name, value } of exact) {
      output = output.replace(new RegExp(formsOfShort(value), 'g'), () => `$${name}`);
    }
    return output;
  };

  const text = (input: string): string => {
    return shortInFields(everywhere(input), nameOfShort);
  };

  const shortInFields = (input: string, instead: (found: string) => string): string =>
    shortInText === undefined
      ? input
      : input.replace(shortInText, (_all, before: string, found: string) => `${before}${instead(found)}`);

  const nameOfShort = (found: string): string => {
    const match = short.find(({ value }) => new RegExp(`^(?:${formsOfShort(value)})$`, 'i').test(found));
    return match === undefined ? '$SECRET' : `$${match.name}`;
  };

  const field = (name: string, input: string): string => {
    let output = text(input);
    if (!isCredentialField(name)) return output;
    for (const one of short) output = output.replaceAll(one.value, () => `$${one.name}`);
    return output;
  };

  const value = <T>(input: T): T => deep(input, '') as T;
  const deep = (input: unknown, name: string): unknown => {
    if (typeof input === 'string') return field(name, input);
    if (typeof input !== 'object' || input === null) return input;
    if (input instanceof Uint8Array) return bytes(input);
    if (Array.isArray(input)) return input.map((item) => deep(item, name));
    if ('toJSON' in input && typeof input.toJSON === 'function') return deep(input.toJSON(), name);
    const pairs = Object.entries(input).map(([key, item]) => [text(key), deep(item, key)] as const);
    return Object.fromEntries(pairs);
  };

  const bytes = (input: Uint8Array): Uint8Array => {
    const before = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('latin1');
    const after = text(before);
    return after === before ? input : Buffer.from(after, 'latin1');
  };

  return { add, text, bytes, value, field, shortInFields };
}

/** A short secret is looked for as it is and URL-encoded. */
function formsOfShort(value: string): string {
  const forms = new Set([value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]);
  return [...forms].map((form) => form.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|');
}

/** Overlapping finds are one: nothing of either stays, and the longest one gives the name. */
function replaced(text: string, finds: readonly Find[]): string {
  let output = '';
  let at = 0;
  for (let i = 0; i < finds.length; ) {
    let longest = finds[i]!;
    let { end } = longest;
    const { start } = longest;
    for (i += 1; i < finds.length && finds[i]!.start < end; i += 1) {
      const other = finds[i]!;
      end = Math.max(end, other.end);
      if (other.end - other.start > longest.end - longest.start) longest = other;
    }
    output += text.slice(at, start) + longest.label;
    at = end;
  }
  return output + text.slice(at);
}
