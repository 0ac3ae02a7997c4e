/** Cleans up what a crashed run left behind, from its ledger. */

import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Breach } from '../../contracts/run/events.ts';
import { UsageError } from '../process/usage-error.ts';
import { claimEach, type Singleton } from '../resources/singletons.ts';
import { NoResponse } from '../target/client/no-response.ts';
import type { Client } from '../target/client/types.ts';
import type { AppRegistration } from '../target/driver/target-driver.ts';
import type { Profile } from '../target/profile/types.ts';
import { breachesOf } from '../target/response/breaches.ts';
import { type LedgerEntry, type LedgerFile, type MethodOwner, openLedger, readLedger, settleLedger } from './ledger.ts';
import { isStillRunning } from './process-alive.ts';
import { removeMarked } from './undo/delivery/index.ts';
import { objectOf, undo } from './undo/index.ts';
import { undoOrder } from './undo/order.ts';
import { CannotUndo, type CleanupResult, type UndoRun, undoTools } from './undo/outcome.ts';

export interface SweepReport {
  readonly run: string;
  readonly undone: readonly CleanupResult[];
  /** Nothing is left: the ledger is settled. */
  readonly settled: boolean;
  /** What responses broke by themselves: the first of each clause. */
  readonly breaches: readonly Breach[];
}

/** A run that was killed leaves workers which need a moment to notice. */
const WAIT_FOR_PROCESSES_MS = 5_000;

export interface SweepOptions {
  /** How long to wait for processes of the run that are still there. */
  readonly waitMs?: number;
  /** Leads the app of the profile to other addresses, through the driver. */
  readonly registerApp?: (app: AppRegistration) => Promise<unknown>;
}

/**
 * Undoes the open entries of one ledger in the order of `undoOrder`, then deletes whatever still carries the run's mark. Refuses
 * (UsageError) a ledger of another target or of a run that is still running. A second sweep finds nothing to do.
 */
export async function sweepLedger(
  file: string,
  client: Client,
  profile: Profile,
  options: SweepOptions = {},
): Promise<SweepReport> {
  await waitForEnd(file, options.waitMs ?? WAIT_FOR_PROCESSES_MS);
  const secrets = profile.secrets();
  const ledger = readLedger(file, secrets);
  const { run, mark } = ledger.run;
  const registerApp = options.registerApp === undefined ? {} : { registerApp: options.registerApp };
  if (ledger.settled) return { run, undone: [], settled: true, breaches: [] };
  refuseOtherTarget(ledger, profile);
  const claimed = claimEach(
    profile,
    ledger.open.flatMap(({ entry }) => SINGLETON_OF[entry.kind] ?? []),
    `the sweep of run ${run}`,
  );
  const [held] = Object.values(claimed.held);
  if (held !== undefined) {
    claimed.release();
    throw new UsageError(`The run ${run} was not swept: ${held}.`);
  }
  const writer = openLedger(dirname(file), ledger.run, secrets);
  const breaches = new Map<string, Breach>();
  const onResponse: UndoRun['onResponse'] = (response, api) => {
    for (const breach of breachesOf(response, api, profile[api] ?? ''))
      if (!breaches.has(breach.clause)) breaches.set(breach.clause, breach);
  };
  try {
    const results: { id: string; entry: LedgerEntry; done: CleanupResult }[] = [];
    for (const { id, entry, missing } of undoOrder(ledger.open, ({ entry }) => entry)) {
      const done =
        missing === undefined
          ? await attempt(
              () => undo(entry, client, profile, { run, mark, onResponse, ...registerApp }),
              objectOf(entry),
            )
          : lacking(entry, missing);
      results.push({ id, entry, done });
    }
    const marked = await sweepMarked(ledger, client, profile, onResponse);
    for (const { id, entry, done } of results) {
      // Entries of an owner for whom methods are left stay open, so that the next sweep looks again.
      if (entry.kind === 'delivery-method' && marked.leftOf.has(entry.owner)) continue;
      if (done.outcome === 'removed') writer.removed(id);
      if (done.outcome === 'restored') writer.restored(id);
    }
    writer.close();
    const undone = [...results.map(({ done }) => done), ...marked.undone];
    return { run, undone, settled: settleLedger(file).settled, breaches: [...breaches.values()] };
  } finally {
    writer.close();
    claimed.release();
  }
}

