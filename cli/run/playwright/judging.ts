/**
 * One run over the selected checks, in the process that started the workers: inspects the target, claims what there is only
 * once, hands the job to the workers, follows what they find, and writes the reports.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { baselineOutcome, excusedChecks } from '../../../contracts/run/baseline.ts';
import type { CheckResult, RunHeader, RunShard } from '../../../contracts/run/events.ts';
import { planOf } from '../../../harness/check/plan.ts';
import { EventWriter } from '../../../harness/evidence/events/writer.ts';
import { writePackage } from '../../../harness/evidence/package/write.ts';
import { redactEvent } from '../../../harness/evidence/redaction/redacted.ts';
import { TRUSTABLE } from '../../../harness/probe/trustable.ts';
import { CONTRACT_VERSION, PROOFMARK_VERSION } from '../../../harness/process/version.ts';
import { writeRecording } from '../../../harness/recording/files.ts';
import { recordProfile } from '../../../harness/recording/recorded-profile.ts';
import { StandIns } from '../../../harness/recording/stand-in.ts';
import { markOf, type PropertyVector, type RunInfo } from '../../../harness/resources/run-info.ts';
import { type ClaimedSingletons, claimSingletons } from '../../../harness/resources/singletons.ts';
import { JOB_FILE, JOB_VARIABLE, type Job, writeJob } from '../../../harness/runner/job.ts';
import type { RunSettings } from '../../../harness/runner/settings.ts';
import { hindrancesIn } from '../../../harness/runner/worker-notes.ts';
import { noticesOf } from '../../../harness/target/client/notices.ts';
import { createRateServer, type RateServer, rateClient } from '../../../harness/target/network/rate.ts';
import { unusedCredentials } from '../../../harness/target/profile/unused.ts';
import { redactionFor } from '../../../harness/target/secrets/profile-redaction.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import type { Results } from '../../../reports/results/index.ts';
import { removeReports, writeReports } from '../../../reports/write.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { findBrowser } from '../../common/browser.ts';
import { describeError } from '../../common/failure.ts';
import { readBaseline } from '../../common/files/baseline-file.ts';
import { type PropertySearch, propertySearchOn } from '../../common/property-search.ts';
import { newRunId } from '../../common/run-id.ts';
import { announcement } from '../../explain/dry-run.ts';
import { cleanUpAfter } from '../ending/clean-up.ts';
import { probeTarget } from '../probe-target.ts';
import { type Progress, type ProgressOutput, showProgress } from '../progress.ts';
import { promote } from '../replay/promote.ts';
import { ownVectors, userVectors } from '../replay/vectors.ts';
import { describeTarget } from '../target/describe.ts';
import { LEDGER_FOLDER, leftoverWarning } from '../target/leftovers.ts';
import type { Inspected } from '../target/preflight.ts';
import { absentResult, hungWorkerMessage, type RunnerFaults } from './absent-result.ts';
import { STOP_FILE } from './hand-over.ts';
import { RequestCounts } from './requests.ts';
import type { Session } from './session.ts';
import { TimeLimit } from './time-limit.ts';
import { defaultWorkers, situationOf } from './workers/default-workers.ts';

const announced = (properties: number, requests: number): string =>
  `Properties may send about ${requests} requests each to this target, some ${requests * properties} in all, plus clean-up: --runs N searches further, --runs 0 turns them off.`;

/** Where Playwright's reporters show the progress. */
const SILENT: ProgressOutput = { write: () => true };

/** What the runner says of the checks it ran. */
export interface Scope {
  /** Ids, in report order. */
  readonly selected: readonly string[];
  /** How they were selected, when that is not all of them. */
  readonly pattern?: string;
  readonly shard?: RunShard;
}

interface Prepared {
  readonly job: Job;
  readonly events: EventWriter;
  readonly progress: Progress;
  readonly counts: RequestCounts;
  readonly rateServer: RateServer | undefined;
  readonly requests: number;
  readonly unusable: RunInfo['unusable'];
  readonly vectors: readonly PropertyVector[];
}

export class Judging {
  readonly #session: Session;
  readonly #scope: Scope;
  readonly #began = new Date();
  readonly #run: string;
  readonly #folder: string;
  readonly #timings: Record<string, number> = {};
  readonly #prepared: Promise<Prepared>;
  #claimed: ClaimedSingletons | undefined;
  #leftovers: string | undefined;
  /** New ones, for `--bail`. */
  #failures = 0;
  readonly #timeLimit: TimeLimit;

