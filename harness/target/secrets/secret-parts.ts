/**
 * Parts of a secret that open something by themselves. A gate takes `Basic c3RhZ2U6cHc=`, and its error page greets with the user and
 * the password in it; a cookie is repeated by its value alone. Redaction by value finds a part only if it knows it.
 */
import { Secret } from './secret.ts';

/** `Basic …`, `Bearer …`, `ApiKey …`: a scheme, and what belongs to it alone. */
const SCHEME = /^[A-Za-z][\w-]*\s+(\S+)$/;
const COOKIE = /^(?:set-)?cookie$/i;

/** Of the value of a header of the profile, under the name of the whole. */
export function partsOfHeader(name: string, value: Secret): Secret[] {
  const text = value.reveal();
  const [, credentials] = SCHEME.exec(text) ?? [];
  const parts = COOKIE.test(name)
    ? text.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    : credentials === undefined
      ? []
      : [
          credentials,
          ...(/^basic\s/i.test(text) ? partsOfUser(Buffer.from(credentials, 'base64').toString('utf8')) : []),
        ];
  return named(parts, value);
}

/** Of the address of a proxy: its password, as written and decoded; its user where nothing else opens the proxy. */
export function partsOfProxy(address: Secret): Secret[] {
  const url = URL.parse(address.reveal());
  if (url === null) return [];
  const { username, password } = url;
  const written = password === '' ? [username] : [password, `${username}:${password}`];
  return named([...written, ...written.map(decoded)], address);
}

const partsOfUser = (pair: string): string[] => (pair.includes(':') ? [pair, pair.slice(pair.indexOf(':') + 1)] : []);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const named = (parts: readonly string[], whole: Secret): Secret[] =>
  [...new Set(parts)].filter((part) => part !== '').map((part) => new Secret(whole.name, part));
