/** `proofmark sweep`: cleans up after an interrupted run on its target. */
import { rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { forgetLedger, type LedgerFile, readLedger, settleLedger } from '../../harness/cleanup/ledger.ts';
import { isRunning, sweepLedger } from '../../harness/cleanup/sweep.ts';
import { type CleanupResult, objectOf } from '../../harness/cleanup/undo/index.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { oneLine } from '../../reports/words/text.ts';
import { flagsOf } from '../common/flags.ts';
import { removeAbandonedFolders } from '../run/private-folder.ts';
import { LEDGER_FOLDER, ledgerNames } from '../run/target/leftovers.ts';
import { registerThroughDriver, withClient } from './with-client.ts';

const SWEEP_HELP = `Usage: proofmark sweep [--target FILE] [RUN]
       proofmark sweep --forget RUN

Deletes what an interrupted run made on its target and puts back what it changed, as written in .proofmark/ledger/RUN.
Without RUN: every ledger that has something open. A second sweep finds nothing to do. It also removes the temporary folders
of runs that were killed.

A ledger says which profile is loaded, and a profile may load a driver. So a ledger of another user is swept only after a
question, or with --yes.

  --forget       prints what is open in the ledger of RUN and closes it without touching the target: for what you have fixed
                 by hand, or will never fix
  --target FILE  the profile of the run (default: the one that the run was started with)
  --yes          follow ledgers of other users as well

Exit codes: 0 nothing is left, 1 something is left that a person must fix, 2 usage or configuration,
4 an error of Proofmark.`;

/** Runs the command; the exit code is 1 when something is left. */
export async function sweepCommand(argv: readonly string[]): Promise<number> {
  const { values, positionals } = flagsOf(
    'sweep',
    argv,
    {
      target: { type: 'string' },
      yes: { type: 'boolean', default: false },
      forget: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
    1,
  );
  if (values.help) {
    console.log(SWEEP_HELP);
    return 0;
  }
  if (values.forget) return forgetRun(positionals[0], values.target);
  const removed = removeAbandonedFolders();
  if (removed.length > 0) say(`Removed the temporary folders of killed runs: ${removed.join(', ')}.`);
  const ledgers = ledgersOf(resolve(LEDGER_FOLDER), positionals[0]);
  if (ledgers.length === 0) say('Nothing to sweep: no run has left anything open.');
  let left = 0;
  for (const ledger of ledgers) {
    try {
      if (!values.yes) await confirmForeign(ledger);
      left += await sweepOne(ledger, values.target, ledgers.length > 1);
    } catch (error) {
      // One ledger that can't be swept (its profile is gone, say) does not keep the others from it.
      if (!(error instanceof UsageError) || ledgers.length === 1) throw error;
      say(`${ledger.run.run}: ${error.message}`);
      left += 1;
    }
  }
  return left === 0 ? EXIT.conformant : EXIT.failed;
}

/** A ledger and a target say what they like: on one line, without characters that steer a terminal. */
const say = (text: string): void => console.log(oneLine(text));

/** Asks before a ledger that another user wrote is followed. Throws a UsageError when the answer is no, or the session is not interactive. */
async function confirmForeign({ file, run }: LedgerFile): Promise<void> {
  const { uid } = statSync(file);
  if (process.getuid === undefined || uid === process.getuid()) return;
  const what = `The ledger ${file} belongs to another user (id ${uid}) and leads to the profile ${run.profile ?? '(none)'}`;
  if (process.stdin.isTTY === true && process.stdout.isTTY === true) {
    const dialog = createInterface({ input: process.stdin, output: process.stdout, terminal: false });
    try {
      if (/^y(?:es)?$/i.test((await dialog.question(`${oneLine(what)}. Follow it? [y/N] `)).trim())) return;
    } finally {
      dialog.close();
    }
  }
  throw new UsageError(`${what}: nothing was touched. Read both, then run proofmark sweep --yes ${run.run}.`);
}

/** Closes the ledger of a run although something is open in it, and prints what that was. */
function forgetRun(run: string | undefined, target: string | undefined): number {
  if (run === undefined)
    throw new UsageError('--forget closes the ledger of one run: write proofmark sweep --forget RUN.');
  if (target !== undefined) throw new UsageError('--forget does not contact the target: leave out --target.');
  const [ledger] = ledgersOf(resolve(LEDGER_FOLDER), run) as [LedgerFile];
  if (isRunning(ledger)) throw new UsageError(`The run ${run} is still running: wait for its end, or stop it.`);
  for (const { entry } of ledger.open) say(`${run}: forgot ${objectOf(entry)}: it stays on the target as it is`);
  forgetLedger(ledger.file);
  say(`${run}: the ledger is closed.`);
  return EXIT.conformant;
}

/** The ledger of that run, else all that have something open. */
function ledgersOf(folder: string, run: string | undefined): LedgerFile[] {
  const names = ledgerNames(folder);
  if (run === undefined) return names.map((name) => readLedger(join(folder, name))).filter((ledger) => !ledger.settled);
  if (names.includes(run)) return [readLedger(join(folder, run))];
  const known = names.length === 0 ? 'No ledger exists.' : `There are: ${names.join(', ')}.`;
  throw new UsageError(`There is no ledger of a run "${run}" in ${LEDGER_FOLDER}. ${known}`);
}

/** Sweeps one ledger and reports on it; returns the number of things that are left. */
async function sweepOne(ledger: LedgerFile, target: string | undefined, several: boolean): Promise<number> {
  const { run } = ledger.run;
  if (several && isRunning(ledger)) {
    say(`${run}: this run is still running; nothing was touched.`);
    return 0;
  }
  if (ledger.settled || (ledger.open.length === 0 && !isRunning(ledger))) {
    settleLedger(ledger.file);
    say(`${run}: nothing is open.`);
    return 0;
  }
  if (ledger.run.profile === null && target === undefined) {
    // The embedded mock kept its state in its own process, which is gone.
    if (isRunning(ledger)) throw new UsageError(`The run ${run} is still running: wait for its end, or stop it.`);
    rmSync(ledger.file);
    say(`${run}: was a run on the embedded mock, whose state ended with it.`);
    return 0;
  }
  const profile = loadProfile(target ?? ledger.run.profile ?? '');
  const registerApp = registerThroughDriver(profile);
  const report = await withClient(profile, (client) =>
    sweepLedger(ledger.file, client, profile, registerApp === undefined ? {} : { registerApp }),
  );
  for (const undone of report.undone) say(`${run}: ${lineOf(undone)}`);
  for (const { clause, reason } of report.breaches) say(`${run}: meanwhile the target broke ${clause}: ${reason}`);
  const left = report.undone.filter(({ outcome }) => outcome === 'left').length;
  say(
    left === 0
      ? `${run}: the target has its earlier state again.`
      : `${run}: ${left} left, see above. Fix it and sweep again, or close the ledger with: proofmark sweep --forget ${run}`,
  );
  return left;
}

const lineOf = ({ outcome, object, reason }: CleanupResult): string =>
  reason === undefined ? `${outcome} ${object}` : `${outcome} ${object}: ${reason}`;
