/**
 * The one place where secrets are taken out of whatever is written: by value, in the encodings that `docs/trust.md` names.
 * Personal data of other people is masked beside it, by the names of fields (`personal-data.ts`).
 */
import { isCredentialField } from './credential-names.ts';
import { LatestSecrets } from './latest-secrets.ts';
import { joined, type RedactedPiece, replaced, within } from './pieces.ts';
import { SecretSearch, type SecretText } from './search/index.ts';
import { formsOf, MIN_EVERYWHERE_CHARS, ShortSecrets } from './short-secrets.ts';

export { MAX_LEARNED_SECRETS } from './latest-secrets.ts';
export { isPersonalField, MASK, maskPersonal, maskPersonalText } from './personal-data.ts';
export type { RedactedPiece } from './pieces.ts';
export { MIN_EVERYWHERE_CHARS } from './short-secrets.ts';

/** A value that must not be written. */
export interface AddedSecret {
  readonly name: string;
  readonly value: string;
  /** The target handed it out: of these only the latest are kept, so that no target can fill the memory with them. */
  readonly learned?: boolean;
  /** How a POSIX shell makes the value of another secret: `"${STORE_KEY%?}"`. */
  readonly shell?: string | undefined;
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

/** No response is read that is nested deeper than 500 levels; this only keeps the stack whole. */
const MAX_LEVELS = 1_000;
/** Single lines of a key file this long are secret on their own; shorter ones are not worth a search. */
const LINE_OF_KEY_FILE_CHARS = 16;

/** Makes an empty redaction; secrets can be added at any time, also while a run is on. Without `fragments` only whole secrets are replaced. */
export const createRedaction = (options: { readonly fragments?: boolean } = {}): Redaction =>
  new SecretRedaction(options);

/** Its methods are properties, so that they can be passed on alone. */
class SecretRedaction implements Redaction {
  readonly #known = new Set<string>();
  readonly #learned = new LatestSecrets();
  readonly #shells = new Map<string, string>();
  readonly #search: SecretSearch;
  /** Long secrets of hardly anything but quotes and backslashes, which the search passes over: found as they are written. */
  #exact: SecretText[] = [];
  readonly #short = new ShortSecrets();

  constructor({ fragments = true }: { readonly fragments?: boolean }) {
    this.#search = new SecretSearch({ fragments });
  }

  readonly add = ({ name, value, learned = false, shell }: AddedSecret): void => {
    if (value === '') return;
    if (shell !== undefined) this.#shells.set(name, shell);
    if (this.#known.has(value)) {
      // What the run itself uses is kept, even if the target handed it out.
      if (!learned) this.#learned.drop(value);
      return;
    }
    this.#known.add(value);
    if (value.length < MIN_EVERYWHERE_CHARS) {
      this.#short.add({ name, value });
      return;
    }
    for (const line of linesOfKeyFile(value)) this.#search.add({ name, value: line });
    if (!this.#search.add({ name, value })) this.#exact.push({ name, value });
    if (learned) for (const oldest of this.#learned.keep(value)) this.#forget(oldest);
  };

  #forget(value: string): void {
    this.#known.delete(value);
    this.#search.remove(value);
    this.#exact = this.#exact.filter((one) => one.value !== value);
  }

  #everywhere(text: string): readonly RedactedPiece[] {
    let pieces: readonly RedactedPiece[] = replaced(text, this.#search.find(text));
    for (const { name, value } of this.#exact) {
      pieces = within(pieces, new RegExp(formsOf(value), 'g'), () => ['', `$${name}`]);
    }
    return pieces;
  }

  readonly pieces = (input: string, name?: string): readonly RedactedPiece[] => {
    const output = this.#short.inText(this.#everywhere(input));
    return name === undefined || !isCredentialField(name) ? output : this.#short.inField(output);
  };

  readonly text = (input: string): string => joined(this.pieces(input));

  readonly field = (name: string, input: string): string => joined(this.pieces(input, name));

  readonly shortInFields = (input: string, instead: (found: string) => string): string =>
    this.#short.replacedBy(input, instead);

  readonly shellOf = (name: string): string | undefined => this.#shells.get(name);

  readonly value = <T>(input: T): T => this.#deep(input, '', 0) as T;

  #deep(input: unknown, name: string, level: number): unknown {
    if (typeof input === 'string') return this.field(name, input);
    if (typeof input !== 'object' || input === null) return input;
    if (input instanceof Uint8Array) return this.bytes(input);
    if (level >= MAX_LEVELS) return `… (more than ${MAX_LEVELS} levels deep)`;
    if (isBytes(input)) return this.#ofBytes(input);
    if (Array.isArray(input)) return input.map((item) => this.#deep(item, name, level + 1));
    if ('toJSON' in input && typeof input.toJSON === 'function') return this.#deep(input.toJSON(), name, level + 1);
    const pairs = Object.entries(input).map(
      ([key, item]) => [this.text(key), this.#deep(item, key, level + 1)] as const,
    );
    return Object.fromEntries(pairs);
  }

  /** A list of numbers, as a buffer is written in JSON. */
  #ofBytes(input: readonly number[]): unknown[] {
    const before = JSON.stringify(input);
    const after = this.text(before);
    return after === before ? [...input] : (JSON.parse(after) as unknown[]);
  }

  readonly bytes = (input: Uint8Array): Uint8Array => {
    const before = Buffer.from(input.buffer, input.byteOffset, input.byteLength).toString('latin1');
    const after = this.text(before);
    return after === before ? input : Buffer.from(after, 'latin1');
  };
}

/** The lines of a file with a key that are secret on their own. */
function linesOfKeyFile(value: string): string[] {
  if (!value.includes('\n')) return [];
  return value.split(/\r?\n/).filter((line) => line.length >= LINE_OF_KEY_FILE_CHARS && !line.startsWith('-----'));
}

const isBytes = (list: unknown): list is readonly number[] =>
  Array.isArray(list) &&
  list.length >= MIN_EVERYWHERE_CHARS &&
  list.every((item) => typeof item === 'number' && Number.isInteger(item) && item >= 0 && item <= 0xff);
