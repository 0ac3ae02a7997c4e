/** Why a key, a code or a token was refused. Names the kind of key that was sent, never the key. */
import { pathOf } from '../../contracts/operations/index.ts';
import { param } from '../http/call.ts';
import type { MockService } from '../types/service.ts';
import type { OwnerId } from '../types/text.ts';
import { knownValue, unwrapped } from './other-values.ts';
import type { RefusedRequest } from './request.ts';

const AUTHORIZE = `/api/${pathOf('authorize', {})}`;

type Kind = 'store' | 'provider' | 'app';
const OF: Readonly<Record<Kind, string>> = { store: 'a store', provider: 'a delivery provider', app: 'an app' };

/** A longer word is not a scheme. */
const MAX_SCHEME_CHARACTERS = 20;
const WHERE = 'the keys of this service are printed where it was started';
const KEY_ELSEWHERE = /^(?:x-)?api[-_]?(?:key|token)$/i;

/** Why the key of a Delivery call was refused. */
export function deliveryKeyHint(service: MockService, request: RefusedRequest): string {
  const wrong = headerHint(request);
  if (wrong !== undefined) return wrong;
  const kind = kindOf(service, keyIn(request.headers));
  if (kind === 'app')
    return 'this is the key of an app: Delivery calls take the key of a store or of a delivery provider';
  if (kind === undefined)
    return `neither a store nor a delivery provider has this key: ${nearHint(service, keyIn(request.headers))}`;
  return kind === 'store'
    ? 'this call is for delivery providers: it takes the key of a delivery provider, not that of a store'
    : 'this key is valid, but is not allowed to do this';
}

/** Why the key or code of an Apps call was refused. */
export function appsKeyHint(service: MockService, request: RefusedRequest): string {
  const wrong = headerHint(request);
  if (wrong !== undefined) return wrong;
  const key = keyIn(request.headers);
  const kind = kindOf(service, key);
  if (kind === undefined) {
    return service.state.installations.find(({ authCode }) => authCode === key) === undefined
      ? `no app has this key: ${nearHint(service, key)}`
      : 'this is an authCode: the header takes the key that the app was issued, and the authCode goes into the query';
  }
  if (kind !== 'app') return `this is the key of ${OF[kind]}: Apps calls take the key that the app was issued`;
  const query = pairsIn(request.query);
  const code = param(query, 'authCode');
  if (code === null || code === '') return codeElsewhere(request);
  const installation = service.state.installations.find((row) => row.authCode === code);
  const named = knownValue(service, code) ?? (kindOf(service, code) && 'a key');
  if (named !== undefined && named !== 'an authCode')
    return `authCode has ${named}: it takes the code that came with the second load of the install address`;
  const wrapped = unwrapped(code).find(([, inner]) => knownValue(service, inner) === 'an authCode');
  if (wrapped !== undefined) return `the authCode is ${wrapped[0]}: send it as it came, percent-encoded once`;
  if (installation === undefined)
    return 'no installation has this authCode: it comes with the second load of the install address, and ends when the app is uninstalled';
  return 'this authCode belongs to an installation of another app: each app uses the codes of its own installations';
}

function codeElsewhere({ query, body, headers }: RefusedRequest): string {
  const spelled = pairsIn(query).find(([name]) => name.replaceAll(/[-_]/g, '').toLowerCase() === 'authcode')?.[0];
  if (spelled !== undefined && spelled !== 'authCode') return `the query parameter is authCode, not ${spelled}`;
  const header = [...headers.keys()].find((name) => /^(?:x-)?auth[-_]?code$/i.test(name));
  if (header !== undefined)
    return `authCode goes into the query, not into the header ${header}: add ?authCode=CODE to the address`;
  if (/auth_?code/i.test(body))
    return 'authCode goes into the query, not into the body: add ?authCode=CODE to the address';
  return 'authCode is missing: add ?authCode=CODE to the address of every Apps call';
}

