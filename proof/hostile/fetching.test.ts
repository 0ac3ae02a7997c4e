/** Hostile manifests, icons and labels: every download of `precheck` ends, and what it cannot judge is the integrator's fault. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { judgeIcon } from '../../contracts/manifests/icon.ts';
import type { Exchange } from '../../contracts/run/events.ts';
import { createRecorder } from '../../harness/evidence/recorder.ts';
import { createRedaction } from '../../harness/evidence/redaction/index.ts';
import { openFetcher } from '../../harness/integrator/fetch/fetcher.ts';
import { NoResponse } from '../../harness/target/client/no-response.ts';
import { openRawServer } from './raw-server.ts';

const MEGABYTE = 1024 * 1024;
const PNG_START = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

/** Sends pieces until the client closes the connection, or up to `bytes`. */
function pour(socket: Socket, start: string, piece: Buffer, bytes = Number.POSITIVE_INFINITY): void {
  let left = bytes;
  socket.write(start);
  const more = (): void => {
    while (!socket.destroyed && left > 0) {
      left -= piece.length;
      if (!socket.write(piece)) return;
    }
    if (left <= 0) socket.end();
  };
  socket.on('drain', more);
  more();
}

const ok = (type: string, more = ''): string => `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${more}\r\n`;
const packed = (encoding: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(ok('image/png', `content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n`)),
    body,
  ]);

const ANSWERS: Readonly<Record<string, readonly [answers: (socket: Socket, port: number) => void, refused: RegExp]>> = {
  'a picture of a gigabyte': [
    (socket) =>
      pour(socket, ok('image/png', `content-length: ${1024 * MEGABYTE}\r\n`), Buffer.alloc(64 * 1024), 1024 * MEGABYTE),
    /larger than 8 MiB/,
  ],
  'a label without end': [
    (socket) => pour(socket, `${ok('application/pdf')}%PDF-1.7\n`, Buffer.from('1 0 obj\n'.repeat(8192))),
    /larger than 8 MiB/,
  ],
  'a picture that unfolds': [
    (socket) => socket.end(packed('gzip', gzipSync(Buffer.alloc(64 * MEGABYTE)))),
    /larger than 8 MiB/,
  ],
  'a picture that unfolds twice': [
    (socket) => socket.end(packed('br, gzip', gzipSync(brotliCompressSync(Buffer.alloc(32 * MEGABYTE))))),
    /larger than 8 MiB/,
  ],
  'a circle of redirects': [
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /again\r\ncontent-length: 0\r\n\r\n'),
    /redirects too often; 5 redirects were followed/,
  ],
  'a redirect into the file system': [
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\ncontent-length: 0\r\n\r\n'),
    /is not a web address/,
  ],
  'a redirect into a script': [
    (socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: javascript:alert(1)\r\ncontent-length: 0\r\n\r\n'),
    /is not a web address/,
  ],
  'no HTTP': [(socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'), /not an HTTP\/1\.1 response/],
  'a hung up call': [(socket) => socket.destroy(), /closed the connection/],
};

for (const [name, [responses, refused]] of Object.entries(ANSWERS)) {
  test(`${name} is not a response, and the integrator has to act`, async (t) => {
    const server = await openRawServer((socket) => responses(socket, server.port));
    const fetcher = openFetcher({});
    t.after(() => Promise.all([fetcher.close(), server.close()]));
    await assert.rejects(fetcher.fetch(`http://127.0.0.1:${server.port}/icon.png`, { timeoutMs: 60_000 }), (error) => {
      assert.ok(error instanceof NoResponse, String(error));
      assert.match(error.message, refused);
      assert.equal(error.attribution, 'target');
      return true;
    });
  });
}

test('user name and password in a redirect are neither sent nor recorded', async (t) => {
  const password = 'open-sesame-4711';
  const exchanges: Exchange[] = [];
  const recorder = createRecorder({ check: '', spool: (one) => exchanges.push(one), redaction: createRedaction() });
  const other = await openRawServer((socket) => void socket.end(`${ok('text/plain', 'content-length: 2\r\n')}{}`));
  const server = await openRawServer(
    (socket) =>
      void socket.end(
        `HTTP/1.1 302 Found\r\nlocation: http://shop:${password}@127.0.0.1:${other.port}/x\r\ncontent-length: 0\r\n\r\n`,
      ),
  );
  const fetcher = openFetcher({ recorder });
  t.after(() => Promise.all([fetcher.close(), server.close(), other.close()]));
  await fetcher
    .fetch(`http://127.0.0.1:${server.port}/`)
    .catch((error: unknown) => assert.ok(error instanceof NoResponse));
  assert.deepEqual(
    other.asked.flatMap(({ headers }) => [...headers.keys()]).filter((name) => /auth|cookie/.test(name)),
    [],
  );
  assert.equal(exchanges.length, 2);
  assert.ok(!JSON.stringify(exchanges).includes(password));
});

test('images with a wrong type are judged by their first bytes, without decoding them', () => {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(0x7fffffff, 0);
  size.writeUInt32BE(0x7fffffff, 4);
  const svg = (prolog: string): Buffer => Buffer.from(`${prolog}<svg width="100" height="100"><text>&x;</text></svg>`);
  const billion = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
  const rows: [Buffer, number][] = [
    [Buffer.concat([PNG_START, size, Buffer.alloc(20)]), 0],
    [svg('<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>'), 0],
    [svg(`<!DOCTYPE svg [<!ENTITY l0 "lol">${billion}]>`), 0],
    [svg('<script>alert(1)</script>'), 1],
    [Buffer.concat([PNG_START, Buffer.alloc(4)]), 1],
    [Buffer.from('\xff\xd8\xff'.repeat(300_000), 'latin1'), 1],
    [Buffer.from(`GIF89a${'\0'.repeat(10)}`, 'latin1'), 1],
    [Buffer.from(`RIFF\xff\xff\xff\xffWEBPVP8X${'\xff'.repeat(30)}`, 'latin1'), -1],
    [Buffer.from('<svg '.repeat(100_000)), 1],
  ];
  for (const [bytes, faults] of rows) {
    const found = judgeIcon(bytes);
    if (faults >= 0)
      assert.equal(Math.sign(found.length), faults, `${bytes.toString('latin1', 0, 60)}: ${JSON.stringify(found)}`);
  }
});
