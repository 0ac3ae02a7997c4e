/** A service with the usual content in unusual bytes: the contract does not restrict how HTTP and JSON are written. */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';
import { judge } from './judge.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Checks that judge every part of a response: fields, lists, envelopes, media types, refusals. */
const WANTED = /^(delivery\.method|envelope|reseller\.settings)\./;
/** The state is compared in other tests. */
const NOTHING = { domains: {}, methods: {}, installations: {}, resellers: {} };

/** The same JSON value with other escapes. */
const WRITINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `\r\n ${JSON.stringify(JSON.parse(text), null, '\t').replaceAll('\n', '\r\n')}\r\n`,
  (text) => text.replaceAll('/', '\\/'),
  (text) => text.replaceAll(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  (text) =>
    text.replaceAll(/"([a-z])(?=[a-z_]*":)/g, (_, first: string) => `"\\u00${first.charCodeAt(0).toString(16)}`),
  (text) => text.replaceAll(/:(\d{1,9})(?=[,}])/g, ':$1.0'),
  (text) => text.replaceAll(/:(\d{1,9})(?=[,}])/g, ':$1E0'),
];

/** Content encodings that the client asks for. */
const PACKINGS: readonly (readonly [name: string, pack: (bytes: Buffer) => Buffer])[] = [
  ['', (bytes) => bytes],
  ['gzip', gzipSync],
  ['BR', brotliCompressSync],
  ['deflate', deflateSync],
  ['deflate', deflateRawSync],
  ['identity', (bytes) => bytes],
];

const MEDIA_TYPES = ['application/json', 'Application/JSON; Charset="UTF-8"', 'application/json ; charset=utf-8; v=1'];

/** The bytes of an answer, the `n`th of a connection's server. */
function bytesOf(
  n: number,
  status: number,
  headers: Headers,
  body: string,
): { head: string; body: Buffer; ends: boolean } {
  const isJson = headers.get('content-type')?.startsWith('application/json') === true;
  const text = isJson ? WRITINGS[n % WRITINGS.length]!(body) : body;
  const [packing, pack] = PACKINGS[n % PACKINGS.length]!;
  const packed = pack(Buffer.from(text));
  const isChunked = n % 4 === 1;
  const ends = n % 5 === 4;
  const name = (usual: string): string => [usual, usual.toUpperCase(), usual.toLowerCase()][n % 3]!;
  const lines = [
    ...(n % 7 === 3 ? ['HTTP/1.1 103 Early Hints', 'Link: </style.css>; rel=preload', ''] : []),
    `HTTP/1.1 ${status} ${['OK', '', 'Fine \u00e9'][n % 3]}`,
    `${name('Content-Type')}:${isJson ? MEDIA_TYPES[n % MEDIA_TYPES.length] : headers.get('content-type')}`,
    ...(packing === '' ? [] : [`${name('Content-Encoding')}:   ${packing}`]),
    ...[...headers]
      .filter(([key]) => key === 'location' || key === 'retry-after')
      .map(([key, value]) => `${key}: ${value}`),
    ...headers.getSetCookie().map((cookie) => `Set-Cookie: ${cookie}`),
    isChunked ? `${name('Transfer-Encoding')}: chunked` : `${name('Content-Length')}:${packed.length}`,
    `${name('Connection')}: ${ends ? 'Close' : 'Keep-Alive'}`,
    'X-Long: '.concat('v'.repeat(4_000)),
    '',
    '',
  ];
  return { head: lines.join('\r\n'), body: isChunked ? chunked(packed) : packed, ends };
}

/** In chunks of uneven sizes, with an extension and a trailer. */
function chunked(bytes: Buffer): Buffer {
  const parts: (string | Buffer)[] = [];
  for (let at = 0, size = 1; at < bytes.length; at += size - 1, size = (size % 97) + 1) {
    const part = bytes.subarray(at, at + size);
    parts.push(`${part.length.toString(16).toUpperCase()};x=y\r\n`, part, '\r\n');
    size += 1;
  }
  parts.push('0\r\nX-Trailer: end\r\n\r\n');
  return Buffer.concat(parts.map((part) => Buffer.from(part)));
}

/** Reads one request after the other from a connection. */
async function* requestsOf(socket: Socket): AsyncGenerator<{ head: string; body: Buffer }> {
  let kept = Buffer.alloc(0);
  for await (const chunk of socket) {
    kept = Buffer.concat([kept, chunk as Buffer]);
    for (;;) {
      const end = kept.indexOf('\r\n\r\n');
      if (end < 0) break;
      const head = kept.subarray(0, end).toString('latin1');
      const length = Number(/\r\ncontent-length: *(\d+)/i.exec(head)?.[1] ?? 0);
      if (kept.length < end + 4 + length) break;
      yield { head, body: kept.subarray(end + 4, end + 4 + length) };
      kept = kept.subarray(end + 4 + length);
    }
  }
}

test('equivalent bytes raise no alarm', async (t) => {
  let service: ReturnType<typeof createService> | undefined;
  let count = 0;
  const serve = async (socket: Socket): Promise<void> => {
    for await (const { head, body } of requestsOf(socket)) {
      const [line = '', ...lines] = head.split('\r\n');
      const [method = 'GET', path = '/'] = line.split(' ');
      const headers = new Headers(
        lines.map((one) => [one.slice(0, one.indexOf(':')), one.slice(one.indexOf(':') + 1).trim()]),
      );
      const request = new Request(service!.origin + path, {
        method,
        headers,
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      });
      const answer = await service!.fetch(request, path);
      count += 1;
      const sent = bytesOf(count, answer.status, answer.headers, await answer.text());
      socket.write(Buffer.from(sent.head, 'latin1'));
      // In two pieces, the first of which ends within the body.
      socket.write(sent.body.subarray(0, 1));
      socket.write(sent.body.subarray(1));
      if (sent.ends) return void socket.end();
    }
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket).catch(() => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as { port: number };
  service = createService({ origin: `http://127.0.0.1:${port}` });
  const profile = parseProfile(JSON.stringify(profileOf(service)), { file: 'wire', folder: ROOT, env: {} });
  const results = await runInProcess(SUITES, { profile, instantPauses: true, propertyRuns: 0 }, ({ id }) =>
    WANTED.test(id),
  );
  service.close();
  const { problems } = judge(new Map(), { results, before: NOTHING, after: NOTHING, leftDomains: [] });
  assert.deepEqual(
    problems.map(({ check, kind, message }) => `${check} ${kind}: ${message}`),
    [],
  );
  assert.ok(count > 500, String(count));
});
