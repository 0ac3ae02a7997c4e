/** Targets with rate limits, many headers, cookies and wrong clocks, and some that are sometimes down. */
import { type HostileTarget, PASS, READING, undecided, WALK_CHECK, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const withHeaders =
  (headers: (n: number) => readonly (readonly [string, string])[]): HostileTarget['answers'] =>
  async (socket, asked, context) =>
    void socket.write(bytesOf(await context.respondCorrectly(asked), { headers: headers(asked.n) }));

const limited =
  (body: string, status = 429): HostileTarget['answers'] =>
  (socket) =>
    void socket.write(
      `HTTP/1.1 ${status} Later\r\nretry-after: 0\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
const TOO_MANY = undecided('configuration', /requests a lower rate.*limits\.requestsPerSecond/);
const ENVELOPE = '{"error":true,"error_code":429,"error_message":"Too many requests"}';
const ALL_PASS = { [READING]: PASS, [WRITING]: PASS, [WALK_CHECK]: PASS };

export const rateLimits: readonly HostileTarget[] = [
  {
    id: '429-always',
    does: 'answers every request with status 429',
    answers: limited(''),
    expects: { [READING]: TOO_MANY, [WRITING]: TOO_MANY },
  },
  {
    id: '429-later',
    does: 'answers every request after preflight with status 429 and the error envelope',
    answers: limited(ENVELOPE),
    only: ({ n }) => n >= 2,
    // A call with this response may have been carried out or not.
    orphans: 2,
    expects: { [READING]: TOO_MANY, [WRITING]: TOO_MANY, 'delivery.method.unknown-read-refused': TOO_MANY },
  },
  {
    id: '429-to-refusals',
    does: 'answers status 429 where it should refuse',
    answers: async (socket, asked, context) => {
      const answered = await context.respondCorrectly(asked);
      if (answered.status < 400) pass(socket, answered);
      else await limited(ENVELOPE)(socket, asked, context);
    },
    // With the envelope, and after all pauses, it is a refusal like any other, as long as valid calls are served.
    expects: { 'delivery.method.unknown-read-refused': PASS, [READING]: PASS },
  },
  {
    id: '429-occasionally',
    does: 'answers every third request with status 429',
    answers: limited(ENVELOPE),
    only: ({ n }) => n % 3 === 2,
    expects: ALL_PASS,
  },
  {
    id: 'out-of-service',
    does: 'answers status 503 with Retry-After',
    answers: limited('', 503),
    expects: { [READING]: undecided('network', /out of service/) },
  },
  {
    id: 'header-flood',
    does: 'sends 3,000 short headers',
    answers: withHeaders(() => Array.from({ length: 3_000 }, (_, n) => [`x-${n}`, 'y'] as const)),
    expects: ALL_PASS,
  },
  {
    id: 'header-of-100-kb',
    does: 'sends a header of 100 KB',
    answers: withHeaders(() => [['x-long', 'y'.repeat(100_000)]]),
    expects: { [READING]: undecided('target', /headers .* larger than 64 KiB/) },
  },
  {
    id: 'cookies',
    does: 'sets cookies in every response',
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
    does: 'alternates the Date header between 1970 and 9999',
    answers: withHeaders((n) => [
      ['Date', n % 2 === 0 ? 'Thu, 01 Jan 1970 00:00:00 GMT' : 'Fri, 31 Dec 9999 23:59:59 GMT'],
      ['Expires', '-1'],
      ['Last-Modified', 'yesterday'],
    ]),
    expects: ALL_PASS,
  },
  {
    id: 'ipv6',
    does: 'listens on ::1',
    host: '::1',
    answers: async (socket, asked, context) => pass(socket, await context.respondCorrectly(asked)),
    expects: ALL_PASS,
  },
  {
    id: 'dead',
    does: 'is not running',
    answers: () => undefined,
    before: (id, { server }) => (id === undefined ? server.fall() : undefined),
    expects: {
      [READING]: undecided('network', /Nothing listens at/),
      [WRITING]: undecided('network', /Nothing listens at/),
    },
  },
  {
    id: 'restarts',
    does: 'goes down while a method is created and returns for a later check',
    answers: async (socket, asked, { server, respondCorrectly: answerCorrectly }) => {
      // The request is carried out, then the server goes down.
      await answerCorrectly(asked);
      socket.destroy();
      await server.fall();
    },
    only: ({ method }) => method === 'POST',
    profile: () => ({ api: undefined, reseller: undefined }),
    before: (id, { server }) => (id === WALK_CHECK ? server.rise() : undefined),
    expects: {
      [WRITING]: undecided('target', /closed the connection.*was not repeated/),
      'delivery.method.unknown-read-refused': undecided('network', /Nothing listens at/),
      [WALK_CHECK]: PASS,
      [READING]: PASS,
    },
    afterwards: ({ service }) => {
      const left = service.mock.state.methods.all().filter(({ reference }) => String(reference).startsWith('pm-'));
      if (left.length > 0) throw new Error('The method that was created without a response was not found and removed.');
    },
  },
];
