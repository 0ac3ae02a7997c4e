/**
 * The Playwright configuration of the suites. A project of your own uses it in its `playwright.config.ts`:
 *
 *     import { proofmark } from 'proofmark/playwright';
 *     export default proofmark({ target: './staging.jsonc' });
 *
 * Playwright loads it in every process of a run, so it imports nothing heavy.
 *
 * @module proofmark/playwright
 */
import { getPriority, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { PlaywrightTestConfig } from '@playwright/test';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { type RunSettings, SETTINGS_VARIABLE, settingsOf } from '../../../harness/runner/settings.ts';
import { foreignPlaywright } from './one-playwright.ts';
import { defaultWorkers, situationOf } from './workers/default-workers.ts';

export type ProofmarkOptions = Partial<
  Pick<
    RunSettings,
    | 'target'
    | 'out'
    | 'seed'
    | 'runs'
    | 'vectors'
    | 'workers'
    | 'shuffle'
    | 'showPersonalData'
    | 'trust'
    | 'record'
    | 'package'
  >
> & {
  /** Playwright's `use.trace`: what it records of the browser steps is not redacted. */
  readonly trace?: TraceMode;
};
type TraceMode = Extract<NonNullable<NonNullable<PlaywrightTestConfig['use']>['trace']>, string>;

/** Variables that take the place of an option: a pipeline sets them without a second config. */
const FROM_ENVIRONMENT = { target: 'PROOFMARK_TARGET', out: 'PROOFMARK_OUT' } as const;

/** A check waits for the target's timeouts, not for the runner's: this only ends what hangs for good. */
const CHECK_TIMEOUT_MS = 10 * 60_000;

const pathOf = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
/** `.ts` in a checkout, `.js` in the package. */
const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * Projects and their spec files. Those whose checks run one after the other come first: a long one that starts last would
 * keep a run waiting with one worker. The numbers in the names of the files keep this order within one project.
 */
const PROJECTS = [
  ['reseller', '1-reseller'],
  ['pages', '2-browser'],
  ['apps', '3-apps'],
  ['properties', '4-properties'],
  ['delivery', '5-delivery'],
] as const;

/**
 * A config with one test per check. Ends the process where another copy of Playwright runs than the one that our tests import. Settings of `proofmark run` and the environment take precedence over
 * `options`.
 */
export function proofmark(options: ProofmarkOptions = {}): PlaywrightTestConfig {
  endWhereForeign();
  const env = Object.entries(FROM_ENVIRONMENT).flatMap(([key, name]) => {
    const value = process.env[name];
    return value === undefined || value === '' ? [] : [[key, value]];
  });
  // Global setup, reporter and workers read them there; `proofmark run` has set them already.
  const { trace, ...own } = options;
  const traced = isTraced(process.argv, trace);
  process.env[SETTINGS_VARIABLE] ??= JSON.stringify({ ...own, ...Object.fromEntries(env), traced });
  // `--reporter` replaces the reporters of a config, and ours has to stay: without it there is no run.
  process.env.PW_TEST_REPORTER ||= pathOf(`./reporter.${EXTENSION}`);
  letFirstWorkerGoAhead();
  const settings = settingsOf();
  const isProofmarkRun = settings.failures === 'recorded';
  return {
    testDir: pathOf('../../../suites/serial-groups'),
    globalSetup: pathOf(`./global-setup.${EXTENSION}`),
    // A worker process serves one project, and loading the suites takes it a second.
    projects: isProofmarkRun ? [{ name: 'run', testMatch: `*.spec.${EXTENSION}` }] : projects(),
    reporter: isProofmarkRun ? [['null']] : [[process.env.CI === undefined ? 'list' : 'dot']],
    // A worker is one of them, however many there are.
    workers: settings.workers ?? (isWorker() ? 1 : defaultWorkers(situationOf(settings.target))),
    retries: 0,
    timeout: CHECK_TIMEOUT_MS,
    fullyParallel: false,
    reportSlowTests: null,
    ...(trace === undefined ? {} : { use: { trace } }),
    ...(settings.handOver === undefined ? {} : { outputDir: `${settings.handOver}/runner` }),
  };
}

/** Playwright shows an error of a config with its trace, and goes on to the next file after an error in a test. */
function endWhereForeign(): void {
  const problem = foreignPlaywright(process.argv[1], import.meta.url);
  if (problem === undefined) return;
  console.error(`proofmark: ${problem}`);
  process.exit(EXIT.usage);
}

const projects = (): { name: string; testMatch: string }[] =>
  PROJECTS.map(([name, file]) => ({ name, testMatch: `${file}.spec.${EXTENSION}` }));

/** How much later the system gives a core to the other workers, in the unit of `nice`. */
const YIELDS_BY = 5;
const MAX_PRIORITY = 19;

/**
 * The first worker has the longest group of checks that run one after the other, and each of its calls waits for the one before:
 * where the workers outnumber the cores, the others start and calculate while it waits for the target.
 */
function letFirstWorkerGoAhead(): void {
  const worker = process.env.TEST_PARALLEL_INDEX;
  if (worker === undefined || worker === '0') return;
  try {
    setPriority(Math.min(MAX_PRIORITY, getPriority() + YIELDS_BY));
  } catch {
    // A system that does not allow it only takes longer.
  }
}

const isWorker = (): boolean => process.env.TEST_WORKER_INDEX !== undefined;

/**
 * Whether a person will look at the browser steps. Which fixtures a test has is settled when its file is loaded, before
 * Playwright says with which options: they are read from the command line of the process that loads the config first.
 * @internal
 */
export function isTraced(argv: readonly string[], trace: TraceMode = 'off'): boolean {
  const at = argv.findIndex((word) => word === '--trace' || word.startsWith('--trace='));
  const mode = at < 0 ? trace : argv[at] === '--trace' ? argv[at + 1] : argv[at]?.slice('--trace='.length);
  // `test-server` is how editors start Playwright.
  return mode !== 'off' || argv.some((word) => /^(--ui(-.*)?|--debug(=.*)?|test-server)$/.test(word));
}
