/**
 * What a recording holds in place of a value that was taken out of it: `$NAME` and `(masked)` of our own, and what other
 * tools write. Such a value can't be judged, and must not be blamed on any party.
 */

/** `$STORE_KEY`, `$STORE_KEY(base64)`: a secret under its name. */
const SECRET_NAME = /\$[A-Z][A-Z0-9_]*(?:\(\w+\))?/;
const SECRET_NAMES = new RegExp(SECRET_NAME, 'g');
/** A value that means only that something was hidden; some tools write its name, too: `[authorization redacted]`. */
const HIDDEN_WHOLE =
  /^\s*(?:[[(<{]\s*(?:[\w.-]+\s+)?)?(?:redacted|masked|hidden|filtered|removed|stripped|saniti[sz]ed|\*{3,}|x{6,}|•{3,})\s*(?:[\])>}]\s*)?$/i;
const HIDDEN = new RegExp(`\\(masked\\)|${HIDDEN_WHOLE.source}`, 'i');

/** True for a text of which a part was taken out. */
export function isRedacted(text: unknown): boolean {
  return typeof text === 'string' && ((text.includes('$') && SECRET_NAME.test(text)) || HIDDEN.test(text));
}

/** True for a text of which nothing is left. */
export const isHidden = (text: string): boolean => HIDDEN_WHOLE.test(text);

/** True when a text as a whole may hold such places: a body, say, that is not JSON any more for that reason. */
export function mayBeRedacted(text: string): boolean {
  return SECRET_NAME.test(text) || /\(masked\)|redacted|\*{3,}/i.test(text);
}

/** Keys by name: what is known of the values that were taken out. */
export type KnownValues = Readonly<Record<string, string>>;

const isSecretName = (name: string): boolean => /secret/i.test(name);

/** The values that sign requests and occur in headers: all whose names do not say that they are an app's secret. */
export function apiKeysOf(known: KnownValues): Array<readonly [name: string, value: string]> {
  const keys = Object.entries(known).filter(([name]) => !isSecretName(name));
  return keys.length > 0 ? keys : Object.entries(known);
}

/** The values that hash install requests: those whose names say so, else all. */
export function appSecretsOf(known: KnownValues): Array<readonly [name: string, value: string]> {
  const secrets = Object.entries(known).filter(([name]) => isSecretName(name));
  return secrets.length > 0 ? secrets : Object.entries(known);
}

export interface RestoredText {
  readonly text: string;
  /** A value was put back: it may be another one than was sent, since one name can mean several. */
  readonly guessed: boolean;
  /** Something is still missing. */
  readonly incomplete: boolean;
}

/**
 * The text with known values put back in.
 *
 * @example restored('ApiKey $STORE_KEY', { STORE_KEY: 'abc' }) // { text: 'ApiKey abc', guessed: true, incomplete: false }
 */
export function restored(text: string, known: KnownValues): RestoredText {
  let guessed = false;
  let incomplete = HIDDEN.test(text);
  const full = text.replace(SECRET_NAMES, (place) => {
    const value = Object.hasOwn(known, place.slice(1)) ? known[place.slice(1)] : undefined;
    if (value === undefined) incomplete = true;
    else guessed = true;
    return value ?? place;
  });
  return { text: full, guessed, incomplete };
}
