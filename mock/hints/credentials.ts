/** Why a key, a code or a token was refused. Names the kind of key that was sent, never the key. */
import { pathOf } from '../../contracts/operations/index.ts';
import { param } from '../http/call.ts';
import type { MockService } from '../types/service.ts';
import type { OwnerId } from '../types/text.ts';
import type { RefusedRequest } from './request.ts';

const AUTHORIZE = `/api/${pathOf('authorize', {})}`;

type Kind = 'store' | 'provider' | 'app';
const OF: Readonly<Record<Kind, string>> = { store: 'a store', provider: 'a delivery provider', app: 'an app' };

/** A longer word is not a scheme. */
const MAX_SCHEME_CHARACTERS = 20;
const WHERE = 'the keys of this service are printed where it was started';
const KEY_ELSEWHERE = /^(?:x-)?api[-_]?(?:key|token)$/i;

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

export function resellerHint(service: MockService, request: RefusedRequest): string {
  const form = /json/i.test(request.headers.get('content-type') ?? '') ? [] : pairsIn(request.body);
  const all = [...pairsIn(request.query), ...form];
  const asJson = request.body.trimStart().startsWith('{')
    ? ': parameters go into the query or a form, not into JSON'
    : '';
  if (/^\/api\/+authorize\/*$/.test(request.path)) {
    const missing = ['email', 'password'].filter((name) => (param(all, name) ?? '') === '');
    if (missing.length > 0) return `send ${missing.join(' and ')}${asJson}`;
    const known = service.state.resellers.find((row) => row.email.toLowerCase() === param(all, 'email')?.toLowerCase());
    if (known === undefined) return 'no reseller has this email';
    return known.approved ? 'the password is wrong' : 'this account is not approved as a reseller';
  }
  const token = param(all, 'apiToken');
  if (token !== null) return `this apiToken is not valid any more, or never was: call ${AUTHORIZE} for a new one`;
  if (request.headers.has('authorization')) return 'the token is the parameter apiToken, not the header Authorization';
  const spelled = all.find(([name]) => /^(?:api)?[-_]?token$/i.test(name))?.[0];
  if (spelled !== undefined) return `the parameter is apiToken, not ${spelled}`;
  return `apiToken is missing: call ${AUTHORIZE}, and send its apiToken as a parameter of every other call${asJson}`;
}

/** What is wrong with the header itself. */
function headerHint({ headers, query }: RefusedRequest): string | undefined {
  const header = headers.get('authorization');
  const expected = 'Authorization: ApiKey KEY';
  if (header === null) {
    const other = [...headers.keys(), ...pairsIn(query).map(([name]) => name)].find((name) => KEY_ELSEWHERE.test(name));
    return other === undefined
      ? `send the header ${expected}`
      : `the key goes into the header ${expected}, not into ${other}`;
  }
  if (/^apikey .*, *apikey /i.test(header)) return `the header Authorization came twice: send it once, ${expected}`;
  const [scheme = '', ...rest] = header.trim().split(/\s+/);
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
  return cut === undefined ? WHERE : `it begins like that of ${OF[cut]}, but has another length`;
}

function pairsIn(text: string): [string, string][] {
  return [...new URLSearchParams(text)];
}
