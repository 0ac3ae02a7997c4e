import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRedaction } from '../evidence/redaction/index.ts';
import { redactOutput } from './redact-output.ts';

test('what a driver prints holds no secret, as text and as bytes', () => {
  const redaction = createRedaction();
  redaction.add({ name: 'STORE_KEY', value: 'store-key-123456' });
  let written = '';
  const stream = {
    write(chunk: string | Uint8Array): boolean {
      written += String(chunk);
      return true;
    },
  };
  redactOutput(stream, redaction);
  stream.write('a store-key-123456\n');
  stream.write(Buffer.from('b store-key-123456\n'));
  redaction.add({ name: 'TOKEN', value: 'token-123456', learned: true });
  stream.write(`c ${Buffer.from('token-123456').toString('base64')}\n`);
  assert.equal(written, 'a $STORE_KEY\nb $STORE_KEY\nc $TOKEN(base64)\n');
});

test('bytes that are not text are written unchanged', () => {
  const written: (string | Uint8Array)[] = [];
  const stream = {
    write(chunk: string | Uint8Array): boolean {
      written.push(chunk);
      return true;
    },
  };
  redactOutput(stream, createRedaction());
  const bytes = Uint8Array.of(0xff, 0x0f, 0x00, 0x22);
  stream.write(bytes);
  assert.deepEqual(written, [bytes]);
});
