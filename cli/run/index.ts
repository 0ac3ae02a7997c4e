/** `proofmark run`: judges a service. Starts the runner over the suites, follows what it finds, writes the reports. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CLAUSES } from '../../contracts/generated/clauses.generated.ts';
import type { CheckResult } from '../../contracts/run/events.ts';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { settleLedger } from '../../harness/cleanup/ledger.ts';
import { openEvents } from '../../harness/evidence/events/writer.ts';
import { writePackage } from '../../harness/evidence/package/write.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../harness/process/version.ts';
import { writeRecording } from '../../harness/recording/files.ts';
import { freezeProfile } from '../../harness/recording/recorded-profile.ts';
import { StandIns } from '../../harness/recording/stand-in.ts';
import { markOf, type PropertyVector, type RunInfo } from '../../harness/resources/run-info.ts';
import { claimSingletons } from '../../harness/resources/singletons.ts';
import type { Job } from '../../harness/runner/job.ts';
import { redactionFor } from '../../harness/runner/worker.ts';
import { createRateServer, rateClient } from '../../harness/target/network/rate.ts';
import { isLoopbackProfile } from '../../harness/target/profile/index.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import { printSummary } from '../../reports/terminal.ts';
import { removeReports, writeReports } from '../../reports/write.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { findBrowser } from '../common/browser.ts';
import { newRunId } from '../common/run-id.ts';
import { LEDGER_FOLDER, leftoversOn } from './leftovers.ts';
import { RUN_HELP, type RunOptions, runOptionsOf, selectIds } from './options.ts';
import { claimFolder } from './out-folder.ts';
import { emptyResult, planOf } from './plan.ts';
import { preflight } from './preflight.ts';
import { showProgress } from './progress.ts';
import { replayCommand } from './replay.ts';
import { openTarget, type Target } from './target.ts';
import { ownVectors, promote, userVectors } from './vectors.ts';
import { runWorkers, type WorkersEnd } from './workers.ts';

/** Runs of each property on the mock: enough to find a seeded fault, few enough for a run of seconds. */
const DEFAULT_PROPERTY_RUNS = 20;

export async function runCommand(argv: string[]): Promise<number> {
  const options = runOptionsOf(argv);
  if (options.help) {
    console.log(RUN_HELP);
    return 0;
  }
  const selected = selectIds(
    'run',
    CHECKS.map((check) => check.id),
    options.only,
  );
  if (options.list) {
    const chosen = new Set(selected);
    for (const suite of SUITES)
      for (const check of suite.checks) if (chosen.has(check.id)) console.log(`${check.id.padEnd(60)} ${check.title}`);
    return 0;
  }
  const started = performance.now();
  if (options.recording !== undefined) {
    return replayCommand({ ...options, folder: options.recording, selected });
  }
  const target = await openTarget(options.target);
  try {
    return await runOn(target, options, selected, started);
  } finally {
    await target.close();
  }
}

