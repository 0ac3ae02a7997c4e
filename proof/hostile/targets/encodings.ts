/** Targets with compressed bodies: too large, wrong, or only unusual. */
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { failed, type HostileTarget, LISTING, PASS, READING, undecided, WRITING } from '../hostile-target.ts';
import { bytesOf } from '../reference-service.ts';

const packed = (encoding: string | undefined, pack: (body: Buffer) => Uint8Array): HostileTarget['answers'] => {
  return async (socket, asked, context) => {
    const answered = await context.respondCorrectly(asked);
    const headers = encoding === undefined ? [] : [['Content-Encoding', encoding] as const];
    socket.write(bytesOf(answered, { headers, body: pack(answered.body) }));
  };
};
const good = (id: string, does: string, encoding: string, pack: (body: Buffer) => Uint8Array): HostileTarget => ({
  id,
  does,
  answers: packed(encoding, pack),
  expects: { [READING]: PASS, [WRITING]: PASS },
});

/** `bytes` zeros as gzip, compressed to about a thousandth. */
function bomb(bytes: number): Buffer {
  // A gzip file may have many members: one is built and repeated.
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / (16 * 1024 * 1024)) }, () => member));
}

const TOO_LARGE = undecided('target', /larger than 8 MiB/);
const sends = (body: () => Buffer, encoding: string): HostileTarget['answers'] => {
  let made: Buffer | undefined;
  return (socket) => {
    made ??= body();
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${made.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), made]));
  };
};

export const encodings: readonly HostileTarget[] = [
  good('brotli', 'compresses with br', 'br', (body) => brotliCompressSync(body)),
  good('zstd', 'compresses with zstd', 'zstd', (body) => zstdCompressSync(body)),
  good('raw-deflate', 'compresses with deflate, without the zlib header', 'Deflate', (body) => deflateRawSync(body)),
  good('gzip-twice', 'compresses twice and declares it', 'gzip, x-gzip', (body) => gzipSync(gzipSync(body))),
  good('encoding-is-a-charset', 'declares UTF-8 as a content encoding', 'UTF-8', (body) => body),
  {
    id: 'gzip-bomb',
    does: 'sends 128 KB of gzip that expand to 128 MB',
    answers: sends(() => bomb(128 * 1024 * 1024), 'gzip'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'gzip-bomb-2-gb',
    does: 'sends 2 MB of gzip that expand to 2 GB',
    answers: sends(() => bomb(2 * 1024 * 1024 * 1024), 'gzip'),
    expects: { [READING]: TOO_LARGE },
    isLarge: true,
  },
  {
    id: 'gzip-bomb-in-gzip',
    does: 'sends a gzip bomb that is compressed again',
    answers: sends(() => gzipSync(bomb(128 * 1024 * 1024)), 'gzip, gzip'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'brotli-bomb',
    does: 'sends a few bytes of brotli that expand to 64 MB',
    answers: sends(() => brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), { params: { 1: 1 } }), 'br'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'thousand-encodings',
    does: 'declares a thousand content encodings',
    answers: packed(Array(1000).fill('gzip').join(','), (body) => gzipSync(body)),
    expects: { [READING]: undecided('target', /Content-Encoding/) },
  },
  {
    id: 'unknown-encoding',
    does: 'declares an unknown content encoding',
    answers: packed('snappy', (body) => gzipSync(body)),
    expects: { [READING]: undecided('target', /"snappy", which was not requested/) },
  },
  {
    id: 'not-compressed',
    does: 'declares gzip and sends plain JSON',
    answers: packed('gzip', (body) => body),
    expects: { [READING]: undecided('target', /does not match its Content-Encoding/) },
  },
  {
    id: 'truncated-compression',
    does: 'sends truncated gzip',
    answers: packed('gzip', (body) => gzipSync(body).subarray(0, 30)),
    expects: { [READING]: undecided('target', /does not match its Content-Encoding/) },
  },
  {
    id: 'compressed-unannounced',
    does: 'sends gzip without declaring it',
    answers: packed(undefined, (body) => gzipSync(body)),
    expects: { [LISTING]: failed(/the list must be an array named delivery_methods/) },
  },
];
