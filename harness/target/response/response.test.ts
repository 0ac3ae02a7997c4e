import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readJson, responseOf } from './response.ts';

const response = (body: string | Uint8Array, ...headers: (readonly [string, string])[]) =>
  responseOf({
    status: 200,
    headers,
    bytes: typeof body === 'string' ? Buffer.from(body) : body,
    durationMs: 1,
    exchange: 1,
    request: { method: 'GET', url: 'https://s.example/' },
  });

test('headers are found whatever their case; the content type comes without parameters', () => {
  const got = response('{}', ['X-One', 'a'], ['x-one', 'b'], ['Content-Type', 'Application/JSON; charset=UTF-8']);
  assert.equal(got.header('x-ONE'), 'a');
  assert.equal(got.header('none'), undefined);
  assert.equal(got.contentType, 'application/json');
  assert.equal(response('').contentType, '');
});

test('text is read in the charset that is named, and as UTF-8 without one', () => {
  assert.equal(response(Buffer.from([0xe9]), ['content-type', 'text/html; charset="iso-8859-1"']).text, 'é');
  assert.equal(response(Buffer.from('é')).text, 'é');
  assert.equal(response(Buffer.from([0xe9]), ['content-type', 'text/html; charset=no-such']).text, '\ufffd');
});

test('good JSON has no fault', () => {
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      const text = JSON.stringify(value);
      assert.deepEqual(readJson(Buffer.from(text)), { json: JSON.parse(text), fault: undefined });
    }),
    { seed: 1 },
  );
  assert.equal(response('{"a":1}').jsonFault, undefined);
  assert.deepEqual(response('{"a":1}').json, { a: 1 });
});

test('invalid JSON has no value, but a fault with the reason', () => {
  const rows: [string | Uint8Array, RegExp][] = [
    ['', /^is empty$/],
    [' \n', /^is blank$/],
    ['<!doctype html><p>', /^is markup/],
    ['<b>Fatal error</b>', /^is markup/],
    ['{"a":NaN}', /^contains NaN/],
    ['{"a":-Infinity}', /^contains -Infinity/],
    ['{"a":undefined}', /^contains undefined/],
    ["{'a': True}", /^contains True/],
    ['{"a":"NaN",}', /^is not JSON/],
    ['{"a":1', /^is (truncated JSON|not JSON)/],
    ['not json', /^is not JSON/],
    [Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), /^is not UTF-8 \(first wrong byte at offset 2\)$/],
    [Buffer.from([0x22, 0xc3]), /^is not UTF-8/],
    [Buffer.from('{"a":1}', 'utf16le'), /^is not JSON/],
  ];
  for (const [body, fault] of rows) {
    const got = response(body);
    assert.equal(got.json, undefined, String(body));
    assert.match(got.jsonFault ?? '', fault, String(body));
  }
});

test('a fault never quotes the body, which may hold a secret', () => {
  assert.doesNotMatch(readJson(Buffer.from('secret-token {')).fault ?? '', /secret/);
});

test('JSON with a defect has its value and the fault', () => {
  assert.deepEqual(readJson(Buffer.from('\ufeff{"a":1}')), { json: { a: 1 }, fault: 'begins with a byte order mark' });
  assert.deepEqual(readJson(Buffer.from('{"a":1,"b":{"c":1,"\\u0063":2}}')), {
    json: { a: 1, b: { c: 2 } },
    fault: 'has the key "c" twice in one object',
  });
});

test('the same key in two objects, or a string that looks like a key, is not a fault', () => {
  for (const text of [
    '[{"a":1},{"a":2}]',
    '{"a":{"a":{"a":1}},"b":"a"}',
    '{"x":"\\"a\\":1","a":"\\\\"}',
    '{"__proto__":1}',
    '["a"  ,"a"]',
  ]) {
    assert.equal(readJson(Buffer.from(text)).fault, undefined, text);
  }
});

test('a body nested without end is read or refused, and does not end the process', () => {
  const deep = readJson(Buffer.from(`${'['.repeat(200_000)}${']'.repeat(200_000)}`));
  assert.ok(deep.json !== undefined || deep.fault !== undefined);
});
