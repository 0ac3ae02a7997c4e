/** Targets whose bodies are packed: too much, wrongly, or only unusually. */
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { type Animal, failed, LISTING, PASS, READING, undecided, WRITING } from '../hostile-target.ts';
import { bytesOf } from '../reference-service.ts';

const packed = (encoding: string | undefined, pack: (body: Buffer) => Uint8Array): Animal['answers'] => {
  return async (socket, asked, cage) => {
    const answered = await cage.honest(asked);
    const headers = encoding === undefined ? [] : [['Content-Encoding', encoding] as const];
    socket.write(bytesOf(answered, { headers, body: pack(answered.body) }));
  };
};
const good = (id: string, does: string, encoding: string, pack: (body: Buffer) => Uint8Array): Animal => ({
  id,
  does,
  answers: packed(encoding, pack),
  expects: { [READING]: PASS, [WRITING]: PASS },
});

/** Zeros in a gzip of gzips' own making: `bytes` of them, about a thousandth of that packed. */
function bomb(bytes: number): Buffer {
  // A gzip may have many members; one is made and repeated.
  const member = gzipSync(Buffer.alloc(16 * 1024 * 1024), { level: 9 });
  return Buffer.concat(Array.from({ length: Math.ceil(bytes / (16 * 1024 * 1024)) }, () => member));
}

const TOO_LARGE = undecided('target', /larger than 8 MiB/);
const sends = (body: () => Buffer, encoding: string): Animal['answers'] => {
  let made: Buffer | undefined;
  return (socket) => {
    made ??= body();
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: ${encoding}\r\ncontent-length: ${made.length}\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), made]));
  };
};

export const encodings: readonly Animal[] = [
  good('brotli', 'packs with br', 'br', (body) => brotliCompressSync(body)),
  good('zstd', 'packs with zstd', 'zstd', (body) => zstdCompressSync(body)),
  good('raw-deflate', 'packs with deflate, without its wrapper', 'Deflate', (body) => deflateRawSync(body)),
  good('gzip-twice', 'packs twice and says so', 'gzip, x-gzip', (body) => gzipSync(gzipSync(body))),
  good('encoding-is-a-charset', 'calls UTF-8 a content encoding', 'UTF-8', (body) => body),
  {
    id: 'gzip-bomb',
    does: '128 MB of gzip in 128 KB',
    answers: sends(() => bomb(128 * 1024 * 1024), 'gzip'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'gzip-bomb-2-gb',
    does: '2 GB of gzip in 2 MB',
    answers: sends(() => bomb(2 * 1024 * 1024 * 1024), 'gzip'),
    expects: { [READING]: TOO_LARGE },
    isLarge: true,
  },
  {
    id: 'gzip-bomb-in-gzip',
    does: 'a bomb packed once more',
    answers: sends(() => gzipSync(bomb(128 * 1024 * 1024)), 'gzip, gzip'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'brotli-bomb',
    does: '64 MB of brotli in some bytes',
    answers: sends(() => brotliCompressSync(Buffer.alloc(64 * 1024 * 1024), { params: { 1: 1 } }), 'br'),
    expects: { [READING]: TOO_LARGE },
  },
  {
    id: 'encoding-a-thousand-times',
    does: 'claims to have packed a thousand times',
    answers: packed(Array(1000).fill('gzip').join(','), (body) => gzipSync(body)),
    expects: { [READING]: undecided('target', /Content-Encoding/) },
  },
  {
    id: 'unknown-encoding',
    does: 'packs with something unknown',
    answers: packed('snappy', (body) => gzipSync(body)),
    expects: { [READING]: undecided('target', /"snappy", which was not asked for/) },
  },
  {
    id: 'not-packed',
    does: 'says gzip and sends plain JSON',
    answers: packed('gzip', (body) => body),
    expects: { [READING]: undecided('target', /not what its Content-Encoding/) },
  },
  {
    id: 'half-packed',
    does: 'sends the beginning of a gzip',
    answers: packed('gzip', (body) => gzipSync(body).subarray(0, 30)),
    expects: { [READING]: undecided('target', /not what its Content-Encoding/) },
  },
  {
    id: 'secretly-packed',
    does: 'packs and does not say so',
    answers: packed(undefined, (body) => gzipSync(body)),
    expects: { [LISTING]: failed(/the list must be an array named delivery_methods/) },
  },
];
