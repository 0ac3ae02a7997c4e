import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultFixtures } from './fixtures.ts';
import { FixturesError, parseFixtures, readFixtures } from './fixtures-file.ts';
import { profileOf } from './profile.ts';
import { inProcess, keyed, memoryService } from './test-client.ts';

const parse = (value: unknown) => parseFixtures(JSON.stringify(value), 'rows.json');

describe('fixtures from a file', () => {
  test('nothing given is the default', () => {
    assert.deepEqual(parse({}), defaultFixtures);
  });

  test('rows name what matters and get the rest', async () => {
    const fixtures = parse({
      websites: [{ id: 1, alias: 'shop', apiKey: 'key-of-the-shop', languages: ['fi', 'sv'] }],
      methods: [{ handle: 'post', owner: 'website:1', title: 'Posti' }],
      points: { post: [{ id: 'a' }, { id: 'b', attributes: { x: 1 } }] },
      orders: [{ uuid: 'o-1', websiteId: 1, handle: 'post' }],
    });
    const service = memoryService({ fixtures });
    const api = keyed(inProcess(service), 'key-of-the-shop');
    const { delivery_methods: listed } = (await api.get('/store/delivery_methods/')).body;
    assert.deepEqual([listed.length, listed[0].handle, listed[0].title], [1, 'post', 'Posti']);
    assert.equal((await api.get('/store/delivery_method/post/pickup_points/')).body.pickup_points.length, 2);
    const profile = profileOf(service);
    assert.deepEqual((profile.delivery as { private: unknown }).private, { apiKey: 'key-of-the-shop' });
    assert.equal(profile.apps, undefined);
    assert.equal((profile.website as { defaultLanguage: string }).defaultLanguage, 'fi');
  });

  test('mistakes are told with their place', () => {
    const website = { id: 1, alias: 'a', apiKey: 'k' };
    const wrong: [unknown, RegExp][] = [
      [[], /^rows\.json: the file must hold an object/],
      [{ shops: [] }, /^rows\.json: shops is no section: use websites/],
      [{ websites: {} }, /websites must be an array/],
      [{ websites: [7] }, /websites\[0\] must be an object/],
      [{ websites: [{ id: 1, alias: 'a' }] }, /websites\[0\]\.apiKey is missing/],
      [{ websites: [{ ...website, id: '1' }] }, /websites\[0\]\.id must be a number/],
      [{ websites: [{ ...website, colour: 1 }] }, /websites\[0\]\.colour is no field/],
      [{ websites: [website, { ...website, apiKey: 'l', alias: 'b' }] }, /websites\[1\]\.id stands there twice/],
      [
        { websites: [{ ...website, languages: ['en'], defaultLanguage: 'lv' }] },
        /defaultLanguage must be one of its languages/,
      ],
      [{ methods: [{ handle: 'a', owner: 'website:99' }] }, /methods\[0\]\.owner must be/],
      [{ methods: [{ handle: 'a,b', owner: 'website:55001' }] }, /comma/],
      [{ points: { nope: [] } }, /points\.nope names no method/],
      [{ points: { 'honey-lockers': [{ id: 'a', attributes: 7 }] } }, /attributes must be/],
      [{ points: { 'honey-lockers': [{ name: 'a' }] } }, /id is missing/],
      [{ orders: [{ uuid: 'u', websiteId: 55001, handle: 'nope' }] }, /orders\[0\]\.handle names no method/],
      [{ domains: [{ id: 1, websiteId: 9, domain: 'x.example' }] }, /domains\[0\]\.websiteId names no website/],
      [{ installations: [{ authCode: 'a', appId: '9', websiteId: 55001 }] }, /appId names no app/],
    ];
    for (const [value, sentence] of wrong) {
      assert.throws(
        () => parse(value),
        (error: Error) => error instanceof FixturesError && sentence.test(error.message),
        JSON.stringify(value),
      );
    }
    assert.throws(() => parseFixtures('{', 'rows.json'), /rows\.json is not valid JSON/);
    assert.throws(() => readFixtures('no/such.json'), /there is no such file/);
  });
});