/** Why the credentials or token of a Reseller call were refused. */
export function resellerHint(service: MockService, request: RefusedRequest): string {
  const form = /json/i.test(request.headers.get('content-type') ?? '') ? [] : pairsIn(request.body);
  const all = [...pairsIn(request.query), ...form];
  const asJson = request.body.trimStart().startsWith('{')
    ? ': parameters go into the query or a form, not into JSON'
    : '';
  if (/^\/api\/+authorize\/*$/.test(request.path)) {
    const missing = ['email', 'password'].filter((name) => (param(all, name) ?? '') === '');
    if (missing.length > 0) return `send ${missing.join(' and ')}${asJson}`;
    return loginHint(service, param(all, 'email') ?? '', param(all, 'password') ?? '');
  }
  const token = param(all, 'apiToken');
  if (token !== null) return tokenHint(service, token);
  if (request.headers.has('authorization')) return 'the token is the parameter apiToken, not the header Authorization';
  const header = [...request.headers.keys()].find((name) => TOKEN_HEADER.test(name));
  if (header !== undefined) return `the token is the parameter apiToken, not the header ${header}`;
  if (/(?:^|;\s*)api_?token=/i.test(request.headers.get('cookie') ?? ''))
    return 'the token is the parameter apiToken, not a cookie';
  const spelled = all.find(([name]) => /^(?:api)?[-_]?token$/i.test(name))?.[0];
  if (spelled !== undefined) return `the parameter is apiToken, not ${spelled}`;
  return `apiToken is missing: call ${AUTHORIZE}, and send its apiToken as a parameter of every other call${asJson}`;
}

function loginHint({ state }: MockService, email: string, password: string): string {
  const accountOf = (text: string) => state.resellers.find((row) => row.email.toLowerCase() === text.toLowerCase());
  const known = accountOf(email);
  if (known === undefined) {
    if (accountOf(password)) return 'email and password are exchanged';
    return accountOf(withPlus(email)) ? PLUS : 'no reseller has this email';
  }
  if (!known.approved) return 'this account is not approved as a reseller';
  if (known.password === withPlus(password)) return PLUS;
  return known.password === password.trim()
    ? 'the password has a space or a line break around it'
    : 'the password is wrong';
}

/** A form or a query has a space where a client sent a bare plus sign. */
const withPlus = (text: string): string => text.replaceAll(' ', '+');
const PLUS = 'a bare plus sign means a space in a form and in a query: encode it as %2B';

function tokenHint(service: MockService, token: string): string {
  const again = `call ${AUTHORIZE} for a new one`;
  if (token === '') return `apiToken is empty: ${again}`;
  const kind = kindOf(service, token);
  const named = kind === undefined ? knownValue(service, token) : `the key of ${OF[kind]}`;
  return named === undefined
    ? `this apiToken is not valid any more, or never was: ${again}`
    : `apiToken has ${named}: ${again}`;
}

const TOKEN_HEADER = /^(?:x-)?(?:api|access)[-_]?token$/i;
/** The name of a key in JSON or in a form. */
const KEY_IN_BODY = /(?:^|[&"])(?:x-)?api[-_]?key(?:"\s*:|=)/i;

/** What is wrong with the header itself. */
function headerHint({ headers, query, body }: RefusedRequest): string | undefined {
  const header = headers.get('authorization');
  const expected = 'Authorization: ApiKey KEY';
  if (header === null) {
    const other = [...headers.keys(), ...pairsIn(query).map(([name]) => name)].find((name) => KEY_ELSEWHERE.test(name));
    if (other === undefined && KEY_IN_BODY.test(body))
      return `the key goes into the header ${expected}, not into the body`;
    return other === undefined
      ? `send the header ${expected}`
      : `the key goes into the header ${expected}, not into ${other}`;
  }
  if (/^apikey .*, *apikey /i.test(header)) return `the header Authorization came twice: send it once, ${expected}`;
  const [scheme = '', ...rest] = header.trim().split(/\s+/);
  const [, mark] = /^apikey([:=])/i.exec(scheme) ?? [];
  if (mark !== undefined) return `a space follows the word ApiKey, and no "${mark}": ${expected}`;
  if (rest.length === 0)
    return /^apikey$/i.test(scheme)
      ? `the key is missing: ${expected}`
      : `the word ApiKey and a space come before the key: ${expected}`;
  if (!/^apikey$/i.test(scheme)) {
    const shown = /^[A-Za-z][A-Za-z-]*$/.test(scheme) && scheme.length <= MAX_SCHEME_CHARACTERS;
    return shown ? `the scheme is ApiKey, not ${scheme}` : `the scheme is ApiKey: ${expected}`;
  }
  if (rest.length > 1)
    return 'the key has a space in it: one space belongs between ApiKey and the key, and none in the key';
  if (/^(?:api_?)?(?:key|token)[=:]/i.test(rest[0] ?? '')) return `the key is alone, without a name: ${expected}`;
  if (/^["'<{$]|["'>}]$/.test(rest[0] ?? ''))
    return 'the key has quotes, brackets or an unresolved variable around it: send it bare';
  return /^\S+ \S+$/.test(header.trim()) ? undefined : `one space belongs between ApiKey and the key: ${expected}`;
}

/** The key in the header of a request; '' if it has none. */
export const keyIn = (headers: Headers): string => (headers.get('authorization') ?? '').trim().split(/\s+/)[1] ?? '';

/** Whose methods a key opens. */
export function ownerWithKey({ state }: MockService, key: string): OwnerId | undefined {
  const website = state.websites.find(({ apiKey }) => apiKey === key);
  if (website) return `website:${website.id}`;
  const provider = state.providers.find(({ apiKey }) => apiKey === key);
  return provider && `provider:${provider.id}`;
}

function keysOf({ state }: MockService): (readonly [Kind, string])[] {
  return [
    ...state.websites.all().map(({ apiKey }) => ['store', apiKey] as const),
    ...state.providers.all().map(({ apiKey }) => ['provider', apiKey] as const),
    ...state.apps.all().map(({ apiKey }) => ['app', apiKey] as const),
  ];
}

const kindOf = (service: MockService, key: string): Kind | undefined =>
  keysOf(service).find(([, known]) => known === key)?.[0];

function nearHint(service: MockService, key: string): string {
  const folded = keysOf(service).find(([, known]) => known.toLowerCase() === key.toLowerCase())?.[0];
  if (folded !== undefined) return `apart from the case of its letters, it is that of ${OF[folded]}`;
  const cut = keysOf(service).find(
    ([, known]) => key.length > 8 && (known.startsWith(key) || key.startsWith(known)),
  )?.[0];
  const isKey = (text: string): boolean => keysOf(service).some(([, known]) => known === text);
  const wrapped = unwrapped(key).find(([, inner]) => isKey(inner));
  if (wrapped !== undefined) return `it is one ${wrapped[0]}: send it bare`;
  const named = knownValue(service, key);
  if (named !== undefined) return `it is ${named}`;
  return cut === undefined ? WHERE : `it begins like that of ${OF[cut]}, but has another length`;
}

function pairsIn(text: string): [string, string][] {
  return [...new URLSearchParams(text)];
}
