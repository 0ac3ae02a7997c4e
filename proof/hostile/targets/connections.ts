/** Targets that hang up, hang, or never end: no answer is not a verdict on the contract, and who has to act is named. */
import { type Animal, PASS, READING, undecided, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const HUNG_UP = undecided('target', /closed the connection without a whole answer/);
const BROKE_OFF = undecided('target', /broke off in the middle of its body/);
const TOO_LATE = undecided('target', /no whole answer came within/);
/** On a slow machine its time is over first. */
const TOO_LARGE = undecided('target', /larger than 8 MiB|no whole answer came within/);

/** Not the first look at the target, which is a request for one item. */
const afterPreflight = ({ target }: { target: string }): boolean => !/page_size=1(&|$)|authorize/.test(target);
/** Long enough to look at a target, short enough to wait for it. */
const SHORT_MS = 700;
const both = (expected: typeof HUNG_UP): Animal['expects'] => ({ [READING]: expected, [WRITING]: expected });

const closesAtOnce: Animal['answers'] = (socket) => void socket.destroy();
const closesInMidBody: Animal['answers'] = async (socket, asked, cage) => {
  const whole = bytesOf(await cage.honest(asked));
  socket.write(whole.subarray(0, whole.length - 5), () => socket.destroy());
};
const neverAnswers: Animal['answers'] = () => undefined;

/** Writes pieces until nobody listens any more, no faster than they are taken. */
const pours =
  (start: string, piece: Buffer): Animal['answers'] =>
  (socket) => {
    socket.write(start);
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', more);
    more();
  };

const drips: Animal['answers'] = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n');
  const timer = setInterval(() => socket.write(' '), 1_000);
  socket.on('close', () => clearInterval(timer));
};

export const connections: readonly Animal[] = [
  { id: 'closes-at-once', does: 'hangs up on every request', answers: closesAtOnce, expects: both(HUNG_UP) },
  {
    id: 'closes-at-once-later',
    does: 'hangs up on every request but the first look',
    answers: closesAtOnce,
    orphans: 1,
    only: afterPreflight,
    expects: { [READING]: HUNG_UP, [WRITING]: undecided('target', /was not repeated/) },
    afterwards: ({ server }) => {
      const posts = server.asked.filter(({ method }) => method === 'POST').map(({ body }) => body.toString());
      if (new Set(posts).size !== posts.length) throw new Error('A writing request was sent twice.');
    },
  },
  {
    id: 'closes-in-mid-body',
    does: 'ends every answer before its end',
    answers: closesInMidBody,
    expects: both(BROKE_OFF),
  },
  {
    id: 'closes-in-mid-body-later',
    does: 'ends the answers before their end, the first look aside',
    answers: closesInMidBody,
    orphans: 1,
    only: afterPreflight,
    expects: both(BROKE_OFF),
  },
  {
    id: 'never-answers',
    timeoutMs: SHORT_MS,
    does: 'takes requests and is silent',
    answers: neverAnswers,
    expects: both(TOO_LATE),
  },
  {
    id: 'never-answers-later',
    timeoutMs: SHORT_MS,
    does: 'is silent after the first look',
    answers: neverAnswers,
    // A slow machine may not even get the first answer in time.
    orphans: 'any',
    only: afterPreflight,
    expects: both(TOO_LATE),
  },
  {
    id: 'byte-a-second',
    timeoutMs: SHORT_MS,
    does: 'sends one byte a second',
    answers: drips,
    expects: both(TOO_LATE),
  },
  {
    id: 'endless-body',
    timeoutMs: SHORT_MS,
    does: 'sends a body without end',
    answers: pours('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n', Buffer.alloc(64 * 1024, ' ')),
    expects: both(TOO_LARGE),
  },
  {
    id: 'endless-headers',
    does: 'sends headers without end',
    answers: pours('HTTP/1.1 200 OK\r\n', Buffer.from(`x-more: ${'y'.repeat(1000)}\r\n`.repeat(16))),
    expects: both(undecided('target', /headers .* larger than 64 KiB/)),
  },
  {
    id: 'endless-interim-answers',
    timeoutMs: SHORT_MS,
    does: 'says 103 for ever and never answers',
    answers: pours('', Buffer.from('HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(100))),
    expects: both(TOO_LATE),
  },
  {
    id: 'closes-kept-connections',
    does: 'hangs up on the second request of each connection',
    answers: async (socket, asked, cage) => {
      if (Reflect.get(socket, 'hasAnswered') === true) {
        socket.destroy();
        return;
      }
      Reflect.set(socket, 'hasAnswered', true);
      pass(socket, await cage.honest(asked));
    },
    expects: { [READING]: PASS },
  },
  {
    id: 'does-it-and-hangs-up',
    does: 'carries out what a POST asks and hangs up instead of answering',
    answers: async (socket, asked, cage) => {
      await cage.honest(asked);
      socket.destroy();
    },
    only: ({ method }) => method === 'POST',
    expects: { [READING]: PASS, [WRITING]: undecided('target', /was not repeated/) },
    profile: () => ({ api: undefined, reseller: undefined }),
    afterwards: ({ server, service }) => {
      const posts = server.asked.filter(({ method }) => method === 'POST');
      if (posts.length !== 1) throw new Error(`${posts.length} writing requests were sent instead of one.`);
      const left = service.mock.state.methods.all().filter(({ reference }) => String(reference).startsWith('pm-'));
      if (left.length > 0) throw new Error('The method that was made in spite of all was not found and removed.');
    },
  },
];
