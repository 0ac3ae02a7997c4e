/**
 * A service for the tests of undo and sweep, in this process: just enough of the three interfaces to hold what a run leaves.
 * It answers in ways that the contract allows and a test sets where it refuses.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { createClient } from '../../target/client/index.ts';
import type { Client } from '../../target/client/types.ts';
import { parseProfile } from '../../target/profile/index.ts';
import type { Profile } from '../../target/profile/types.ts';
import type { LedgerEntry } from '../ledger.ts';
import { type CleanupResult, undo } from './index.ts';

export interface FixtureState {
  methods: { handle: string; reference: string | null; owner: string; points: unknown[]; title?: unknown }[];
  snippets: Record<string, string>;
  data: unknown;
  /** Codes of installations beside the one that the profile names. */
  installations: string[];
  settings: Record<string, string>;
  /** A call that changes several settings is served, and changes the last one only. */
  setsLastOnly?: boolean;
  status: string;
  premium: boolean;
  domains: { domainID: number; domain: string }[];
  password: string;
  /** How many tokens have come to their end by themselves. */
  endedTokens: number;
  /** The number of calls for which a token is valid. */
  tokenCalls: number;
  /** Calls with the present token. */
  usedToken: number;
  /** The status with which a token is refused that is not good. */
  tokenStatus: number;
  /** The present password is not taken for a new one. */
  refusesPresentPassword: boolean;
  /** So many passwords before the present one are not taken again. */
  passwordHistory: number;
  /** The passwords before the present one. */
  oldPasswords: string[];
  /** So many logins are refused, whatever they carry. */
  lockedLogins: number;
  /** After a change of the password, so many. */
  locksAfterChange: number;
  /** `METHOD path` of each call, in order. */
  calls: string[];
  /** Calls that are refused: a text that their `METHOD path` contains. */
  refused: string[];
  /** Calls that are answered as served and not carried out. */
  ignored: string[];
  /** Enabling what is enabled is refused, and so is disabling what is disabled. */
  refusesRepeats: boolean;
  /** Empty snippets and data are refused. */
  refusesEmpty: boolean;
  /** So many links to a next page of methods lead nowhere, one after the other. */
  brokenLinks: number;
}

const KEYS: Readonly<Record<string, string>> = {
  'private-key-1234': 'private',
  'other-key-123456': 'other',
  'public-key-12345': 'public',
};

export const FIXTURE_PROFILE = {
  v1: 'http://localhost/v1/',
  api: 'http://localhost/api/',
  delivery: {
    private: { apiKey: 'private-key-1234', otherApiKey: 'other-key-123456' },
    public: { apiKey: 'public-key-12345' },
  },
  apps: { apiKey: 'app-key-12345678', authCode: 'auth-code-123456' },
  reseller: { email: 'me@reseller.example', password: 'old-password-1' },
};

export function fixtureProfile(fields: object = FIXTURE_PROFILE): Profile {
  return parseProfile(JSON.stringify(fields), { file: 'fixture.json', folder: '/', env: {} });
}

export function newState(part: Partial<FixtureState> = {}): FixtureState {
  return {
    methods: [],
    snippets: {},
    data: null,
    installations: [],
    settings: { company: 'Old', tlds: 'lv,com' },
    status: 'enabled',
    premium: false,
    domains: [],
    password: 'old-password-1',
    endedTokens: 0,
    tokenCalls: Number.POSITIVE_INFINITY,
    usedToken: 0,
    tokenStatus: 401,
    refusesPresentPassword: false,
    passwordHistory: 0,
    oldPasswords: [],
    lockedLogins: 0,
    locksAfterChange: 0,
    calls: [],
    refused: [],
    ignored: [],
    refusesRepeats: false,
    refusesEmpty: false,
    brokenLinks: 0,
    ...part,
  };
}

export function fixtureClient(state: FixtureState, profile = fixtureProfile()): Client {
  return createClient({ profile, transport: (request) => respond(state, request) });
}

const served = (fields: object = {}): Response => Response.json({ error: false, ...fields });
const refused = (status = 404): Response =>
  Response.json({ error: true, error_code: status, error_message: 'no' }, { status });

/** Answers one request; also mounted on a real server by the tests of the command. */
export async function respond(state: FixtureState, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const call = `${request.method} ${url.pathname}`;
  state.calls.push(call);
  if (state.refused.some((text) => call.includes(text))) return refused(403);
  const dry = state.ignored.some((text) => call.includes(text));
  if (dry && url.pathname.startsWith('/api/')) return served();
  if (url.pathname.startsWith('/api/')) return reseller(state, url.pathname, new URLSearchParams(await request.text()));
  if (url.pathname.startsWith('/v1/apps/')) return apps(state, url, request);
  return delivery(state, url, request, dry);
}

