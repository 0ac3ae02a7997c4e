/** Runs the checks of a recording again, without a network: what each worker ran, in its order, against what it heard. */
import type { CheckResult } from '../../contracts/run/events.ts';
import type { Check } from '../check/check.ts';
import { missingFor } from '../check/needs.ts';
import { runCheck } from '../check/running/run-check.ts';
import { unselectedChecksOf } from '../check/running/unselected.ts';
import type { SpooledEvent } from '../evidence/events/spool.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedaction } from '../evidence/redaction/index.ts';
import { asRedacted, type Redacted, redactEvent } from '../evidence/redaction/redacted.ts';
import type { ReadRecording } from '../recording/files.ts';
import { restoreProfile } from '../recording/recorded-profile.ts';
import { createReplay, type Divergence, NotRecorded, type RecordedCheck, recordedChecks } from '../recording/replay.ts';
import { Resources } from '../resources/resources.ts';
import { markOf, type RunInfo } from '../resources/run-info.ts';
import { createClient } from '../target/client/index.ts';
import { redactionFor } from '../target/secrets/profile-redaction.ts';
import { CheckTurns } from './check-turns.ts';
import { memoryLedger, runsInProcess } from './in-process.ts';
import type { Turns } from './method-turns.ts';
import { prngOf } from './prng.ts';

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
  for (const lines of workers) await replayWorker(header, recordedChecks(lines), options);
}

async function replayWorker(
  header: ReadRecording['header'],
  recorded: readonly RecordedCheck[],
  options: ReplayRunOptions,
): Promise<void> {
  const profile = restoreProfile(header.profile, header.secrets, `${header.target.name} (recorded)`);
  const { browser: _browser, ...run } = header.run;
  const { showPersonalData } = run;
  const startedAt = Date.parse(header.startedAt);
  const replay = createReplay({
    redaction: createRedaction(),
    mark: markOf(run.run),
    showPersonalData,
    startedAt,
  });
  const redaction = redactionFor(profile, replay.redaction);
  const turns = new RecordedTurns();
  const checkTurns = new CheckTurns(turns);
  let current = '';
  const isWanted = () => options.wanted(current);
  const write = (result: CheckResult) => options.onEvent(redactEvent(result, (value) => redaction.value(value)));
  const recorder = createRecorder({
    check: () => current,
    spool: (exchange) => {
      if (isWanted()) options.onEvent(exchange);
    },
    redaction,
    showPersonalData,
  });
  const makeResources = (): Resources =>
    new Resources({
      profile,
      run,
      redaction,
      recorder,
      driver: undefined,
      client: createClient({ profile, recorder, wire: replay.wire, clock: replay.clock }),
      ledger: memoryLedger(),
      prng: prngOf(run.run, () => current),
      clock: replay.clock,
      takeTurnWithMethods: () => turns.take(),
      announceTurns: () => turns.announce(),
      areTurnsAnnounced: () => turns.areNeeded,
    });
  let resources = makeResources();
  const leftOut = unselectedChecksOf([...options.checks.values()], (id) => run.selected.includes(id));
  try {
    for (const one of recorded) {
      const check = options.checks.get(one.check);
      current = one.check;
      // The worker ended what its checks shared.
      if (one.check === '') {
        replay.start(one);
        await endedIn(resources);
        resources = makeResources();
        continue;
      }
      if (check === undefined || !runsInProcess(check)) {
        replay.skip(one);
        if (check !== undefined && isWanted()) write(withoutBrowser(check, one, resources, run));
        continue;
      }
      replay.start(one);
      if (one.takesTurns) turns.announce();
      await checkTurns.begin(check, one.takesTurns, resources);
      const { result, context } = await runCheck(check, one.suite, resources, leftOut);
      await checkTurns.end(resources);
      const judged = compared(result, one, replay.end());
      if (!isWanted()) continue;
      for (const seen of context.observations(redaction)) options.onEvent(seen);
      for (const change of context.changes)
        options.onEvent(asRedacted(redaction.value({ type: 'ledger' as const, ...change })));
      write(judged);
    }
  } finally {
    current = '';
    await endedIn(resources);
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
