/**
 * Six services that do not keep the contract at all. What passes on each is written down, and a list that is out of date
 * fails the selftest: on five of them no check has a reason to pass.
 */
import type { ExpectedPasses } from './judge.ts';

type Serve = (request: Request) => Promise<Response>;

export interface Control {
  readonly id: string;
  readonly about: string;
  /** Answers; `correct` is the embedded service behind it. */
  readonly answer: (request: Request, correct: Serve) => Promise<Response>;
  readonly passes: ExpectedPasses;
}

const json = (body: unknown, status = 200): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  });

/** Both envelopes at once, so that neither interface has an excuse. */
const refusal = (code: number, message: string): object => ({
  error: true,
  error_code: code,
  error_message: message,
  errorCode: code,
  errorMsg: message,
});

/** Checks that ask for a refusal, and so must not pass where everything is accepted. */
const REFUSALS: readonly string[] = [];

export const controls: readonly Control[] = [
  {
    id: 'control.rejects-everything',
    about: 'Refuses every call with 401 and the right envelope.',
    answer: async () => json(refusal(401, 'Unauthorized'), 401),
    passes: { only: [] },
  },
  {
    id: 'control.accepts-everything',
    about: 'Serves what it can, and says yes to all that it should refuse.',
    answer: async (request, correct) => {
      const answer = await correct(request);
      return answer.status < 400 ? answer : json({ error: false });
    },
    // It works; only what asks for a refusal has to notice that there is none.
    passes: { allBut: REFUSALS },
  },
  {
    id: 'control.empty-object',
    about: 'Answers {} to every call.',
    answer: async () => json({}),
    passes: { only: [] },
  },
  {
    id: 'control.error-false',
    about: 'Answers the success envelope to every call and does nothing.',
    answer: async () => json({ error: false }),
    passes: { only: [] },
  },
  {
    id: 'control.echo',
    about: 'Answers every call with its own body, or with its parameters.',
    answer: async (request) => {
      const body = await request.text();
      return json(body === '' ? Object.fromEntries(new URL(request.url).searchParams) : body);
    },
    passes: { only: [] },
  },
  {
    id: 'control.fails-always',
    about: 'Answers 500 with the error envelope to every call.',
    answer: async () => json(refusal(500, 'Internal error'), 500),
    passes: { only: [] },
  },
];
