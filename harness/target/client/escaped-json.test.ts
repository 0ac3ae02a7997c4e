import assert from 'node:assert/strict';
import test from 'node:test';
import { withEscapes } from './escaped-json.ts';
import type { ServiceRequest } from './request.ts';

const call = (json: unknown): ServiceRequest => ({
  ...{ api: 'v1', method: 'PUT', path: 'x/', query: [], headers: [] },
  body: { json },
});

test('writes letters and slashes as escapes that say the same', () => {
  const value = { ž: 'Rīga 🚚 "a/b" C:\\u0041 \u007f', list: [1, null] };
  const { body } = withEscapes(call(value));
  assert.ok(body !== undefined && 'raw' in body);
  assert.match(String(body.raw), /^[\0-~]*$/);
  assert.match(String(body.raw), /\\ud83d\\ude9a/);
  assert.match(String(body.raw), /a\\\/b/);
  assert.deepEqual(JSON.parse(String(body.raw)), value);
});

test('leaves a call without JSON as it is', () => {
  const { body: _, ...bare } = call({});
  assert.equal(withEscapes(bare), bare);
});
