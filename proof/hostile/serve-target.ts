/**
 * Leads `proofmark run` past an animal: preflight, a worker with its spool and ledger, events, reports and the printed
 * summary, all of them the real ones. Only the process is the test's own, so that the whole zoo is seen in seconds.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { preflight } from '../../cli/run/target/preflight.ts';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { openEvents } from '../../harness/evidence/events/writer.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { markOf, type RunInfo } from '../../harness/resources/run-info.ts';
import type { Job } from '../../harness/runner/job.ts';
import { redactionFor, Worker } from '../../harness/runner/worker.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import type { CheckOutcome, Results } from '../../reports/results/index.ts';
import { renderTerminal } from '../../reports/terminal.ts';
import { writeReports } from '../../reports/write.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import type { Animal, Cage } from './hostile-target.ts';
import { openRawServer, type RawServer } from './raw-server.ts';
import { honestService, pass } from './reference-service.ts';

export interface Seen {
  readonly results: Results;
  readonly check: (id: string) => CheckOutcome;
  /** Text of a file of the run. */
  readonly file: (name: string) => string;
  readonly printed: string;
  readonly out: string;
  readonly cage: Cage;
}

/** For one whole answer, on a machine that has much else to do. Animals that never answer give a shorter time. */
const TIMEOUT_MS = 60_000;
const MAX_PAGES = 20;

/** Runs the checks that the animal has expectations for, in the folder given. */
export async function visit(animal: Animal, folder: string): Promise<Seen> {
  const elsewhere = await openRawServer((socket) => void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}'));
  const tls = await animal.tls?.();
  const host = animal.host ?? '127.0.0.1';
  const server: RawServer = await openRawServer(
    async (socket, asked) => {
      if (animal.only?.(asked) === false) pass(socket, await cage.honest(asked));
      else await animal.answers(socket, asked, cage);
    },
    { host, ...(tls === undefined ? {} : { tls }) },
  );
  const scheme = animal.scheme ?? (tls === undefined ? 'http' : 'https');
  const origin = `${scheme}://${host.includes(':') ? `[${host}]` : host}:${server.port}`;
  const service = honestService(origin);
  const cage: Cage = { honest: (asked) => service.answer(asked), service, server, elsewhere };
  try {
    const profile = {
      ...profileFor(service.profile()),
      ...(animal.timeoutMs === undefined ? {} : { limits: { timeoutMs: animal.timeoutMs } }),
      ...animal.profile?.(),
    };
    const file = join(folder, 'profile.json');
    writeFileSync(file, JSON.stringify(profile));
    for (const [name, text] of Object.entries(animal.files?.() ?? {})) writeFileSync(join(folder, name), text);
    await animal.before?.(undefined, cage);
    const seen = await run(file, Object.keys(animal.expects), folder, (id) => animal.before?.(id, cage));
    const check = (id: string): CheckOutcome => {
      const found = seen.results.checks.find((one) => one.id === id);
      if (found === undefined) throw new Error(`There is no result of ${id}.`);
      return found;
    };
    return { ...seen, check, cage };
  } finally {
    await server.close();
    await elsewhere.close();
    service.mock.close();
  }
}

/** One store, no browser, no second owner: preflight asks once for the list of methods, and once for a reseller's login. */
function profileFor(full: Record<string, unknown>): Record<string, unknown> {
  const { apiKey } = (full.delivery as { private: { apiKey: string } }).private;
  return {
    name: 'zoo',
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
    run: 'zoo',
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
  const worker = await Worker.start(job, 'zoo');
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
  const events = openEvents(
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
