// Shared by the tests of the service: one running service per file, and a very plain client.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { type IndependentService, startIndependentService } from './service.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are JSON of whatever shape the test then asserts
export type Json = any;

export type Reply = { status: number; body: Json; type: string };

export let second: IndependentService;
/** The secrets of the running service by their short names: STORE_KEY, APP_KEY, … */
export let secrets: Record<string, string>;
/** The profile of the running service. */
export let profile: Json;

before(async () => {
  second = await startIndependentService();
  secrets = Object.fromEntries(Object.entries(second.env).map(([name, value]) => [name.replace('SECOND_', ''), value]));
  profile = second.profile;
});
after(() => second.close());

export async function send(method: string, path: string, key: string | null, body?: unknown): Promise<Reply> {
  const response = await fetch(`${second.origin}${path}`, {
    method,
    headers: { ...(key === null ? {} : { authorization: `ApiKey ${key}` }), 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const type = response.headers.get('content-type') ?? '';
  return { status: response.status, body: type.startsWith('application/json') && text ? JSON.parse(text) : text, type };
}

export const store = (method: string, path: string, body?: unknown) =>
  send(method, `/v1/store/${path}`, secrets.STORE_KEY!, body);

/** Follows the links of a list to its end. */
export async function walk(path: string, name: string, key = secrets.STORE_KEY!): Promise<Json[]> {
  const items: Json[] = [];
  for (let next: string | undefined = path; next; ) {
    const { status, body }: Reply = await send('GET', `/v1${next}`, key);
    assert.equal(status, 200);
    assert.ok(items.length < 1000, 'the walk ends');
    items.push(...body[name]);
    next = body.next_page_uri;
  }
  return items;
}

export async function newMethod(fields: object = {}, key = secrets.STORE_KEY!): Promise<string> {
  const known = new Set((await walk('/store/delivery_methods/', 'delivery_methods', key)).map((entry) => entry.handle));
  const delivery_method = { title: 'Test', ...fields };
  const { status, body } = await send('POST', '/v1/store/delivery_method/', key, { delivery_method });
  assert.deepEqual([status, body], [200, { error: false }]);
  const fresh = (await walk('/store/delivery_methods/', 'delivery_methods', key)).filter((m) => !known.has(m.handle));
  assert.equal(fresh.length, 1);
  return fresh[0].handle;
}

export const at = (handle: string) => `delivery_method/${encodeURIComponent(handle)}`;
export const pointIds = async (handle: string) =>
  (await walk(`/store/${at(handle)}/pickup_points/?page_size=5`, 'pickup_points')).map((point) => point.id);
export const points = (from: number, count: number, country = 'LV') =>
  Array.from({ length: count }, (_, index) => ({ id: `p${from + index}`, title: 'Rīga', country }));

export function refused({ status, body, type }: Reply, expected?: number): void {
  assert.ok(status >= 400 && status < 500, `status ${status}`);
  if (expected) assert.equal(status, expected);
  assert.equal(type, 'application/json; charset=UTF-8');
  assert.equal(body.error, true);
  assert.equal(typeof body.error_code, 'number');
  assert.equal(typeof body.error_message, 'string');
}

/** The keys of `like`, with the values that `record` has for them. */
export const pick = (record: Json, like: object) =>
  Object.fromEntries(Object.keys(like).map((name) => [name, record[name]]));

export const app = (
  method: string,
  path: string,
  body?: unknown,
  code = secrets.AUTH_CODE!,
  key: string | null = secrets.APP_KEY!,
) => send(method, `/v1/apps/${path}?authCode=${encodeURIComponent(code)}`, key, body);
