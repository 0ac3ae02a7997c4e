import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
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

test('a warning that a driver gives holds no secret, however it is given', async () => {
  const module = JSON.stringify(new URL('./redact-output.ts', import.meta.url).href);
  const redaction = JSON.stringify(new URL('../evidence/redaction/index.ts', import.meta.url).href);
  const program = `
    import { createRedaction } from ${redaction};
    import { redactWarnings } from ${module};
    const redaction = createRedaction();
    redaction.add({ name: 'STORE_KEY', value: 'store-key-123456' });
    redactWarnings(redaction);
    process.emitWarning('one store-key-123456', { detail: 'two store-key-123456' });
    process.emitWarning(Object.assign(new Error('three store-key-123456'), { name: 'Own store-key-123456' }));
    process.emitWarning('kept as it is', 'OwnWarning');`;
  const { stderr } = await promisify(execFile)(process.execPath, [
    ...process.execArgv.filter((one) => !one.startsWith('--test')),
    '--trace-warnings',
    ...['--input-type=module-typescript', '--eval', program],
  ]);
  assert.match(
    stderr,
    /one \$STORE_KEY.*two \$STORE_KEY.*Own \$STORE_KEY: three \$STORE_KEY.*OwnWarning: kept as it is/s,
  );
  assert.doesNotMatch(stderr, /store-key/);
});
