import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { appRoutes } from '../apps/apps.ts';
import { memoryService } from '../client.fixture.ts';
import { deliveryRoutes } from '../delivery/routes.ts';
import { resellerRoutes } from '../reseller/reseller.ts';
import type { MockService } from '../types/service.ts';

const isSoak = process.env.PROOFMARK_SOAK === '1';
/** Enough for a hundred calls of every operation; more in the soak or with PROOFMARK_FUZZ_REQUESTS. */
const REQUESTS = Number(process.env.PROOFMARK_FUZZ_REQUESTS ?? (isSoak ? 100_000 : 4_000));
/** The state of a service grows with its requests. From time to time it is reset, and must then be as small as before. */
const START_ANEW_EVERY = 5_000;
/** For caches and compiled code. Keeping all requests would take some hundred megabytes in the soak. */
const MAX_HEAP_GROWTH_BYTES = 48 * 1024 * 1024;
/** One in this many refused requests is inspected, because the inspection reads the whole state. */
const COMPARE_REFUSED_EVERY = 8;
const SEED = 20_261_120;

/** Mulberry32: the same numbers for a seed on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = randomFrom(SEED);
const below = (count: number): number => Math.floor(random() * count);
const pick = <T>(items: readonly T[]): T => items[below(items.length)]!;

const TEXTS = [
  '',
  'x',
  'Rīga',
  '🐝',
  '\ud800',
  '\0',
  '..',
  '.',
  '__proto__',
  'constructor',
  'a,b',
  '%',
  '<script>',
  '0',
  'lv',
  'LV',
  'honey-lockers',
  'RIX-01',
  'x'.repeat(300),
];
const NAMES = [
  'delivery_method',
  'pickup_point',
  'pickup_points',
  'id',
  'title',
  'reference',
  'country',
  'attributes',
  'available_countries_to',
  'print_label_url',
  'is_initialization',
  'is_finalization',
  'order_uuid',
  'snippet',
  'language',
  'data',
  '__proto__',
  'constructor',
  'name',
];

function anything(depth: number): unknown {
  switch (below(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random() < 0.5;
    case 2:
      return pick([0, -1, 1.5, 1e21, 2 ** 53, -0]);
    case 3:
    case 4:
    case 5:
      return pick(TEXTS);
    case 6:
      return Array.from({ length: below(pick([3, 3, 3, 120])) }, () => anything(depth + 2));
    default:
      return Object.fromEntries(Array.from({ length: below(6) }, () => [pick(NAMES), anything(depth + 1)]));
  }
}

/** A nearly valid body with something odd in it. */
function body(): string {
  const point = {
    id: pick(TEXTS),
    title: pick(['t', { en: 'a' }, { xx: 'b' }, 7, null]),
    country: pick(['LV', 'ee', 'x', null]),
    attributes: pick(['', {}, { a: anything(2) }, [], 3]),
  };
  const whole = pick<unknown>([
    {
      delivery_method: {
        title: pick(['t', { en: 'a', lv: 'b' }, { fr: 'c' }]),
        reference: pick(['r', 7, null]),
        print_label_url: pick(['https://x.example/', 'http://x.example/', 'javascript:1', '', null]),
      },
    },
    { pickup_point: point },
    {
      pickup_points: Array.from({ length: below(4) }, () => point),
      is_initialization: pick([true, false, null, 'x']),
      is_finalization: pick([true, false]),
      country: pick(['LV', 'EE', null, 9]),
    },
    {
      pickup_points: Array.from({ length: below(5) }, (_, at) => ({ ...point, id: `f${at}-${below(9)}` })),
      is_initialization: random() < 0.5,
      is_finalization: random() < 0.5,
    },
    { snippet: pick(TEXTS), language: pick([null, 'lv', 'xx', 7]) },
    { data: anything(1) },
    { order_uuid: pick(TEXTS) },
    anything(0),
  ]);
  const text = JSON.stringify(whole);
  if (random() < 0.8) return text;
  const at = below(text.length);
  return pick([
    text.slice(0, at),
    `${text.slice(0, at)}${pick(['"', '{', '}', ',', '\\', '\\u12'])}${text.slice(at)}`,
    `${text}${text}`,
    text.replace('"', "'"),
  ]);
}

