import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replacedIn } from './altered-requests.ts';

const FROM = 'https://service.example/label_callback/a1/';
const TO = 'https://service.example/label_callback/b22/';
const replaced = (text: string): string => replacedIn(text, FROM, TO);

test('a value is replaced as forms and scripts write it', () => {
  assert.equal(replaced(`x=1&cb=${encodeURIComponent(FROM)}`), `x=1&cb=${encodeURIComponent(TO)}`);
  assert.equal(replaced(JSON.stringify({ cb: FROM })), JSON.stringify({ cb: TO }));
  const inPhp = (value: string): string => JSON.stringify({ cb: value }).replaceAll('/', '\\/');
  assert.equal(replaced(inPhp(FROM)), inPhp(TO));
  assert.equal(replaced(`o=${encodeURIComponent(inPhp(FROM))}`), `o=${encodeURIComponent(inPhp(TO))}`);
  assert.equal(replaced(`https://page.example/print?cb=${FROM}`), `https://page.example/print?cb=${TO}`);
});

test('a value inside base64 is replaced, alone and in a form', () => {
  const packed = (value: string): string => Buffer.from(JSON.stringify({ id: 7, cb: value })).toString('base64');
  assert.equal(replaced(`{"o":"${packed(FROM)}"}`), `{"o":"${packed(TO)}"}`);
  const form = (value: string): string => `t=1&o=${encodeURIComponent(packed(value))}`;
  assert.deepEqual([...new URLSearchParams(replaced(form(FROM)))], [...new URLSearchParams(form(TO))]);
});

test('what does not contain the value stays as it is', () => {
  for (const text of [
    '',
    'ticket=0a1b2c',
    `o=${Buffer.from('something else that is long').toString('base64')}`,
    '%2B%3D',
  ])
    assert.equal(replaced(text), text);
});
