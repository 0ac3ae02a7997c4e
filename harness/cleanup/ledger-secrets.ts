/**
 * Old values have to be written down to be put back, and may hold a secret of the profile (app data with the app's own key,
 * say). There its name is written, and the value is put in again from the profile when it is needed.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Secret } from '../target/secrets/secret.ts';

/** The name of a secret; one variable may be a secret as a whole and in parts, which `nth` counts from 0. */
interface SealedSecret {
  readonly secret: string;
  readonly nth?: number;
}

/** A text in pieces: strings, and names of secrets. */
interface Sealed {
  readonly $sealed: ReadonlyArray<string | SealedSecret>;
}

/** The JSON value with the secrets in its strings replaced by their names. */
export function sealSecrets(value: unknown, secrets: readonly Secret[]): unknown {
  const known = [...secrets].filter((secret) => secret.reveal() !== '');
  known.sort((a, b) => b.reveal().length - a.reveal().length);
  return mapStrings(value, (text) => {
    let pieces: (string | SealedSecret)[] = [text];
    for (const secret of known) {
      pieces = pieces.flatMap((piece) => {
        if (typeof piece !== 'string') return [piece];
        const name = nameOf(secret, secrets);
        return piece.split(secret.reveal()).flatMap((part, i) => (i === 0 ? [part] : [name, part]));
      });
    }
    return pieces.length === 1 ? text : { $sealed: pieces.filter((piece) => piece !== '') };
  });
}

/** The value as it was; the name of a secret that is not at hand stays in its place and is passed to `missing`. */
export function unsealSecrets(value: unknown, secrets: readonly Secret[], missing: (name: string) => void): unknown {
  if (isSealed(value)) {
    const texts = value.$sealed.map((piece) => {
      if (typeof piece === 'string') return piece;
      const secret = secrets.filter(({ name }) => name === piece.secret)[piece.nth ?? 0];
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

function nameOf(secret: Secret, all: readonly Secret[]): SealedSecret {
  const nth = all.filter(({ name }) => name === secret.name).indexOf(secret);
  return nth > 0 ? { secret: secret.name, nth } : { secret: secret.name };
}

function mapStrings(value: unknown, each: (text: string) => unknown): unknown {
  if (typeof value === 'string') return each(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [escapedKey(key), mapStrings(item, each)]));
}

// A key `$sealed` of user data is written `$$sealed`, and so on.
const escapedKey = (key: string): string => (/^\$+sealed$/.test(key) ? `$${key}` : key);
const unescapedKey = (key: string): string => (/^\$\$+sealed$/.test(key) ? key.slice(1) : key);

function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && '$sealed' in value && Array.isArray(value.$sealed);
}

/** A code that the target handed out during the run, readable only with a secret of the profile: base64 of nonce, tag, text. */
export interface SealedCode {
  readonly aesGcm: string;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts a code, so that the ledger holds nothing that opens anything by itself. */
export function sealCode(code: string, under: Secret): SealedCode {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(under), nonce);
  const text = Buffer.concat([cipher.update(code, 'utf8'), cipher.final()]);
  return { aesGcm: Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64') };
}

/** The code as it was; undefined when it was sealed under another secret. */
export function openCode({ aesGcm }: SealedCode, under: Secret): string | undefined {
  const bytes = Buffer.from(aesGcm, 'base64');
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(under), bytes.subarray(0, NONCE_BYTES));
    decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

const keyOf = (under: Secret): Buffer =>
  Buffer.from(hkdfSync('sha256', under.reveal(), 'proofmark', 'code in the ledger of a run', 32));
