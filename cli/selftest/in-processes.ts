/** The part of a selftest that needs no browser: which checks run on which rows, in some processes. */
import type { MatrixCheck, SelftestProblem } from '../../contracts/run/selftest.ts';
import { sharingOf } from '../../harness/check/running/sharing.ts';
import { deviationsById } from '../../mock/deviations.ts';
import { isDrawn } from '../../proof/draw.ts';
import { problemsOf } from '../../proof/matrix/expectation/judge.ts';
import type { MatrixBuilder } from '../../proof/matrix/matrix.ts';
import type { Pool } from '../../proof/matrix/pool.ts';
import { checksFor, Reach, sampleOf } from '../../proof/matrix/reach.ts';
import { CORRECT, type PlannedRow } from '../../proof/matrix/rows.ts';
import type { RowJob } from '../../proof/matrix/run-row.ts';
import { CHECKS } from '../../suites/index.ts';
import type { SelftestOptions } from './options.ts';

type Checks = readonly MatrixCheck[];

/** Few enough that a fault which one of them finds is tried with few others, and enough that opening its service is worth it. */
const CHECKS_AT_A_TIME = 16;

/** A row with some of the checks that can notice its deviations. */
interface Asked {
  readonly row: PlannedRow;
  readonly asked: Checks;
}

/** The same with those that the sample left out, the ones of the same suites first. */
interface Wanted extends Asked {
  readonly rest: Checks;
}

export class InProcesses {
  readonly #pool: Pool;
  readonly #planned: readonly PlannedRow[];
  readonly #all: Checks;
  readonly #checks: Checks;
  readonly #options: SelftestOptions;
  readonly #builder: MatrixBuilder;
  readonly #progressOf: (total: number) => () => void;

  /** The results go to `builder`; `progressOf` gives a function that is called after each row. */
  constructor(
    pool: Pool,
    planned: readonly PlannedRow[],
    checks: Checks,
    options: SelftestOptions,
    builder: MatrixBuilder,
    progressOf: (total: number) => () => void,
  ) {
    this.#pool = pool;
    this.#planned = planned;
    this.#all = checks;
    this.#checks = checks.filter(({ browser }) => !browser);
    this.#options = options;
    this.#builder = builder;
    this.#progressOf = progressOf;
  }

