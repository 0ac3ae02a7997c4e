// Plain stand-ins must not hide a fault, prove what was never tried, or blame a service for refusing a value.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CheckResult } from '../../contracts/run/events.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { Deviation } from '../../mock/types/deviation.ts';
import { wireToService } from '../../proof/service-wire.ts';
import { SUITES } from '../../suites/index.ts';
import { runInProcess } from '../runner/in-process.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import { parseProfile } from '../target/profile/index.ts';
import { answered, post } from './calls.fixture.ts';
import { Choices } from './refusals/choices.ts';

type Http = NonNullable<Deviation['http']>;

const REFUSAL = { clause: 'delivery.point.update-applies', message: 'the call must be served' };
const SERVED = { error: false };
const REFUSED = { error: true, error_code: 422, error_message: 'Not taken here.' };

describe('a refusal in a sequence of calls', () => {
  const change = (city: unknown, handles = 'h') =>
    post(`store/delivery_method/${handles}/pickup_point/p/`, { pickup_point: { city } }, 'PUT');
  const after = (
    before: readonly ServiceRequest[],
    call: ServiceRequest,
    response = answered(422, REFUSED),
  ): boolean => {
    const choices = new Choices();
    for (const one of before) choices.note(one, answered(200, SERVED));
    choices.note(call, response);
    return choices.skipsRefusal(response, REFUSAL);
  };

  test('is one of values until everything in the call was served', () => {
    assert.ok(after([], change('Riga')));
    assert.ok(!after([change('Tallinn')], change('Riga')));
    const both = (fields: object) => post('store/delivery_method/h/pickup_point/', { pickup_point: fields });
    const served = [both({ city: 'Rīga', address: 'x' }), both({ city: 'x', address: 'Ēka' })];
    assert.ok(!after(served, both({ city: 'Rīga', address: 'Ēka' })));
    assert.ok(after(served.slice(1), both({ city: 'Rīga', address: 'Ēka' })));
  });

  test('turns out to be one of the state where everything in the call is served later', () => {
    const choices = new Choices();
    const response = answered(422, REFUSED);
    choices.note(change('Riga'), response);
    assert.ok(choices.skipsRefusal(response, REFUSAL));
    assert.equal(choices.proven(), undefined);
    choices.note(change('Tallinn'), answered(200, SERVED));
    assert.equal(choices.proven()?.response, response);
  });

  test('may rest on the list of another method that is under way, until a call beside one was served', () => {
    const portion = (handle: string, isLast: boolean) =>
      post(`store/delivery_method/${handle}/pickup_points/batch_replace/`, {
        pickup_points: [{ city: 'Riga' }],
        is_finalization: isLast,
      });
    const both = [portion('a', true), portion('a', false)];
    assert.ok(after(both, portion('b', false)));
    assert.ok(!after([...both, portion('a', true)], portion('b', false)));
    assert.ok(!after([...both, post('store/delivery_method/a/', {}, 'DELETE')], portion('b', false)));
    assert.ok(!after([...both, portion('b', false)], portion('c', false)));
  });

  test('may rest on the id of a deleted point, until one was served with it', () => {
    const add = (handles: string, id: string) =>
      post(`store/delivery_method/${handles}/pickup_point/`, { pickup_point: { id } });
    const list = post('store/delivery_method/b/pickup_points/batch_replace/', { pickup_points: [{ id: 'p1' }] });
    const gone = [add('b', 'other'), list, post('store/delivery_method/a,b/pickup_point/p1/', {}, 'DELETE')];
    assert.ok(after(gone, add('b', 'p1')));
    assert.ok(!after(gone, add('c', 'p1')));
    assert.ok(!after([...gone, add('a', 'p1')], add('b', 'p1')));
    assert.ok(after([...gone, add('a', 'p1')], list));
  });

  test('may rest on an unfinished list of the same method, until one was replaced', () => {
    const portion = (isLast: boolean) =>
      post('store/delivery_method/a/pickup_points/batch_replace/', {
        is_initialization: true,
        is_finalization: isLast,
      });
    const both = [portion(true), portion(false)];
    assert.ok(after(both, portion(false)));
    assert.ok(!after([...both, portion(true)], portion(false)));
  });

  test('may rest on the title of another point, until two were served with one', () => {
    const add = (id: string, title: string) =>
      post('store/delivery_method/a/pickup_point/', { pickup_point: { id, title } });
    const list = (...titles: string[]) =>
      post('store/delivery_method/a/pickup_points/batch_replace/', {
        pickup_points: titles.map((title, at) => ({ id: `p${at}`, title })),
      });
    const remove = post('store/delivery_method/a/pickup_point/p1/', {}, 'DELETE');
    assert.ok(after([add('p1', 'one')], add('p2', 'one')));
    assert.ok(!after([add('p1', 'one')], add('p2', 'two')));
    assert.ok(!after([add('p1', 'one'), add('p2', 'one')], add('p3', 'one')));
    // The first one is gone: nothing is known of two points with one title.
    assert.ok(after([add('p1', 'one'), remove, add('p2', 'one')], add('p3', 'one')));
    assert.ok(after([list('one', 'two')], list('one', 'one')));
    assert.ok(!after([list('one', 'two'), list('one', 'one')], list('two', 'two')));
  });

  test('may be a limit on how many are served, until a call of its kind is served later', () => {
    const choices = new Choices();
    const response = answered(400, REFUSED);
    choices.servedLater('add');
    choices.postpone('add', response, REFUSAL);
    choices.servedLater('remove');
    assert.equal(choices.proven(), undefined);
    choices.servedLater('add');
    assert.equal(choices.proven()?.response, response);
  });

  test('is one of values where these differ in what a service may know: letters, fields, types, handles, countries', () => {
    assert.ok(after([change('Riga')], change('Rīga')));
    for (const other of ['007', 'Riga 2', '2nd Riga']) assert.ok(after([change('Riga')], change(other)), other);
    assert.ok(after([change('Riga 2')], change('2nd Riga')));
    assert.ok(!after([change('Riga 2')], change('Tallinn 10')));
    assert.ok(after([change('Riga')], change('Riga', 'a,b')));
    assert.ok(after([change('Riga')], change(['Riga'])));
    const zip = post('store/delivery_method/h/pickup_point/p/', { pickup_point: { zip: 'x' } }, 'PUT');
    assert.ok(after([change('Riga')], zip));
    const country = (code: string) =>
      post('store/delivery_method/h/pickup_point/p/', { pickup_point: { country: code } });
    assert.ok(after([country('LV')], country('EE')));
  });

  test('is not one of values where nothing is chosen, or the target was not available', () => {
    const remove: ServiceRequest = {
      api: 'v1',
      method: 'DELETE',
      path: 'store/delivery_method/h/',
      query: [],
      headers: [],
    };
    assert.ok(!after([], remove));
    assert.ok(!after([], change('Riga'), answered(503, undefined)));
  });
});

