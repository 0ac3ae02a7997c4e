import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ids, inProcess, keyedClient, memoryService, points, type Reply } from '../client.fixture.ts';
import { deviationsById } from '../deviations.ts';
import type { MockService } from '../types/service.ts';
import { strictnessVariants } from './strictness.ts';

const METHOD = '/store/delivery_method/honey-lockers';

/** What one part of the interfaces does, in words short enough to compare. */
type Attempt = (service: MockService) => Promise<unknown>;

const delivery = (service: MockService) =>
  keyedClient(inProcess(service), service.state.websites.get('55001')?.apiKey ?? '');
const said = ({ status, body }: Reply): unknown[] => [status, body.error];

/** A call of the Reseller interface, with a good token. */
function reseller(service: MockService) {
  const token = 'a-token-for-this-test';
  service.change(() => service.state.tokens.set(token, { token, resellerId: 9001 }));
  return (method: 'GET' | 'POST', path: string, { query = '', form }: { query?: string; form?: string } = {}) =>
    inProcess(service)(
      method,
      `/api${path}?${method === 'GET' ? `apiToken=${token}` : ''}${query}`,
      method === 'GET' ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
      method === 'GET' ? undefined : `apiToken=${token}${form ?? ''}`,
    );
}

const countries = { available_countries_from: [], available_countries_to: [] };

/** For each variant: a call, the result of the usual service, and the result of the variant. */
const CASES: Readonly<Record<string, readonly [look: Attempt, usual: unknown, variant: unknown]>> = {
  'methods.name-refused': [
    async (service) => {
      const api = delivery(service);
      const named = await api.put(`${METHOD}/`, { delivery_method: { name: 'x', reference: 'r' } });
      return [said(named), said(await api.put(`${METHOD}/`, { delivery_method: { reference: 'r' } }))];
    },
    [
      [200, false],
      [200, false],
    ],
    [
      [422, true],
      [200, false],
    ],
  ],
  'methods.empty-countries-as-null': [
    async (service) => {
      const api = delivery(service);
      await api.put(`${METHOD}/`, { delivery_method: countries });
      const { delivery_method: bare, ...rest } = (await api.get(`${METHOD}/`)).body;
      return (bare ?? rest).available_countries_to;
    },
    [],
    null,
  ],
  'methods.countries-required': [
    async (service) => {
      const api = delivery(service);
      const without = await api.post('/store/delivery_method/', { delivery_method: { title: 'x' } });
      const empty = await api.post('/store/delivery_method/', { delivery_method: { title: 'x', ...countries } });
      return [without.status, empty.status];
    },
    [200, 200],
    [422, 200],
  ],
  'points.title-required': [
    async (service) => {
      const add = (point: object) => delivery(service).post(`${METHOD}/pickup_point/`, { pickup_point: point });
      return [(await add({ id: 'N-1' })).status, (await add({ id: 'N-2', title: 'x' })).status];
    },
    [200, 200],
    [422, 200],
  ],
  'points.sent-id-ignored': [
    async (service) => {
      const api = delivery(service);
      await api.put(`${METHOD}/pickup_point/RIX-01/`, { pickup_point: { id: 'N-1', city: 'new' } });
      return (await api.get(`${METHOD}/pickup_point/RIX-01/`)).body.city;
    },
    'Rīga',
    'new',
  ],
  'points.ids-case-insensitive': [
    async (service) => {
      const api = delivery(service);
      const added = await api.post(`${METHOD}/pickup_point/`, { pickup_point: { id: 'rix-01' } });
      return [added.status, (await api.get(`${METHOD}/pickup_point/Rix-01/`)).body.id];
    },
    [200, undefined],
    [409, 'RIX-01'],
  ],
  'texts.default-language-required': [
    async (service) => {
      const change = (title: object) => delivery(service).put(`${METHOD}/`, { delivery_method: { title } });
      return [(await change({ lv: 'x' })).status, (await change({ lv: 'x', en: 'y' })).status];
    },
    [200, 200],
    [400, 200],
  ],
  'lists.desc-true': [
    async (service) => {
      const api = delivery(service);
      await api.post(`${METHOD}/pickup_points/batch_replace/`, { pickup_points: points(3) });
      return ids((await api.get(`${METHOD}/pickup_points/?page_size=2&desc=true`)).body.pickup_points);
    },
    ['P-1', 'P-2'],
    ['P-3', 'P-2'],
  ],
  'upload.empty-list-refused': [
    async (service) => {
      const { status } = await delivery(service).post(`${METHOD}/pickup_points/batch_replace/`, { pickup_points: [] });
      return [status, service.state.points.of('honey-lockers').all().length > 0];
    },
    [200, false],
    [422, true],
  ],
  'reseller.parameters-in-one-place': [
    async (service) => {
      await reseller(service)('POST', '/settings/set/', { query: 'contactName=x', form: '&contactPhone=7' });
      const { settings } = service.state.resellers.get('9001') ?? {};
      return [settings?.contactName === 'x', settings?.contactPhone === '7'];
    },
    [true, true],
    [false, true],
  ],
  'reseller.website-id-by-leading-digits': [
    async (service) => (await reseller(service)('GET', '/website/55001x/domains/')).status,
    404,
    200,
  ],
  'reseller.repeated-enable-refused': [
    async (service) => {
      const call = reseller(service);
      const verdicts: number[] = [];
      for (const wanted of ['disable', 'disable', 'enable', 'enable'])
        verdicts.push((await call('GET', `/website/55001/${wanted}/`)).status);
      return verdicts;
    },
    [200, 200, 200, 200],
    [200, 409, 200, 409],
  ],
  'reseller.domain-with-www': [
    async (service) => {
      const { domains } = (await reseller(service)('GET', '/website/55001/domains/')).body;
      const names: string[] = domains.map(({ domain }: { domain: string }) => domain);
      return names.length > 0 && names.filter((name) => !name.startsWith('www.')).length * 2 === names.length;
    },
    false,
    true,
  ],
  'headers.deprecation': [
    async (service) => {
      const { status, headers } = await delivery(service).get(`${METHOD}/`);
      return [status, headers.get('deprecation'), headers.has('sunset')];
    },
    [200, null, false],
    [200, 'true', true],
  ],
};

describe('strict and lenient variants', () => {
  for (const { id, about } of strictnessVariants) {
    test(`${id}: ${about}`, async () => {
      const [attempt, usual, variant] = CASES[id] ?? assert.fail('it has no case here');
      assert.deepEqual(await attempt(memoryService()), usual);
      assert.deepEqual(await attempt(memoryService({ deviations: deviationsById([id]) })), variant);
    });
  }
});
