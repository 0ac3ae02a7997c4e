/** Targets that want to keep the reader busy: texts on which a careless search takes minutes. They keep the contract. */
import { type Animal, PASS, READING, undecided, WALKING, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const ALL_PASS = { [READING]: PASS, [WRITING]: PASS, [WALKING]: PASS };
const MEGABYTE = 1024 * 1024;

/** One more field at the start of each object answered: additional fields are legal. */
const added =
  (field: (asked: number) => string): Animal['answers'] =>
  async (socket, asked, cage) => {
    const answered = await cage.honest(asked);
    const text = answered.body
      .toString()
      .replace(/^\{(?=(.))/, (_brace, next: string) => `{${field(cage.server.asked.length)}${next === '}' ? '' : ','}`);
    socket.write(bytesOf(answered, { body: Buffer.from(text) }));
  };

const tokens = (from: number): string =>
  JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ password: `aaaaaaaaaaaaaaaa${from}-${n}` })));

/** A page for whoever follows a login link; calls are answered as they should be. */
const pageOf =
  (body: string, headers: readonly (readonly [string, string])[] = []): Animal['answers'] =>
  async (socket, asked, cage) => {
    if (/^\/(?:v1|api)\//.test(asked.target)) {
      pass(socket, await cage.honest(asked));
      return;
    }
    const page = { status: 200, headers: [['content-type', 'text/html'] as const], body: Buffer.from(body) };
    socket.write(bytesOf(page, { headers }));
  };

const SIGNING_IN = 'reseller.login.signs-in';
/** The same page for every link says nothing. */
const UNCLEAR = { [SIGNING_IN]: undecided('target', /./) };

export const busy: readonly Animal[] = [
  {
    id: 'busy-backslashes',
    does: 'answers with a megabyte of backslashes in a field more',
    answers: added(() => `"x":"${'\\\\'.repeat(MEGABYTE / 2)}"`),
    expects: ALL_PASS,
  },
  {
    id: 'busy-tokens',
    does: 'hands out five thousand passwords with each answer, all beginning alike',
    answers: added((asked) => `"x":${tokens(asked)}`),
    expects: ALL_PASS,
  },
  {
    id: 'busy-credentials',
    does: 'answers with names of credentials and blanks in a field more',
    answers: added(() => `"x":"${`password${' '.repeat(200)}authorization: Bearer `.repeat(4_000)}"`),
    expects: ALL_PASS,
  },
  ...['<!--', '<script>', '<', '<input type '].map(
    (start, n): Animal => ({
      id: `busy-page-${n + 1}`,
      does: `leads a login link to a megabyte of ${start}`,
      answers: pageOf(start.repeat(MEGABYTE / start.length)),
      expects: UNCLEAR,
    }),
  ),
  {
    id: 'busy-refresh',
    does: 'leads a login link to a page that moves on after a number of ten thousand digits',
    answers: pageOf('<p>Welcome</p>', [['Refresh', '9'.repeat(10_000)]]),
    expects: UNCLEAR,
  },
];
