/** Runs the checks of a recording again, without a network: what each worker ran, in its order, against what it heard. */
import type { CheckResult } from '../../contracts/run/events.ts';
import type { Check } from '../check/check.ts';
import { missingFor } from '../check/needs/index.ts';
import { runCheck } from '../check/running/run-check.ts';
import { type UnselectedChecks, unselectedChecksOf } from '../check/running/unselected.ts';
import type { SpooledEvent } from '../evidence/events/spool.ts';
import { createRecorder, type Recorder } from '../evidence/recorder.ts';
import { createRedaction, type Redaction } from '../evidence/redaction/index.ts';
import { asRedacted, type Redacted, redactEvent } from '../evidence/redaction/redacted.ts';
import type { ReadRecording } from '../recording/files.ts';
import { restoreProfile } from '../recording/recorded-profile.ts';
import {
  createReplay,
  type Divergence,
  NotRecorded,
  type RecordedCheck,
  type Replay,
  recordedChecks,
} from '../recording/replay.ts';
import { Resources } from '../resources/resources.ts';
import { markOf, type RunInfo } from '../resources/run-info.ts';
import { createClient } from '../target/client/index.ts';
import type { Profile } from '../target/profile/types.ts';
import { redactionFor } from '../target/secrets/profile-redaction.ts';
import { memoryLedger, runsInProcess } from './in-process.ts';
import { CheckTurns } from './order/check-turns.ts';
import type { Turns } from './order/method-turns.ts';
import { prngOf } from './order/prng.ts';

export interface ReplayRunOptions {
  /** By id. */
  readonly checks: ReadonlyMap<string, Check>;
  /** Takes what is found, in order; exchanges carry numbers of this process. */
  readonly onEvent: (event: Redacted<SpooledEvent>) => void;
  /** Which checks are reported; the others are run as well, because later ones may rest on them. */
  readonly wanted: (id: string) => boolean;
}

/** Replays all checks of a recording. Never opens a connection, a browser or a file. */
export async function replayChecks({ header, workers }: ReadRecording, options: ReplayRunOptions): Promise<void> {
  for (const lines of workers) await new WorkerReplay(header, options).run(recordedChecks(lines));
}

/** The turns of a recorded worker, which its replay takes alone. */
class RecordedTurns implements Turns {
  areNeeded = false;
  isOwn = false;

  announce(): void {
    this.areNeeded = true;
  }

  async begins(): Promise<void> {}

  async take(): Promise<void> {
    this.announce();
    this.isOwn = true;
  }

  release(): void {
    this.isOwn = false;
  }
}

/** Replays what one worker ran. */
class WorkerReplay {
  readonly #options: ReplayRunOptions;
  readonly #profile: Profile;
  readonly #run: RunInfo;
  readonly #replay: Replay;
  readonly #redaction: Redaction;
  readonly #recorder: Recorder;
  readonly #leftOut: UnselectedChecks;
  readonly #turns = new RecordedTurns();
  readonly #checkTurns = new CheckTurns(this.#turns);
  #current = '';
  #resources: Resources;