  /** Begins at once: workers may be started, and wait for the job. */
  constructor(session: Session, scope: Scope) {
    this.#session = session;
    this.#scope = scope;
    this.#run = newRunId(this.#began);
    this.#folder = join(session.privateFolder, this.#run);
    mkdirSync(this.#folder, { mode: 0o700 });
    this.#timeLimit = new TimeLimit(this.#folder, (why) => this.stop(why));
    const jobFile = join(this.#folder, JOB_FILE);
    process.env[JOB_VARIABLE] = jobFile;
    this.#prepared = this.#prepare(jobFile);
    this.#prepared.catch((error: unknown) => writeJob(jobFile, { refused: describeError(error).message }));
  }

  /** Asks the workers to start no further check. */
  stop(why: string): void {
    if (!existsSync(this.#stopFile)) writeFileSync(this.#stopFile, why);
  }

  /** Why the run was asked to stop, when it was. */
  get stopReason(): string | undefined {
    return existsSync(this.#stopFile) ? readFileSync(this.#stopFile, 'utf8') : undefined;
  }

  /** `proofmark run` writes it, too. */
  get #stopFile(): string {
    return join(this.#session.settings.handOver ?? this.#folder, STOP_FILE);
  }

  /** Probes the target, opens the events of the run, and writes the job for which the workers wait. */
  async #prepare(jobFile: string): Promise<Prepared> {
    const { settings, target, out } = this.#session;
    const { profile } = target;
    const { selected } = this.#scope;
    const ledgerFolder = resolve(LEDGER_FOLDER);
    this.#leftovers = target.kind === 'profile' ? leftoverWarning(profile, ledgerFolder) : undefined;
    if (this.#leftovers !== undefined) console.error(this.#leftovers);
    const held = this.#claim();
    this.#timings['start-up'] = Math.round(performance.now());
    const search = propertySearchOn(profile, settings.runs);
    const vectors = this.#vectorsFor(search);
    const spoolFolder = join(this.#folder, 'spool');
    mkdirSync(spoolFolder, { mode: 0o700 });
    const limit = profile.limits.requestsPerSecond;
    const rateServer = limit === undefined ? undefined : await createRateServer({ requestsPerSecond: limit });
    const folders = { ledgerFolder, spoolFolder, ledger: this.#ledgerHeader() };
    const [inspected, browser] = await Promise.all([this.#probe(folders, rateServer), findBrowser()]);
    const job: Job = {
      run: this.#runInfo(search, browser?.path, inspected.unusable, held),
      profile: target.forWorkers,
      privateFolder: this.#folder,
      ...folders,
      ...(rateServer === undefined ? {} : { rateAddress: rateServer.address }),
      ...(vectors.length === 0 ? {} : { vectorsFile: writeVectors(this.#folder, vectors) }),
      ...(settings.record === undefined ? {} : { recordFolder: this.#recordFolder }),
      ...(settings.keepsTraces && !settings.traced ? { tracesOutDir: out } : {}),
      stopFile: this.#stopFile,
      failures: settings.failures,
    };
    if (settings.failures === 'recorded' && target.kind === 'profile')
      console.error(announcement(profile, selected, search, { ...inspected, workers: this.#workers }));
    const shown = settings.failures === 'recorded' && !settings.quiet ? process.stderr : SILENT;
    const progress = showProgress(SUITES, selected, shown);
    const counts = new RequestCounts(profile);
    // A killed run must not leave the reports of an older one beside its events.
    await removeReports(out);
    const events = this.#openEvents(progress, counts);
    events.follow(spoolFolder);
    this.#timings.preflight = Math.round(performance.now()) - (this.#timings['start-up'] ?? 0);
    this.#timeLimit.begin(profile.limits.maxMinutes);
    writeJob(jobFile, job);
    const { requests, unusable } = inspected;
    return { job, events, progress, counts, rateServer, requests, unusable, vectors };
  }

  get #workers(): number {
    const { workers, target } = this.#session.settings;
    return workers ?? defaultWorkers(situationOf(target));
  }

  /** Claims what the target has only once, as far as the selected checks use it; returns what other runs hold. */
  #claim(): ClaimedSingletons['held'] {
    const chosen = new Set(this.#scope.selected);
    const checks = CHECKS.filter((check) => chosen.has(check.id));
    this.#claimed = claimSingletons(this.#session.target.profile, checks, this.#run);
    return this.#claimed.held;
  }

  /** The kept cases that are tried first. Prints how many requests the properties may send. */
  #vectorsFor(search: PropertySearch): readonly PropertyVector[] {
    const { settings } = this.#session;
    const properties = this.#scope.selected.filter((id) => id.startsWith('properties.')).length;
    if (search.requests !== undefined && properties > 0) console.error(announced(properties, search.requests));
    // Cases of the user are always tried; ours are part of the search. Reading them takes a twelfth of the start.
    const isSearching = properties > 0 && search.runs > 0 && search.requests === undefined;
    return [...userVectors(settings.vectors, settings.promote), ...(isSearching ? ownVectors() : [])];
  }

  #ledgerHeader(): Job['ledger'] {
    const { target } = this.#session;
    const { v1 = null, api = null } = target.profile;
    return {
      mark: markOf(this.#run),
      proofmark: PROOFMARK_VERSION,
      startedAt: this.#began.toISOString(),
      target: { name: target.name, v1, api },
      profile: 'file' in target.forWorkers ? target.forWorkers.file : null,
    };
  }

  /** What of the profile can't be used, with the number of requests that it took to find out. */
  async #probe(
    folders: Pick<Job, 'ledger' | 'ledgerFolder' | 'spoolFolder'>,
    rateServer: RateServer | undefined,
  ): Promise<Inspected> {
    const { settings, target } = this.#session;
    const rate = rateServer === undefined ? undefined : rateClient(rateServer.address);
    const inspected = await probeTarget(target, {
      run: this.#run,
      trusted: settings.trust,
      isResellerHeld: this.#claimed?.held.reseller !== undefined,
      isStopped: () => this.stopReason !== undefined,
      rate,
      ...folders,
    });
    rate?.close();
    return inspected;
  }

  #runInfo(
    search: PropertySearch,
    browser: string | undefined,
    unusable: RunInfo['unusable'],
    held: ClaimedSingletons['held'],
  ): RunInfo {
    const { settings, target } = this.#session;
    return {
      run: this.#run,
      ...(settings.target === 'mock' ? {} : { target: settings.target }),
      seed: settings.seed,
      propertyRuns: search.runs,
      ...(search.requests === undefined ? {} : { propertyRequests: search.requests }),
      ...(settings.replay === undefined ? {} : { replay: settings.replay }),
      selected: this.#scope.selected,
      ...(settings.shuffle === undefined ? {} : { shuffle: settings.shuffle }),
      ...(browser === undefined ? {} : { browser }),
      showPersonalData: settings.showPersonalData,
      unusable,
      trusted: target.kind === 'profile' ? settings.trust : TRUSTABLE,
      held,
    };
  }

  /** Opens the events of the run with their header; each event is shown, counted and compared with `--bail`. */
  #openEvents(progress: Progress, counts: RequestCounts): EventWriter {
    const { settings, target, out } = this.#session;
    const { selected, pattern, shard } = this.#scope;
    const redaction = redactionFor(target.profile);
    return new EventWriter(
      join(out, EVENTS_FILE),
      {
        type: 'header',
        proofmark: PROOFMARK_VERSION,
        contract: CONTRACT_VERSION,
        command: 'run',
        run: this.#run,
        ...describeTarget(target, settings),
        party: 'service',
        startedAt: this.#began.toISOString(),
        seed: settings.seed,
        selected,
        ...(pattern === undefined ? {} : { onlyPattern: pattern }),
        ...(shard === undefined ? {} : { shard }),
        node: process.version,
        plan: planOf(SUITES, selected),
        ...this.#expectations,
      },
      {
        redact: (value) => redaction.value(value),
        seen: (event) => {
          progress.seen(event);
          if (event.type === 'exchange') counts.add(event);
          if (event.type === 'check') this.#bailAfter(event);
        },
      },
    );
  }

  /** Stops the run when as many checks failed as `--bail` says; what the baseline excuses does not count. */
  #bailAfter(check: CheckResult): void {
    const { bail } = this.#session.settings;
    if (bail === undefined || check.verdict !== 'fail') return;
    const day = this.#began.toISOString().slice(0, 10);
    const entries = baselineOutcome(this.#expectations.baseline?.findings ?? [], [check], { day, isPartial: true });
    if (excusedChecks(entries, [check]).size > 0) return;
    this.#failures += 1;
    if (this.#failures === bail) this.stop(`--bail: ${bail} new ${bail === 1 ? 'failure' : 'failures'}`);
  }

  /** What of the findings is known, and what else fails the run. */
  get #expectations(): Pick<RunHeader, 'baseline' | 'failOn'> {
    const { baseline, failOn } = this.#session.settings;
    const ids = CHECKS.map(({ id }) => id);
    return {
      ...(baseline === undefined ? {} : { baseline: readBaseline(baseline, ids) }),
      ...(failOn === undefined ? {} : { failOn }),
    };
  }

  get #recordFolder(): string {
    return join(this.#folder, 'recording');
  }

  /** Takes over what the workers have left and writes all files. Throws what the preparation threw. */
  async finish(faults: RunnerFaults, interrupted: string | undefined): Promise<Results> {
    try {
      return await this.#finish(faults, interrupted);
    } finally {
      this.#timeLimit.clear();
      this.#claimed?.release();
    }
  }

  async #finish(faults: RunnerFaults, interrupted: string | undefined): Promise<Results> {
    const prepared = await this.#prepared;
    const { job, events, progress, counts, rateServer, requests, unusable } = prepared;
    const { settings, target, out } = this.#session;
    const { profile } = target;
    const redaction = redactionFor(profile);
    const sinceStart = performance.now();
    this.#timings.checks = Math.round(sinceStart - (this.#timings['start-up'] ?? 0) - (this.#timings.preflight ?? 0));
    const notices = [
      ...(this.#leftovers === undefined ? [] : [this.#leftovers]),
      ...Object.values(unusable).map(({ reason }) => reason),
      ...unusedCredentials(profile),
      ...Object.values(this.#claimed?.held ?? {}),
      ...noticesOf(hindrancesIn(this.#folder)),
      ...[...this.#timeLimit.hung].map(([check, graceMs]) => hungWorkerMessage(check, graceMs)),
    ];
    events.merge(job.spoolFolder, absentResult(faults, interrupted, this.#timeLimit.hung));
    progress.stop();
    await rateServer?.close();
    // The clean-up claims for itself what there is only once.
    this.#claimed?.release();
    this.#claimed = undefined;
    for (const change of await cleanUpAfter(join(job.ledgerFolder, job.run.run), profile))
      events.append(redactEvent(change, (value) => redaction.value(value)));
    events.close({
      type: 'footer',
      endedAt: new Date().toISOString(),
      durationMs: Math.round(sinceStart),
      requests: requests + progress.requests(),
      requestsByInterface: counts.counts,
      ...(interrupted === undefined ? {} : { interrupted }),
      allowInconclusive: settings.allowInconclusive,
      notices: [...new Set(notices)].map((notice) => redaction.text(notice)),
      timings: this.#timings,
    });
    if (settings.record !== undefined) this.#writeRecording(settings.record, prepared, interrupted);
    const results = await writeReports(out, join(out, EVENTS_FILE), CLAUSES, { isOwn: true });
    if (settings.promote) for (const line of promotedLines(promote(results, settings.vectors))) say(settings, line);
    if (settings.package !== undefined) {
      await writePackage(out, settings.package);
      say(settings, `Package: ${settings.package}`);
    }
    return results;
  }

  /** Writes what the workers recorded, for `--replay`. */
  #writeRecording(folder: string, { job, unusable, vectors }: Prepared, interrupted: string | undefined): void {
    const { settings, target } = this.#session;
    writeRecording(folder, this.#recordFolder, {
      target: { name: target.name, kind: target.kind },
      startedAt: this.#began.toISOString(),
      only: settings.only,
      ...(settings.selection === undefined ? {} : { selection: settings.selection }),
      // Ids are our own words: a secret called "delivery" must not break them.
      run: {
        ...job.run,
        ...redactionFor(target.profile).value({ unusable, ...(vectors.length === 0 ? {} : { vectors }) }),
      },
      ...recordProfile(target.profile, new StandIns(randomBytes(32))),
      ...(interrupted === undefined ? {} : { interrupted }),
    });
    say(settings, `Recording: ${folder}`);
  }
}

function writeVectors(folder: string, vectors: readonly PropertyVector[]): string {
  const file = join(folder, 'vectors.json');
  writeFileSync(file, JSON.stringify(vectors), { mode: 0o600 });
  return file;
}

function promotedLines(files: readonly string[]): string[] {
  if (files.length === 0) return ['Promoted: nothing, since no property failed.'];
  return files.map((file) => `Promoted: ${file}, which every later run tries first.`);
}

/** Under `npx playwright test` standard output belongs to Playwright's reporters. */
function say({ failures }: RunSettings, line: string): void {
  if (failures === 'recorded') console.log(line);
  else console.error(line);
}
