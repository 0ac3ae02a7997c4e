/** Values that a call empties: the old one may not be read afterwards. */
import { describe } from 'node:test';
import type { ExchangeDescription } from '../../../traffic.fixture.ts';
import { get, type Json, judgeAll, send, sequencesOf } from '../sequences.fixture.ts';

const POINT = 'store/delivery_method/m/pickup_point/a/';
const METHOD = 'store/delivery_method/m/';

const point = (fields: Json): ExchangeDescription => get(POINT, { id: 'a', title: 'A', city: 'Riga', ...fields });
const change = (fields: Json): ExchangeDescription => send('PUT', POINT, { pickup_point: fields });
const method = (fields: Json): ExchangeDescription => get(METHOD, { handle: 'm', title: 'Courier', ...fields });
const update = (fields: Json): ExchangeDescription => send('PUT', METHOD, { delivery_method: fields });

describe('fields that an update empties', () => {
  const [full, empty] = [{ attributes: { code: '1' } }, { attributes: '' }];
  judgeAll(
    sequencesOf([
      ['and that keep their text', 'delivery.point.update-applies', point({}), change({ city: '' }), point({})],
      ['and that keep their object', 'delivery.point.update-applies', point(full), change(empty), point(full)],
      [
        'and that keep their list',
        'delivery.method.update-applies',
        method({ available_countries_to: ['LV'] }),
        update({ available_countries_to: [] }),
        method({ available_countries_to: ['LV'] }),
      ],
      ['and that are empty', undefined, point({}), change({ city: '' }), point({ city: null })],
      ['and that have a default', undefined, point({}), change({ city: '' }), point({ city: 'none' })],
      ['and that were not read before', undefined, change({ city: '' }), point({})],
      [
        'and that another update fills',
        undefined,
        point({}),
        change({ city: '' }),
        change({ city: 'Riga' }),
        point({}),
      ],
      ['and that are full later', undefined, point({}), change({ city: '' }), point({ city: '' }), point({})],
      ['by null', undefined, point({}), change({ city: null }), point({})],
      ['in a list without it', undefined, point({ city: [] }), change({ city: '' }), point({ city: [] })],
    ]),
  );
});

describe('snippets and data that are emptied', () => {
  const code = '?authCode=code-1';
  const set = (what: 'snippet' | 'data', value: unknown, rest: Json = {}): ExchangeDescription =>
    send('POST', `apps/set_${what}/${code}`, { [what]: value, ...rest });
  const read = (what: 'snippet' | 'data', value: unknown): ExchangeDescription =>
    get(`apps/get_${what}/${code}`, { [what]: value });
  judgeAll(
    sequencesOf([
      [
        'and keep their text',
        'apps.snippet.replaced',
        set('snippet', '<b>x</b>'),
        set('snippet', ''),
        read('snippet', '<b>x</b>'),
      ],
      [
        'and keep their object',
        'apps.data.replaced-entirely',
        set('data', { a: 1 }),
        set('data', {}),
        read('data', { a: 1 }),
      ],
      ['and are empty', undefined, set('data', { a: 1 }), set('data', {}), read('data', [])],
      ['and are null', undefined, set('snippet', '<b>x</b>'), set('snippet', ''), read('snippet', null)],
      ['and were not set before', undefined, set('snippet', ''), read('snippet', '<b>x</b>')],
      [
        'for every language, perhaps',
        undefined,
        set('snippet', '<b>x</b>'),
        set('snippet', '', { language: null }),
        read('snippet', '<b>x</b>'),
      ],
    ]),
  );
});
