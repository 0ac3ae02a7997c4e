import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Delivery } from '../interfaces/delivery.ts';
import { plain, Secret } from '../secrets/secret.ts';
import { headersOf, requestOf, segment } from './wire.ts';

test('a segment is encoded once, and one that is read as another address is refused', () => {
  assert.equal(segment('a/b%c+d e?f#g'), 'a%2Fb%25c%2Bd%20e%3Ff%23g');
  assert.equal(segment('...'), '...');
  assert.equal(segment('Rīga'), 'R%C4%ABga');
  for (const bad of ['', '.', '..', '\ud800']) assert.throws(() => segment(bad), /path/);
});

test('a key travels under its scheme and prints its name', () => {
  const [[name, value]] = headersOf(new Secret('STORE_KEY', 'abc')) as [[string, Secret]];
  assert.deepEqual([name, plain(value), String(value)], ['Authorization', 'ApiKey abc', 'ApiKey $STORE_KEY']);
  assert.deepEqual(headersOf(undefined), []);
});

test('a call becomes the request that is sent', () => {
  const call = new Delivery('private', new Secret('STORE_KEY', 'abc')).addMethod({ title: 'T' });
  const request = requestOf(call, 'https://s.example/v1/');
  assert.equal(request.url, 'https://s.example/v1/store/delivery_method/');
  assert.equal(request.body, '{"delivery_method":{"title":"T"}}');
  assert.deepEqual(
    request.headers?.map(([name, value]) => [name.toLowerCase(), plain(value)]),
    [
      ['accept', 'application/json'],
      ['content-type', 'application/json'],
      ['authorization', 'ApiKey abc'],
    ],
  );
});
