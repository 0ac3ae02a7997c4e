/** Targets that break the framing of HTTP, and some that are unusual but correct and must not be blamed. */
import {
  failed,
  type HostileTarget,
  LISTING,
  PASS,
  READING,
  undecided,
  WALK_CHECK,
  WRITING,
} from '../hostile-target.ts';
import { bytesOf } from '../reference-service.ts';

const NO_LIST = failed(/the list must be an array named delivery_methods/);
const NOT_HTTP = undecided('target', /not an HTTP\/1\.1 response/);

/** The body in chunks of this size. */
const chunked = (body: Buffer, size: number): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)};x=y\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\nx-trailer: 1\r\n\r\n')]);
};

export const framing: readonly HostileTarget[] = [
  {
    id: 'http-1.0',
    does: 'answers with HTTP/1.0, without a length, and closes the connection',
    answers: async (socket, asked, context) => {
      const { status, headers, body } = await context.respondCorrectly(asked);
      const lines = [
        `HTTP/1.0 ${status} OK`,
        ...headers.filter(([name]) => name !== 'content-length').map((pair) => pair.join(': ')),
      ];
      socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
    },
    expects: { [READING]: PASS, [WRITING]: PASS, [WALK_CHECK]: PASS },
  },
  {
    id: 'chunks-of-one-byte',
    does: 'sends its answers in chunks of one byte, with extensions and a trailer',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      socket.write(bytesOf(answered, { headers: [['Transfer-Encoding', 'chunked']], body: chunked(answered.body, 1) }));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'interim-responses',
    does: 'sends statuses 100, 102 and 103 before its response',
    answers: async (socket, asked, context) => {
      socket.write(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
      );
      socket.write(bytesOf(await context.respondCorrectly(asked)));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'no-reason-phrase',
    does: 'omits the reason phrase and writes header names in capitals',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      const headers = answered.headers.map(([name, value]) => [name.toUpperCase(), value] as const);
      socket.write(bytesOf({ ...answered, headers }, { start: `HTTP/1.1 ${answered.status} ` }));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'switches-protocols',
    does: 'sends status 101 without an upgrade request',
    answers: (socket) =>
      void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
    expects: { [READING]: undecided('target', /101/), [WRITING]: undecided('target', /101/) },
  },
  {
    id: 'not-http',
    does: 'greets like a mail server',
    answers: (socket) => void socket.end('220 mail.example ESMTP\r\n'),
    expects: { [READING]: NOT_HTTP },
  },
  {
    id: '204-with-body',
    does: 'sends status 204 with a body',
    answers: async (socket, asked, context) =>
      void socket.write(bytesOf(await context.respondCorrectly(asked), { start: 'HTTP/1.1 204 No Content' })),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'empty-200',
    does: 'sends status 200 with an empty body',
    answers: (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n'),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'like-head',
    timeoutMs: 700,
    does: 'sends a Content-Length and no body',
    answers: (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n'),
    expects: { [READING]: undecided('target', /no complete response came within/) },
  },
  {
    id: 'length-too-large',
    does: 'closes the connection before it has sent the announced bytes',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      socket.end(bytesOf(answered, { headers: [['content-length', String(answered.body.length + 10)]] }));
    },
    expects: { [READING]: undecided('target', /ended in the middle of its body/) },
  },
  {
    id: 'length-too-small',
    does: 'announces fewer bytes than it sends',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      socket.write(bytesOf(answered, { headers: [['content-length', String(answered.body.length - 3)]] }));
    },
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'two-lengths',
    does: 'sends two different Content-Length headers',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      const length = answered.body.length;
      socket.write(
        bytesOf(answered, {
          headers: [
            ['content-length', String(length)],
            ['Content-Length', String(length + 1)],
          ],
        }),
      );
    },
    expects: { [READING]: undecided('target', /The length of a response|not an HTTP\/1\.1 response/) },
  },
  {
    id: 'length-is-a-word',
    does: 'sends a Content-Length that is not a number',
    answers: async (socket, asked, context) =>
      void socket.write(bytesOf(await context.respondCorrectly(asked), { headers: [['content-length', 'many']] })),
    expects: { [READING]: NOT_HTTP },
  },
  {
    id: 'bad-chunk-size',
    does: 'sends chunk sizes that are not numbers',
    answers: async (socket, asked, context) =>
      void socket.write(
        bytesOf(await context.respondCorrectly(asked), {
          headers: [['transfer-encoding', 'chunked']],
          body: Buffer.from('zz\r\n{}\r\n0\r\n\r\n'),
        }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 response|ended in the middle/) },
  },
  {
    id: 'chunk-of-exabytes',
    does: 'announces a chunk larger than any memory can hold',
    answers: async (socket, asked, context) =>
      void socket.end(
        bytesOf(await context.respondCorrectly(asked), {
          headers: [['transfer-encoding', 'chunked']],
          body: Buffer.from('fffffffffffffff\r\n{}'),
        }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 response|ended in the middle/) },
  },
  {
    id: 'chunks-and-length',
    does: 'sends both Transfer-Encoding and Content-Length',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      socket.write(
        bytesOf(answered, {
          headers: [
            ['content-length', '5'],
            ['transfer-encoding', 'chunked'],
          ],
          body: chunked(answered.body, 50),
        }),
      );
    },
    expects: { [READING]: undecided('target', /The length of a response|not an HTTP\/1\.1 response/) },
  },
  {
    id: 'splits-response',
    does: 'splits its response: a second one follows in the same bytes',
    answers: (socket) =>
      void socket.write(
        'HTTP/1.1 200 OK\r\nx-name: a\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 24\r\n\r\n{"delivery_methods": []}',
      ),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'responds-twice',
    does: 'sends an extra response after each correct one',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      socket.write(
        Buffer.concat([bytesOf(answered), bytesOf({ ...answered, status: 500, body: Buffer.from('{"error":true}') })]),
      );
    },
    expects: { [READING]: PASS },
  },
  {
    id: 'control-characters-in-headers',
    does: 'sends control characters and non-ASCII bytes in header values',
    answers: async (socket, asked, context) =>
      void socket.write(
        bytesOf(await context.respondCorrectly(asked), { headers: [['x-odd', 'a\u001b[31mred\u0007 \u00e9\u0080']] }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 response/) },
  },
];