  constructor(
    { profile, secrets, target, startedAt, run: recorded }: ReadRecording['header'],
    options: ReplayRunOptions,
  ) {
    const { browser: _browser, ...run } = recorded;
    const { showPersonalData, selected } = run;
    this.#options = options;
    this.#run = run;
    this.#profile = restoreProfile(profile, secrets, `${target.name} (recorded)`);
    this.#replay = createReplay({
      redaction: createRedaction(),
      mark: markOf(run.run),
      showPersonalData,
      startedAt: Date.parse(startedAt),
    });
    this.#redaction = redactionFor(this.#profile, this.#replay.redaction);
    this.#recorder = createRecorder({
      check: () => this.#current,
      spool: (exchange) => {
        if (this.#isWanted) options.onEvent(exchange);
      },
      redaction: this.#redaction,
      showPersonalData,
    });
    this.#leftOut = unselectedChecksOf([...options.checks.values()], (id) => selected.includes(id));
    this.#resources = this.#makeResources();
  }

  async run(recorded: readonly RecordedCheck[]): Promise<void> {
    try {
      for (const one of recorded) {
        this.#current = one.check;
        const check = this.#options.checks.get(one.check);
        if (one.check === '') await this.#startAgain(one);
        else if (check === undefined || !runsInProcess(check)) this.#skip(check, one);
        else await this.#replayCheck(check, one);
      }
    } finally {
      this.#current = '';
      await endedIn(this.#resources);
    }
  }

  get #isWanted(): boolean {
    return this.#options.wanted(this.#current);
  }

  #makeResources(): Resources {
    const [profile, recorder, replay, turns] = [this.#profile, this.#recorder, this.#replay, this.#turns];
    return new Resources({
      profile,
      run: this.#run,
      redaction: this.#redaction,
      recorder,
      driver: undefined,
      client: createClient({ profile, recorder, wire: replay.wire, clock: replay.clock }),
      ledger: memoryLedger(),
      prng: prngOf(this.#run.run, () => this.#current),
      clock: replay.clock,
      takeTurnWithMethods: () => turns.take(),
      announceTurns: () => turns.announce(),
      areTurnsAnnounced: () => turns.areNeeded,
    });
  }

  /** The worker ended what its checks shared. */
  async #startAgain(one: RecordedCheck): Promise<void> {
    this.#replay.start(one);
    await endedIn(this.#resources);
    this.#resources = this.#makeResources();
  }

  #skip(check: Check | undefined, one: RecordedCheck): void {
    this.#replay.skip(one);
    if (check !== undefined && this.#isWanted) this.#write(withoutBrowser(check, one, this.#resources, this.#run));
  }

  async #replayCheck(check: Check, one: RecordedCheck): Promise<void> {
    this.#replay.start(one);
    if (one.takesTurns) this.#turns.announce();
    await this.#checkTurns.begin(check, one.takesTurns, this.#resources);
    const { result, context } = await runCheck(check, one.suite, this.#resources, this.#leftOut);
    await this.#checkTurns.end(this.#resources);
    const judged = compared(result, one, this.#replay.end());
    if (!this.#isWanted) return;
    for (const seen of context.observations(this.#redaction)) this.#options.onEvent(seen);
    for (const change of context.changes)
      this.#options.onEvent(asRedacted(this.#redaction.value({ type: 'ledger' as const, ...change })));
    this.#write(judged);
  }

  #write(result: CheckResult): void {
    this.#options.onEvent(redactEvent(result, (value) => this.#redaction.value(value)));
  }
}

/** Puts back what the checks share. After a check that did something else than in the recording that may not be possible. */
async function endedIn(resources: Resources): Promise<void> {
  await resources.close().catch((error: unknown) => {
    if (!(error instanceof NotRecorded)) throw error;
  });
}

/** A replay has no browser: such a check is undecided, with what it came to when it was recorded. */
function withoutBrowser(
  check: Check,
  { suite, verdict }: RecordedCheck,
  resources: Resources,
  run: RunInfo,
): CheckResult {
  const missing = missingFor(check, resources);
  const isAbsent = missing?.verdict === 'not-applicable';
  return {
    type: 'check',
    id: check.id,
    title: check.title,
    level: check.level,
    suite,
    clauses: check.clauses,
    ...(check.additional === undefined ? {} : { additional: check.additional }),
    verdict: isAbsent ? 'not-applicable' : 'inconclusive',
    attribution: 'configuration',
    reason: isAbsent
      ? missing.reason
      : `a replay has no browser and no driver; in the recorded run ${run.run} the verdict of this check was "${verdict ?? 'none'}": run it against the service`,
    exchanges: [],
    startedAt: new Date().toISOString(),
    durationMs: 0,
  };
}

/**
 * The result of a replayed check. The same checks on the same answers come to the same verdict: whatever else happens is no
 * finding about the target, but a recording that was changed or a mistake of ours.
 */
export function compared(result: CheckResult, recorded: RecordedCheck, divergence: Divergence): CheckResult {
  const { unknown, unsent, inexact } = divergence;
  const error = (reason: string): CheckResult => ({ ...result, verdict: 'error', attribution: 'harness', reason });
  if (unknown.length > 0) {
    const more = unknown.length > 1 ? ` and ${unknown.length - 1} more` : '';
    return error(
      `the recording does not contain the request ${unknown[0]}${more}: it was changed, or made with something else; record again`,
    );
  }
  if (recorded.verdict === undefined || result.verdict !== recorded.verdict) {
    const both = `in the replay the result was "${result.verdict}" (${result.reason ?? 'no reason'}), in the recording "${recorded.verdict ?? 'none'}"`;
    if (inexact === 0) return error(`${both}: the recording was changed, or this is an error of Proofmark`);
    return {
      ...result,
      verdict: 'inconclusive',
      attribution: 'harness',
      reason: `${both}; ${inexact} of its responses contained a secret in a form that a recording can't keep: run it against the service`,
    };
  }
  if (unsent.length > 0) {
    const more = unsent.length > 1 ? ` and ${unsent.length - 1} more` : '';
    return error(
      `the recording contains the request ${unsent[0]}${more}, which the check did not send: it was changed`,
    );
  }
  return result;
}
