/** A worker of a run: its resources, made once, and the spool that its results go to. */
import { existsSync, readFileSync } from 'node:fs';
import type { CheckResult, Exchange } from '../../contracts/run/events.ts';
import { launchQuietly } from '../browser/launch.ts';
import { StepRecorder } from '../browser/steps/step-recorder.ts';
import type { Check } from '../check/check.ts';
import type { Context } from '../check/context.ts';
import { runCheck } from '../check/running/run-check.ts';
import { type UnselectedChecks, unselectedChecksOf } from '../check/running/unselected.ts';
import { openLedger } from '../cleanup/ledger.ts';
import { openSpool, type Spool } from '../evidence/events/spool.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedaction, type Redaction } from '../evidence/redaction/index.ts';
import { asRedacted } from '../evidence/redaction/redacted.ts';
import { createRecording, type Recording } from '../recording/record.ts';
import { knownReads } from '../resources/known-reads.ts';
import { Resources } from '../resources/resources.ts';
import { markOf } from '../resources/run-info.ts';
import { createClient } from '../target/client/index.ts';
import { type Hindrances, joinHindrances } from '../target/client/notices.ts';
import { loadDriver } from '../target/driver/index.ts';
import { openWire } from '../target/network/network.ts';
import { rateClient } from '../target/network/rate.ts';
import { loadProfile, parseProfile } from '../target/profile/index.ts';
import type { Profile } from '../target/profile/types.ts';
import { redactionFor } from '../target/secrets/profile-redaction.ts';
import { runsInProcess } from './in-process.ts';
import type { Job } from './job.ts';
import { CheckTurns } from './order/check-turns.ts';
import { MethodTurns } from './order/method-turns.ts';
import { prngOf } from './order/prng.ts';
import { ProfileInstallation } from './profile-installation.ts';
import { redactOutput, redactWarnings } from './redact-output.ts';
import { noteEnd, noteWorker } from './worker-notes.ts';

/** What a check came to in this worker, with the exchanges that it names. */
export interface WorkerResult {
  readonly result: CheckResult;
  readonly observed: Context['observed'];
  readonly exchanges: readonly Exchange[];
}

/** Older ones are in the events only. */
const MAX_KEPT_EXCHANGES = 2000;

export class Worker {
  readonly job: Job;
  readonly #make: () => Resources;
  #resources: Resources;
  readonly #spool: Spool;
  readonly #recording: Recording | undefined;
  readonly #turns: MethodTurns;
  readonly #checkTurns: CheckTurns;
  readonly #exchanges: Map<number, Exchange>;
  #current = '';
  /** The draws of a check that is repeated are others, since what it made before may still be there. */
  #attempt = '';
  #running: Promise<unknown> = Promise.resolve();
  /** Whether a check that a replay leaves out has used the resources. */
  #isPastPages = false;
  #hindrances: readonly Hindrances[] = [];

  private constructor(
    job: Job,
    spool: Spool,
    recording: Recording | undefined,
    exchanges: Map<number, Exchange>,
    turns: MethodTurns,
    make: (current: () => string, draws: () => string) => Resources,
  ) {
    this.job = job;
    this.#spool = spool;
    this.#recording = recording;
    this.#exchanges = exchanges;
    this.#turns = turns;
    this.#checkTurns = new CheckTurns(turns);
    this.#make = () =>
      make(
        () => this.#current,
        () => `${this.#current}${this.#attempt}`,
      );
    this.#resources = this.#make();
  }

  static async start(job: Job, name: string): Promise<Worker> {
    noteWorker(job.privateFolder, '');
    const profile = profileOf(job);
    const { run } = job;
    const recording =
      job.recordFolder === undefined
        ? undefined
        : createRecording({
            folder: job.recordFolder,
            worker: name,
            redaction: createRedaction(),
            mark: markOf(run.run),
            showPersonalData: run.showPersonalData,
          });
    const redaction = redactionFor(profile, recording?.redaction);
    const spool = openSpool(job.spoolFolder, name);
    // A run that was asked to stop starts no check: a driver that hangs would only hang again.
    const isOver = existsSync(job.stopFile);
    if (profile.driver !== undefined) {
      for (const stream of [process.stdout, process.stderr]) redactOutput(stream, redaction);
      redactWarnings(redaction);
    }
    const driver = profile.driver === undefined || isOver ? undefined : await loadDriver(profile.driver);
    const exchanges = new Map<number, Exchange>();
    const keepsExchanges = job.failures === 'thrown';
    const turns = new MethodTurns(job.privateFolder);
    return new Worker(job, spool, recording, exchanges, turns, (current, draws) => {
      const recorder = createRecorder({
        check: current,
        spool: (exchange) => {
          spool.append(exchange);
          if (keepsExchanges) keep(exchanges, exchange);
        },
        redaction,
        showPersonalData: run.showPersonalData,
      });
      const rate = job.rateAddress === undefined ? {} : { rate: rateClient(job.rateAddress) };
      return new Resources({
        profile,
        run,
        redaction,
        recorder,
        driver,
        steps: stepsOf(job, redaction),
        client: createClient({
          profile,
          recorder,
          served: knownReads(profile, run.unusable),
          ...rate,
          ...(recording === undefined ? {} : { wire: recording.wire(openWire(profile)) }),
        }),
        prng: prngOf(run.run, draws),
        ledger: openLedger(job.ledgerFolder, { run: run.run, ...job.ledger }, profile.secrets()),
        takeTurnWithMethods: () => turns.take(current()),
        announceTurns: () => turns.announce(),
        areTurnsAnnounced: () => turns.areNeeded,
        installation: new ProfileInstallation(job.privateFolder, profile.apps?.apiKey),
        ...(run.browser === undefined
          ? {}
          : { launchBrowser: (trusted = []) => launchQuietly(run.browser!, { trusted }) }),
      });
    });
  }

