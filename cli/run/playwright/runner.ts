/** Starts Playwright over the suites as `npx playwright test` does, with the options of `proofmark run` translated to its own. */
import { spawn } from 'node:child_process';
import { existsSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { SETTINGS_VARIABLE } from '../../../harness/runner/settings.ts';
import { EVENTS_FILE } from '../../../reports/files.ts';
import type { RunOptions } from '../options.ts';
import { handedOver, STOP_FILE, shortageIn } from './hand-over.ts';

/** `.ts` in a checkout, `.js` in the package. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
const CONFIG = fileURLToPath(new URL(`../../../playwright.config.${EXTENSION}`, import.meta.url));
const OWN_MODULES = new URL(`../../common/own-modules.${EXTENSION}`, import.meta.url).href;
const LOAD_IN_TURN = new URL(`./workers/load-in-turn.${EXTENSION}`, import.meta.url).href;
const BABEL_WHEN_USED = new URL(`./babel-when-used.${EXTENSION}`, import.meta.url).href;

/** The arguments of Playwright that select and share out the checks as `options` do. */
function playwrightArguments({ only, workers, shard }: Pick<RunOptions, 'only' | 'workers' | 'shard'>): string[] {
  return [
    ...(only.length === 0 ? [] : ['--grep', grepOf(only)]),
    ...(workers === undefined ? [] : [`--workers=${workers}`]),
    ...(shard === undefined ? [] : [`--shard=${shard.current}/${shard.total}`]),
  ];
}

/** A regular expression over Playwright's titles (project, file, `id title`, tags) that finds the ids of these globs. */
export function grepOf(only: readonly string[]): string {
  const ids = only.map((glob) =>
    glob
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[a-z0-9.-]*')
      .replaceAll('?', '[a-z0-9.-]'),
  );
  return `(?:^| )(?:${ids.join('|')}) (?:MUST|SHOULD|MAY|OBSERVES) `;
}

/**
 * Playwright sets FORCE_COLOR for its workers, and Node warns in each of them when NO_COLOR is set beside it: the same wish is
 * passed on as FORCE_COLOR=0.
 */
function withoutNoColor({ NO_COLOR: noColor = '', ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return noColor === '' ? env : { ...env, FORCE_COLOR: env.FORCE_COLOR ?? '0' };
}

/**
 * For the runner and its workers, which inherit it. On a machine with much memory Node lets new objects take up to 100 MiB before
 * it looks which of them are still needed: almost all are not, since they belong to one request.
 */
const NODE_OPTIONS = [
  '--max-semi-space-size=16',
  ...[OWN_MODULES, LOAD_IN_TURN, BABEL_WHEN_USED].flatMap((module) => ['--import', module]),
];

export interface RunnerExit {
  readonly exitCode: number;
  /** Whether the run came to its end and wrote its reports. */
  readonly isWhole: boolean;
}

/**
 * Runs to the end. The first Ctrl-C, SIGTERM or SIGHUP lets the checks that are running finish and clean up; a second Ctrl-C or
 * SIGTERM ends them at once, and `proofmark sweep` puts back what they leave.
 */
export async function runPlaywright(options: RunOptions & { readonly handOver: string }): Promise<RunnerExit> {
  const { handOver } = options;
  const startedAt = Date.now();
  const cli = join(dirname(createRequire(import.meta.url).resolve('@playwright/test/package.json')), 'cli.js');
  const child = spawn(process.execPath, [...NODE_OPTIONS, cli, 'test', '-c', CONFIG, ...playwrightArguments(options)], {
    // Its own process group: the terminal's Ctrl-C reaches this process, which stops the workers in order.
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...withoutNoColor(process.env),
      [SETTINGS_VARIABLE]: JSON.stringify({ ...options, commandPid: process.pid }),
      PW_TEST_REPORTER: '',
      // Node runs our TypeScript itself. Playwright would compile it into a folder that other users may have made, and run it from there.
      PW_DISABLE_TS_ESM: '1',
    },
  });
  let interrupted = false;
  const stop = (why: string): void => {
    if (interrupted) {
      killGroup(child.pid);
      return;
    }
    interrupted = true;
    writeFileSync(join(handOver, STOP_FILE), why);
    console.error(
      `\n${why}: letting the running checks clean up (repeat it to end at once, then run: proofmark sweep).`,
    );
  };
  const onInterrupt = () => stop('stopped with Ctrl-C');
  const onTerminate = () => stop('stopped by SIGTERM');
  // A terminal that closes sends it more than once.
  const onHangUp = () => {
    if (!interrupted) stop('stopped by SIGHUP, since the terminal was closed');
  };
  process.on('SIGINT', onInterrupt);
  process.on('SIGTERM', onTerminate);
  process.on('SIGHUP', onHangUp);
  const end = await new Promise<string>((done) => {
    child.on('error', (error) => done(error.message));
    child.on('close', (code, signal) => done(signal ?? `code ${code}`));
  });
  process.off('SIGINT', onInterrupt);
  process.off('SIGTERM', onTerminate);
  process.off('SIGHUP', onHangUp);
  const outcome = handedOver(handOver);
  if (outcome === undefined)
    return { exitCode: await reportCutOff(options, startedAt, end, interrupted), isWhole: false };
  const { exitCode, message } = outcome;
  if (message !== undefined) console.error(`proofmark: ${message}`);
  return { exitCode, isWhole: message === undefined };
}

/** The runner was killed or broke: what the events hold by then is reported, as a run that was cut off. */
async function reportCutOff(
  { out, target, quiet, envFiles, handOver }: RunOptions & { readonly handOver: string },
  startedAt: number,
  end: string,
  interrupted: boolean,
): Promise<number> {
  if (!interrupted) {
    const shortage = shortageIn(handOver);
    console.error(
      `proofmark: the runner ended with ${end} before the run was over${shortage === undefined ? '' : `, and nothing can be written to ${dirname(handOver)}: ${shortage}`}.`,
    );
  }
  const events = join(resolve(out), EVENTS_FILE);
  // Events of an older run say nothing about this one.
  if (!existsSync(events) || statSync(events).mtimeMs < startedAt)
    return interrupted ? EXIT.inconclusive : EXIT.harnessError;
  // The runner writes the reports of a whole run: only here does this process need what makes them.
  const [{ cleanUpCutOff, closeCutOff, recoverVerdicts }, { CLAUSES }, { writeReports }, { printSummary }] =
    await Promise.all([
      import('../ending/cut-off.ts'),
      import('../../../contracts/clauses/index.ts'),
      import('../../../reports/write.ts'),
      import('../../../reports/terminal.ts'),
    ]);
  recoverVerdicts(events, handOver);
  await cleanUpCutOff(target, events, envFiles);
  if (interrupted) await closeCutOff(events, 'ended at once with a second Ctrl-C', startedAt);
  const results = await writeReports(resolve(out), events, CLAUSES);
  printSummary(results, { out, quiet });
  return results.exitCode;
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
