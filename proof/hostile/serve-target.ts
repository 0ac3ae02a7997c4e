/**
 * Runs `proofmark run` against a hostile target: preflight, a worker with its spool and ledger, events, reports and the printed
 * summary are the real ones. It runs in the process of the test, so that all targets take only seconds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preflight } from '../../cli/run/target/preflight.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { EventWriter } from '../../harness/evidence/events/writer.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { markOf, type RunInfo } from '../../harness/resources/run-info.ts';
import type { Job } from '../../harness/runner/job.ts';
import { Worker } from '../../harness/runner/worker.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { redactionFor } from '../../harness/target/secrets/profile-redaction.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import type { CheckOutcome, Results } from '../../reports/results/index.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { writeReports } from '../../reports/write.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import type { HostileTarget, TargetContext } from './hostile-target.ts';
import { openRawServer, type RawServer } from './raw-server.ts';
import { pass, referenceService } from './reference-service.ts';

export interface Seen {
  readonly results: Results;
  readonly check: (id: string) => CheckOutcome;
  /** Text of a file of the run. */
  readonly file: (name: string) => string;
  readonly printed: string;
  readonly out: string;
  readonly context: TargetContext;
}

/** For one complete response on a busy machine. Targets that never answer set a shorter time. */
const TIMEOUT_MS = 60_000;
const MAX_PAGES = 20;

/** Runs the checks for which the target has expectations. All files go to the given folder. */
export async function visit(target: HostileTarget, folder: string): Promise<Seen> {
  const stranger = await openRawServer((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  const tls = await target.tls?.();
  const host = target.host ?? '127.0.0.1';
  const server: RawServer = await openRawServer(
    async (socket, asked) => {
      if (target.only?.(asked) === false) pass(socket, await context.respondCorrectly(asked));
      else await target.answers(socket, asked, context);
    },
    { host, ...(tls === undefined ? {} : { tls }) },
  );
  const scheme = target.scheme ?? (tls === undefined ? 'http' : 'https');
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  const service = referenceService(origin);
  const context: TargetContext = { respondCorrectly: (asked) => service.response(asked), service, server, stranger };
  try {
    const profile = {
      ...profileFor(service.profile()),
      ...(target.timeoutMs === undefined ? {} : { limits: { timeoutMs: target.timeoutMs } }),
      ...target.profile?.(),
    };
    const file = join(folder, 'profile.json');
    writeFileSync(file, JSON.stringify(profile));
    for (const [name, text] of Object.entries(target.files?.() ?? {})) writeFileSync(join(folder, name), text);
    await target.before?.(undefined, context);
    const seen = await run(file, Object.keys(target.expects), folder, (id) => target.before?.(id, context));
    const check = (id: string): CheckOutcome => {
      const found = seen.results.checks.find((one) => one.id === id);
      if (found === undefined) throw new Error(`There is no result of ${id}.`);
      return found;
    };
    return { ...seen, check, context };
  } finally {
    await server.close();
    await stranger.close();
    service.mock.close();
  }
}

/** One store, no browser and no second owner: preflight requests the list of methods once and logs in to the Reseller interface once. */
function profileFor(full: Record<string, unknown>): Record<string, unknown> {
  const { apiKey } = (full.delivery as { private: { apiKey: string } }).private;
  return {
    name: 'hostile',
    v1: full.v1,
    api: full.api,
    delivery: { private: { apiKey } },
    website: full.website,
    reseller: full.reseller,
    allow: ['write', 'settings', 'domains'],
    limits: { timeoutMs: TIMEOUT_MS, maxPages: MAX_PAGES },
  };
}

async function run(
  file: string,
  selected: readonly string[],
  folder: string,
  before: (id: string) => Promise<void> | undefined,
): Promise<Pick<Seen, 'results' | 'file' | 'printed' | 'out'>> {
  const profile = loadProfile(file);
  const startedAt = new Date().toISOString();
  const looked = await preflight(profile);
  const out = join(folder, 'out');
  mkdirSync(out, { recursive: true });
  const spoolFolder = join(folder, 'spool');
  const info: RunInfo = {
    run: 'hostile',
    seed: 1,
    propertyRuns: 0,
    selected,
    showPersonalData: false,
    unusable: looked.unusable,
  };
  const job: Job = {
    run: info,
    profile: { file },
    privateFolder: folder,
    spoolFolder,
    ledgerFolder: join(folder, 'ledger'),
    ledger: {
      mark: markOf(info.run),
      proofmark: PROOFMARK_VERSION,
      startedAt,
      target: { name: profile.name, v1: profile.v1 ?? null, api: profile.api ?? null },
      profile: file,
    },
    stopFile: join(folder, 'stop'),
  };
  const worker = await Worker.start(job, 'hostile');
  for (const suite of SUITES) {
    for (const check of suite.checks) {
      if (!selected.includes(check.id)) continue;
      await before(check.id);
      await worker.run(check, suite.name, CHECKS);
    }
  }
  await worker.close();
  const redaction = redactionFor(profile);
  const eventsFile = join(out, EVENTS_FILE);
  const events = new EventWriter(
    eventsFile,
    {
      type: 'header',
      proofmark: PROOFMARK_VERSION,
      contract: CONTRACT_VERSION,
      command: 'run',
      run: info.run,
      target: { name: profile.name, kind: 'profile' },
      party: 'service',
      startedAt,
      seed: 1,
      selected,
      node: process.version,
    },
    { redact: (value) => redaction.value(value) },
  );
  events.merge(spoolFolder);
  events.close({
    type: 'footer',
    endedAt: new Date().toISOString(),
    durationMs: 0,
    requests: 0,
    allowInconclusive: false,
    notices: Object.values(looked.unusable).map(({ reason }) => redaction.text(reason)),
    timings: {},
  });
  const results = await writeReports(out, eventsFile, CLAUSES);
  return {
    results,
    out,
    file: (name) => readFileSync(join(out, name), 'utf8'),
    printed: renderTerminal(results, { colors: false }),
  };
}
