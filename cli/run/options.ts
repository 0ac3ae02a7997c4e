/** The command line of `proofmark run`. */
import { existsSync } from 'node:fs';
import type { ParseArgsOptionsConfig } from 'node:util';
import { matchesAny } from '../../contracts/run/glob.ts';
import { checkPackagePath, PACKAGE_HELP } from '../../harness/evidence/package/write.ts';
import { TRUSTABLE } from '../../harness/probe/trustable.ts';
import { didYouMean } from '../../harness/process/nearest.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { checkRecordingFolder } from '../../harness/recording/files.ts';
import type { RunSettings } from '../../harness/runner/settings.ts';
import { flagsOf, MAX_SEED, seedOf, wholeNumber } from '../common/flags.ts';
import { envFilesGiven } from '../env-file.ts';
import { checkPromotion, VECTORS_FOLDER } from './replay/promote.ts';
import type { Narrowing } from './select/narrowing.ts';

export const RUN_HELP = `Usage: proofmark run [OPTION …]

Judges a service against the contract and writes the reports.

  --target TARGET        mock (the default), mock:fault=ID, mock:variant=ID[,ID…], or a profile FILE.json
  --only GLOB            only the checks whose id matches, e.g. 'delivery.*' (may be given several times)
  --suite NAME           only the checks of this suite, as progress names it, e.g. delivery/lists, or of a folder of suites,
                         e.g. delivery (several times)
  --interface NAME       only the checks of delivery, apps or reseller, with their envelopes (several times)
  --clause ID            only the checks of this clause, or of those that match a glob (several times)
  --last-failed          only the checks that failed in the run in --out
  --bail [N]             stop after N new failures (default: 1)
  --quiet                print no progress and no findings, only the verdict, the counts and the files
  --out DIR              where the reports go (default: reports/latest)
  --seed N|random        seed of the properties (default: 1)
  --runs N               runs of each property; 0 turns them off (default: 20 on this machine, elsewhere as many as 60
                         requests allow)
  --replay PATH[@REPLAY] repeat one counterexample of a property, with --seed and --only
  --record DIR           store the responses of the target in a new folder, without secrets
  --replay DIR           run the checks of such a recording again, without a network
  --promote              keep each counterexample of a property as a case that every later run tries first
  --vectors PATH         folder of such cases, or one of them (default: ${VECTORS_FOLDER} if it exists)
  --workers N            processes that run checks (default: one per core, more for a distant target that allows it)
  --shard N/M            one of M parts of the run, each on its own machine (proofmark report --merge joins them)
  --shuffle N            order of the checks within their groups, from this seed
  --trust KEY            the profile's value of this key is verified: where the service differs, the service is at fault
                         (may be given several times)
  --baseline FILE        known findings, which do not fail the run; one that is fixed or has expired does
                         (proofmark baseline writes the file)
  --confirm              repeat the failed checks at the end, and report both results; the first one counts
  --fail-on warn         also exit 1 when a check warns
  --allow-inconclusive   exit 0 instead of 3 when nothing failed and something could not be decided
  --no-trace             keep no screenshot and no Playwright trace of browser steps that failed
  --show-personal-data   do not mask people's names, e-mails and phone numbers in the reports
${PACKAGE_HELP}
  --dry-run              print, check by check, what would be sent and changed; nothing is sent
  --list                 print the checks instead of running them

Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.`;

/** One machine's part of a run. */
export interface Shard {
  readonly current: number;
  readonly total: number;
}

export interface RunOptions extends RunSettings {
  readonly shard?: Shard;
  /** Folder of a recording to be run again. */
  readonly recording?: string;
  /** What narrows the selection beside `only`. */
  readonly narrowed: Narrowing;
  readonly dryRun: boolean;
  readonly list: boolean;
  readonly help: boolean;
}

const FLAGS = {
  target: { type: 'string', default: 'mock' },
  only: { type: 'string', multiple: true, default: [] },
  suite: { type: 'string', multiple: true, default: [] },
  interface: { type: 'string', multiple: true, default: [] },
  clause: { type: 'string', multiple: true, default: [] },
  'last-failed': { type: 'boolean', default: false },
  bail: { type: 'string' },
  quiet: { type: 'boolean', default: false },
  out: { type: 'string', default: 'reports/latest' },
  seed: { type: 'string', default: '1' },
  runs: { type: 'string' },
  replay: { type: 'string' },
  record: { type: 'string' },
  promote: { type: 'boolean', default: false },
  vectors: { type: 'string' },
  workers: { type: 'string' },
  shard: { type: 'string' },
  trust: { type: 'string', multiple: true, default: [] },
  shuffle: { type: 'string' },
  'allow-inconclusive': { type: 'boolean', default: false },
  'no-trace': { type: 'boolean', default: false },
  'show-personal-data': { type: 'boolean', default: false },
  baseline: { type: 'string' },
  confirm: { type: 'boolean', default: false },
  'fail-on': { type: 'string' },
  package: { type: 'string' },
  'dry-run': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} satisfies ParseArgsOptionsConfig;