async function judged(id: string, http: Http, propertyRuns = 0): Promise<CheckResult> {
  const deviations = [{ id: 'test.deviation', about: 'A deviation of this test.', http }];
  const service = createService({ origin: 'http://127.0.0.1:9', deviations });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'mock', folder: '.', env: {} });
  const options = { profile, wire: wireToService(service), propertyRuns, instantPauses: true };
  const handles = (): string[] => service.state.methods.all().map(({ handle }) => handle);
  const before = handles();
  const [result] = await runInProcess(SUITES, options, (check) => check.id === id);
  service.close();
  assert.deepEqual(handles(), before, 'whatever the check came to, its methods are removed');
  assert.ok(result);
  return result;
}

const refusal = (): Response => Response.json(REFUSED, { status: 422 });

const isNoAddress = (text: string): boolean => !text.startsWith('https://');

/** Refuses texts of a body that are not plain, and ids in it. */
const refusing =
  (isRefused: (text: string, body: string) => boolean, then?: Http): Http =>
  async (request, next, service) => {
    const body = ['POST', 'PUT'].includes(request.method) ? await request.clone().text() : '';
    const texts = [...body.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text!).filter(isNoAddress);
    if (texts.some((text) => isRefused(text, body))) return refusal();
    return then === undefined ? next(request) : then(request, next, service);
  };

describe('a check with plain values', () => {
  test('is inconclusive about unusual ids if none is accepted', async () => {
    const noOddId = (_: string, body: string): boolean => /"id":"(?![A-Za-z0-9-]+")/.test(body);
    const longToo = (text: string, body: string): boolean => text.length > 30 || noOddId(text, body);
    const nestedToo = (text: string, body: string): boolean =>
      noOddId(text, body) || /"attributes":\{[^}]*[[{]/.test(body);
    for (const rule of [noOddId, longToo, nestedToo]) {
      const result = await judged('delivery.point.id-any-characters', refusing(rule));
      assert.equal(result.verdict, 'inconclusive', result.reason);
      assert.equal(result.attribution, 'contract', result.reason);
    }
  });

  test('removes its methods, also those that it never read', async () => {
    const odd = refusing((text) => !/^[\w:, -]{0,24}$/.test(text));
    for (const id of [
      'delivery.point.list-of-one-method',
      'delivery.batch.replaces-all',
      'delivery.lists.points.page-size',
    ])
      await judged(id, odd);
  });

  test('still fails where what was accepted is not kept', async () => {
    const lost: Http = async (request, next) => {
      const text = request.method === 'POST' ? await request.clone().text() : '';
      if (!text.includes('"pickup_point"')) return next(request);
      const body = text.replace(/"city":"[^"]*"/, '"city":"Elsewhere"');
      return next(new Request(request.url, { method: 'POST', headers: request.headers, body }));
    };
    const result = await judged(
      'delivery.point.city-kept',
      refusing((text) => text.length > 30, lost),
    );
    assert.equal(result.verdict, 'fail', result.reason);
    assert.match(result.reason ?? '', /with texts of usual lengths/);
  });
});

describe('a check that lost a connection', () => {
  const losing = (isLost: (count: number) => boolean): Http => {
    let count = 0;
    return (request, next) => {
      if (request.method !== 'POST') return next(request);
      count += 1;
      if (!isLost(count)) return next(request);
      throw Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) });
    };
  };

  test('runs once more, also what it shares with others', async () => {
    const once = losing((count) => count === 1);
    assert.equal((await judged('delivery.method.title-kept', once)).verdict, 'pass');
  });

  test('runs once more where a gateway responds in place of the service', async () => {
    let count = 0;
    const away: Http = (request, next) => {
      count += request.method === 'PUT' ? 1 : 0;
      return request.method === 'PUT' && count <= 2
        ? Promise.resolve(Response.json(REFUSED, { status: 503 }))
        : next(request);
    };
    const { verdict, reason } = await judged('delivery.credentials.other-store-keeps-points', away);
    assert.equal(verdict, 'pass', reason);
  });

  test('is inconclusive if no connection holds', async () => {
    const always = losing(() => true);
    assert.equal((await judged('delivery.method.title-kept', always)).verdict, 'inconclusive');
  });
});