async function runOn(
  target: Target,
  options: RunOptions,
  selected: readonly string[],
  started: number,
): Promise<number> {
  const { profile } = target;
  const out = resolve(options.out);
  const releaseFolder = claimFolder(out);
  const began = new Date();
  const startedAt = began.toISOString();
  const run = newRunId(began);
  const leftovers = target.kind === 'profile' ? leftoversOn(profile, resolve(LEDGER_FOLDER)) : undefined;
  if (leftovers !== undefined) console.error(leftovers);
  const claimed = claimSingletons(
    profile,
    CHECKS.filter((check) => selected.includes(check.id)),
    run,
  );
  const timings: Record<string, number> = { 'start-up': Math.round(performance.now() - started) };
  const privateFolder = mkdtempSync(join(tmpdir(), 'proofmark-'));
  const spoolFolder = join(privateFolder, 'spool');
  mkdirSync(spoolFolder, { mode: 0o700 });
  const stopFile = join(privateFolder, 'stop');
  const recordFolder = join(privateFolder, 'recording');
  const limit = profile.limits.requestsPerSecond;
  const propertyRuns = options.runs ?? (limit === undefined && isLoopbackProfile(profile) ? DEFAULT_PROPERTY_RUNS : 0);
  // The user's own cases are asked for by being there; ours are part of the search.
  const vectors = [...userVectors(options.vectors, options.promote), ...(propertyRuns > 0 ? ownVectors() : [])];
  const rateServer = limit === undefined ? undefined : await createRateServer({ requestsPerSecond: limit });
  try {
    const gate = rateServer === undefined ? undefined : rateClient(rateServer.address);
    const looked = await preflight(
      // A login could end the session of the run that holds the account.
      claimed.held.reseller === undefined ? profile : { ...profile, reseller: undefined },
      gate,
    );
    gate?.close();
    const browser = await findBrowser();
    const info: RunInfo = {
      run,
      ...(options.target === 'mock' ? {} : { target: options.target }),
      seed: options.seed,
      propertyRuns,
      ...(options.replay === undefined ? {} : { replay: options.replay }),
      selected,
      ...(options.shuffle === undefined ? {} : { shuffle: options.shuffle }),
      ...(browser === undefined ? {} : { browser: browser.path }),
      showPersonalData: options.showPersonalData,
      unusable: looked.unusable,
      held: claimed.held,
    };
    const job: Job = {
      run: info,
      profile: target.forWorkers,
      privateFolder,
      spoolFolder,
      ledgerFolder: resolve(LEDGER_FOLDER),
      ledger: {
        mark: markOf(run),
        proofmark: PROOFMARK_VERSION,
        startedAt,
        target: { name: target.name, v1: profile.v1 ?? null, api: profile.api ?? null },
        profile: 'file' in target.forWorkers ? target.forWorkers.file : null,
      },
      ...(rateServer === undefined ? {} : { rateAddress: rateServer.address }),
      ...(vectors.length === 0 ? {} : { vectorsFile: writeVectors(privateFolder, vectors) }),
      ...(options.record === undefined ? {} : { recordFolder }),
      stopFile,
      workers: options.workers,
    };
    const redaction = redactionFor(profile);
    const progress = showProgress(SUITES, selected);
    const eventsFile = join(out, EVENTS_FILE);
    // A killed run must not leave the reports of an older one beside its events.
    await removeReports(out);
    const events = openEvents(
      eventsFile,
      {
        type: 'header',
        proofmark: PROOFMARK_VERSION,
        contract: CONTRACT_VERSION,
        command: 'run',
        run,
        target: { name: target.name, kind: target.kind },
        party: 'service',
        startedAt,
        seed: options.seed,
        selected,
        ...(options.only.length === 0 ? {} : { onlyPattern: options.only.join(' ') }),
        node: process.version,
        plan: planOf(selected),
      },
      { redact: (value) => redaction.value(value), seen: (event) => progress.seen(event) },
    );
    events.follow(spoolFolder);
    timings.preflight = Math.round(performance.now() - started) - (timings['start-up'] ?? 0);

    const beforeChecks = performance.now();
    const end = await runWorkers(job, profile.limits.maxMinutes);
    timings.checks = Math.round(performance.now() - beforeChecks);

    const notices = [
      ...(leftovers === undefined ? [] : [leftovers]),
      ...Object.values(looked.unusable).map(({ reason }) => reason),
      ...Object.values(claimed.held),
    ];
    events.merge(spoolFolder, absentResult(end));
    progress.stop();
    settleLedgerOf(job);
    events.close({
      type: 'footer',
      endedAt: new Date().toISOString(),
      durationMs: Math.round(performance.now() - started),
      requests: looked.requests + progress.requests(),
      ...(end.interrupted === undefined ? {} : { interrupted: end.interrupted }),
      allowInconclusive: options.allowInconclusive,
      notices: [...new Set(notices)].map((notice) => redaction.text(notice)),
      timings,
    });
    if (options.record !== undefined) {
      writeRecording(options.record, recordFolder, {
        target: { name: target.name, kind: target.kind },
        startedAt,
        only: options.only,
        // Ids are our own words: a secret called "delivery" must not break them.
        run: { ...info, ...redaction.value({ unusable: info.unusable, ...(vectors.length === 0 ? {} : { vectors }) }) },
        ...freezeProfile(profile, new StandIns(randomBytes(32))),
        ...(end.interrupted === undefined ? {} : { interrupted: end.interrupted }),
      });
      console.log(`Recording: ${options.record}`);
    }
    const results = await writeReports(out, eventsFile, CLAUSES);
    printSummary(results, { out: options.out });
    if (options.drawn)
      console.log(`Seed: ${options.seed}, drawn for this run (--seed ${options.seed} takes it again).`);
    if (options.promote) printPromoted(promote(results, options.vectors));
    if (options.package !== undefined) {
      await writePackage(out, options.package);
      console.log(`Package: ${options.package}`);
    }
    return results.exitCode;
  } catch (error) {
    if (existsSync(stopFile)) return EXIT.inconclusive;
    throw error;
  } finally {
    claimed.release();
    releaseFolder();
    await rateServer?.close();
    rmSync(privateFolder, { recursive: true, force: true });
  }
}

function writeVectors(folder: string, vectors: readonly PropertyVector[]): string {
  const file = join(folder, 'vectors.json');
  writeFileSync(file, JSON.stringify(vectors), { mode: 0o600 });
  return file;
}

function printPromoted(files: readonly string[]): void {
  if (files.length === 0) console.log('Promoted: nothing, since no property failed.');
  for (const file of files) console.log(`Promoted: ${file}, which every later run tries first.`);
}

/** Forgets the old values when everything was put back; what is still open stays for `proofmark sweep`. */
function settleLedgerOf(job: Job): void {
  const file = join(job.ledgerFolder, job.run.run);
  if (existsSync(file)) settleLedger(file);
}

/** What stands for a selected check that gave no result: stopped before its turn, or lost with its worker. */
function absentResult(end: WorkersEnd): (id: string) => CheckResult | undefined {
  const lost = end.faults[0];
  return (id) => {
    const base = emptyResult(id);
    if (base === undefined) return undefined;
    if (end.interrupted !== undefined) {
      return {
        ...base,
        verdict: 'inconclusive',
        attribution: 'configuration',
        reason: `${end.interrupted}: run again for this check`,
      };
    }
    const reason = lost === undefined ? 'the check gave no result' : `the runner failed: ${lost}`;
    return { ...base, verdict: 'error', attribution: 'harness', reason };
  };
}
