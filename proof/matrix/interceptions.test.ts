import assert from 'node:assert/strict';
import { test } from 'node:test';
import { json, remembering } from '../../mock/faults/interception.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation, Http } from '../../mock/types/deviation.ts';
import { Interceptions } from './interceptions.ts';

const ORIGIN = 'http://127.0.0.1:4010';
const METHODS = `${ORIGIN}/v1/store/delivery_methods/`;
const create = (): Request =>
  new Request(METHODS, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' });

/** The ids of the deviations that treat some requests differently, and what the correct service was asked. */
async function noticedBy(deviations: readonly Deviation[], requests: readonly Request[] = [create()]) {
  const interceptions = new Interceptions(deviations);
  const service = createService({ origin: ORIGIN });
  const noticed = new Set<string>();
  const served: string[] = [];
  for (const request of requests) {
    const next = async (sent: Request): Promise<Response> => {
      served.push(await sent.text());
      service.change(() => service.state.websites.delete(service.state.websites.all()[0]?.id.toString() ?? ''));
      return json({ serial: served.length }, 201);
    };
    const response = await interceptions.serve(request, next, service, noticed);
    assert.deepEqual([response.status, await response.json()], [201, { serial: served.length }]);
  }
  return { noticed: [...noticed], served };
}

const rebuilt = (request: Request, body: string, headers = request.headers): Request =>
  new Request(request.url, { method: request.method, headers, body });

const SAME: Readonly<Record<string, Http>> = {
  'passes on': (request, next) => next(request),
  'reads a copy': async (request, next) => {
    await request.clone().text();
    return next(request);
  },
  'rebuilds the request': async (request, next) => next(rebuilt(request, await request.text())),
  'rebuilds the response': async (request, next) => {
    const response = await next(request);
    return new Response(await response.text(), { status: response.status, headers: response.headers });
  },
  'reads the state': async (request, next, { state, now }) =>
    state.websites.size >= 0 && now() ? next(request) : json({}),
  'reads a copy of the response': async (request, next) => {
    const response = await next(request);
    await response.clone().json();
    return response;
  },
};

const DIFFERENT: Readonly<Record<string, Http>> = {
  'does not pass on': async () => json({ serial: 1 }, 201),
  'passes on twice': async (request, next) => {
    await next(request.clone());
    return next(request);
  },
  'passes on another body': (request, next) => next(rebuilt(request, '{"a":2}')),
  'passes on another method': (request, next) => next(new Request(request.url, { method: 'GET' })),
  'passes on another address': async (request, next) =>
    next(new Request(`${request.url}?a=b`, { method: 'POST', headers: request.headers, body: await request.text() })),
  'passes on other headers': async (request, next) =>
    next(rebuilt(request, await request.text(), new Headers({ 'content-type': 'text/plain' }))),
  'changes the status': async (request, next) => json(await (await next(request)).json(), 200),
  'changes the body': async (request, next) => json({ ...((await (await next(request)).json()) as object), b: 1 }, 201),
  'changes a header': async (request, next) => {
    const response = await next(request);
    response.headers.set('x-other', '1');
    return response;
  },
  'consumes the response': async (request, next) => {
    const response = await next(request);
    await response.text();
    return response;
  },
  'changes the state': async (request, next, service) => {
    const response = await next(request);
    service.change(() => service.state.websites.delete('1'));
    return response;
  },
  'changes rows outside a change': async (request, next, { state }) => {
    state.websites.set('1', state.websites.all()[0]!);
    return next(request);
  },
  'draws random bytes': (request, next, { random }) => (random(1).length > 0 ? next(request) : next(request)),
  throws: () => Promise.reject(new Error('It fails.')),
  'hides that it passed on another request': (request, next) =>
    next(rebuilt(request, 'other')).catch(() => json({ serial: 1 }, 201)),
};

const deviationsIn = (table: Readonly<Record<string, Http>>): Deviation[] =>
  Object.entries(table).map(([id, http]) => ({ id, about: '', http }));

test('a deviation is noticed if it changes the request, the response or the state', async () => {
  const all = deviationsIn({ ...SAME, ...DIFFERENT, ...Object.fromEntries([['again', SAME['passes on']!]]) });
  const { noticed, served } = await noticedBy(all);
  assert.deepEqual(noticed, Object.keys(DIFFERENT));
  assert.deepEqual(served, ['{"a":1}']);
});

test('a deviation reads the state from before the request until it passes the request on, and then that after it', async () => {
  const sizes: number[] = [];
  const http: Http = async (request, next, { state }) => {
    sizes.push(state.websites.size);
    await request.clone().text();
    const response = await next(request);
    sizes.push(state.websites.size);
    return response;
  };
  const { noticed } = await noticedBy([{ id: 'x', about: '', http }]);
  assert.deepEqual(noticed, []);
  assert.equal(sizes[1], sizes[0]! - 1);
});

test('a deviation keeps by service what it remembers, and is asked only about its own requests', async () => {
  const seen = new WeakMap<object, number>();
  const everySecond: Http = async (request, next, service) => {
    seen.set(service, (seen.get(service) ?? 0) + 1);
    return seen.get(service) === 2 ? json({}) : next(request);
  };
  const about = (method: string): Http =>
    Object.assign<Http, Pick<Http, 'isAbout'>>(async () => json({}), { isAbout: (of) => of === method });
  const deviations: Deviation[] = [
    { id: 'second', about: '', http: everySecond },
    { id: 'get', about: '', http: about('GET') },
    { id: 'post', about: '', http: about('POST') },
    { id: 'apps', about: '', only: 'apps', http: about('POST') },
    { id: 'delivery', about: '', only: 'delivery', http: about('POST') },
    { id: 'remembers', about: '', http: remembering(() => (request, next) => next(request)) },
    { id: 'rules', about: '', rules: () => ({ pageSize: () => 1 }) },
  ];
  assert.deepEqual((await noticedBy(deviations)).noticed, ['remembers', 'post', 'delivery']);
  assert.deepEqual((await noticedBy(deviations, [create(), create()])).noticed, [
    'remembers',
    'post',
    'delivery',
    'second',
  ]);
});