function request(service: MockService, secrets: { key: string; appKey: string; code: string; token: string }): Request {
  const routes = pick([deliveryRoutes, deliveryRoutes, appRoutes, resellerRoutes]);
  const operation = pick(routes.operations.filter(({ operation: name }) => name !== 'logOut'));
  const handles = service.state.methods.filter(({ owner }) => owner === 'website:55001').map(({ handle }) => handle);
  const path = operation.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    if (random() < 0.15) return encodeURIComponent(pick(TEXTS).toWellFormed());
    const right: Record<string, string> = {
      handle: random() < 0.3 ? handles.slice(0, 2).join(',') : (pick(handles) ?? 'none'),
      point: pick(['RIX-01', 'x', 'f1-1']),
      language: 'lv',
      website: '55003',
      subscription: 'premium',
      domain: '8001',
    };
    return right[name] ?? 'x';
  });
  const params = new URLSearchParams();
  if (routes.iface === 'apps') params.set('authCode', random() < 0.9 ? secrets.code : pick(TEXTS));
  if (routes.iface === 'reseller') params.set('apiToken', random() < 0.9 ? secrets.token : pick(TEXTS));
  for (let at = below(3); at > 0; at -= 1)
    params.append(
      pick(['page_size', 'desc', 'page_start', 'domain', 'company', 'password', 'x']),
      pick(['1', '0', '7', 'x', '-1', ...TEXTS]),
    );
  const tail = random() < 0.05 ? pick(['%', '//', '/../x', '/%ff', '/%00']) : '';
  const key = routes.iface === 'apps' ? secrets.appKey : secrets.key;
  const method = random() < 0.9 ? pick(operation.methods) : pick(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']);
  return new Request(`${service.origin}${routes.base}${path}${tail}?${params}`, {
    method,
    headers: {
      authorization: `ApiKey ${random() < 0.95 ? key : 'wrong'}`,
      'content-type': pick(['application/json', 'application/x-www-form-urlencoded', 'text/plain']),
    },
    ...(method === 'GET' ? {} : { body: body() }),
  });
}

test(`${REQUESTS} random requests: always an envelope, no 5XX, no broken invariant`, async () => {
  const service = memoryService();
  const foreign = () => JSON.stringify(service.state.methods.filter(({ owner }) => owner !== 'website:55001'));
  const foreignBefore = foreign();
  const { state } = service;
  const token = 'fuzz-token';
  const secrets = {
    key: state.websites.get('55001')!.apiKey,
    appKey: state.apps.get('3001')!.apiKey,
    code: state.installations.all()[0]!.authCode,
    token,
  };
  const statuses = new Map<number, number>();
  const heaps: number[] = [];
  let refusedCompared = 0;
  for (let at = 0; at < REQUESTS; at += 1) {
    if (!service.state.installations.has(secrets.code)) await service.control.reset();
    if (!service.state.tokens.has(token))
      service.change(() => service.state.tokens.set(token, { token, resellerId: 9001 }));
    if (at > 0 && at % START_ANEW_EVERY === 0) {
      await service.control.reset();
      service.change(() => service.state.tokens.set(token, { token, resellerId: 9001 }));
      heaps.push(heapBytes());
    }
    const sent = request(service, secrets);
    const before = at % COMPARE_REFUSED_EVERY === 0 ? everything(service) : undefined;
    const reply = await service.fetch(sent);
    const text = await reply.text();
    const what = `request ${at}: ${sent.method} ${sent.url} -> ${reply.status} ${text.slice(0, 200)}`;
    assert.ok(reply.status === 200 || (reply.status >= 400 && reply.status < 500), what);
    const response = JSON.parse(text) as Record<string, unknown>;
    if (reply.status !== 200) assert.equal(response.error, true, what);
    else assert.notEqual(response.error, true, what);
    if (before !== undefined && reply.status !== 200) {
      assert.equal(everything(service), before, `a refused request changed something: ${what}`);
      refusedCompared += 1;
    }
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (at % 50 === 0) checkInvariants(service);
  }
  assert.equal(foreign(), foreignBefore);
  assert.ok((statuses.get(200) ?? 0) > REQUESTS / 10, JSON.stringify([...statuses]));
  assert.ok(refusedCompared > 0);
  const growth = (heaps.at(-1) ?? 0) - (heaps[0] ?? 0);
  assert.ok(growth < MAX_HEAP_GROWTH_BYTES, `the heap grew: ${heaps.map((bytes) => mebibytes(bytes)).join(', ')} MiB`);
  if (isSoak) {
    const codes = [...statuses].sort(([a], [b]) => a - b).map(([code, count]) => `${count} of ${code}`);
    console.log(
      `mock fuzz: ${REQUESTS} requests, ${codes.join(', ')}, no 5XX; ${refusedCompared} refused ones changed nothing; heap ${mebibytes(heaps[0] ?? 0)} MiB at first, ${mebibytes(heaps.at(-1) ?? 0)} MiB at the end`,
    );
  }
});

const mebibytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(1);

/** After a garbage collection, if Node allows to request one. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

/** The whole state except what any request may add: visits, and the last assigned numbers. */
function everything({ state }: MockService): string {
  const { points, visits: _visits, counters: _counters, ...tables } = state;
  const rows = Object.values(tables).map((table) => table.all());
  // A list is created on first access.
  const lists = points
    .handles()
    .flatMap((handle) => [[handle, points.of(handle).all()]].filter(([, all]) => all?.length !== 0));
  return JSON.stringify([rows, lists]);
}

function checkInvariants({ state }: MockService): void {
  for (const handle of state.points.handles()) {
    const list = state.points.of(handle);
    const ids = list.all().map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length, handle);
    assert.equal(list.size, ids.length);
  }
  for (const { title, owner } of state.methods.filter(({ owner: id }) => id === 'website:55001')) {
    const { languages } = state.websites.get(owner.split(':')[1]!)!;
    if (title !== null && typeof title === 'object')
      for (const code of Object.keys(title)) assert.ok(languages.includes(code));
  }
}
