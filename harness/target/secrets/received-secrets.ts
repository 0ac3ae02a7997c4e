/**
 * Secrets that were not configured: tokens, codes and login links that a service hands out while a run is on. They are made
 * known to the redaction before the exchange that brought them is written.
 */

import type { RecordedExchange } from '../../evidence/recorded-exchange.ts';
import { holdsSecret } from '../../evidence/redaction/credential-names.ts';
import { formText, jsonText } from '../../evidence/redaction/encoded-text.ts';
import type { Redaction } from '../../evidence/redaction/index.ts';

/** Names of the spec under which a secret travels: fields of responses, parameters of requests. */
const NAMES: Readonly<Record<string, string>> = {
  apitoken: 'API_TOKEN',
  loginurl: 'LOGIN_URL',
  authcode: 'AUTH_CODE',
  password: 'PASSWORD',
  app_secret: 'APP_SECRET',
};

const IN_JSON = /"((?:[^"\\]|\\.){1,80})"\s*:\s*"((?:[^"\\]|\\.)+)"/g;
const IN_FORM = new RegExp(`(?:^|[?&;\\s])(${Object.keys(NAMES).join('|')})=([^&#\\s"'<>]+)`, 'gi');
/** Says quickly that a text has no such name. */
const ANY_NAME = /apitoken|loginurl|authcode|passw|passphrase|secret|api[-_]?key|access[-_]?token|private[-_]?key/i;

/** `https://user:password@host/` */
const PASSWORD_IN_ADDRESS = /:\/\/[^/?#@:\s]{0,200}:([^/?#@\s]{1,400})@/g;

/** Calls whose response hands out a credential: a target may put it under another name than the contract does. */
const HANDS_OUT = /\/authorize\/?(?:\?|$)|\/website\/[^/?]*\/login\/?(?:\?|$)/i;
/** Of such a response: one word with a digit in it, as long as a token. Messages have spaces. */
const LIKE_A_TOKEN = /^(?=.*\d)\S{16,}$/;

/** A value this short is a test's wrong guess, not a secret; it would blacken ordinary words. */
const MIN_CHARS = 8;
/** No header and no address could carry a longer one, and each is looked for from then on. */
const MAX_CHARS = 16 * 1024;
/** Where in a large body credentials could still be; the rest is data. */
const MAX_SEARCHED_BYTES = 256 * 1024;

/** One exchange that hands out more is a list of user data, of which the redaction keeps the latest anyhow. */
const MAX_LEARNED_AT_ONCE = 1_000;

/** Finds such values in an exchange and adds them to the redaction. */
export function learnSecrets(exchange: RecordedExchange, redaction: Redaction): void {
  learnFrom(exchange.request.url, redaction);
  learnFrom(exchange.request.body, redaction);
  // On one host name a browser sends the sessions of the target's pages to the harness as well, whatever the port.
  if (exchange.direction === 'received')
    for (const [name, value] of exchange.request.headers)
      if (name.toLowerCase() === 'cookie') for (const pair of String(value).split(';')) learnCookie(pair, redaction);
  if (exchange.response === undefined) return;
  learnFrom(exchange.response.body, redaction);
  if (HANDS_OUT.test(exchange.request.url) && exchange.response.status < 300)
    learnAllTokens(exchange.response.body, redaction);
  for (const [name, value] of exchange.response.headers) {
    if (name.toLowerCase() === 'location') {
      learnFrom(String(value), redaction);
      for (const [, password = ''] of String(value).matchAll(PASSWORD_IN_ADDRESS))
        if (isFresh(redaction, password)) add(redaction, 'password', password);
    }
    if (name.toLowerCase() === 'set-cookie') learnCookie(String(value), redaction);
  }
}

/** A cookie as long as a session's opens a user's pages; shorter ones keep a language or a choice. */
const MIN_SESSION_CHARS = 16;

function learnCookie(header: string, redaction: Redaction): void {
  const value = /^[^=;]*=\s*"?([^;"]+)/.exec(header)?.[1]?.trim() ?? '';
  if (value.length >= MIN_SESSION_CHARS && redaction.text(value) === value) {
    redaction.add({ name: 'COOKIE', value, learned: true });
  }
}

function learnAllTokens(source: string | Uint8Array | undefined, redaction: Redaction): void {
  const found = [...textOf(source).matchAll(IN_JSON)].map(
    ([, name = '', value = '']) => [name, jsonText(value)] as const,
  );
  learnAll(
    found.filter(([, value]) => LIKE_A_TOKEN.test(value)),
    redaction,
  );
}

const textOf = (source: string | Uint8Array | undefined): string =>
  source instanceof Uint8Array ? Buffer.from(source.subarray(0, MAX_SEARCHED_BYTES)).toString('utf8') : (source ?? '');

function learnFrom(source: string | Uint8Array | undefined, redaction: Redaction): void {
  const text = textOf(source);
  if (!ANY_NAME.test(text)) return;
  const found: [name: string, value: string][] = [];
  for (const [, name = '', value = ''] of text.matchAll(IN_JSON)) {
    // Custom field values may be a store's own passwords at its courier.
    if (Object.hasOwn(NAMES, name.toLowerCase()) || holdsSecret(name)) found.push([name, jsonText(value)]);
  }
  for (const [, name = '', value = ''] of text.matchAll(IN_FORM)) found.push([name, formText(value)]);
  learnAll(found, redaction);
}

function learnAll(found: readonly (readonly [name: string, value: string])[], redaction: Redaction): void {
  // All are searched for before the first is added: adding one makes the next search slower.
  const fresh = found
    .map(([name, value]) => [name, withoutOrigin(value)] as const)
    .filter(([, value]) => isFresh(redaction, value))
    .slice(-MAX_LEARNED_AT_ONCE);
  for (const [name, value] of fresh) add(redaction, name, value);
}

/** What the redaction knows already keeps its own name. */
const isFresh = (redaction: Redaction, value: string): boolean =>
  value.length >= MIN_CHARS && value.length <= MAX_CHARS && redaction.text(value) === value;

const add = (redaction: Redaction, name: string, value: string): void =>
  redaction.add({
    name: NAMES[name.toLowerCase()] ?? `FIELD_${name.replaceAll(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`,
    value,
    learned: true,
  });

/** What of a login link is secret, whatever its name: its host is the address of half the report. */
function withoutOrigin(link: string): string {
  if (!/^https?:/i.test(link) || !URL.canParse(link)) return link;
  const { origin } = new URL(link);
  return link.startsWith(origin) ? link.slice(origin.length) : link;
}
