/** The classification of mutants that no check finds: rows of `survivors.yaml`, to be reviewed with the contract. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { Outcome } from './running/run.ts';

/**
 * `open`: the contract allows it, and it must pass. `unreachable`: a run with this profile and without access to the service cannot
 * observe it. `missed`: a check could find it and does not.
 */
const CLASSES = ['open', 'unreachable', 'missed'] as const;
export type SurvivorClass = (typeof CLASSES)[number];

export interface SurvivorRow {
  /** Globs over the ids of mutants. */
  readonly mutants: readonly string[];
  readonly class: SurvivorClass;
  /** Open: the silence of the contract. Unreachable: why. Missed: what a check would have to do. */
  readonly because: string;
  /** Only mutants that never deviated, because no request reaches them. */
  readonly never?: true;
}

const FILE = new URL('./survivors.yaml', import.meta.url);

/** The rows in order; the first that matches counts. Throws if one is incomplete. */
export function survivorRows(text = readFileSync(FILE, 'utf8')): readonly SurvivorRow[] {
  const rows = parse(text) as readonly SurvivorRow[];
  for (const row of rows) {
    if (!CLASSES.includes(row.class) || !Array.isArray(row.mutants) || (row.because ?? '').length < 20) {
      throw new Error(`survivors.yaml: the row ${JSON.stringify(row)} needs mutants, class and because.`);
    }
  }
  return rows;
}

export const globOf = (glob: string): RegExp =>
  new RegExp(`^${glob.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`);

/** The row for a mutant; undefined if no row matches. */
export class Classification {
  readonly #rows: readonly { readonly row: SurvivorRow; readonly globs: readonly RegExp[] }[];

  constructor(rows: readonly SurvivorRow[] = survivorRows()) {
    this.#rows = rows.map((row) => ({ row, globs: row.mutants.map(globOf) }));
  }

  rowOf({ id, fired }: Pick<Outcome, 'id' | 'fired'>): SurvivorRow | undefined {
    return this.#rows.find(
      ({ row, globs }) => (row.never !== true || fired === 0) && globs.some((glob) => glob.test(id)),
    )?.row;
  }

  /** What is wrong with an outcome: a survivor without a row, an open mutant that fails, dropped evidence, an error, a false alarm. */
  problemWith(outcome: Outcome): string | undefined {
    const { id, end, by, reason, fired, dropped } = outcome;
    const row = this.rowOf(outcome);
    if (end === 'error') return `${id} ended with an error of ours: ${by ?? ''} ${reason}`;
    if (end === 'killed' && fired === 0) return `${id} never deviated, and ${by} fails: ${reason}`;
    if (end === 'killed') return row?.class === 'open' ? `${id} is open, and ${by} fails: ${reason}` : undefined;
    if (row === undefined) return `${id} survives and has no row in survivors.yaml`;
    if (dropped.length > 0) return `${id} ends without a fail, though ${dropped[0]} is broken`;
    return undefined;
  }
}
