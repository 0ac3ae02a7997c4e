// Plain stand-ins must not hide a fault: what comes back changed is not recognised.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ServiceRequest } from '../../target/client/request.ts';
import { answered, post } from '../calls.fixture.ts';
import { HomeCountry, homeOf } from './home-country.ts';
import { StandIns } from './stand-ins.ts';

const standIns = (exact: readonly string[] = []): StandIns =>
  new StandIns({ mark: 'm', languages: ['en', 'lv'], country: 'LV', exact });

const jsonOf = ({ body }: ServiceRequest): Record<string, Record<string, unknown>> => (body as { json: never }).json;

describe('stand-ins', () => {
  const point = { id: 'a b/ž', title: { en: 'Łódź & Co' }, address: '<b>', country: 'LV', attributes: { 'a b': [1] } };

  test('go out plain, in bodies and paths alike, and come back as the own values', () => {
    const all = standIns();
    const sent = jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: point }))).pickup_point!;
    assert.match(JSON.stringify(sent), /^[\w"{}:, -]*$/);
    const { path } = all.call(post('store/delivery_method/h/pickup_point/a%20b%2F%C5%BE/', {}, 'PUT'));
    assert.equal(path, `store/delivery_method/h/pickup_point/${String(sent.id)}/`);
    assert.deepEqual(all.restore(answered(200, { pickup_point: sent })).json, { pickup_point: point });
  });

  test('go out in the form in which the target has served references or ids, whatever form is tried', () => {
    const sentWith = (served: 'words' | 'digits' | undefined) => {
      const codeServedAs = (code: 'reference' | 'id') => (code === 'reference' ? served : undefined);
      const all = new StandIns({ mark: 'm', languages: [], country: 'LV', codes: 'capitals', codeServedAs });
      const { reference } = jsonOf(all.call(post('store/delivery_method/', { delivery_method: { reference: 'a b' } })))
        .delivery_method!;
      const { id } = jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: point })))
        .pickup_point!;
      return [String(reference), String(id)] as const;
    };
    for (const [served, form] of [
      ['digits', /^\d+$/],
      ['words', /^[a-z]+$/],
      [undefined, /^[A-Z]+$/],
    ] as const) {
      const [reference, id] = sentWith(served);
      assert.match(reference, form);
      assert.match(id, /^[A-Z]+$/);
    }
  });

  test('of long postal codes differ from the codes that go out as they are', () => {
    const long = new StandIns({ mark: 'm', languages: [], country: 'LV', only: new Set(['long-texts']) });
    const zipOf = (zip: string): unknown =>
      jsonOf(long.call(post('store/delivery_method/h/pickup_point/', { pickup_point: { country: 'LV', zip } })))
        .pickup_point!.zip;
    const own = 'LV-1050 '.repeat(40);
    const code = String(zipOf(own));
    assert.match(code, /^LV-\d{4}$/);
    const other = zipOf(code);
    assert.notEqual(other, code);
    assert.equal(zipOf('LV-2000'), 'LV-2000');
    assert.deepEqual(long.restore(answered(200, { zips: [code, other, 'LV-2000'] })).json, {
      zips: [own, code, 'LV-2000'],
    });
  });

  test('add languages to a title that goes out as an object', () => {
    const call = post('store/delivery_method/', { delivery_method: { title: 'A' } });
    const only = (...kinds: readonly ('title-objects' | 'languages')[]) =>
      new StandIns({ mark: 'm', languages: ['en', 'lv'], country: 'LV', only: new Set(kinds) });
    assert.equal(only('languages').changes(call), false);
    const before = only('title-objects').call(call);
    assert.ok(only('title-objects', 'languages').changes(call, before));
    assert.ok(!only('title-objects').changes(call, before));
  });

  test('leave the label page of the harness where it is, and add none', () => {
    const page = 'http://127.0.0.1:8080/label-hard?client=7&from=r%C4%ABga';
    const sentBy = (exact: readonly string[], address: string | null): unknown => {
      const fields = { title: 'A', reference: 'b', print_label_url: address };
      const call = post('store/delivery_method/', { delivery_method: fields });
      return jsonOf(standIns(exact).call(call)).delivery_method!.print_label_url;
    };
    assert.deepEqual([sentBy(['label-page'], page), sentBy(['label-page'], null)], [page, null]);
    assert.match(String(sentBy([], page)), /^https:\/\/example\.com\//);
    assert.match(String(sentBy([], null)), /^https:\/\/example\.com\//);
  });

  test('put the country of the store in the place of the one that checks write, and the reverse', () => {
    const all = new StandIns({ mark: 'm', languages: [], country: 'US', home: new HomeCountry('US') });
    const fields = { id: 'a', country: 'LV', zip: '1050', attributes: { country: 'LV' } };
    const sent = jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: fields })));
    assert.equal(sent.pickup_point!.country, 'US');
    assert.deepEqual(sent.pickup_point!.attributes, { country: 'LV' });
    const list = { delivery_methods: [{ available_countries_to: ['us', 'EE', 'LV'] }], fields: { country: 'US' } };
    const expected = { delivery_methods: [{ available_countries_to: ['lv', 'EE', 'US'] }], fields: { country: 'US' } };
    assert.deepEqual(all.restore(answered(200, list)).json, expected);
    const batch = all.call(
      post('store/delivery_method/h/pickup_points/batch_replace/', { pickup_points: [], country: 'LV' }),
    );
    assert.equal(jsonOf(batch).country, 'US');
    assert.equal(homeOf('lv'), undefined);
    assert.equal(homeOf(undefined), undefined);
  });

  test('turn the string titles of new resources into objects where only that form is tried, and leave updates as they are', () => {
    const languages = ['en', 'lv'];
    const only = new Set(['title-objects'] as const);
    const all = new StandIns({ mark: 'm', languages, defaultLanguage: 'lv', country: 'LV', only });
    const titleIn = (method: 'POST' | 'PUT'): unknown =>
      jsonOf(all.call(post('store/delivery_method/', { delivery_method: { title: 'A b' } }, method))).delivery_method!
        .title;
    assert.deepEqual([titleIn('POST'), titleIn('PUT')], [{ lv: 'A b' }, 'A b']);
  });

  test('make a string of a title in one language where the languages that a service may require are not known', () => {
    const titleOf = (languages: readonly string[]): unknown =>
      jsonOf(
        new StandIns({ mark: 'm', languages, country: 'LV' }).call(
          post('store/delivery_method/h/pickup_point/', { pickup_point: { ...point, title: { en: 'Station' } } }),
        ),
      ).pickup_point!.title;
    assert.equal(typeof titleOf([]), 'string');
    assert.deepEqual(Object.keys(titleOf(['en', 'lv']) as object), ['en', 'lv']);
  });

  test('that come back changed do not count as what was sent', () => {
    const all = standIns();
    const sent = jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: point }))).pickup_point!;
    const { json } = all.restore(answered(200, { ...sent, address: String(sent.address).toUpperCase() }));
    assert.notEqual((json as typeof point).address, point.address);
  });

  test('leave out of answers what the check did not send', () => {
    const all = standIns();
    const call = post('store/delivery_method/h/pickup_point/', { pickup_point: { id: 'a' } });
    const sent = jsonOf(all.call(call)).pickup_point!;
    assert.ok('city' in sent && 'title' in sent);
    const { json } = all.restore(answered(200, sent));
    assert.ok(!('city' in (json as object)));
  });

  test('of a zip are not taken for a zip that a check sends later', () => {
    const all = standIns();
    const zipOf = (zip: unknown): unknown =>
      jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: { id: 'a', country: 'LV', zip } })))
        .pickup_point!.zip;
    const first = zipOf('01015');
    const second = zipOf(first);
    assert.notEqual(second, first);
    assert.equal(zipOf(first), second);
    assert.deepEqual(all.restore(answered(200, { id: 'a', zip: first })).json, { id: 'a', zip: '01015' });
    assert.deepEqual(all.restore(answered(200, { id: 'a', zip: second })).json, { id: 'a', zip: first });
  });

  test('of a zip are postal codes of the country of the point', () => {
    const all = standIns();
    const zipOf = (fields: object): unknown =>
      jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: { id: 'a', ...fields } })))
        .pickup_point!.zip;
    assert.equal(zipOf({ country: 'EE', zip: '01015' }), '01015');
    const sent = zipOf({ country: 'lv', zip: 'SW1A 1AA' });
    assert.match(String(sent), /^LV-\d{4}$/);
    assert.match(String(zipOf({ country: 'GB', zip: '007' })), /^[A-Z]{2}\d \d[A-Z]{2}$/);
    assert.match(String(zipOf({})), /^LV-\d{4}$/);
    assert.deepEqual(all.restore(answered(200, { id: 'a', zip: sent })).json, { id: 'a', zip: 'SW1A 1AA' });
    assert.equal(zipOf({ country: 'XX', zip: '007' }), '007');
    const many = Array.from({ length: 400 }, (_, at) => zipOf({ country: 'LV', zip: `${at}\n` }));
    assert.equal(new Set(many).size, many.length, 'no two values have one stand-in');
  });

  test('of a call of Reseller go the way that the target takes', () => {
    const form = [['apiToken', 't']] as const;
    const call: ServiceRequest = {
      api: 'api',
      method: 'POST',
      path: 'balance/',
      query: [],
      headers: [],
      body: { form },
    };
    const by = (method: 'GET' | 'POST', exact: readonly string[] = []) =>
      new StandIns({ mark: 'm', languages: [], country: 'LV', exact, takesOnly: (asked) => asked === method });
    const { body: _body, ...bodiless } = call;
    const got = { ...bodiless, method: 'GET', query: form };
    assert.deepEqual(by('GET').call(call), got);
    assert.deepEqual(by('POST').call(got), call);
    assert.deepEqual(by('POST').call(call), call);
    assert.deepEqual(by('GET', ['method']).call(call), call);
  });

  test('are codes where ids and references have to be', () => {
    for (const [codes, form] of [
      ['digits', /^[1-9]\d{8}$/],
      ['capitals', /^[A-Z]{9}$/],
    ] as const) {
      const all = new StandIns({ mark: 'm', languages: ['en'], country: 'LV', codes });
      const sent = jsonOf(all.call(post('store/delivery_method/h/pickup_point/', { pickup_point: point })));
      assert.match(String(sent.pickup_point!.id), form);
      const { path } = all.call(post('store/delivery_method/h/pickup_point/a%20b%2F%C5%BE/', {}, 'PUT'));
      assert.equal(path, `store/delivery_method/h/pickup_point/${String(sent.pickup_point!.id)}/`);
      const method = jsonOf(all.call(post('store/delivery_method/', { delivery_method: { reference: 'pm-1 Rīga' } })));
      assert.match(String(method.delivery_method!.reference), form);
      assert.equal(all.reference('pm-1 Rīga'), method.delivery_method!.reference);
      const back = all.restore(answered(200, { ...sent.pickup_point, ...method.delivery_method })).json;
      assert.equal((back as { id: string }).id, point.id);
      assert.equal((back as { reference: string }).reference, 'pm-1 Rīga');
    }
  });

  test('are countries in lower case where capitals are refused', () => {
    const all = new StandIns({ mark: 'm', languages: [], country: 'LV', codes: 'lower-case countries' });
    const method = { reference: 'r', available_countries_from: ['LV'], available_countries_to: ['EE', 'LT'] };
    const made = jsonOf(all.call(post('store/delivery_method/', { delivery_method: method }))).delivery_method!;
    assert.deepEqual([made.available_countries_from, made.available_countries_to], [['lv'], ['ee', 'lt']]);
    const batch = { country: 'EE', pickup_points: [{ id: 'p-1', country: 'EE' }, { id: 'p-2' }] };
    const body = all.call(post('store/delivery_method/h/pickup_points/batch_replace/', batch)).body as { json: object };
    assert.doesNotMatch(JSON.stringify(body.json), /"(EE|LV)"/);
    assert.deepEqual(JSON.stringify(body.json).match(/"country":"..?"/g), [
      `"country":"ee"`,
      `"country":"ee"`,
      `"country":"lv"`,
    ]);
  });

  test('are not for fields whose values the rule is about', () => {
    const call = post('store/delivery_method/h/pickup_point/', { pickup_point: point });
    assert.equal(jsonOf(standIns(['id']).call(call)).pickup_point!.id, point.id);
  });
});
