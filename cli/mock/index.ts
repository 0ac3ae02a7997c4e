/** `proofmark mock`: the embedded service in a process of its own, until it is stopped. */

import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { ParseArgsOptionsConfig } from 'node:util';
import { whyUnusable } from '../../harness/process/file-error.ts';
import { makeFolders } from '../../harness/process/make-folders.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { deviationsById, UnknownDeviation } from '../../mock/deviations.ts';
import { FixturesError, readFixtures } from '../../mock/fixtures/file.ts';
import { type RunningServer, serve } from '../../mock/http/serve.ts';
import { profileOf } from '../../mock/profile.ts';
import { StoreError } from '../../mock/storage/store.ts';
import { flagsOf, wholeNumber } from '../common/flags.ts';
import { MAX_LATENCY_MS } from './dev/api.ts';
import { attachDevServer } from './dev/index.ts';
import { logLine } from './dev/log-line.ts';

const HELP = `Usage: proofmark mock [OPTION …]

Runs the embedded service, so that you can develop against it. It prints its address, keys and pages.

  --port N            listen on this port of 127.0.0.1 (default: 4010; 0 takes any free one)
  --https             listen with a self-signed certificate, which is written beside the profile
  --db FILE           keep the state in this SQLite file; state in it takes precedence over fixtures
  --fixtures FILE     start with the rows of this JSON file (its format: mock/fixtures/file.ts)
  --profile-out FILE  write the target profile to this file, for proofmark run --target FILE

  --log               print each request that an integration sends, with what would be judged wrong in it
  --fault ID          start with this fault or variant switched on (may be given several times)
  --latency MS        delay each response by this many milliseconds (default: 0)
  --cors ORIGIN       let pages of this origin read the interfaces in a browser; * for all (may be given several times)

While it runs:

  /_dev/              page: received requests with what would be judged wrong, requests to your app or page with Resend,
                      faults, latency, reset, state
  /docs               every operation of the contract; /openapi.json is the same for tools
  /_dev/api/…         the same for programs, JSON in and out:
      GET log  GET log/N  POST log/clear      received requests; ?after=N for later ones
      GET state  POST reset                   the state without its secrets; back to the initial state
      GET deviations                          all faults and variants, and the active ones
      POST deviations {"ids": […]}            exactly these; or {"add": ID}, {"remove": ID}
      GET latency  POST latency {"ms": N}
      GET sent  POST resend {"n": N}          what the service sends to integrations; send it again
      POST send {"kind": "label", "order": UUID}, {"kind": "install", "app": ID, "website": ID},
                {"kind": "settings", "authCode": CODE}, {"kind": "checkout", "handle": HANDLE, "website": ID}

These pages are for this machine only: they are served neither through a tunnel nor to pages of other sites. Each refusal
of the service explains itself in the header X-Proofmark-Hint.

With PROOFMARK_CONTROL_TOKEN set, the control interface is open to callers who send it.`;

const DEFAULT_PORT = 4010;

const OPTIONS = {
  port: { type: 'string' },
  https: { type: 'boolean', default: false },
  db: { type: 'string' },
  fixtures: { type: 'string' },
  'profile-out': { type: 'string' },
  log: { type: 'boolean', default: false },
  fault: { type: 'string', multiple: true, default: [] },
  latency: { type: 'string' },
  cors: { type: 'string', multiple: true, default: [] },
  help: { type: 'boolean', short: 'h', default: false },
} as const satisfies ParseArgsOptionsConfig;

/** Starts the service, prints what a user needs, and runs until SIGINT, SIGTERM or SIGHUP. Returns the exit code. */
export async function mockCommand(argv: string[]): Promise<number> {
  const { values, port, latencyMs } = mockOptionsOf(argv);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const stopped = stopSignal();
  const served = await started(port, values);
  const caFile = served.certificate === undefined ? undefined : certificateFile(values['profile-out'], served);
  const develop = attachDevServer(served, {
    cors: values.cors,
    latencyMs,
    active: values.fault,
    ...(values.log ? { logged: (entry) => console.log(logLine(entry)) } : {}),
  });
  try {
    announce(served, values, caFile, develop.address);
    await stopped;
  } finally {
    if (caFile !== undefined && values['profile-out'] === undefined) rmSync(caFile, { force: true });
    await served.close();
  }
  return 0;
}

/** Parses the flags; throws a UsageError with one sentence. */
export function mockOptionsOf(argv: readonly string[]) {
  const { values } = flagsOf('mock', argv, OPTIONS);
  const wrong = values.cors.find((origin) => origin !== '*' && URL.parse(origin)?.origin !== origin);
  if (wrong !== undefined)
    throw new UsageError(
      `--cors takes an origin such as http://localhost:5173 (scheme, host and port only), or *, not "${wrong}".`,
    );
  return {
    values,
    port: wholeNumber('port', values.port, 0, 65_535) ?? DEFAULT_PORT,
    latencyMs: wholeNumber('latency', values.latency, 0, MAX_LATENCY_MS) ?? 0,
  };
}