/** What there is once, by the kind of entry that changes it: another run must not use it while its old value is put back. */
const SINGLETON_OF: Readonly<Partial<Record<LedgerEntry['kind'], Singleton>>> = {
  'reseller-settings': 'reseller',
  'website-status': 'reseller',
  'website-premium': 'reseller',
  domain: 'reseller',
  password: 'reseller',
  snippet: 'installation',
  'app-data': 'installation',
  'app-uninstalled': 'installation',
  'registered-app': 'app',
};

/** Whether a process of the run is still there; its ledger is then not ours. */
export function isRunning(ledger: Pick<LedgerFile, 'openedBy'>): boolean {
  return ledger.openedBy.some(({ pid, at }) => pid !== process.pid && isStillRunning(pid, at));
}

async function waitForEnd(file: string, waitMs: number): Promise<void> {
  const until = Date.now() + waitMs;
  for (;;) {
    const ledger = readLedger(file);
    if (!isRunning(ledger)) return;
    if (Date.now() > until) {
      const processes = ledger.openedBy.map(({ pid }) => pid).join(', ');
      throw new UsageError(
        `The run ${ledger.run.run} is still running (process ${processes}): wait until it ends or stop it, then sweep.`,
      );
    }
    await sleep(100);
  }
}

function lacking(entry: LedgerEntry, secrets: readonly string[]): CleanupResult {
  const reason = `its old value contains the secret ${secrets.join(', ')}, which the profile does not have: add it and sweep again`;
  return { outcome: 'left', object: objectOf(entry), reason };
}

function refuseOtherTarget({ run, file }: LedgerFile, profile: Profile): void {
  for (const key of ['v1', 'api'] as const) {
    const [theirs, ours] = [run.target[key], profile[key] ?? null];
    if (theirs === ours) continue;
    throw new UsageError(
      `The ledger ${file} was written for another target: its "${key}" is ${theirs ?? 'not set'}, the one of ${profile.file} is ${ours ?? 'not set'}. Give the profile of that run with --target.`,
    );
  }
}

/** Only for owners with methods in the ledger: a run that never wrote as one of them left nothing there. */
async function sweepMarked(
  ledger: LedgerFile,
  client: Client,
  profile: Profile,
  onResponse: UndoRun['onResponse'],
): Promise<{ undone: CleanupResult[]; leftOf: ReadonlySet<MethodOwner> }> {
  const owners = new Set(
    ledger.open.flatMap(({ entry }): MethodOwner[] => (entry.kind === 'delivery-method' ? [entry.owner] : [])),
  );
  const tools: UndoRun = {
    run: ledger.run.run,
    mark: ledger.run.mark,
    ...(onResponse === undefined ? {} : { onResponse }),
  };
  const undone: CleanupResult[] = [];
  const leftOf = new Set<MethodOwner>();
  for (const owner of owners) {
    try {
      undone.push(...(await removeMarked(owner, undoTools(client, profile, tools))));
    } catch (error) {
      if (!(error instanceof CannotUndo) && !(error instanceof NoResponse)) throw error;
      undone.push({
        outcome: 'left',
        object: `delivery methods with the mark ${ledger.run.mark}`,
        reason: error.message,
      });
    }
    if (undone.some(({ outcome }) => outcome === 'left')) leftOf.add(owner);
  }
  return { undone, leftOf };
}

async function attempt(step: () => Promise<CleanupResult>, object: string): Promise<CleanupResult> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
    return { outcome: 'left', object, reason: error.message };
  }
}