/** Parses the flags; throws a UsageError with one sentence. */
export function runOptionsOf(argv: readonly string[]): RunOptions {
  const { values } = flagsOf('run', bailWithNumber(argv), FLAGS);
  checkPackagePath(values.package);
  const failOn = values['fail-on'];
  if (failOn !== undefined && failOn !== 'warn') throw new UsageError(`--fail-on must be warn, not "${failOn}".`);
  if (values.promote) checkPromotion(values.vectors);
  const recording = recordingOf(values.replay);
  if (recording !== undefined) refuseBeside(values);
  if (values.confirm && values.package !== undefined)
    throw new UsageError('--confirm and --package exclude each other: a package holds one run as it was.');
  if (values.record !== undefined) checkRecordingFolder(values.record);
  const replay = recording === undefined ? replayOf(values.replay, values.only) : undefined;
  return {
    target: values.target,
    only: values.only,
    narrowed: {
      suites: values.suite,
      interfaces: values.interface,
      clauses: values.clause,
      lastFailed: values['last-failed'],
    },
    quiet: values.quiet,
    out: values.out,
    drawn: values.seed === 'random',
    seed: seedOf(values.seed),
    promote: values.promote,
    allowInconclusive: values['allow-inconclusive'],
    showPersonalData: values['show-personal-data'],
    trust: trustedKeys(values.trust),
    ...(values.confirm ? { confirm: true } : {}),
    failures: 'recorded',
    traced: false,
    keepsTraces: !values['no-trace'],
    dryRun: values['dry-run'],
    list: values.list,
    help: values.help,
    ...given({
      runs: wholeNumber('runs', values.runs, 0, 100_000),
      replay,
      record: values.record,
      recording,
      vectors: values.vectors,
      workers: wholeNumber('workers', values.workers, 1, MAX_WORKERS),
      shard: shardOf(values.shard),
      shuffle: wholeNumber('shuffle', values.shuffle, 0, MAX_SEED),
      package: values.package,
      baseline: values.baseline,
      bail: wholeNumber('bail', values.bail, 1, 100_000),
      failOn,
      envFiles: envFilesGiven().length === 0 ? undefined : envFilesGiven(),
    }),
  };
}

/** `--bail` may appear without its number, which `parseArgs` does not know. */
function bailWithNumber(argv: readonly string[]): string[] {
  return argv.map((word, at) => (word === '--bail' && !/^\d+$/.test(argv[at + 1] ?? '') ? '--bail=1' : word));
}

/** The options that were given. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}

/** More would only wait for the target. */
const MAX_WORKERS = 64;
const MAX_SHARDS = 1000;

/** What `--shard 2/4` names. */
function shardOf(text: string | undefined): Shard | undefined {
  if (text === undefined) return undefined;
  const [, current, total] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? [];
  if (current === undefined || total === undefined || current < 1 || current > total || total > MAX_SHARDS)
    throw new UsageError(`--shard must be the number of this part and of all parts, such as 2/4, not "${text}".`);
  return { current, total };
}

/** Keys whose value may be found unfit; throws a UsageError for any other. */
export function trustedKeys(keys: readonly string[]): readonly string[] {
  for (const key of keys) {
    if (!(TRUSTABLE as readonly string[]).includes(key))
      throw new UsageError(`--trust takes a key of the profile that is probed, not "${key}": ${TRUSTABLE.join(', ')}.`);
  }
  return keys;
}

/** A counterexample is numbers; a recording is a folder, and is written with a slash or a name that no counterexample has. */
const COUNTEREXAMPLE = /^(\d+(?::\d+)*)(?:@([\w+/=]+:[\w+/=]+))?$/;

function recordingOf(text: string | undefined): string | undefined {
  return text === undefined || COUNTEREXAMPLE.test(text) || !existsSync(text) ? undefined : text;
}

/** What a replay takes from its recording can't be said beside it. */
function refuseBeside(values: Readonly<Record<string, unknown>>): void {
  const beside = ['record', 'runs', 'shuffle', 'vectors', 'package', 'shard', 'baseline', 'fail-on', 'bail'].filter(
    (name) => values[name] !== undefined,
  );
  for (const name of ['promote', 'confirm']) if (values[name] === true) beside.push(name);
  if (values.target !== 'mock') beside.push('target');
  if (values.seed !== '1') beside.push('seed');
  if (beside.length > 0)
    throw new UsageError(`--replay DIR takes everything from the recording: leave out --${beside.join(' and --')}.`);
}

/** What `--replay` names; throws a UsageError for what no property prints, and without the property that it belongs to. */
function replayOf(text: string | undefined, only: readonly string[]): RunSettings['replay'] {
  if (text === undefined) return undefined;
  const [, path = '', replayPath] = COUNTEREXAMPLE.exec(text) ?? [];
  if (path === '')
    throw new UsageError(
      `--replay takes what the report of a property says, such as 12:3:0 or 12:3@AAB:C, or the folder of a recording; "${text}" is neither.`,
    );
  if (only.length === 0)
    throw new UsageError('--replay repeats a case of one property: name that with --only, as it was printed.');
  return { path, ...(replayPath === undefined ? {} : { replayPath }) };
}

/** The ids that the globs select, in the given order; a glob that matches nothing is a UsageError. `command` lists the ids. */
export function selectIds(command: string, ids: readonly string[], globs: readonly string[]): readonly string[] {
  for (const glob of globs) {
    if (!ids.some((id) => matchesAny(id, [glob]))) {
      throw new UsageError(
        `--only "${glob}" matches no check.${didYouMean(glob, ids)} proofmark ${command} --list shows their ids.`,
      );
    }
  }
  return globs.length === 0 ? ids : ids.filter((id) => matchesAny(id, globs));
}
