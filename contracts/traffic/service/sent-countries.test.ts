/** Countries that are no codes: the service's fault, unless a client wrote them so. */
import { describe } from 'node:test';
import { API, type ExchangeDescription } from '../traffic.fixture.ts';
import { get, judgeAll, ok, send, sequencesOf } from './state/sequences.fixture.ts';

const LISTS = 'delivery.method.country-lists-are-codes';
const METHOD = 'store/delivery_method/';
const listed = (...countries: readonly string[]): ExchangeDescription =>
  get('store/delivery_methods/', {
    delivery_methods: [{ handle: 'm', title: 'A', available_countries_to: countries }],
  });
const create = (...countries: readonly string[]): ExchangeDescription =>
  send('POST', METHOD, { delivery_method: { title: 'A', available_countries_to: countries } }, { ...ok, handle: 'm' });
const pointOf = (country: unknown) => ({ id: 'p', title: 'A', address: 'B', city: 'C', zip: '1', country });
const POINTS = `${METHOD}m/pickup_points/`;

const account = (path: string, response: object, fields: Record<string, string> = {}): ExchangeDescription => ({
  ...{ method: 'POST', url: API + path, response: { ...ok, ...response } },
  body: String(new URLSearchParams({ apiToken: 'token-1', ...fields })),
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
});
const settings = (addrCountry: string): ExchangeDescription => account('settings/', { resellerID: 1, addrCountry });
const set = (addrCountry: string): ExchangeDescription => account('settings/set/', {}, { addrCountry });

describe('countries that are no codes', () => {
  judgeAll(
    sequencesOf([
      ['in a list', LISTS, listed('LV', 'LVA')],
      ['in a list as a client wrote it', undefined, create('LV', 'LVA'), listed('LV', 'LVA')],
      [
        'in a list of another field than a client wrote',
        LISTS,
        send('POST', `${METHOD}n/pickup_point/`, { pickup_point: pointOf('LVA') }),
        listed('LVA'),
      ],
      [
        'in a point of a list',
        undefined,
        send('POST', `${POINTS}batch_replace/`, { pickup_points: [pointOf('Latvia')] }),
        get(POINTS, { pickup_points: [pointOf('Latvia')] }),
      ],
      ['in a point', 'delivery.point.country-is-code', get(POINTS, { pickup_points: [pointOf('Latvia')] })],
      [
        'in a point, as a list of what a client wrote as a text',
        'delivery.point.country-is-code',
        send('POST', `${METHOD}n/pickup_point/`, { pickup_point: pointOf('Latvia') }),
        get(POINTS, { pickup_points: [pointOf(['Latvia'])] }),
      ],
      ['in the settings', 'reseller.settings.country', settings('LV')],
      ['in the settings as a client wrote it', undefined, set('LV'), settings('LV')],
      [
        'in the settings, as a client wrote that of a method',
        'reseller.settings.country',
        create('LV'),
        settings('LV'),
      ],
    ]),
  );
});
