/** For tests: what an app does in each situation of the contract, in a few words a situation. */
import { createHash, createHmac } from 'node:crypto';
import { installHash, type Pairs } from '../../../contracts/install-hash/index.ts';
import type { Stub, StubRequest } from './stub.ts';

export interface AppUnderTest {
  readonly origin: string;
  readonly apiKey: string;
  readonly appSecret: string;
  readonly stub: Stub;
}

const CALLBACK = 'http://store.example/back/visit-1';
/** More calls than any load makes: an app that makes them goes on and on, and no test waits for its response. */
const MANY = 12;
const POLL_MS = 20;
const RESPONSE_TIMEOUT_MS = 60_000;
const REPEATED = 3;

const visit = (more: Pairs = []): Pairs => [
  ...more,
  ['appId', '3001'],
  ['language', 'lv'],
  ['callback', CALLBACK],
  ['platformVersion', '2.14.0'],
];
const encoded = (pairs: Pairs): string => new URLSearchParams(pairs.map(([name, value]) => [name, value])).toString();

/** Situation -> what was seen. Situations whose name holds `forged` are refused by a correct app. */
export async function probeApp(app: AppUnderTest): Promise<Record<string, string>> {
  const { appSecret, apiKey, stub } = app;
  const seen: Record<string, string> = {};
  const bodies: string[] = [];
  const right = (pairs: Pairs): string => installHash(encoded(pairs), appSecret, 'javascript');
  const open = async (name: string, path: string, pairs: Pairs, hash: string | null): Promise<void> => {
    stub.take();
    const query = encoded(hash === null ? pairs : [...pairs, ['hash', hash]]);
    const endless = new AbortController();
    const watch = setInterval(
      () => name.includes('service refuses') && stub.arrivals() > MANY && endless.abort(),
      POLL_MS,
    );
    const response = await fetch(`${app.origin}${path}?${query}`, {
      redirect: 'manual',
      signal: AbortSignal.any([endless.signal, AbortSignal.timeout(RESPONSE_TIMEOUT_MS)]),
    }).catch(() => undefined);
    clearInterval(watch);
    const body = (await response?.text().catch(() => '')) ?? '';
    bodies.push(body, JSON.stringify([...(response?.headers ?? [])]));
    const calls = stub.take();
    const shown = response === undefined ? 'no answer' : shownBy(response, body);
    const refused = name.includes('forged') && calls.length === 0 && !GRANTED.test(shown);
    seen[name] = refused ? 'refused' : [shown, ...callsInWords(calls, apiKey)].join('; ');
  };

  const first = visit();
  const odd = visit([['shop', 'a&b=ü%']]);
  await open('first load', '/install', first, right(first));
  await open('first load with an unknown parameter', '/install', odd, right(odd));
  await open('first load in another order', '/install', first.toReversed(), right(first.toReversed()));
  for (const [load, path, pairs] of [
    ['first load', '/install', first],
    ['second load', '/install', visit([['authCode', 'code-a']])],
    ['settings', '/settings', visit([['authCode', 'code-a']])],
  ] as const) {
    await open(`${load} forged: no hash`, path, pairs, null);
    await open(`${load} forged: a hash of nothing`, path, pairs, 'f'.repeat(64));
  }
  const hash = right(first);
  const forgeries: ReadonlyArray<readonly [string, Pairs, string]> = [
    ['in capitals', first, hash.toUpperCase()],
    ['eight characters of it', first, hash.slice(0, 8)],
    ['the last character changed', first, hash.slice(0, -1) + (hash.endsWith('0') ? '1' : '0')],
    ['lengthened', first, `${hash}0`],
    ['made with the key', first, createHmac('sha256', apiKey).update(encoded(first)).digest('hex')],
    ['parameter added', visit([['extra', '1']]), hash],
    ['parameter changed', first.map(([name, value]) => [name, name === 'appId' ? '3002' : value]), hash],
    ['reordered', first.toReversed(), hash],
  ];
  const coded = visit([['authCode', 'code-a']]);
  await open('second load forged: authCode added', '/install', coded, hash);
  for (const [name, pairs, forged] of forgeries) await open(`first load forged: ${name}`, '/install', pairs, forged);

  for (const code of ['code-a', 'code-b']) {
    const pairs = visit([['authCode', code]]);
    await open(`second load of ${code}`, '/install', pairs, right(pairs));
    await open(`settings of ${code}`, '/settings', pairs, right(pairs));
  }
  const again = visit([['authCode', 'code-a']]);
  stub.refuse(true);
  await open('second load, and the service refuses', '/install', again, right(again));
  stub.refuse(false);
  for (const path of ['/app.js', '/help']) bodies.push(await (await fetch(app.origin + path)).text());
  seen['seen by the browser'] = leaks(bodies, { key: apiKey, secret: appSecret });
  const manifest = (await (await fetch(`${app.origin}/manifest.json`)).json()) as Record<string, unknown>;
  const another = typeof manifest.app_secret === 'string' ? 'another' : manifest.app_secret;
  seen.manifest = JSON.stringify({
    ...manifest,
    app_secret: manifest.app_secret === appSecret ? 'the secret' : another,
  }).replaceAll(app.origin, '');
  const icon = Buffer.from(await (await fetch(`${app.origin}/icon.png`)).arrayBuffer());
  seen.icon = createHash('sha256').update(icon).digest('hex').slice(0, 8);
  return seen;
}

/** What only an authentic request gets: the return redirect, or a page of the app's own use. */
const GRANTED = /^(back|200 (Settings|Greeting is|Welcome))/;

function shownBy(response: Response, body: string): string {
  const location = response.headers.get('location');
  if (location?.startsWith(`${CALLBACK}?`)) return `back with ${location.slice(CALLBACK.length + 1)}`;
  if (location !== null) return `elsewhere: ${new URL(location, response.url).pathname}`;
  return `${response.status} ${/<title>(.*?)<\/title>/.exec(body)?.[1] ?? 'without a page'}`;
}

function callsInWords(calls: readonly StubRequest[], apiKey: string): string[] {
  const words = calls.map(({ method, path, query, authorization, contentType, body }) => {
    const key = authorization === `ApiKey ${apiKey}` ? 'key' : 'another key';
    const type = body !== '' && !contentType.startsWith('application/json') ? ' not as JSON' : '';
    const sent = encoded(query).replace('authCode=', '');
    return `${method} ${path.replace('/v1/apps/', '')} ${sent} ${key}${type} ${inOneForm(body)}`.trim();
  });
  const repeated = words.length > REPEATED && new Set(words).size === 1;
  return repeated ? [`again and again: ${words[0]}`] : words;
}

function leaks(bodies: readonly string[], secrets: Readonly<Record<string, string>>): string {
  const all = bodies.join('\n');
  const plain =
    all +
    [...all.matchAll(/[A-Za-z0-9+/]{24,}={0,2}/g)].map(([text]) => atob(text!.slice(0, text!.length & ~3))).join('\n');
  const found = Object.entries(secrets).filter(([, value]) => plain.includes(value));
  return found.length === 0 ? 'no secret' : found.map(([name]) => name).join(', ');
}

/** JSON as every language writes it alike. */
function inOneForm(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return body;
  }
}
