/** Targets with odd manners: limits, floods of headers, cookies, clocks; and some that are there only now and then. */
import { type Animal, PASS, READING, undecided, WALKING, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const withHeaders =
  (headers: (n: number) => readonly (readonly [string, string])[]): Animal['answers'] =>
  async (socket, asked, cage) =>
    void socket.write(bytesOf(await cage.honest(asked), { headers: headers(asked.n) }));

const limited =
  (body: string, status = 429): Animal['answers'] =>
  (socket) =>
    void socket.write(
      `HTTP/1.1 ${status} Later\r\nretry-after: 0\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
const TOO_MANY = undecided('configuration', /asks for fewer requests.*limits\.requestsPerSecond/);
const ENVELOPE = '{"error":true,"error_code":429,"error_message":"Too many requests"}';
const ALL_PASS = { [READING]: PASS, [WRITING]: PASS, [WALKING]: PASS };

export const manners: readonly Animal[] = [
  {
    id: '429-for-ever',
    does: 'asks for fewer requests for ever',
    answers: limited(''),
    expects: { [READING]: TOO_MANY, [WRITING]: TOO_MANY },
  },
  {
    id: '429-later',
    does: 'asks for fewer requests for ever after the first look, in the envelope of errors',
    answers: limited(ENVELOPE),
    only: ({ n }) => n >= 2,
    // Whether a call that was answered so was carried out is nothing to rely on.
    orphans: 2,
    expects: { [READING]: TOO_MANY, [WRITING]: TOO_MANY, 'delivery.method.unknown-not-read': TOO_MANY },
  },
  {
    id: '429-to-refusals',
    does: 'asks for fewer requests where it should refuse',
    answers: async (socket, asked, cage) => {
      const answered = await cage.honest(asked);
      if (answered.status < 400) pass(socket, answered);
      else await limited(ENVELOPE)(socket, asked, cage);
    },
    expects: { 'delivery.method.unknown-not-read': TOO_MANY },
  },
  {
    id: '429-now-and-then',
    does: 'asks for fewer requests every third time',
    answers: limited(ENVELOPE),
    only: ({ n }) => n % 3 === 2,
    expects: ALL_PASS,
  },
  {
    id: 'out-of-service',
    does: 'answers 503 with Retry-After',
    answers: limited('', 503),
    expects: { [READING]: undecided('target', /out of service/) },
  },
  {
    id: 'header-flood',
    does: 'answers with 3,000 short headers',
    answers: withHeaders(() => Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'y'] as const)),
    expects: ALL_PASS,
  },
  {
    id: 'header-of-100-kb',
    does: 'answers with a header of 100 KB',
    answers: withHeaders(() => [['x-long', 'y'.repeat(100_000)]]),
    expects: { [READING]: undecided('target', /headers .* larger than 64 KiB/) },
  },
  {
    id: 'cookies',
    does: 'sets cookies with every answer',
    answers: withHeaders((n) =>
      Array.from({ length: 50 }, (_, at) => ['Set-Cookie', `c${at}=${n}-session-value-${at}; Path=/`] as const),
    ),
    expects: ALL_PASS,
    afterwards: ({ server }) => {
      if (server.asked.some(({ headers }) => headers.has('cookie')))
        throw new Error('A cookie was sent to an interface.');
    },
  },
  {
    id: 'clock-jumps',
    does: 'dates its answers to 1970 and to 9999 in turn',
    answers: withHeaders((n) => [
      ['Date', n % 2 === 0 ? 'Thu, 01 Jan 1970 00:00:00 GMT' : 'Fri, 31 Dec 9999 23:59:59 GMT'],
      ['Expires', '-1'],
      ['Last-Modified', 'yesterday'],
    ]),
    expects: ALL_PASS,
  },
  {
    id: 'ipv6',
    does: 'listens at ::1',
    host: '::1',
    answers: async (socket, asked, cage) => pass(socket, await cage.honest(asked)),
    expects: ALL_PASS,
  },
  {
    id: 'dead',
    does: 'is not there',
    answers: () => undefined,
    before: (id, { server }) => (id === undefined ? server.fall() : undefined),
    expects: {
      [READING]: undecided('network', /Nothing listens at/),
      [WRITING]: undecided('network', /Nothing listens at/),
    },
  },
  {
    id: 'dies-and-comes-back',
    does: 'dies while a method is made and is back for the next check but one',
    answers: async (socket, asked, { server, honest }) => {
      // What was asked is done, and then there is nobody any more.
      await honest(asked);
      socket.destroy();
      await server.fall();
    },
    only: ({ method, body }) => method === 'POST' && body.includes('Proofmark courier'),
    profile: () => ({ api: undefined, reseller: undefined }),
    before: (id, { server }) => (id === WALKING ? server.rise() : undefined),
    expects: {
      [WRITING]: undecided('target', /closed the connection.*was not repeated/),
      'delivery.method.name-string': undecided('network', /Nothing listens at/),
      [WALKING]: PASS,
      [READING]: PASS,
    },
    afterwards: ({ service }) => {
      const left = service.mock.state.methods.all().filter(({ reference }) => String(reference).startsWith('pm-'));
      if (left.length > 0) throw new Error('The method that was made in spite of all was not found and removed.');
    },
  },
];