interface Values {
  readonly https: boolean;
  readonly db?: string;
  readonly fixtures?: string;
  readonly 'profile-out'?: string;
  readonly fault: readonly string[];
}

/** Pages of the development server, on the first page of the service. */
const DEV_LINKS = [
  ['/_dev/', 'Requests', 'what was received, what would be judged wrong, resend, faults, reset'],
  ['/docs', 'Interfaces', 'every operation of the contract'],
] as const;

async function started(port: number, values: Values): Promise<RunningServer> {
  const controlToken = process.env.PROOFMARK_CONTROL_TOKEN;
  try {
    return await serve(
      {
        ...(values.fixtures === undefined ? {} : { fixtures: readFixtures(values.fixtures) }),
        ...(values.db === undefined ? {} : { db: values.db }),
        ...(controlToken ? { controlToken } : {}),
        deviations: deviationsById(values.fault),
        hints: true,
        links: DEV_LINKS,
      },
      { port, https: values.https },
    );
  } catch (error) {
    if (error instanceof FixturesError || error instanceof StoreError || error instanceof UnknownDeviation)
      throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`Port ${port} is in use: choose another one with --port.`);
    if (code === 'EACCES')
      throw new UsageError(`Port ${port} is not open to this user: choose one above 1023 with --port.`);
    throw error;
  }
}

/** Where the certificate lies for as long as the service runs: beside the profile, else in the project's own folder. */
function certificateFile(profileOut: string | undefined, served: RunningServer): string {
  const file =
    profileOut === undefined ? join('.proofmark', `mock-${randomBytes(4).toString('hex')}.pem`) : `${profileOut}.pem`;
  return written(file, served.certificate ?? '');
}

function written(file: string, text: string): string {
  try {
    makeFolders(dirname(resolve(file)));
    writeFileSync(file, text, { mode: 0o600 });
    return resolve(file);
  } catch (error) {
    throw new UsageError(`${file} can't be written, ${whyUnusable(error)}: name a file with --profile-out.`);
  }
}

function announce(served: RunningServer, values: Values, caFile: string | undefined, page: string): void {
  const profile = JSON.stringify(profileOf(served.service, caFile === undefined ? {} : { caFile }), null, 2);
  const out = values['profile-out'];
  if (out !== undefined) written(out, `${profile}\n`);
  const { state } = served.service;
  const lines = [
    `The mock is running at ${served.origin} (Delivery and Apps: ${served.origin}/v1/, Reseller: ${served.origin}/api/).`,
    `Requests, resend, faults, reset: ${page}   Interfaces: ${served.localOrigin}/docs`,
    ...(values.fault.length === 0 ? [] : [`Switched on: ${values.fault.join(', ')}`]),
    ...(values.db === undefined
      ? ['State: in memory.']
      : [`State: kept in ${values.db}, ${served.service.isRestored ? 'as it was left' : 'begun from fixtures'}.`]),
    ...(caFile === undefined ? [] : [`Certificate: ${caFile}`]),
    '',
    'Stores (private keys)',
    ...state.websites.all().map((row) => `  ${String(row.id).padEnd(8)}${row.brandname.padEnd(20)}${row.apiKey}`),
    'Delivery providers (public keys)',
    ...state.providers
      .all()
      .map((row) => `  ${String(row.id).padEnd(8)}${row.manifest.app_title.padEnd(20)}${row.apiKey}  ${row.status}`),
    'Apps (keys)',
    ...state.apps
      .all()
      .map((row) => `  ${row.id.padEnd(8)}${row.manifest.app_title.padEnd(20)}${row.apiKey}  ${row.status}`),
    'Installations (authCode)',
    ...state.installations
      .all()
      .map(
        (row) =>
          `  app ${row.appId} in ${String(row.websiteId).padEnd(14)}   ${row.authCode}  ${row.installed ? 'installed' : 'begun'}`,
      ),
    'Resellers (e-mail, password)',
    ...state.resellers
      .all()
      .map(
        (row) =>
          `  ${String(row.id).padEnd(8)}${row.email}  ${row.password}  ${row.approved ? 'approved' : 'not approved'}`,
      ),
    '',
    out === undefined ? 'Profile for proofmark run --target FILE:' : `Profile: ${out}`,
    ...(out === undefined ? [profile] : []),
    '',
    'Stop it with Ctrl-C.',
  ];
  console.log(lines.join('\n'));
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve());
  });
}
