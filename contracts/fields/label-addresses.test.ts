import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameAddress } from './label-addresses.ts';

test('letters beyond ASCII may be escaped, but not lost', () => {
  const sent = 'https://ķ.example/Rīga?to=東京';
  assert.ok(isSameAddress(sent, sent));
  assert.ok(isSameAddress(sent, 'https://xn--ifa.example/R%C4%ABga?to=%E6%9D%B1%E4%BA%AC'));
  for (const read of ['https://ķ.example/Rga?to=', 'https://ķ.example/Riga?to=東京', null, undefined])
    assert.ok(!isSameAddress(sent, read), String(read));
});

test('an address of ASCII is kept as it was sent', () => {
  assert.ok(!isSameAddress('https://a.example', 'https://a.example/'));
  assert.ok(!isSameAddress('https://a.example//b', 'https://a.example/b'));
});
