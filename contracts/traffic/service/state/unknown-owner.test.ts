/** Recordings without keys, as browsers and sanitisers leave them: a call of another owner looks like one of the same. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { broken, type ExchangeDescription, judged, KEY, refusal } from '../../traffic.fixture.ts';
import { get, ok, send } from './sequences.fixture.ts';

const METHODS = 'store/delivery_methods/';
const METHOD = 'store/delivery_method/m/';
const create = send('POST', 'store/delivery_method/', { delivery_method: { title: 'A' } }, { ...ok, handle: 'm' });
const refused = get(METHOD, refusal(404), 404);
const listed = (handles: readonly string[], parameters = ''): ExchangeDescription =>
  get(METHODS + parameters, { delivery_methods: handles.map((handle) => ({ handle })) });
const other = send('POST', 'store/delivery_method/', { delivery_method: { title: 'B' } }, { ...ok, handle: 'm' });

const WHAT: ReadonlyArray<readonly [what: string, clause: string, ...calls: ExchangeDescription[]]> = [
  ['a new method that is refused', 'delivery.method.create-stores', create, refused],
  ['a new method that is not listed', 'delivery.method.create-stores', create, listed(['n'])],
  [
    'a method that is refused after an update',
    'delivery.method.read-by-handle',
    ...[create, send('PUT', METHOD, { delivery_method: { reference: 'r' } }), refused],
  ],
  ['a handle that is given twice', 'delivery.method.handle-unique', create, other],
  [
    'a list that differs with other parameters',
    'delivery.lists.every-item-once',
    ...[listed(['a']), listed(['b'], '?desc=1'), listed(['a'])],
  ],
];
/** A refusal that shows a second owner, and a service that serves a delete of what its caller does not have. */
const DELETED: ReadonlyArray<readonly [what: string, isDecided: boolean, ...calls: ExchangeDescription[]]> = [
  ['that is read', true, create, send('DELETE', METHOD), get(METHOD, { handle: 'm' })],
  ['that another owner cannot read', false, create, refused, send('DELETE', METHOD), get(METHOD, { handle: 'm' })],
];
const recorders: ReadonlyArray<readonly [recorder: string, key: string | undefined, isDecided: boolean]> = [
  ['with its keys', `ApiKey ${KEY}`, true],
  ['with names of keys', 'ApiKey $STORE_KEY', true],
  ['without keys', undefined, false],
  ['with hidden keys', 'ApiKey ***', false],
  ['with hidden headers', '[REDACTED]', false],
];

describe('calls of owners who cannot be distinguished', () => {
  for (const [recorder, key, isDecided] of recorders)
    for (const [what, clause, ...calls] of WHAT)
      test(`${what}, recorded ${recorder}`, () => {
        const json = ['content-type', 'application/json'] as const;
        const headers = key === undefined ? [json] : [json, ['authorization', key] as const];
        const recorded = calls.map((call) => ({ ...call, headers }));
        assert.deepEqual(broken(recorded), isDecided ? [clause] : []);
        if (!isDecided && what.includes('refused'))
          assert.match(judged(recorded)(clause)?.reason ?? '', /does not show the keys/);
      });

  for (const [what, isDecided, ...calls] of DELETED)
    test(`a deleted method ${what}, recorded without keys`, () => {
      const recorded = calls.map((call) => ({ ...call, headers: [['content-type', 'application/json'] as const] }));
      assert.deepEqual(broken(recorded), isDecided ? ['delivery.method.delete-removes'] : []);
    });

  test('have walks of their own, although their links are the same', () => {
    const page = (
      owner: string,
      from: string,
      handles: readonly string[],
      next: string | null,
    ): ExchangeDescription => ({
      ...get(METHODS + from, { delivery_methods: handles.map((handle) => ({ handle })), next_page_uri: next }),
      headers: [['authorization', `ApiKey ${owner}`]],
    });
    const second = `/v1/${METHODS}?from=1`;
    const make = (owner: string, handle: string): ExchangeDescription => ({
      ...send('POST', 'store/delivery_method/', { delivery_method: {} }, { ...ok, handle }),
      headers: [
        ['authorization', `ApiKey ${owner}`],
        ['content-type', 'application/json'],
      ],
    });
    const calls = [
      ...[make('one', 'b'), make('two', 'y'), page('one', '', ['a'], second), page('two', '', ['x'], second)],
      ...[page('two', '?from=1', ['y'], null), page('one', '?from=1', ['b'], null)],
    ];
    assert.deepEqual(broken(calls), []);
    assert.deepEqual(broken([...calls.slice(0, 4), page('two', '?from=1', ['z'], null)]), [
      'delivery.method.create-stores',
    ]);
  });
});
