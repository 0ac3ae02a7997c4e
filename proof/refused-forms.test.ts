// A service that never serves a documented operation, or one documented form of it, is not conformant, however it answers the rest.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchesAny } from '../contracts/run/glob.ts';
import { runInProcess, runsInProcess } from '../harness/runner/in-process.ts';
import type { Wire, WireRequest, WireResponse } from '../harness/target/network/network.ts';
import { SUITES } from '../suites/index.ts';
import { isDrawn } from './draw.ts';
import { CORRECT, openRow } from './matrix/rows.ts';

const IS_SOAK = process.env.PROOFMARK_SOAK === '1';
/** In `npm test` one in so many; the soak tries all, with all checks. */
const SAMPLE = IS_SOAK ? 1 : 3;

/** A request, as far as a row looks at it. */
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  /** The body where it is JSON. */
  readonly json: Record<string, unknown>;
  readonly text: string;
}

interface Row {
  /** What is refused. */
  readonly form: string;
  readonly refuses: (sent: Sent) => boolean;
  /** The checks that one of `npm test` runs. */
  readonly checks: readonly string[];
  /** The contract leaves the values to the service: the run says that something is undecided. */
  readonly isUndecided?: true;
}

const isBatch = ({ path }: Sent): boolean => path.endsWith('/batch_replace/');
const flags = ({ json }: Sent): string => `${json.is_initialization} ${json.is_finalization}`;
const ofMethod = /\/delivery_method\/[^/]+\/$/;
const ofPoint = /\/pickup_point\/[^/]+\/$/;
const severalHandles = ({ path }: Sent): boolean => /\/delivery_method\/[^/]*(?:,|%2C)/.test(path);
const BATCH = ['delivery.batch.*'];
const METHODS = ['delivery.method.*'];
const POINTS = ['delivery.point.*'];

