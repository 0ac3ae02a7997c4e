/**
 * Old values have to be written down to be put back, and may hold a secret of the profile (app data with the app's own key,
 * say). There its name is written, and the value is put in again from the profile when it is needed.
 */
import type { Secret } from './target/secret.ts';

/** A text in pieces: strings, and names of secrets. */
interface Sealed {
  readonly $sealed: ReadonlyArray<string | { readonly secret: string }>;
}

/** The JSON value with the secrets in its strings replaced by their names. */
export function sealSecrets(value: unknown, secrets: readonly Secret[]): unknown {
  const known = [...secrets].filter((secret) => secret.reveal() !== '');
  known.sort((a, b) => b.reveal().length - a.reveal().length);
  return mapStrings(value, (text) => {
    let pieces: (string | { secret: string })[] = [text];
    for (const secret of known) {
      pieces = pieces.flatMap((piece) => {
        if (typeof piece !== 'string') return [piece];
        return piece.split(secret.reveal()).flatMap((part, i) => (i === 0 ? [part] : [{ secret: secret.name }, part]));
      });
    }
    return pieces.length === 1 ? text : { $sealed: pieces.filter((piece) => piece !== '') };
  });
}

/** The value as it was; the name of a secret that is not at hand stays in its place and is told to `missing`. */
export function unsealSecrets(value: unknown, secrets: readonly Secret[], missing: (name: string) => void): unknown {
  if (isSealed(value)) {
    const texts = value.$sealed.map((piece) => {
      if (typeof piece === 'string') return piece;
      const secret = secrets.find(({ name }) => name === piece.secret);
      if (secret === undefined) missing(piece.secret);
      return secret?.reveal() ?? `$${piece.secret}`;
    });
    return texts.join('');
  }
  if (Array.isArray(value)) return value.map((item) => unsealSecrets(item, secrets, missing));
  if (typeof value !== 'object' || value === null) return value;
  const pairs = Object.entries(value).map(([key, item]) => [unescapedKey(key), unsealSecrets(item, secrets, missing)]);
  return Object.fromEntries(pairs);
}

function mapStrings(value: unknown, each: (text: string) => unknown): unknown {
  if (typeof value === 'string') return each(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapedKey(key), mapStrings(item, each)]));
}

// A key `$sealed` of somebody's own data is written `$$sealed`, and so on.
const escapedKey = (key: string): string => (/^\$+sealed$/.test(key) ? `$${key}` : key);
const unescapedKey = (key: string): string => (/^\$\$+sealed$/.test(key) ? key.slice(1) : key);

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && '$sealed' in value;
}