describe('a check that sends the minimum', () => {
  /** Refuses what a service need not take, by its method, address and body. */
  const demanding =
    (isRefused: (line: string) => boolean, then?: Http): Http =>
    async (request, next, service) => {
      const body = request.method === 'GET' ? '' : await request.clone().text();
      if (isRefused(`${request.method} ${decodeURIComponent(new URL(request.url).pathname)} ${body}`)) return refusal();
      return then === undefined ? next(request) : then(request, next, service);
    };
  const twoHandles = (line: string): boolean => /^\S+ \S*delivery_method\/[^/ ]*,[^/ ]*,/.test(line);

  for (const [id, isRefused] of [
    ['delivery.batch.several-handles', twoHandles],
    ['delivery.handles.added-points-separate', twoHandles],
    ['delivery.point.list-agrees-with-read', (line) => /^PUT .*"pickup_point":.*"city"/.test(line)],
    ['delivery.multilanguage.string-accepted', (line) => /^PUT .*"pickup_point":.*"title"/.test(line)],
    ['delivery.batch.fields-kept', (line) => /"country":"(?!LV")/.test(line) || /"(?:EE|LT)"/.test(line)],
  ] as const satisfies readonly (readonly [string, (line: string) => boolean])[]) {
    test(`${id} is decided on a service that takes no more`, async () => {
      const result = await judged(id, demanding(isRefused));
      assert.equal(result.verdict, 'pass', result.reason);
      assert.match(result.reason ?? '', /decided with .*, because the target refused/);
    });
  }

  test('is not needed for unknown handles where a reference can not be changed: a title shows the same', async () => {
    const fixed = demanding((line) => /^PUT .*"reference"/.test(line));
    assert.equal((await judged('delivery.method.unknown-not-updated', fixed)).verdict, 'pass');
  });

  const labelPage = (line: string): boolean => /"print_label_url":"/.test(line);

  test('leaves out the label page where none is accepted, and decides nothing about it', async () => {
    for (const [id, verdict] of [
      ['delivery.method.title-kept', 'pass'],
      ['delivery.method.update-keeps-omitted-fields', 'pass'],
      ['delivery.method.print-label-url-kept', 'inconclusive'],
    ] as const) {
      const result = await judged(id, demanding(labelPage));
      assert.equal(result.verdict, verdict, result.reason);
    }
  });

  test('still fails when the minimum is accepted and not applied', async () => {
    const onlyFirst: Http = (request, next) =>
      next(new Request(request.url.replace(/(delivery_method\/[^/,%]*)(?:,|%2C)[^/]*/i, '$1'), request));
    const result = await judged('delivery.batch.several-handles', demanding(twoHandles, onlyFirst));
    assert.equal(result.verdict, 'fail', result.reason);
  });
});

describe('a model', () => {
  const ID = 'properties.delivery.model';
  const odd = (text: string): boolean => !/^[\w .,:/?=-]{0,24}$/.test(text);

  test('does not blame a service that refuses its values', async () => {
    const result = await judged(ID, refusing(odd), 6);
    assert.equal(result.verdict, 'pass', result.reason);
  });

  test('finds a service that refuses because of what happened before, also beside refused values', async () => {
    const noAddAfterDelete = (): Http => {
      const shrunk = new Set<string | undefined>();
      return async (request, next) => {
        const handle = /delivery_method\/([^/]+)\/pickup_point\//.exec(request.url)?.[1];
        if (request.method === 'POST' && shrunk.has(handle)) return refusal();
        const response = await next(request);
        if (request.method === 'DELETE' && handle !== undefined && response.ok) shrunk.add(handle);
        return response;
      };
    };
    for (const http of [noAddAfterDelete(), refusing(odd, noAddAfterDelete())]) {
      const result = await judged(ID, http, 30);
      assert.equal(result.verdict, 'fail', result.reason);
    }
  });
});
