/**
 * Playwright's side of a run: begins it with the checks that Playwright selected, and ends it with the reports. It prints
 * nothing about tests; that is for the reporters beside it.
 */

import { join } from 'node:path';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { idOfTitle } from '../../../harness/runner/playwright-tests.ts';
import { settingsOf } from '../../../harness/runner/settings.ts';
import { showOnGithub } from '../../../reports/ci/github.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import type { Results } from '../../../reports/results/index.ts';
import { printSummary } from '../../../reports/terminal.ts';
import { oneLine } from '../../../reports/words/text.ts';
import { CHECKS } from '../../../suites/index.ts';
import { describeError } from '../../common/failure.ts';
import { argumentsAsGiven } from '../../common/given/arguments.ts';
import { guardOutput, safeText } from '../../common/safe-output.ts';
import { targetFlags } from '../target/describe.ts';
import type { RunnerFaults } from './absent-result.ts';
import { handOver, handOverError } from './hand-over.ts';
import { Judging, type Scope } from './judging.ts';
import { watchParent } from './orphan.ts';
import { currentSession, type Session } from './session.ts';
import { shardOf } from './workers/shard.ts';

export default class ProofmarkReporter implements Reporter {
  readonly #faults = new Map<string, string>();
  #session: Session | undefined;
  #judging: Judging | undefined;
  #release: (() => void) | undefined;
  #unwatch: (() => void) | undefined;

  /** This process writes to the terminal of `proofmark run` itself, past the gate of that process. */
  constructor() {
    if (!this.#isAlone) return;
    guardOutput(process.stdout);
    guardOutput(process.stderr);
  }

  /** Under `proofmark run` no other reporter prints; elsewhere Playwright's own do. */
  printsToStdio(): boolean {
    return this.#isAlone;
  }

  get #isAlone(): boolean {
    return settingsOf().failures === 'recorded';
  }

  onBegin(config: FullConfig, suite: Suite): void {
    this.#session = currentSession();
    // Without a session nothing is run: tests are listed, or blob reports merged.
    if (this.#session === undefined) return;
    const scope = scopeOf(this.#session, config, suite);
    // Only tests of the user's own, beside ours in one config: they leave the target and the last reports alone.
    if (scope.selected.length === 0 && scope.shard === undefined) return;
    this.#release = this.#session.hold();
    const judging = new Judging(this.#session, scope);
    this.#judging = judging;
    const { commandPid } = this.#session.settings;
    if (commandPid !== undefined)
      this.#unwatch = watchParent(commandPid, () => judging.stop('stopped because its command was killed'));
  }

  onError(error: TestError): void {
    this.#keep('', error);
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    for (const error of result.errors) this.#keep(idOfTitle(test.title), error);
  }

  onStdErr(chunk: string | Buffer): void {
    if (this.#isAlone) process.stderr.write(chunk);
  }

  async onEnd({ status }: FullResult): Promise<{ status: FullResult['status'] } | undefined> {
    const [session, judging] = [this.#session, this.#judging];
    if (session === undefined || judging === undefined) return undefined;
    const { settings } = session;
    try {
      const results = await judging.finish(this.#faults, judging.stopReason ?? REASONS[status]);
      printOutcome(results, session, this.#faults);
      handOver(settings, { exitCode: results.exitCode });
      // A breach that only a precondition met is known after the last test: the run fails, with or without a failed test.
      const isFailed = results.exitCode === EXIT.failed || results.exitCode === EXIT.harnessError;
      return isFailed && !this.#isAlone ? { status: 'failed' } : undefined;
    } catch (error) {
      handOverError(settings, error);
      if (!this.#isAlone) console.error(`proofmark: ${describeError(error).message}`);
      return { status: 'failed' };
    } finally {
      this.#unwatch?.();
      this.#release?.();
    }
  }

  #keep(id: string, error: TestError): void {
    const sentence = (error.message ?? String(error.value)).split('\n').slice(0, 3).join(' ');
    if (!this.#faults.has(id)) this.#faults.set(id, sentence);
  }
}

const REASONS: Readonly<Partial<Record<FullResult['status'], string>>> = {
  interrupted: 'stopped by a signal',
  timedout: 'the run took longer than the globalTimeout of the Playwright config',
};

/** Which checks Playwright selected, and how. */
function scopeOf(session: Session, config: FullConfig, suite: Suite): Scope {
  const chosen = new Set(suite.allTests().map((test) => idOfTitle(test.title)));
  const selected = CHECKS.map((check) => check.id).filter((id) => chosen.has(id));
  const { only, selection } = session.settings;
  const pattern =
    only.length > 0
      ? (selection ?? only.join(' '))
      : selected.length < CHECKS.length
        ? 'the tests that Playwright selected'
        : undefined;
  if (config.shard === null) return { selected, ...(pattern === undefined ? {} : { pattern }) };
  const shard = shardOf(session, config.shard, process.argv, process.env);
  return {
    selected,
    pattern: `${selection ?? shard.only ?? shard.tests ?? 'all'}, part ${shard.current}/${shard.total}`,
    shard,
  };
}

/** `failed`: the checks which Playwright's reporters report already. */
function printOutcome(results: Results, { settings, out }: Session, failed: RunnerFaults): void {
  if (settings.failures === 'recorded') {
    if (settings.confirm !== true)
      printSummary(results, {
        out: settings.out,
        quiet: settings.quiet,
        given: argumentsAsGiven(targetFlags(settings)),
      });
    if (settings.drawn) console.log(`Seed: ${settings.seed}, drawn for this run (--seed ${settings.seed} repeats it).`);
    return;
  }
  showOnGithub(results, process.env, (line) => void process.stderr.write(Buffer.from(`${line}\n`)));
  // Standard output belongs to Playwright's reporters, some of which write a document there.
  for (const { id, verdict, reason } of results.checks)
    if ((verdict === 'fail' || verdict === 'error') && !failed.has(id))
      console.error(safeText(`\n${id}: ${verdict}: ${oneLine(reason ?? '')}`));
  console.error(`\nProofmark: ${results.outcome}; reports in ${out} (events in ${join(out, EVENTS_FILE)}).`);
}