async function delivery(state: FixtureState, url: URL, request: Request, dry: boolean): Promise<Response> {
  const owner = KEYS[request.headers.get('authorization')?.replace('ApiKey ', '') ?? ''];
  if (owner === undefined) return refused(401);
  const own = state.methods.filter((method) => method.owner === owner);
  if (url.pathname === '/v1/store/delivery_methods/') {
    // Two on a page, the link relative to the base as some services write it.
    const from = Number(url.searchParams.get('from') ?? 0);
    if (from > 0 && state.brokenLinks > 0) {
      state.brokenLinks -= 1;
      return refused(400);
    }
    const page = own.slice(from, from + 2).map(({ handle, reference, title }) => ({ handle, reference, title }));
    const next = from + 2 < own.length ? { next_page_uri: `/store/delivery_methods/?from=${from + 2}` } : {};
    return Response.json({ delivery_methods: page, ...next });
  }
  const handle = decodeURIComponent(/delivery_method\/([^/]+)\//.exec(url.pathname)?.[1] ?? '');
  const method = own.find((one) => one.handle === handle);
  if (method === undefined) return refused();
  if (url.pathname.endsWith('/batch_replace/')) {
    const body = (await request.json()) as { pickup_points: unknown[]; is_initialization: boolean };
    method.points = body.is_initialization ? body.pickup_points : [...method.points, ...body.pickup_points];
    return served();
  }
  if (request.method === 'DELETE') {
    if (!dry) state.methods = state.methods.filter((one) => one !== method);
    return served();
  }
  return Response.json({ delivery_method: { handle, reference: method.reference } });
}

async function apps(state: FixtureState, url: URL, request: Request): Promise<Response> {
  const code = url.searchParams.get('authCode') ?? '';
  if (code !== 'auth-code-123456' && !state.installations.includes(code)) return refused(401);
  if (url.pathname === '/v1/apps/delete/') {
    state.installations = state.installations.filter((other) => other !== code);
    return served();
  }
  const [, language] = /get_snippet\/(?:([^/]+)\/)?$/.exec(url.pathname) ?? [];
  if (url.pathname.includes('/get_snippet/')) return served({ snippet: state.snippets[language ?? ''] ?? null });
  if (url.pathname.endsWith('get_data/')) return served({ data: state.data });
  if (request.method === 'GET') return served({ languages: ['en'] });
  const body = (await request.json()) as { snippet?: string; language?: string; data?: unknown };
  if (state.refusesEmpty && (body.snippet ?? body.data) === '') return refused(422);
  if (url.pathname.endsWith('set_snippet/')) state.snippets[body.language ?? ''] = body.snippet ?? '';
  else state.data = body.data;
  return served();
}

function reseller(state: FixtureState, path: string, form: URLSearchParams): Response {
  const token = `token-${state.endedTokens}-of-${state.password}`;
  if (path === '/api/authorize/') {
    if (state.lockedLogins > 0) {
      state.lockedLogins -= 1;
      return refused(403);
    }
    return form.get('password') === state.password ? served({ apiToken: token }) : refused(401);
  }
  if (form.get('apiToken') !== token) return refused(state.tokenStatus);
  state.usedToken += 1;
  if (state.usedToken >= state.tokenCalls) {
    state.endedTokens += 1;
    state.usedToken = 0;
  }
  if (path === '/api/password/') {
    const wanted = form.get('password') ?? '';
    if (state.refusesPresentPassword && wanted === state.password) return refused(422);
    const { oldPasswords, passwordHistory } = state;
    if (passwordHistory > 0 && oldPasswords.slice(-passwordHistory).includes(wanted)) return refused(422);
    oldPasswords.push(state.password);
    state.password = wanted;
    state.lockedLogins = state.locksAfterChange;
  } else if (path === '/api/settings/') return served(state.settings);
  else if (path === '/api/settings/set/') {
    const given = [...form].filter(([name]) => name !== 'apiToken');
    for (const [name, value] of state.setsLastOnly ? given.slice(-1) : given) state.settings[name] = value;
  } else if (path.endsWith('/enable/') || path.endsWith('/disable/')) {
    const wanted = path.endsWith('/enable/') ? 'enabled' : 'disabled';
    if (state.refusesRepeats && state.status === wanted) return refused(422);
    state.status = wanted;
  } else if (path.endsWith('/disable_premium/')) {
    if (!state.premium) return refused(409);
    state.premium = false;
  } else if (path === '/api/websites/')
    return served({ websites: [{ websiteID: 5, websiteIsPremium: state.premium }] });
  else if (path.endsWith('/domains/')) return served({ domains: state.domains });
  else if (path.endsWith('/remove/')) {
    const id = Number(/domain\/(\d+)\//.exec(path)?.[1]);
    state.domains = state.domains.filter(({ domainID }) => domainID !== id);
  }
  return served();
}

/** Serves a state over HTTP; `stateOf` is asked for it at each request, `undefined` for a service that does not answer. */
export function serverOf(stateOf: () => FixtureState | undefined): Server {
  return createServer(async (request, response) => {
    const state = stateOf();
    if (state === undefined) return;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
    const init = { method: request.method ?? 'GET', headers, ...(body.length === 0 ? {} : { body }) };
    const got = await respond(state, new Request(`http://localhost${request.url}`, init));
    response.writeHead(got.status, { 'content-type': 'application/json' });
    response.end(await got.text());
  });
}

/** How the tests undo: with the mark of one run, and without waiting. */
export const RUN = { run: 'run-1', mark: 'pm-run-1', sleep: async () => undefined };

/** Undoes twice: the second time must find the same, and do no harm. */
export async function undoTwice(entry: LedgerEntry, state: FixtureState): Promise<CleanupResult> {
  const client = fixtureClient(state);
  const first = await undo(entry, client, fixtureProfile(), RUN);
  // Tokens and locks are no state that anything is put back to.
  const kept = () => structuredClone({ ...state, calls: [], endedTokens: 0, usedToken: 0, lockedLogins: 0 });
  const between = kept();
  const second = await undo(entry, client, fixtureProfile(), RUN);
  assert.deepEqual(second, first);
  assert.deepEqual(kept(), between);
  return first;
}