  /** The reason why no further check may start, once the run was asked to stop. */
  get stopped(): string | undefined {
    return existsSync(this.job.stopFile) ? readFileSync(this.job.stopFile, 'utf8') : undefined;
  }

  /**
   * Runs one check, one of `all`, and spools its events; `undefined` when the run was asked to stop. `attempt` distinguishes
   * repetitions of a check in one run.
   */
  async run(check: Check, suite: string, all: readonly Check[], attempt = ''): Promise<WorkerResult | undefined> {
    if (this.stopped !== undefined) return undefined;
    const running = this.#run(check, suite, all, attempt);
    this.#running = running.catch(() => undefined);
    return running;
  }

  async #run(check: Check, suite: string, all: readonly Check[], attempt: string): Promise<WorkerResult> {
    if (this.#recording !== undefined && this.#isPastPages && runsInProcess(check)) await this.#startAgain();
    this.#isPastPages ||= !runsInProcess(check);
    this.#current = check.id;
    this.#attempt = attempt;
    const isTurnNeeded = this.#turns.areNeeded;
    this.#recording?.start(check.id, suite, isTurnNeeded);
    await this.#checkTurns.begin(check, isTurnNeeded, this.#resources);
    const { redaction } = this.#resources;
    const { result, context } = await runCheck(check, suite, this.#resources, this.#leftOut(all)).finally(() =>
      this.#checkTurns.end(this.#resources),
    );
    const observed = context.observations(redaction);
    this.#spool.append(
      ...observed,
      ...context.changes.map((change) => asRedacted(redaction.value({ type: 'ledger' as const, ...change }))),
      result,
    );
    this.#recording?.end(check.id, result.verdict);
    return { result, observed, exchanges: result.exchanges.flatMap((n) => this.#exchanges.get(n) ?? []) };
  }

  /**
   * Ends what the checks so far share. What a browser check made or learnt would be used by later checks, and a replay, which has no
   * browser, could not run them as they were recorded.
   */
  async #startAgain(): Promise<void> {
    await this.#endResources();
    this.#resources = this.#make();
    this.#isPastPages = false;
  }

  async #endResources(): Promise<void> {
    this.#current = '';
    this.#recording?.start('', '');
    await this.#resources.close();
    this.#recording?.end('');
    const { kept, redaction, client } = this.#resources;
    this.#spool.append(...kept.notes.map((note) => asRedacted(redaction.value({ type: 'ledger' as const, ...note }))));
    this.#hindrances = [...this.#hindrances, client.hindrances];
  }

  /** Where a failed check fails its test, nothing that other tests find is waited for; a replay knows no such mode. */
  #leftOut(all: readonly Check[]): UnselectedChecks {
    const { failures, recordFolder, run } = this.job;
    if (failures === 'thrown' && recordFolder === undefined) return unselectedChecksOf(all, () => false);
    return unselectedChecksOf(all, (id) => run.selected.includes(id));
  }

  /** Puts back what the checks of this worker share. A check that Playwright gave up on (Ctrl-C) cleans up first. */
  async close(): Promise<void> {
    await this.#running;
    await this.#endResources();
    this.#recording?.close();
    this.#spool.close();
    noteEnd(this.job.privateFolder, joinHindrances(this.#hindrances));
  }
}

/** Playwright can trace a context once at a time: where it does so on request, nothing is recorded here. */
function stepsOf({ tracesOutDir: outDir, run }: Job, redaction: Redaction): StepRecorder | undefined {
  if (outDir === undefined) return undefined;
  return new StepRecorder({ redaction, showPersonalData: run.showPersonalData, outDir });
}

function keep(exchanges: Map<number, Exchange>, exchange: Exchange): void {
  exchanges.set(exchange.n, exchange);
  if (exchanges.size <= MAX_KEPT_EXCHANGES) return;
  const [oldest] = exchanges.keys();
  if (oldest !== undefined) exchanges.delete(oldest);
}

/** The profile of a job, from its file or its text. */
export function profileOf(job: Pick<Job, 'profile'>): Profile {
  return 'file' in job.profile
    ? loadProfile(job.profile.file)
    : parseProfile(job.profile.text, { file: 'mock', folder: job.profile.folder, env: process.env });
}
