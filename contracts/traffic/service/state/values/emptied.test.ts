/** Values that a call empties: the old one may not be read afterwards. */
import { describe } from 'node:test';
import type { ExchangeDescription } from '../../../traffic.fixture.ts';
import { get, type Json, judgeAll, send, sequencesOf } from '../sequences.fixture.ts';

const POINT = 'store/delivery_method/m/pickup_point/a/';
const METHOD = 'store/delivery_method/m/';

const point = (fields: Json): ExchangeDescription => get(POINT, { id: 'a', title: 'A', ...fields });
const change = (fields: Json): ExchangeDescription => send('PUT', POINT, { pickup_point: fields });
const method = (fields: Json): ExchangeDescription => get(METHOD, { handle: 'm', title: 'Courier', ...fields });
const update = (fields: Json): ExchangeDescription => send('PUT', METHOD, { delivery_method: fields });

describe('fields that an update empties', () => {
  const [full, empty] = [{ address: 'Street 1' }, { address: '' }];
  const coded = { attributes: { code: '1' } };
  judgeAll(
    sequencesOf([
      [
        'and that keep their text',
        'delivery.point.update-applies',
        change(full),
        point(full),
        change(empty),
        point(full),
      ],
      [
        'and that keep their object',
        'delivery.point.update-applies',
        change(coded),
        point(coded),
        change({ attributes: '' }),
        point(coded),
      ],
      [
        'and that keep their text, of a method',
        'delivery.method.update-applies',
        update({ reference: 'ref-A1' }),
        method({ reference: 'ref-A1' }),
        update({ reference: '' }),
        method({ reference: 'ref-A1' }),
      ],
      ['and that are empty', undefined, change(full), point(full), change(empty), point({ address: null })],
      ['and that have a default', undefined, change(full), point(full), change(empty), point({ address: 'none' })],
      ['and that no client had filled', undefined, point(full), change(empty), point(full)],
      ['and that were not read before', undefined, change(full), change(empty), point(full)],
      ['and that another update fills', undefined, change(full), point(full), change(empty), change(full), point(full)],
      ['and that are full later', undefined, change(full), point(full), change(empty), point(empty), point(full)],
      ['by null', undefined, change(full), point(full), change({ address: null }), point(full)],
      [
        'and that may be those of the store',
        undefined,
        change({ city: 'Riga' }),
        point({ city: 'Riga' }),
        change({ city: '' }),
        point({ city: 'Riga' }),
      ],
      [
        'and that may follow from another field',
        undefined,
        update({ reference: 'courier', title: 'Courier' }),
        method({ reference: 'courier' }),
        update({ reference: '' }),
        method({ reference: 'courier' }),
      ],
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
      ['twice', undefined, set('snippet', ''), set('snippet', ''), read('snippet', '')],
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
