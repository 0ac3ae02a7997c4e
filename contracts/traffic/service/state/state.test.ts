/** Sequences of calls: what a later read has to show of an earlier write, and what it leaves open. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, type ExchangeDescription, judged, refusal, V1 } from '../../traffic.fixture.ts';
import { get, type Json, judgeAll, send, sequencesOf } from './sequences.fixture.ts';

const METHODS = 'store/delivery_methods/';
const METHOD = 'store/delivery_method/m/';
const POINTS = `${METHOD}pickup_points/`;
const POINT = `${METHOD}pickup_point/`;
const BATCH = `${POINTS}batch_replace/`;

const record = (id: string, fields: Json = {}): Json => ({
  ...{ id, title: `Point ${id}`, address: 'Main street 1', city: 'Riga', zip: 'LV-1001', country: 'LV' },
  ...fields,
});
const listed = (...points: readonly Json[]): ExchangeDescription => get(POINTS, { pickup_points: points });
const missing = (url: string): ExchangeDescription => get(url, refusal(404), 404);
const batch = (points: readonly Json[], rest: Json = {}): ExchangeDescription =>
  send('POST', BATCH, { pickup_points: points, ...rest });
const add = (fields: Json, url = POINT): ExchangeDescription => send('POST', url, { pickup_point: fields });
const change = (id: string, fields: Json): ExchangeDescription =>
  send('PUT', `${POINT}${id}/`, { pickup_point: fields });
const remove = (id: string): ExchangeDescription => send('DELETE', `${POINT}${id}/`);
const courier = (handle: string, fields: Json = {}): Json => ({
  handle,
  title: 'Courier',
  reference: 'ref',
  ...fields,
});
const methods = (...list: readonly Json[]): ExchangeDescription => get(METHODS, { delivery_methods: list });

const [a, b, c] = [record('a'), record('b'), record('c')];

describe('points', () => {
  judgeAll(
    sequencesOf([
      ['deleted and read', 'delivery.point.delete-removes', remove('a'), get(`${POINT}a/`, a)],
      ['deleted and listed', 'delivery.point.delete-removes', remove('a'), listed(a, b)],
      ['of a method that was deleted, added', 'delivery.point.unknown-method-refused', send('DELETE', METHOD), add(a)],
      [
        'of a method that was deleted, replaced',
        'delivery.point.unknown-method-refused',
        send('DELETE', METHOD),
        batch([a]),
      ],
      [
        'of a method that was deleted, and of another one',
        undefined,
        send('DELETE', METHOD),
        send('POST', `${METHOD.replace('/m/', '/m,n/')}pickup_point/`, { pickup_point: a }),
      ],
      ['deleted and added again', undefined, remove('a'), add(a), listed(a)],
      [
        'deleted, and another one gone',
        'delivery.point.delete-leaves-other-points',
        listed(a, b),
        remove('a'),
        listed(),
      ],
      ['added and not listed', 'delivery.point.create-stores', add(a), listed(b)],
      ['added and not found', 'delivery.point.create-stores', add(a), missing(`${POINT}a/`)],
      ['added and not found under two slashes', undefined, add(a), missing(`${POINT}a//`)],
      ['added and not found without the last slash', undefined, add(a), missing(`${POINT}a`)],
      ['added and refused for another reason', undefined, add(a), get(`${POINT}a/`, refusal(403), 403)],
      ['added and read cut', 'delivery.point.address-kept', add(a), get(`${POINT}a/`, { ...a, address: 'Main stree' })],
      [
        'added over an older one, which was kept',
        undefined,
        add(a),
        get(`${POINT}a/`, { ...a, address: 'Old market' }),
      ],
      [
        ...(['added to a known list and read with another city', 'delivery.point.city-kept', listed(b)] as const),
        ...[add(a), get(`${POINT}a/`, { ...a, city: 'Ventspils' })],
      ],
      [
        'changed and read as before',
        'delivery.point.update-applies',
        change('a', { city: 'Ventspils' }),
        get(`${POINT}a/`, a),
      ],
      ['changed and listed as before', 'delivery.point.update-applies', change('a', { city: 'Ventspils' }), listed(a)],
      ['changed to nothing', undefined, change('a', { city: null }), listed(a)],
      ['changed twice', undefined, change('a', { city: 'Ventspils' }), change('a', { city: '' }), listed(a)],
      [
        'changed, and refused afterwards',
        undefined,
        change('a', { city: 'Riga' }),
        { ...change('a', { city: 'x' }), status: 400, response: refusal(400) },
        listed(a),
      ],
      [
        ...(['changed with another field', 'delivery.point.update-keeps-omitted-fields', listed(a)] as const),
        ...[change('a', { city: 'Ventspils' }), listed({ ...a, city: 'Ventspils', zip: '' })],
      ],
      [
        ...(['changed with another point', 'delivery.point.update-leaves-other-points', listed(a, b)] as const),
        ...[change('a', { city: 'Ventspils' }), get(`${POINT}b/`, { ...b, city: 'Ventspils' })],
      ],
      [
        ...(['changed by a refused call', 'envelope.delivery.refusal-changes-nothing', listed(a)] as const),
        ...[{ ...change('a', { city: 'x' }), status: 400, response: refusal(400) }, listed({ ...a, city: 'x' })],
      ],
      [
        'read otherwise than listed',
        'delivery.point.list-agrees-with-read',
        listed(a),
        get(`${POINT}a/`, { ...a, zip: 'LV-1002' }),
      ],
      ['read in another spelling of its id', undefined, remove('A'), get(`${POINT}a/`, a)],
      ['of two methods', undefined, remove('a'), get('store/delivery_method/n/pickup_point/a/', a)],
      [
        'added to one of two methods',
        'delivery.handles.add-to-each',
        methods(courier('m'), courier('n')),
        add(a, 'store/delivery_method/m,n/pickup_point/'),
        missing('store/delivery_method/n/pickup_point/a/'),
      ],
      [
        'added to a method that may not exist',
        undefined,
        add(a, 'store/delivery_method/m,x/pickup_point/'),
        missing('store/delivery_method/x/pickup_point/a/'),
      ],
    ]),
  );
});

describe('uploads', () => {
  const first = { is_initialization: true, is_finalization: false };
  const last = { is_initialization: false, is_finalization: true };
  judgeAll(
    sequencesOf([
      ['that leave an older point', 'delivery.batch.replaces-all', listed(a), batch([b]), listed(a, b)],
      ['that lose a point', 'delivery.batch.replaces-all', batch([a, b]), listed(a)],
      ['of an empty list', 'delivery.batch.empty-list', batch([]), listed(a)],
      ['that change a point', 'delivery.batch.fields-kept', batch([a]), listed({ ...a, zip: '1001' })],
      [
        'of a country that take all',
        'delivery.batch.country-keeps-others',
        listed(a, record('e', { country: 'EE' })),
        batch([b], { country: 'LV' }),
        listed(b),
      ],
      [
        'of a country that keep its points',
        'delivery.batch.country-replaces',
        listed(a),
        batch([b], { country: 'LV' }),
        listed(a, b),
      ],
      [
        'of a country',
        undefined,
        listed(a, record('e', { country: 'EE' })),
        batch([b], { country: 'LV' }),
        listed(b, record('e', { country: 'EE' })),
      ],
      [
        'in portions, of which the last remains',
        'delivery.batch.finalization-publishes',
        batch([a], first),
        batch([b], last),
        listed(b),
      ],
      [
        'in portions, listed early',
        'delivery.batch.unlisted-until-final-portion',
        listed(c),
        batch([a], first),
        listed(a, c),
      ],
      [
        'in portions, the old list is kept meanwhile',
        undefined,
        listed(c),
        batch([a], first),
        listed(c),
        batch([b], last),
        listed(a, b),
      ],
      [
        'in portions, the old list is empty meanwhile',
        undefined,
        listed(c),
        batch([a], first),
        listed(),
        missing(`${POINT}c/`),
        batch([b], last),
        listed(a, b),
      ],
      [
        'in portions, one of them refused',
        undefined,
        batch([a], first),
        { ...batch([b], { ...first, is_initialization: false }), status: 400, response: refusal(400) },
        batch([c], last),
        listed(c),
      ],
      ['without an open list', undefined, batch([a], last), listed(b)],
    ]),
  );
});

describe('methods', () => {
  const made = send(
    'POST',
    'store/delivery_method/',
    { delivery_method: { title: 'X', reference: 'r' } },
    { handle: 'n' },
  );
  judgeAll(
    sequencesOf([
      ['deleted and listed', 'delivery.method.delete-removes', send('DELETE', METHOD), methods(courier('m'))],
      ['created and not found', 'delivery.method.create-stores', made, missing('store/delivery_method/n/')],
      [
        'created with another reference',
        'delivery.method.reference-kept',
        made,
        get('store/delivery_method/n/', courier('n', { title: 'X', reference: 's' })),
      ],
      [
        'changed and read as before',
        'delivery.method.update-applies',
        send('PUT', METHOD, { delivery_method: { reference: 's' } }),
        get(METHOD, courier('m')),
      ],
      [
        'changed and read by another owner',
        undefined,
        send('PUT', METHOD, { delivery_method: { reference: 's' } }),
        { ...get(METHOD, courier('m')), headers: [['Authorization', 'ApiKey another-key-1']] },
      ],
      [
        'that lose a language',
        'delivery.method.update-applies',
        methods(courier('m', { title: { en: 'A', lv: 'B' } })),
        send('PUT', METHOD, { delivery_method: { title: { lv: 'C' } } }),
        get(METHOD, courier('m', { title: { en: 'A' } })),
      ],
      [
        'with a language that the website may not have',
        undefined,
        send('PUT', METHOD, { delivery_method: { title: { en: 'A', de: 'B' } } }),
        get(METHOD, courier('m', { title: { en: 'A' } })),
      ],
      [
        'with countries in another order',
        undefined,
        send('PUT', METHOD, { delivery_method: { available_countries_to: ['LV', 'EE', 'EE'] } }),
        get(METHOD, courier('m', { available_countries_to: ['ee', 'LV'] })),
      ],
      [
        'changed by a form of the admin pages',
        undefined,
        send('PUT', METHOD, { delivery_method: { reference: 's' } }),
        { method: 'POST', url: 'https://admin.service.test/methods/m', headers: [], body: 'a=b', response: 'ok' },
        get(METHOD, courier('m')),
      ],
    ]),
  );

  test('a title in a language that was seen is known to be lost', () => {
    const texts = { en: 'A', lv: 'B' };
    const calls = [
      send('PUT', METHOD, { delivery_method: { title: texts } }),
      get(METHOD, courier('m', { title: 'A' })),
    ];
    assert.deepEqual(broken(calls), []);
  });
});

describe('order', () => {
  const reverse = (...points: readonly Json[]): ExchangeDescription =>
    get(`${POINTS}?desc=1`, { pickup_points: points });
  judgeAll(
    sequencesOf([
      ['that is the reverse', undefined, listed(a, b, c), reverse(c, b, a)],
      ['that is not the reverse', 'delivery.lists.desc-reverses-whole-list', listed(a, b, c), reverse(c, a, b)],
      [
        'that changes',
        'delivery.lists.stable-order',
        listed(a, b, c),
        get(`${POINTS}?page_size=50`, { pickup_points: [b, a, c] }),
      ],
      [
        'that changes after an update',
        undefined,
        listed(a, b),
        change('a', { zip: 'x' }),
        listed(b, record('a', { zip: 'x' })),
      ],
      ['of a list that grew', undefined, listed(a, b), listed(c, a, b)],
      [
        'of a list that lacks a point when it is paged, and has it again when it is not',
        'delivery.lists.every-item-once',
        listed(a, b, c),
        get(`${POINTS}?page_size=50`, { pickup_points: [a, b] }),
        listed(a, b, c),
      ],
      [
        'of a list that another client may have changed between two readings',
        undefined,
        listed(a, b, c),
        get(`${POINTS}?page_size=50`, { pickup_points: [a, b] }),
        get(`${POINTS}?page_size=60`, { pickup_points: [a, b] }),
        listed(a, b),
      ],
      [
        'of a list that grows while it is read in several ways',
        undefined,
        listed(a),
        get(`${POINTS}?desc=1`, { pickup_points: [b, a] }),
        listed(a, b, c),
      ],
    ]),
  );
});

describe('links', () => {
  const page = (link: string): ExchangeDescription =>
    get(`${POINTS}?page_size=1`, { pickup_points: [a], next_page_uri: link });
  const next = `${POINTS}?page_size=1&from=b`;
  judgeAll(
    sequencesOf([
      ['to another list', 'delivery.lists.next-link', page(`${V1}store/delivery_method/n/pickup_points/?from=b`)],
      ['to the list in another spelling', undefined, page(`${V1}store/delivery_method/M/pickup_points/?from=b`)],
      ['that are refused', 'delivery.lists.next-link', page(V1 + next), missing(next)],
      ['that are refused later', undefined, page(V1 + next), { ...missing(next), at: 600_000 }],
      ['that are refused after a change', undefined, page(V1 + next), remove('b'), missing(next)],
      ['that are throttled', undefined, page(V1 + next), get(next, refusal(429), 429)],
    ]),
  );
});

describe('what leaves a sequence open', () => {
  const deleted = remove('a');
  const read = get(`${POINT}a/`, a);

  test('a read that began before the write had ended', () => {
    assert.deepEqual(
      broken([
        { ...deleted, at: 1_000, durationMs: 500 },
        { ...read, at: 1_200 },
      ]),
      [],
    );
  });

  test('a read that began after the write, in the same millisecond, is judged', () => {
    const quick = { ...deleted, at: 1_000, durationMs: 0.25 };
    assert.deepEqual(broken([quick, { ...read, at: 1_000 }]), []);
    assert.deepEqual(broken([quick, { ...read, at: 1_000.5 }]), ['delivery.point.delete-removes']);
  });

  test('a write that began while the read was under way', () => {
    const calls = [
      { ...deleted, at: 1_000 },
      { ...read, at: 2_000, durationMs: 800 },
      { ...add(a), at: 2_100 },
    ];
    assert.deepEqual(broken(calls), []);
    assert.deepEqual(broken([...calls.slice(0, 2), { ...add(a), at: 2_900 }]), ['delivery.point.delete-removes']);
  });

  test('two writes at once', () => {
    const calls = [
      { ...change('a', { city: 'One' }), at: 1_000, durationMs: 300 },
      { ...change('a', { city: 'Two' }), at: 1_100, durationMs: 300 },
      { ...get(`${POINT}a/`, record('a', { city: 'One' })), at: 3_000 },
    ];
    assert.deepEqual(broken(calls), []);
  });

  test('a write without a response of the service', () => {
    const unanswered = { ...add(a), status: 502, response: '<h1>Bad gateway</h1>' };
    assert.deepEqual(broken([deleted, unanswered, read]), []);
  });

  test('minutes in which the store may have been changed by others', () => {
    assert.deepEqual(
      broken([
        { ...deleted, at: 1_000 },
        { ...read, at: 400_000 },
      ]),
      [],
    );
    assert.deepEqual(
      broken([
        { ...deleted, at: 1_000 },
        { ...read, at: 200_000 },
      ]),
      ['delivery.point.delete-removes'],
    );
  });

  test('the finding names the exchange that shows it', () => {
    const found = judged([deleted, listed(b), read])('delivery.point.delete-removes');
    assert.deepEqual([found?.verdict, found?.decisive], ['fail', 3]);
    assert.match(found?.reason ?? '', /the point "a" is read after DELETE .* \(exchange 1\) removed it/);
  });

  test('a write that can not be read leaves none of what was known', () => {
    assert.deepEqual(broken([listed(a), send('POST', BATCH, { pickup_points: 'all' }), listed(b)]), []);
  });

  test('values that were taken out of the recording', () => {
    assert.deepEqual(broken([change('a', { city: '[REDACTED]' }), listed(a)]), []);
    assert.deepEqual(broken([change('a', { city: 'x' }), listed(record('a', { city: '(masked)' }))]), []);
  });
});
