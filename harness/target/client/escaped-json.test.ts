import assert from 'node:assert/strict';
import test from 'node:test';
import { bodyOf, type ServiceRequest, withEscapes } from './request.ts';

const call = (json: unknown): ServiceRequest => ({
  ...{ api: 'v1', method: 'PUT', path: 'x/', query: [], headers: [] },
  body: { json },
});

test('writes letters and slashes as escapes that say the same', () => {
  const value = { ž: 'Rīga 🚚 "a/b" C:\\u0041 \u007f', list: [1, null] };
  const written = bodyOf(withEscapes(call(value)));
  assert.equal(written?.contentType, 'application/json');
  const text = String(written?.content);
  assert.match(text, /^[\0-~]*$/);
  assert.match(text, /\\ud83d\\ude9a/);
  assert.match(text, /a\\\/b/);
  assert.deepEqual(JSON.parse(text), value);
});

test('leaves a call without JSON as it is', () => {
  const { body: _, ...bare } = call({});
  assert.equal(withEscapes(bare), bare);
});
