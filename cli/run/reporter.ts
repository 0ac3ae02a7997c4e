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
import { idOfTitle } from '../../harness/runner/lane.ts';
import { settingsOf } from '../../harness/runner/settings.ts';
import { EVENTS_FILE } from '../../reports/files.ts';
import type { Results } from '../../reports/results/index.ts';
import { printSummary } from '../../reports/terminal.ts';
import { CHECKS } from '../../suites/index.ts';
import { toldOf } from '../common/failure.ts';
import { Judging, type Scope } from './judging.ts';
import { currentSession, handOver, handOverError, type Session } from './session.ts';

export default class ProofmarkReporter implements Reporter {
  readonly #faults = new Map<string, string>();
  #session: Session | undefined;
  #judging: Judging | undefined;
  #release: (() => void) | undefined;

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
    this.#release = this.#session.hold();
    this.#judging = new Judging(this.#session, scopeOf(this.#session, config, suite));
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
      tell(results, session);
      handOver(settings, { exitCode: results.exitCode });
      return settings.failures === 'recorded' && status === 'failed' ? { status: 'passed' } : undefined;
    } catch (error) {
      handOverError(settings, error);
      if (!this.#isAlone) console.error(`proofmark: ${toldOf(error).message}`);
      return { status: 'failed' };
    } finally {
      this.#release?.();
    }
  }

  #keep(id: string, error: TestError): void {
    const sentence = (error.message ?? String(error.value)).split('\n').slice(0, 3).join(' ');
    if (!this.#faults.has(id)) this.#faults.set(id, sentence);
  }
}

const REASONS: Readonly<Partial<Record<FullResult['status'], string>>> = {
  interrupted: 'interrupted',
  timedout: 'the run took longer than the globalTimeout of the Playwright config',
};

/** Which checks Playwright selected, and how. */
function scopeOf({ settings }: Session, config: FullConfig, suite: Suite): Scope {
  const chosen = new Set(suite.allTests().map((test) => idOfTitle(test.title)));
  const selected = CHECKS.map((check) => check.id).filter((id) => chosen.has(id));
  const isAll = selected.length === CHECKS.length;
  const only = settings.only.length > 0 ? settings.only.join(' ') : undefined;
  const shard = config.shard === null ? undefined : { ...config.shard, ...(only === undefined ? {} : { only }) };
  const pattern = only ?? (isAll ? undefined : 'the tests that Playwright selected');
  return {
    selected,
    ...(shard === undefined
      ? pattern === undefined
        ? {}
        : { pattern }
      : { pattern: `${only ?? 'all'}, shard ${shard.current}/${shard.total}`, shard }),
  };
}

function tell(results: Results, { settings, out }: Session): void {
  if (settings.failures === 'recorded') {
    printSummary(results, { out: settings.out });
    if (settings.drawn)
      console.log(`Seed: ${settings.seed}, drawn for this run (--seed ${settings.seed} takes it again).`);
    return;
  }
  // Standard output belongs to Playwright's reporters, some of which write a document there.
  console.error(`\nProofmark: ${results.outcome}; reports in ${out} (events in ${join(out, EVENTS_FILE)}).`);
}
