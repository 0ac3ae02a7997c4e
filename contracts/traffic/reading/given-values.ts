/**
 * Codes and tokens that the service gave, as far as the traffic shows it, and what a client made of them. A value that was not
 * given in the traffic may be older than the recording; one that is nearly a given one was damaged on its way.
 */
import { Memory } from '../memory.ts';
import type { SeenExchange } from './seen.ts';

/** Values that are remembered. */
const REMEMBERED = 200;
/** Shorter values are parts of each other by chance. */
const MIN_CHARACTERS = 8;

/** What programs send in place of a value that they do not have, and templates that were not filled in. */
const PLACEHOLDER =
  /^(?:undefined|null|nil|none|nan|\[object object\]|\$?\{+[^{}]*\}+|<[^<>]*>|%s|:[a-z_]+|%\(\w+\)s)$/i;

/** The name of a variable: one that was not filled in, or one that a tool writes into its recording in place of the value. */
export const isTemplate = (value: string): boolean => /^\$?\{+[^{}]*\}+$/.test(value.trim());

/** True for what a program sends in place of a value that it does not have. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value.trim());

export class GivenValues {
  /** When it was ended, where it was. */
  readonly #given = new Memory<{ endedMs: number | undefined }>({ entries: REMEMBERED });

  /** Placeholders that a service has taken: in the recording they replace values. */
  readonly #taken = new Memory<true>({ entries: REMEMBERED });

  /** The service has taken the value in a call. */
  take(value: string): void {
    if (isPlaceholder(value)) this.#taken.set(value, true);
  }

  /** Anything that is not a text is not remembered. */
  give(value: unknown): void {
    if (typeof value === 'string' && value !== '') this.#given.set(value, { endedMs: undefined });
  }

  /** The exchange made the value worthless. */
  end(value: string | undefined, { endMs }: SeenExchange): void {
    if (value !== undefined && this.#given.get(value) !== undefined) this.#given.set(value, { endedMs: endMs });
  }

  /** What is wrong with a value that was refused, as the end of a sentence; undefined where nothing can be said. */
  mistakeOf(value: string, { startMs }: SeenExchange): string | undefined {
    if (isPlaceholder(value))
      return this.#taken.get(value) === true ? undefined : 'is a value that a program did not fill in';
    if (value.includes('\uFFFD')) return 'has bytes that are not UTF-8';
    const given = this.#given.get(value);
    if (given !== undefined) {
      return given.endedMs !== undefined && startMs > given.endedMs ? 'was used after logging out with it' : undefined;
    }
    return this.#given.keys().some((one) => isDamaged(value, one))
      ? 'is nearly the value that was given, and was changed on its way'
      : undefined;
  }
}

/** Cut, lengthened, in another case, trimmed, or encoded once more or once less. */
function isDamaged(value: string, given: string): boolean {
  const [shorter, longer] = value.length < given.length ? [value, given] : [given, value];
  if (shorter.length >= MIN_CHARACTERS && longer.includes(shorter)) return true;
  const forms = [
    value.toLowerCase() === given.toLowerCase() ? given : value,
    value.replaceAll(' ', '+'),
    decoded(value),
  ];
  return forms.includes(given) || decoded(given) === value;
}

/** A text without one percent encoding; as it is where it has none that can be read. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