const ROWS: readonly Row[] = [
  {
    form: 'an is_initialization of true',
    refuses: (sent) => isBatch(sent) && /^true/.test(flags(sent)),
    checks: BATCH,
  },
  {
    form: 'an is_initialization of false',
    refuses: (sent) => isBatch(sent) && /^false/.test(flags(sent)),
    checks: BATCH,
  },
  { form: 'an is_finalization of true', refuses: (sent) => isBatch(sent) && /true$/.test(flags(sent)), checks: BATCH },
  {
    form: 'an is_finalization of false',
    refuses: (sent) => isBatch(sent) && /false$/.test(flags(sent)),
    checks: BATCH,
  },
  { form: 'a middle portion', refuses: (sent) => isBatch(sent) && flags(sent) === 'false false', checks: BATCH },
  { form: 'a list for a country', refuses: (sent) => isBatch(sent) && sent.json.country !== undefined, checks: BATCH },
  {
    form: 'portions for a country',
    refuses: (sent) => isBatch(sent) && sent.json.country !== undefined && /false/.test(flags(sent)),
    checks: BATCH,
  },
  { form: 'a list under several handles', refuses: (sent) => isBatch(sent) && severalHandles(sent), checks: BATCH },
  {
    form: 'portions under several handles',
    refuses: (sent) => isBatch(sent) && severalHandles(sent) && /false/.test(flags(sent)),
    checks: BATCH,
    isUndecided: true,
  },
  {
    form: 'a new point under several handles',
    refuses: (sent) => sent.method === 'POST' && sent.path.endsWith('/pickup_point/') && severalHandles(sent),
    checks: ['delivery.handles.*'],
  },
  {
    form: 'a change of a point under several handles',
    refuses: (sent) => sent.method === 'PUT' && severalHandles(sent),
    checks: ['delivery.handles.*'],
  },
  {
    form: 'a delete under several handles',
    refuses: (sent) => sent.method === 'DELETE' && severalHandles(sent),
    checks: ['delivery.handles.*'],
  },
  {
    form: 'a list of methods with desc',
    refuses: ({ path, query }) => path.endsWith('/delivery_methods/') && query.has('desc'),
    checks: ['delivery.lists.*'],
  },
  {
    form: 'a list of points with desc',
    refuses: ({ path, query }) => path.endsWith('/pickup_points/') && query.has('desc'),
    checks: ['delivery.lists.*'],
  },
  {
    form: 'a list of methods with a page_size',
    refuses: ({ path, query }) => path.endsWith('/delivery_methods/') && query.has('page_size'),
    checks: ['delivery.lists.*'],
  },
  {
    form: 'a list of points with a page_size',
    refuses: ({ path, query }) => path.endsWith('/pickup_points/') && query.has('page_size'),
    checks: ['delivery.lists.*'],
  },
  { form: 'attributes', refuses: ({ text }) => /"attributes":\{/.test(text), checks: POINTS },
  { form: 'attributes of ""', refuses: ({ text }) => /"attributes":""/.test(text), checks: POINTS },
  {
    form: 'a title with languages',
    refuses: ({ text }) => /"delivery_method":.*"title":\{/.test(text),
    checks: METHODS,
  },
  {
    form: 'a title without languages',
    refuses: ({ text }) => /"title":"/.test(text),
    checks: ['delivery.multilanguage.*'],
  },
  {
    form: 'a change of a method',
    refuses: ({ method, path }) => method === 'PUT' && ofMethod.test(path),
    checks: METHODS,
  },
  {
    form: 'a change of a point',
    refuses: ({ method, path }) => method === 'PUT' && ofPoint.test(path),
    checks: POINTS,
  },
  {
    form: 'a change of one field of a point',
    refuses: ({ method, path, json }) =>
      method === 'PUT' && ofPoint.test(path) && Object.keys(Object(json.pickup_point)).length === 1,
    checks: POINTS,
  },
  {
    form: 'a read of a method',
    refuses: ({ method, path }) => method === 'GET' && ofMethod.test(path),
    checks: METHODS,
  },
  { form: 'a read of a point', refuses: ({ method, path }) => method === 'GET' && ofPoint.test(path), checks: POINTS },
  {
    form: 'a delete of a method',
    refuses: ({ method, path }) => method === 'DELETE' && ofMethod.test(path),
    checks: METHODS,
  },
  {
    form: 'a delete of a point',
    refuses: ({ method, path }) => method === 'DELETE' && ofPoint.test(path),
    checks: POINTS,
  },
  {
    form: 'the settings of an order',
    refuses: ({ path }) => path.endsWith('/delivery_provider_settings/'),
    checks: ['delivery.settings.*'],
  },
  {
    form: 'a snippet with a language',
    refuses: ({ path, text, query }) =>
      path.endsWith('/set_snippet/') && (query.has('language') || /language/.test(text)),
    checks: ['apps.snippet.*'],
  },
  {
    form: 'a snippet without a language',
    refuses: ({ path, text, query }) =>
      path.endsWith('/set_snippet/') && !(query.has('language') || /language/.test(text)),
    checks: ['apps.snippet.*'],
  },
  {
    form: 'data that are an object',
    refuses: ({ path, json }) => path.endsWith('/set_data/') && typeof json.data === 'object',
    checks: ['apps.data.*'],
  },
  {
    form: 'data that are a string',
    refuses: ({ path, json }) => path.endsWith('/set_data/') && typeof json.data === 'string',
    checks: ['apps.data.*'],
  },
  { form: 'the user of an app', refuses: ({ path }) => path.endsWith('/apps/user/'), checks: ['apps.*'] },
  { form: 'the website of an app', refuses: ({ path }) => path.endsWith('/apps/website/'), checks: ['apps.*'] },
  { form: 'the languages of an app', refuses: ({ path }) => path.endsWith('/apps/languages/'), checks: ['apps.*'] },
  { form: 'to disable a website', refuses: ({ path }) => path.endsWith('/disable/'), checks: ['reseller.website.*'] },
  { form: 'to enable a website', refuses: ({ path }) => path.endsWith('/enable/'), checks: ['reseller.website.*'] },
  { form: 'login links', refuses: ({ path }) => path.endsWith('/login/'), checks: ['reseller.login.*'] },
  {
    form: 'the domains of a website',
    refuses: ({ path }) => path.endsWith('/domains/'),
    checks: ['reseller.domain.*'],
  },
  { form: 'to remove a domain', refuses: ({ path }) => path.endsWith('/remove/'), checks: ['reseller.domain.*'] },
  {
    form: 'the settings of an account',
    refuses: ({ path }) => path.endsWith('/api/settings/'),
    checks: ['reseller.*'],
  },
  {
    form: 'to stop a subscription',
    refuses: ({ path }) => path.endsWith('/disable_premium/'),
    checks: ['reseller.premium.*'],
  },
  { form: 'the balance', refuses: ({ path }) => path.endsWith('/balance/'), checks: ['reseller.*'] },
  { form: 'a new password', refuses: ({ path }) => path.endsWith('/password/'), checks: ['reseller.password.*'] },
  { form: 'a logout', refuses: ({ path }) => path.endsWith('/logout/'), checks: ['reseller.logout.*'] },
  {
    form: 'addresses of label pages',
    refuses: ({ text }) => /"print_label_url":"/.test(text),
    checks: METHODS,
    isUndecided: true,
  },
  {
    form: 'changes of titles',
    refuses: ({ method, text }) => method === 'PUT' && /"title"/.test(text),
    checks: ['delivery.multilanguage.*'],
    isUndecided: true,
  },
  {
    form: 'changes of settings',
    refuses: ({ path }) => path.endsWith('/settings/set/'),
    checks: ['reseller.settings.*'],
    isUndecided: true,
  },
  {
    form: 'new domains',
    refuses: ({ path }) => path.endsWith('/domain/add/'),
    checks: ['reseller.domain.*'],
    isUndecided: true,
  },
  {
    form: 'subscriptions',
    refuses: ({ path }) => path.includes('/enable_premium/'),
    checks: ['reseller.premium.*'],
    isUndecided: true,
  },
  {
    form: 'a finished installation',
    refuses: ({ path }) => path.endsWith('/installed/'),
    checks: ['apps.*'],
    isUndecided: true,
  },
];

function sentOf({ method, url, body }: WireRequest): Sent {
  const { pathname: path, searchParams: query } = new URL(url);
  const text = Buffer.from(body ?? []).toString();
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return { method, path, query, text, json: typeof json === 'object' && json !== null ? (json as Sent['json']) : {} };
}

function refusalOf({ path }: Sent): WireResponse {
  const body = path.startsWith('/api/')
    ? { error: true, errorCode: 422, errorMsg: 'Unprocessable' }
    : { error: true, error_code: 422, error_message: 'Unprocessable' };
  return { status: 422, headers: [['content-type', 'application/json']], bytes: Buffer.from(JSON.stringify(body)) };
}

for (const { form, refuses, checks, isUndecided } of ROWS.filter((row) => isDrawn(row.form, SAMPLE)))
  test(`a service that refuses ${form} is not conformant`, async (t) => {
    const { profile, wire, close } = openRow(CORRECT);
    t.after(() => close());
    const refusing: Wire = {
      exchange: async (request) => {
        const sent = sentOf(request);
        return refuses(sent) ? refusalOf(sent) : (wire as Wire).exchange(request);
      },
      close: async () => undefined,
    };
    const results = await runInProcess(
      SUITES,
      { profile, instantPauses: true, wire: refusing },
      (check) => runsInProcess(check) && (IS_SOAK || matchesAny(check.id, checks)),
    );
    const with_ = (verdict: string): string[] => results.filter((one) => one.verdict === verdict).map(({ id }) => id);
    const found = with_(isUndecided === true ? 'inconclusive' : 'fail');
    assert.ok(found.length > 0, `of ${results.length} checks none; inconclusive: ${with_('inconclusive').join(' ')}`);
  });
