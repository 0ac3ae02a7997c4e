/** What the calls of one check show together, and what they leave open. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { API, type ExchangeDescription, exchangesOf, refusal, V1 } from '../traffic.fixture.ts';
import { get, type Json, ok, send } from './state/sequences.fixture.ts';
import { CallsTogether } from './together.ts';

const METHODS = 'store/delivery_methods/';
const METHOD = 'store/delivery_method/';
const POINTS = `${METHOD}m/pickup_points/`;
const POINT = `${METHOD}m/pickup_point/`;
const APPS = 'apps/';

/** The clauses that calls break together. A line is a call, or a place where anything may have changed. */
function broken(calls: ReadonlyArray<ExchangeDescription | 'forget'>, base = V1): string[] {
  const together = new CallsTogether();
  let at = 0;
  for (const call of calls) {
    at += 1;
    if (call === 'forget') together.forget();
    else
      for (const one of exchangesOf([{ at: at * 1_000, ...call }]))
        together.add(one, base === API ? 'api' : 'v1', base);
  }
  return together.end().map(({ clause }) => clause);
}

const point = (id: string, fields: Json = {}): Json => ({ id, title: `Point ${id}`, address: 'Quay 1', ...fields });
const method = (handle: string, fields: Json = {}): Json => ({ handle, title: 'Courier', reference: 'r', ...fields });
const create = (handle: string, fields: Json): ExchangeDescription =>
  send('POST', METHOD, { delivery_method: fields }, { delivery_method: { handle } });
const made = create('m', { title: 'Courier', reference: 'r' });
const add = (id: string): ExchangeDescription => send('POST', POINT, { pickup_point: point(id) });
const upload = (...points: Json[]): ExchangeDescription =>
  send('POST', `${POINTS}batch_replace/`, { pickup_points: points });
const listed = (...points: Json[]): ExchangeDescription => get(POINTS, { pickup_points: points });
const page = (query: string, next: string | null, ...points: Json[]): ExchangeDescription =>
  get(`${POINTS}${query}`, { pickup_points: points, next_page_uri: next });

const ROWS: ReadonlyArray<readonly [string, readonly string[], ...(ExchangeDescription | 'forget')[]]> = [
  ['a point that was added and is not listed', ['delivery.point.create-stores'], made, add('a'), listed()],
  ['a point that was added and is listed', [], made, add('a'), listed(point('a'))],
  [
    'the same after something else than calls may have removed it',
    [],
    ...([made, add('a'), 'forget', listed()] as const),
  ],
  [
    'an upload that left an old point',
    ['delivery.batch.replaces-all'],
    ...[made, add('a'), upload(point('b')), listed(point('a'), point('b'))],
  ],
  [
    'an own method that is listed with another title',
    ['delivery.method.title-kept'],
    ...[made, get(METHODS, { delivery_methods: [method('m', { title: 'Cour' })] })],
  ],
  [
    'a method of another owner that changes meanwhile',
    [],
    get(METHODS, { delivery_methods: [method('x'), method('y')] }),
    made,
    get(METHODS, { delivery_methods: [method('x', { title: 'Post' }), method('m')] }),
    get(`${METHOD}x/`, method('x', { title: 'Parcel' })),
  ],
  [
    'a point that comes on two pages',
    ['delivery.lists.every-item-once'],
    ...[made, page('?page_size=1', `${POINTS}?after=1`, point('a')), page('?after=1', null, point('a'))],
  ],
  [
    'a point that comes on two pages, with a write between them',
    [],
    ...[made, page('?page_size=1', `${POINTS}?after=1`, point('a')), add('0'), page('?after=1', null, point('a'))],
  ],
  [
    'a list that holds other items in the other order',
    ['delivery.lists.every-item-once'],
    ...[page('', null, point('a'), point('b')), page('?desc=1', null, point('c'), point('b'), point('a'))],
  ],
  [
    'a point that another point takes along',
    ['delivery.point.delete-leaves-other-points'],
    ...[listed(point('a'), point('b')), send('DELETE', `${POINT}a/`), get(`${POINT}b/`, refusal(404), 404)],
  ],
  [
    'a point whose id has a slash and that is not found',
    [],
    ...[made, add('a/b'), get(`${POINT}a%2Fb/`, refusal(404), 404)],
  ],
  ['a call that got no answer', [], made, { ...add('a'), status: 504, response: 'gateway' }, listed()],
  [
    'data that was refused and is read all the same',
    ['envelope.delivery.refusal-changes-nothing'],
    send('POST', `${APPS}set_data/?authCode=c`, { data: 'one' }),
    { ...send('POST', `${APPS}set_data/?authCode=c`, { data: 'two' }, refusal(400)), status: 400 },
    get(`${APPS}get_data/?authCode=c`, { data: 'two' }),
  ],
  [
    'data that a refusal clears',
    ['envelope.delivery.refusal-changes-nothing'],
    send('POST', `${APPS}set_data/?authCode=c`, { data: 'one' }),
    { ...send('POST', `${APPS}set_data/?authCode=c`, { data: 7 }, refusal(400)), status: 400 },
    get(`${APPS}get_data/?authCode=c`, { data: '' }),
  ],
  [
    'a snippet under an invalid language',
    [],
    send('POST', `${APPS}set_snippet/?authCode=c`, { snippet: 'one' }),
    send('POST', `${APPS}set_snippet/?authCode=c`, { snippet: 'two', language: null }),
    get(`${APPS}get_snippet/?authCode=c`, { snippet: 'two' }),
  ],
];

describe('calls of a check', () => {
  for (const [name, clauses, ...calls] of ROWS)
    test(`${name}: ${clauses.join() || 'open'}`, () => assert.deepEqual(broken(calls), clauses));

  test('settings that change are left to the checks that can ask again', () => {
    const token = [['apiToken', 't']] as const;
    const form = (pairs: ReadonlyArray<readonly [string, string]>): string =>
      new URLSearchParams(pairs.map(([a, b]) => [a, b])).toString();
    const post = (
      path: string,
      pairs: ReadonlyArray<readonly [string, string]>,
      response: unknown,
    ): ExchangeDescription => ({
      ...{ method: 'POST', url: API + path, body: form([...token, ...pairs]), response },
      headers: [['content-type', 'application/x-www-form-urlencoded']],
    });
    const read = (contactName: string): ExchangeDescription => post('settings/', [], { settings: { contactName } });
    assert.deepEqual(broken([read('Ann'), post('settings/set/', [['contactName', 'Bo']], ok), read('Cy')], API), []);
  });
});
