/** Targets that keep the contract but waste processor time: texts on which a naive search takes minutes. */
import { type HostileTarget, PASS, READING, undecided, WALK_CHECK, WRITING } from '../hostile-target.ts';
import { bytesOf, pass } from '../reference-service.ts';

const ALL_PASS = { [READING]: PASS, [WRITING]: PASS, [WALK_CHECK]: PASS };
const MEGABYTE = 1024 * 1024;

/** Adds a field at the start of each response. Additional fields are legal. */
const added =
  (field: (asked: number) => string): HostileTarget['answers'] =>
  async (socket, asked, context) => {
    const answered = await context.respondCorrectly(asked);
    const text = answered.body
      .toString()
      .replace(
        /^\{(?=(.))/,
        (_brace, next: string) => `{${field(context.server.asked.length)}${next === '}' ? '' : ','}`,
      );
    socket.write(bytesOf(answered, { body: Buffer.from(text) }));
  };

const tokens = (from: number): string =>
  JSON.stringify(Array.from({ length: 5_000 }, (_, n) => ({ password: `aaaaaaaaaaaaaaaa${from}-${n}` })));

/** A page behind login links. Calls are answered correctly. */
const pageOf =
  (body: string, headers: readonly (readonly [string, string])[] = []): HostileTarget['answers'] =>
  async (socket, asked, context) => {
    if (/^\/(?:v1|api)\//.test(asked.target)) {
      pass(socket, await context.respondCorrectly(asked));
      return;
    }
    const page = { status: 200, headers: [['content-type', 'text/html'] as const], body: Buffer.from(body) };
    socket.write(bytesOf(page, { headers }));
  };

const SIGNING_IN = 'reseller.login.signs-in';
/** The same page for every link proves nothing. */
const UNCLEAR = { [SIGNING_IN]: undecided('target', /./) };

export const busy: readonly HostileTarget[] = [
  {
    id: 'busy-backslashes',
    does: 'adds a field with a megabyte of backslashes',
    answers: added(() => `"x":"${'\\\\'.repeat(MEGABYTE / 2)}"`),
    expects: ALL_PASS,
  },
  {
    id: 'busy-tokens',
    does: 'sends five thousand passwords with a common prefix in each response',
    answers: added((asked) => `"x":${tokens(asked)}`),
    expects: ALL_PASS,
  },
  {
    id: 'busy-credentials',
    does: 'adds a field with names of credentials and long whitespace',
    answers: added(() => `"x":"${`password${' '.repeat(200)}authorization: Bearer `.repeat(4_000)}"`),
    expects: ALL_PASS,
  },
  ...['<!--', '<script>', '<', '<input type '].map(
    (start, n): HostileTarget => ({
      id: `busy-page-${n + 1}`,
      does: `serves a megabyte of ${start} behind a login link`,
      answers: pageOf(start.repeat(MEGABYTE / start.length)),
      expects: UNCLEAR,
    }),
  ),
  {
    id: 'busy-refresh',
    does: 'serves a page behind a login link whose Refresh header has ten thousand digits',
    answers: pageOf('<p>Welcome</p>', [['Refresh', '9'.repeat(10_000)]]),
    expects: UNCLEAR,
  },
];
