/** Names of delivery methods, which the service sets itself. */
import { describe } from 'node:test';
import type { ExchangeDescription } from '../../../traffic.fixture.ts';
import { get, type Json, judgeAll, send, sequencesOf } from '../sequences.fixture.ts';

describe('names of methods', () => {
  const named = (name: string, fields: Json = {}): ExchangeDescription =>
    get('store/delivery_methods/', { delivery_methods: [{ handle: 'm', title: 'Courier', name, ...fields }] });
  const update = (fields: Json): ExchangeDescription =>
    send('PUT', 'store/delivery_method/m/', { delivery_method: fields });
  judgeAll(
    sequencesOf([
      [
        'that an update sets',
        'delivery.method.name-read-only',
        named('dpd-1'),
        update({ name: 'Fast' }),
        named('Fast'),
      ],
      ['that an update does not set', undefined, named('dpd-1'), update({ name: 'Fast' }), named('dpd-1')],
      ['that are not known before', undefined, update({ name: 'Fast' }), named('Fast')],
      ['that were so before', undefined, named('Fast'), update({ name: 'Fast' }), named('Fast')],
      [
        'that the service takes from the title',
        undefined,
        named('courier'),
        update({ name: 'Fast', title: 'Fast courier' }),
        named('Fast', { title: 'Fast courier' }),
      ],
    ]),
  );
});
