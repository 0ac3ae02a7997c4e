/** Forged second loads of programs, which an app may serve by a way of its own that no browser takes. */
import { curlOf } from '../../../../harness/evidence/curl.ts';
import type { Received } from '../../../../harness/integrator/counterpart.ts';
import { TRUSTED_HEADERS } from '../../../../harness/integrator/trusted-headers.ts';
import { until } from '../../../../harness/process/until.ts';
import type { AppContext } from '../../session.ts';
import { callsFor, exchangesOf, isInstalledCall } from '../effects.ts';
import { pace } from '../given.ts';
import type { Alteration } from './index.ts';

/** The app makes its calls for such a request before it responds, or soon after. */
const MIN_WAIT_MS = 1_000;
const TIMEOUT_MS = 10_000;

interface ProgramRequest {
  /** The end of "the app must refuse …, also …". */
  readonly also: string;
  readonly method: 'HEAD' | 'GET' | 'PUT' | 'PATCH' | 'OPTIONS';
  readonly headers: readonly (readonly [name: string, value: string])[];
}

const REQUESTS: readonly ProgramRequest[] = [
  // Programs that look at links send such requests, and an app may do the same for them as for a GET.
  { also: 'when it is requested by HEAD', method: 'HEAD', headers: [] },
  // Frameworks distinguish the requests of scripts by these headers, which every program can send.
  {
    also: 'when a script requests it as JSON',
    method: 'GET',
    headers: [
      ['Accept', 'application/json'],
      ['X-Requested-With', 'XMLHttpRequest'],
    ],
  },
  // Where the methods of browsers are verified, one by one.
  { also: 'when it is requested by PUT', method: 'PUT', headers: [] },
  { also: 'when it is requested by PATCH', method: 'PATCH', headers: [] },
  // Browsers ask so whether a script may send a request: what verifies requests often lets these pass.
  { also: 'when it is requested by OPTIONS', method: 'OPTIONS', headers: [] },
  {
    also: 'when its headers say that the app itself sends it',
    method: 'GET',
    headers: TRUSTED_HEADERS,
  },
];

/** Asserts that the app does not finish an installation whose code it has only from an altered address, requested by a program. */
export async function expectProgramsVerified(context: AppContext, alteration: Alteration): Promise<void> {
  // Beside each other: each has an installation of its own.
  const sent = await Promise.all(REQUESTS.map((request) => send(context, alteration, request)));
  for (const one of sent) expectVerified(context, alteration, one);
}

interface Sent {
  readonly request: ProgramRequest;
  readonly url: string;
  readonly call: Received | undefined;
}

async function send(context: AppContext, { alter }: Alteration, request: ProgramRequest): Promise<Sent> {
  const { session } = context;
  const { second: usualMs } = await pace(context);
  const { token } = session.counterpart.beginInstall('new');
  const { url: authentic, authCode } = session.counterpart.accept(token);
  const url = alter(authentic);
  const { method, headers } = request;
  await session.fetcher
    .fetch(url, { method, headers, timeoutMs: TIMEOUT_MS, redirects: 0, role: 'forged' })
    .catch(() => undefined);
  const call = await until(() => callsFor(session, [authCode]).find(isInstalledCall), Math.max(MIN_WAIT_MS, usualMs));
  return { request, url, call };
}

function expectVerified(context: AppContext, { change }: Alteration, { request, url, call }: Sent): void {
  if (call !== undefined) context.restOn(exchangesOf([call]));
  const { also, method, headers } = request;
  context.expect.that(call === undefined, `the app must refuse ${change}, also ${also}`, {
    expected: 'no call for the installation',
    ...(call && {
      actual: `it called ${call.method} ${call.path} for the installation`,
      exchange: call.exchange,
      curl: curlOf({ method, url, headers }, context.session.redaction),
    }),
  });
}
