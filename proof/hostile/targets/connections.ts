/** Targets that close the connection, hang, or send without end. A missing response is not a violation; the report names who has to act. */
import { type HostileTarget, PASS, READING, undecided, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const HUNG_UP = undecided('target', /closed the connection before a complete response/);
const BROKE_OFF = undecided('target', /ended in the middle of its body/);
const TOO_LATE = undecided('target', /no complete response came within/);
/** On a slow machine the timeout comes first. */
const TOO_LARGE = undecided('target', /larger than 8 MiB|no complete response came within/);

/** Excludes preflight, which requests one item. */
const afterPreflight = ({ target }: { target: string }): boolean => !/page_size=1(&|$)|authorize/.test(target);
/** Long enough for a preflight, short enough to wait for. */
const SHORT_MS = 700;
const both = (expected: typeof HUNG_UP): HostileTarget['expects'] => ({ [READING]: expected, [WRITING]: expected });

const closesAtOnce: HostileTarget['answers'] = (socket) => void socket.destroy();
const closesInMidBody: HostileTarget['answers'] = async (socket, asked, context) => {
  const whole = bytesOf(await context.respondCorrectly(asked));
  socket.write(whole.subarray(0, whole.length - 5), () => socket.destroy());
};
const neverAnswers: HostileTarget['answers'] = () => undefined;

/** Writes pieces until the client closes the connection, with backpressure. */
const pours =
  (start: string, piece: Buffer): HostileTarget['answers'] =>
  (socket) => {
    socket.write(start);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };

const drips: HostileTarget['answers'] = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n');
  const timer = setInterval(() => socket.write(' '), 1_000);
  socket.on('close', () => clearInterval(timer));
};

export const connections: readonly HostileTarget[] = [
  {
    id: 'closes-immediately',
    does: 'closes the connection on every request',
    answers: closesAtOnce,
    expects: both(undecided('configuration', /closed the connection.* If it expects https/)),
  },
  {
    id: 'closes-immediately-later',
    does: 'closes the connection on every request after preflight',
    answers: closesAtOnce,
    // The check is tried twice, and what checks share is put back last: each create may have been carried out, and is listed.
    orphans: 2,
    only: afterPreflight,
    expects: { [READING]: HUNG_UP, [WRITING]: undecided('target', /was not repeated/) },
    afterwards: ({ server }) => {
      const posts = server.asked.filter(({ method }) => method === 'POST').map(({ body }) => body.toString());
      if (new Set(posts).size !== posts.length) throw new Error('A writing request was sent twice.');
    },
  },
  {
    id: 'closes-mid-body',
    does: 'closes the connection in the middle of every response',
    answers: closesInMidBody,
    expects: both(BROKE_OFF),
  },
  {
    id: 'closes-mid-body-later',
    does: 'closes the connection in the middle of every response after preflight',
    answers: closesInMidBody,
    orphans: 1,
    only: afterPreflight,
    expects: both(BROKE_OFF),
  },
  {
    id: 'never-responds',
    timeoutMs: SHORT_MS,
    does: 'accepts requests and never answers',
    answers: neverAnswers,
    expects: both(TOO_LATE),
  },
  {
    id: 'never-responds-later',
    timeoutMs: SHORT_MS,
    does: 'never answers after preflight',
    answers: neverAnswers,
    // A slow machine may not even get the first response in time.
    orphans: 'any',
    only: afterPreflight,
    expects: both(TOO_LATE),
  },
  {
    id: 'one-byte-per-second',
    timeoutMs: SHORT_MS,
    does: 'sends one byte per second',
    answers: drips,
    expects: both(TOO_LATE),
  },
  {
    id: 'endless-body',
    timeoutMs: SHORT_MS,
    does: 'sends an endless body',
    answers: pours('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', Buffer.alloc(64 * 1024, ' ')),
    expects: both(TOO_LARGE),
  },
  {
    id: 'endless-headers',
    does: 'sends endless headers',
    answers: pours('HTTP/1.1 200 OK\r\n', Buffer.from(`x-more: ${'y'.repeat(1000)}\r\n`.repeat(16))),
    expects: both(undecided('target', /headers .* larger than 64 KiB/)),
  },
  {
    id: 'endless-interim-responses',
    timeoutMs: SHORT_MS,
    does: 'sends status 103 forever and never a final response',
    answers: pours('', Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100))),
    expects: both(TOO_LATE),
  },
  {
    id: 'closes-kept-connections',
    does: 'closes the connection on the second request',
    answers: async (socket, asked, context) => {
      if (Reflect.get(socket, 'hasAnswered') === true) {
        socket.destroy();
        return;
      }
      Reflect.set(socket, 'hasAnswered', true);
      pass(socket, await context.respondCorrectly(asked));
    },
    expects: { [READING]: PASS },
  },
  {
    id: 'applies-and-hangs-up',
    does: 'carries out a POST and closes the connection without a response',
    answers: async (socket, asked, context) => {
      await context.respondCorrectly(asked);
      socket.destroy();
    },
    only: ({ method }) => method === 'POST',
    expects: { [READING]: PASS, [WRITING]: undecided('target', /was not repeated/) },
    profile: () => ({ api: undefined, reseller: undefined }),
    afterwards: ({ server, service }) => {
      const posts = server.asked.filter(({ method }) => method === 'POST').map(({ body }) => body.toString());
      // The check is tried once more after the first method was found and removed, with a method of its own.
      if (posts.length > 2) throw new Error(`${posts.length} writing requests were sent instead of one a try.`);
      if (new Set(posts).size !== posts.length) throw new Error('A writing request was sent twice.');
      const left = service.mock.state.methods.all().filter(({ reference }) => String(reference).startsWith('pm-'));
      if (left.length > 0) throw new Error('The method that was created without a response was not found and removed.');
    },
  },
];