  async run(): Promise<void> {
    if (this.#options.everyPair) return this.#try(this.#planned.map((row) => ({ row, asked: this.#checks })));
    const tried = this.#planned.filter((row) => this.#isTried(row));
    const reach = await this.#reach([...new Set(tried.flatMap(({ deviations }) => deviations))]);
    const wanted = this.#planned.map((row, at) =>
      tried.includes(row) ? this.#triedOn(row, at, reach) : this.#leftOut(row),
    );
    await this.#try(wanted);
    await this.#decide(wanted);
    if (isEveryFault(this.#options)) await this.#decide(await this.#killAll(wanted));
  }

  #isTried(row: PlannedRow): boolean {
    // What shows on pages alone is not tried without a browser.
    if (row.browser && !this.#options.browser) return false;
    return row.kind !== 'fault' || isDrawn(`${this.#options.seed} ${row.id}`, this.#options.faultSample);
  }

  /** A fault that is not drawn: what reaches it is not known. */
  #leftOut(row: PlannedRow): Wanted {
    const isOnPages = row.browser && !this.#options.browser;
    return { row, asked: [], rest: isOnPages ? [] : this.#nearFirst(row, this.#checks) };
  }

  #triedOn(row: PlannedRow, at: number, reach: Reach): Wanted {
    const all = checksFor(row, at, this.#checks, reach);
    const asked = new Set(sampleOf(row, all, this.#options));
    const rest = this.#nearFirst(
      row,
      all.filter((check) => !asked.has(check)),
    );
    return { row, asked: [...asked], rest };
  }

  /** The checks of its clauses first, then those of their suites, then the others. */
  #nearFirst(row: PlannedRow, checks: Checks): Checks {
    const near = new Set(inSuitesOf(row, this.#checks));
    const distance = (check: MatrixCheck): number => (names(check, row.clauses) ? 0 : near.has(check.id) ? 1 : 2);
    return checks.toSorted((a, b) => distance(a) - distance(b));
  }

  /**
   * Another check may be the one that finds a fault, most often one of the same suite: what the sample did not decide goes on until
   * it is decided.
   */
  async #decide(wanted: readonly Wanted[]): Promise<void> {
    let open = this.#undecided(wanted);
    for (let tried = 0; open.length > 0; tried += CHECKS_AT_A_TIME) {
      open = open.filter(({ rest }) => rest.length > tried);
      await this.#try(open.map(({ row, rest }) => ({ row, asked: rest.slice(tried, tried + CHECKS_AT_A_TIME) })));
      open = this.#undecided(open);
    }
    // Some faults show only when one check has run after another one.
    const others = this.#undecided(wanted).filter(({ rest }) => rest.length > 0);
    await this.#try(others.map(({ row, asked, rest }) => ({ row, asked: [...asked, ...rest] })));
  }

  /**
   * A MUST check that has failed on no fault is tried on others that break its clauses, one after the other, until it fails. Resolves with
   * the rows on which it was tried.
   */
  async #killAll(wanted: readonly Wanted[]): Promise<Wanted[]> {
    const others = new Map(
      this.#checks.map((check) => [
        check.id,
        wanted.filter(({ row, rest }) => row.kind === 'fault' && rest.includes(check) && names(check, row.clauses)),
      ]),
    );
    const met = new Set<Wanted>();
    for (;;) {
      const neverFailed = new Set(
        this.#problems(undefined, true).map(({ kind, check }) => kind === 'unkillable' && check),
      );
      const next = this.#checks.flatMap((check) => {
        const fault = neverFailed.has(check.id) ? others.get(check.id)?.shift() : undefined;
        return fault === undefined ? [] : [{ fault, check }];
      });
      if (next.length === 0) return [...met];
      const byFault = Map.groupBy(next, ({ fault }) => fault);
      for (const fault of byFault.keys()) met.add(fault);
      await this.#try([...byFault].map(([{ row }, tries]) => ({ row, asked: tries.map(({ check }) => check) })));
    }
  }

  #problems(rows?: readonly PlannedRow[], everyFault = false): SelftestProblem[] {
    const matrix = { checks: this.#all, rows: this.#builder.rows(rows) };
    return problemsOf(matrix, { everyFault, everyCheck: true, onControl: {} });
  }

  #undecided(wanted: readonly Wanted[]): Wanted[] {
    const rows = new Set(this.#problems(wanted.map(({ row }) => row)).map(({ row }) => row));
    return wanted.filter(({ row }) => rows.has(row.id));
  }

  async #try(all: readonly Asked[]): Promise<void> {
    const progress = this.#progressOf(all.length);
    await this.#pool.run(
      all.map((one) => this.#job(one)),
      ({ row, checks: asked }, end) => {
        this.#builder.add(row, asked, end);
        progress();
      },
    );
  }

  #job({ row, asked }: Asked): RowJob {
    return { row, checks: asked.map(({ id }) => id), propertyRuns: this.#options.propertyRuns };
  }

  /** What each check asks of the correct service, which may not be among the rows that are wanted, by some deviations. */
  async #reach(deviations: readonly string[]): Promise<Reach> {
    const reach = new Reach(deviationsById(deviations), sharingOf(CHECKS));
    // Checks of Delivery send most of the requests, and share nothing with the others.
    const shares = Map.groupBy(this.#checks, ({ id }) => /^(?:envelope\.)?delivery\./.test(id));
    const jobs = [...shares.values()].map(
      (asked): RowJob => ({ ...this.#job({ row: CORRECT, asked }), recordsReach: deviations }),
    );
    const failed: string[] = [];
    await this.#pool.run(jobs, (_job, end) => {
      if (typeof end === 'string') failed.push(end);
      else reach.add(end.reach ?? []);
    });
    if (failed.length > 0) throw new Error(`What the checks reach could not be recorded: ${failed.join('; ')}`);
    return reach;
  }
}

/** No fault was left out by its name. */
export const isEveryFault = ({ withFaults, faults: chosen }: SelftestOptions): boolean =>
  withFaults && chosen.length === 0;

/** Ids of the checks of all suites in which one names a clause of the row. */
export function inSuitesOf({ clauses }: PlannedRow, checks: Checks): string[] {
  const suites = new Set(checks.filter((check) => names(check, clauses)).map(({ suite }) => suite));
  return checks.filter(({ suite }) => suites.has(suite)).map(({ id }) => id);
}

const names = (check: MatrixCheck, clauses: readonly string[]): boolean =>
  check.clauses.some((clause) => clauses.includes(clause));
