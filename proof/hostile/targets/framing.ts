/** Targets that speak HTTP as nobody should, and some that speak it rarely but rightly: those must not be blamed. */
import { type Animal, failed, LISTING, PASS, READING, undecided, WALKING, WRITING } from '../hostile-target.ts';
import { bytesOf } from '../reference-service.ts';

const NO_LIST = failed(/the list must be an array named delivery_methods/);
const NOT_HTTP = undecided('target', /not an HTTP\/1\.1 answer/);

/** Each chunk with its length before it. */
const chunked = (body: Buffer, size: number): Buffer => {
  const pieces: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const piece = body.subarray(at, at + size);
    pieces.push(Buffer.from(`${piece.length.toString(16)};x=y\r\n`), piece, Buffer.from('\r\n'));
  }
  return Buffer.concat([...pieces, Buffer.from('0\r\nx-trailer: 1\r\n\r\n')]);
};

export const framing: readonly Animal[] = [
  {
    id: 'http-1.0',
    does: 'answers in HTTP/1.0, without a length, and closes',
    answers: async (socket, asked, cage) => {
      const { status, headers, body } = await cage.honest(asked);
      const lines = [
        `HTTP/1.0 ${status} OK`,
        ...headers.filter(([name]) => name !== 'content-length').map((pair) => pair.join(': ')),
      ];
      socket.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), body]));
    },
    expects: { [READING]: PASS, [WRITING]: PASS, [WALKING]: PASS },
  },
  {
    id: 'chunks-of-one-byte',
    does: 'sends its answers in chunks of one byte, with extensions and a trailer',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      socket.write(bytesOf(answered, { headers: [['Transfer-Encoding', 'chunked']], body: chunked(answered.body, 1) }));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'interim-answers',
    does: 'says 100, 102 and 103 before it answers',
    answers: async (socket, asked, cage) => {
      socket.write(
        'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n',
      );
      socket.write(bytesOf(await cage.honest(asked)));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'no-reason-phrase',
    does: 'leaves the words after the status out, and spells header names in capitals',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      const headers = answered.headers.map(([name, value]) => [name.toUpperCase(), value] as const);
      socket.write(bytesOf({ ...answered, headers }, { start: `HTTP/1.1 ${answered.status} ` }));
    },
    expects: { [READING]: PASS, [WRITING]: PASS },
  },
  {
    id: 'switches-protocols',
    does: 'answers 101 to a request that asked for no other protocol',
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
    does: 'answers 204 with a body',
    answers: async (socket, asked, cage) =>
      void socket.write(bytesOf(await cage.honest(asked), { start: 'HTTP/1.1 204 No Content' })),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'empty-200',
    does: 'answers 200 with nothing',
    answers: (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 0\r\n\r\n'),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'like-head',
    timeoutMs: 700,
    does: 'announces a body and sends none',
    answers: (socket) =>
      void socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n'),
    expects: { [READING]: undecided('target', /no whole answer came within/) },
  },
  {
    id: 'length-too-large',
    does: 'announces more bytes than it sends before it closes',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      socket.end(bytesOf(answered, { headers: [['content-length', String(answered.body.length + 10)]] }));
    },
    expects: { [READING]: undecided('target', /broke off in the middle of its body/) },
  },
  {
    id: 'length-too-small',
    does: 'announces fewer bytes than it sends',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      socket.write(bytesOf(answered, { headers: [['content-length', String(answered.body.length - 3)]] }));
    },
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'two-lengths',
    does: 'announces two lengths that differ',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
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
    expects: { [READING]: undecided('target', /another length|not an HTTP\/1\.1 answer/) },
  },
  {
    id: 'length-is-a-word',
    does: 'announces a length that is not a number',
    answers: async (socket, asked, cage) =>
      void socket.write(bytesOf(await cage.honest(asked), { headers: [['content-length', 'many']] })),
    expects: { [READING]: NOT_HTTP },
  },
  {
    id: 'bad-chunk-size',
    does: 'writes chunk sizes that are no numbers',
    answers: async (socket, asked, cage) =>
      void socket.write(
        bytesOf(await cage.honest(asked), {
          headers: [['transfer-encoding', 'chunked']],
          body: Buffer.from('zz\r\n{}\r\n0\r\n\r\n'),
        }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 answer|broke off in the middle/) },
  },
  {
    id: 'chunk-of-exabytes',
    does: 'announces a chunk larger than any memory',
    answers: async (socket, asked, cage) =>
      void socket.end(
        bytesOf(await cage.honest(asked), {
          headers: [['transfer-encoding', 'chunked']],
          body: Buffer.from('fffffffffffffff\r\n{}'),
        }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 answer|broke off in the middle/) },
  },
  {
    id: 'chunks-and-length',
    does: 'announces chunks and a length at once',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
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
    expects: { [READING]: undecided('target', /another length|not an HTTP\/1\.1 answer/) },
  },
  {
    id: 'splits-its-answer',
    does: 'lets a header end the headers and a second answer begin',
    answers: (socket) =>
      void socket.write(
        'HTTP/1.1 200 OK\r\nx-name: a\r\ncontent-length: 0\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 24\r\n\r\n{"delivery_methods": []}',
      ),
    expects: { [LISTING]: NO_LIST },
  },
  {
    id: 'answers-twice',
    does: 'sends a second answer that nobody asked for after each right one',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      socket.write(
        Buffer.concat([bytesOf(answered), bytesOf({ ...answered, status: 500, body: Buffer.from('{"error":true}') })]),
      );
    },
    expects: { [READING]: PASS },
  },
  {
    id: 'control-characters-in-headers',
    does: 'puts control characters and other bytes into header values',
    answers: async (socket, asked, cage) =>
      void socket.write(
        bytesOf(await cage.honest(asked), { headers: [['x-odd', 'a\u001b[31mred\u0007 \u00e9\u0080']] }),
      ),
    expects: { [READING]: undecided('target', /not an HTTP\/1\.1 answer/) },
  },
];
