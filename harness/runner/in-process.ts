/**
 * Runs checks in this process, one after another, against a handler instead of a network: for the kill matrix and for
 * tests of conformant variants. Browser checks are left out; nothing is written to disk.
 */

import { CLAUSES } from '../../contracts/clauses/index.ts';
import { attributed } from '../../contracts/run/attribution.ts';
import type { CheckResult, Exchange, ObservationSeen } from '../../contracts/run/events.ts';
import type { Check, Suite } from '../check/check.ts';
import { needsPages } from '../check/needs/index.ts';
import { runCheck } from '../check/running/run-check.ts';
import { unselectedChecksOf } from '../check/running/unselected.ts';
import type { Ledger, LedgerEntry, OpenEntry } from '../cleanup/ledger.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { TRUSTABLE } from '../probe/trustable.ts';
import { wallClockMs } from '../process/wall-clock.ts';
import { Resources } from '../resources/resources.ts';
import type { RunInfo } from '../resources/run-info.ts';
import { createClient } from '../target/client/index.ts';
import type { Wire } from '../target/network/network.ts';
import type { Profile } from '../target/profile/types.ts';
import { redactionFor } from '../target/secrets/profile-redaction.ts';

export interface InProcessOptions {
  readonly profile: Profile;
  /** Answers instead of the network; without it requests go over the network as usual. */
  readonly transport?: (request: Request) => Promise<Response>;
  /** The same without objects of the web. */
  readonly wire?: Wire;
  readonly seed?: number;
  readonly propertyRuns?: number;
  /** Requests that one property may cost. */
  readonly propertyRequests?: number;
  /** Repeats one counterexample of a property. */
  readonly replay?: RunInfo['replay'];
  /** Cases that properties try first. */
  readonly vectors?: RunInfo['vectors'];
  /** Values of the profile that do not fit the target, as found before the checks. */
  readonly unusable?: RunInfo['unusable'];
  /** Keys of the profile that are verified; without it all of them, since such a profile is made from the service's state. */
  readonly trusted?: readonly string[];
  /** What `--target` would name. */
  readonly target?: string;
  /** Takes each exchange; without it none is kept. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Takes what the checks observed. */
  readonly onObservation?: (seen: ObservationSeen) => void;
  /** Takes each result as it comes; `wanted` is asked again before the next check. */
  readonly onResult?: (result: CheckResult) => void;
  /** Each check makes and reads everything by itself. */
  readonly isolated?: boolean;
  /** Time that 429 answers ask for passes at once. */
  readonly instantPauses?: boolean;
}

/** Whether a check can run without a browser. */
export const runsInProcess = (check: Check): boolean => !needsPages(check);

/** Runs the checks that need no browser, in the order of the suites, and returns their results. */
export async function runInProcess(
  suites: readonly Suite[],
  options: InProcessOptions,
  wanted: (check: Check) => boolean = () => true,
): Promise<CheckResult[]> {
  const { profile, transport, wire } = options;
  const run: RunInfo = {
    run: 'in-process',
    seed: options.seed ?? 1,
    propertyRuns: options.propertyRuns ?? 0,
    ...(options.propertyRequests === undefined ? {} : { propertyRequests: options.propertyRequests }),
    ...(options.replay === undefined ? {} : { replay: options.replay }),
    ...(options.vectors === undefined ? {} : { vectors: options.vectors }),
    ...(options.target === undefined ? {} : { target: options.target }),
    selected: [],
    ...(options.isolated === true ? { isolated: true } : {}),
    showPersonalData: true,
    unusable: options.unusable ?? {},
    trusted: options.trusted ?? TRUSTABLE,
  };
  const redaction = redactionFor(profile);
  const recorder = createRecorder({
    check: '',
    spool: options.onExchange ?? (() => undefined),
    redaction,
    showPersonalData: true,
  });
  const clock = { now: wallClockMs, sleep: async () => undefined };
  const resources = new Resources({
    profile,
    run,
    redaction,
    recorder,
    driver: undefined,
    client: createClient({
      profile,
      ...(options.onExchange === undefined ? {} : { recorder }),
      ...(transport === undefined ? {} : { transport }),
      ...(wire === undefined ? {} : { wire }),
      ...(options.instantPauses === true ? { clock } : {}),
    }),
    ledger: memoryLedger(),
    ...(options.instantPauses === true ? { clock } : {}),
  });
  const all = suites.flatMap(({ checks }) => checks);
  const isWanted = (check: Check): boolean => runsInProcess(check) && wanted(check);
  const inRun = new Set(all.filter(isWanted).map(({ id }) => id));
  const leftOut = unselectedChecksOf(all, (id) => inRun.has(id));
  const results: CheckResult[] = [];
  try {
    for (const suite of suites) {
      for (const check of suite.checks) {
        if (!isWanted(check)) continue;
        const { result, context } = await runCheck(check, suite.name, resources, leftOut);
        results.push(result);
        options.onResult?.(result);
        if (options.onObservation !== undefined)
          for (const seen of context.observations(resources.redaction)) options.onObservation(seen);
      }
    }
  } finally {
    await resources.close();
  }
  return attributed(results, CLAUSES);
}

/** A ledger for targets that end with this process. */
export function memoryLedger(): Ledger {
  const open = new Map<string, LedgerEntry>();
  let count = 0;
  const add = (entry: LedgerEntry): string => {
    count += 1;
    open.set(String(count), entry);
    return String(count);
  };
  const entries = (): OpenEntry[] => [...open].map(([id, entry]) => ({ id, entry }));
  return {
    file: '(memory)',
    willCreate: add,
    created: (id, known) => {
      const entry = open.get(id);
      if (entry !== undefined) open.set(id, { ...entry, ...known } as LedgerEntry);
    },
    willChange: add,
    restored: (id) => void open.delete(id),
    removed: (id) => void open.delete(id),
    orphans: entries,
    openEntries: entries,
    close: () => undefined,
  };
}
