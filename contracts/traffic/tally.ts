/** What the rules said about the exchanges, counted by clause, with a few examples of each: the same size however long the traffic. */
import type { ClauseLevel } from '../clauses/clause-row.ts';
import { CLAUSES } from '../clauses/index.ts';
import type { Attribution, Verdict } from '../run/verdicts.ts';

/** One thing that a rule found in an exchange. Its strings are shown to people, so they hold no secret. */
export interface Finding {
  /** A sentence without its full stop, about the exchange: `the id is the number 7 instead of a string`. */
  readonly message: string;
  /** JSON pointer into the body, or a name such as `header content-type`, `query authCode`, `field weight`. */
  readonly pointer?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** A finding, and the clause that it breaks. */
export type ClauseFinding = readonly [clause: string, finding: Finding];

/** What a rule says. `n` is the number of the exchange. */
export interface Notes {
  /** The exchange shows the clause kept. */
  keeps(clause: string, n: number): void;
  /** It shows the clause broken. */
  breaks(clause: string, n: number, finding: Finding): void;
  /** Legal, but harmful to a party. */
  advises(clause: string, n: number, finding: Finding): void;
  /** It is about the clause, and something is missing to decide it. */
  undecided(clause: string, n: number, reason: string, attribution?: Attribution): void;
}

export type NoteKind = keyof Notes;

/** Hears of a note; `finding` of what breaks a clause or is advised against. */
export type NoteListener = (kind: NoteKind, clause: string, n: number, finding?: Finding) => void;

/** How the traffic came out for one clause. */
export interface ClauseTally {
  readonly clause: string;
  readonly level: ClauseLevel;
  readonly verdict: Extract<Verdict, 'pass' | 'fail' | 'warn' | 'inconclusive'>;
  readonly attribution?: Attribution;
  /** Said of every verdict. */
  readonly reason: string;
  readonly finding?: Finding;
  /** The exchange that the verdict rests on. */
  readonly decisive?: number;
  /** Examples: the ones that broke it, or some that kept it. */
  readonly exchanges: readonly number[];
  /** Numbers of exchanges by what they showed. */
  readonly counts: Readonly<Record<NoteKind, number>>;
  /** Something legal but harmful, found beside the verdict. */
  readonly advice?: { readonly finding: Finding; readonly exchanges: readonly number[] };
}

/** Enough to see a pattern, and to look at in a report. */
const BROKEN_EXAMPLES = 5;
const KEPT_EXAMPLES = 2;
const ADVICE_EXAMPLES = 3;

interface Entry {
  readonly counts: Record<NoteKind, number>;
  readonly broken: { n: number; finding: Finding }[];
  readonly kept: number[];
  readonly advised: { n: number; finding: Finding }[];
  missing: { n: number; reason: string; attribution: Attribution } | undefined;
}

const LEVELS: ReadonlyMap<string, ClauseLevel> = new Map(CLAUSES.map(({ id, level }) => [id, level]));

export class Tally implements Notes {
  readonly #entries = new Map<string, Entry>();
  readonly #onNote: NoteListener | undefined;
  readonly #isHeard: (clause: string) => boolean;
  /** Grows when an exchange became an example, so that its holder knows to keep it. */
  examples = 0;

  /**
   * @param onNote is called for every note, for callers that need more than examples
   * @param isHeard whether anything that is said about a clause now counts
   */
  constructor(onNote?: NoteListener, isHeard: (clause: string) => boolean = () => true) {
    this.#onNote = onNote;
    this.#isHeard = isHeard;
  }

  keeps(clause: string, n: number): void {
    if (!this.#isHeard(clause)) return;
    const entry = this.#count('keeps', clause, n);
    if (entry.kept.length < KEPT_EXAMPLES) this.#take(entry.kept, n);
  }

  breaks(clause: string, n: number, finding: Finding): void {
    if (!this.#isHeard(clause)) return;
    const entry = this.#count('breaks', clause, n, finding);
    if (entry.broken.length < BROKEN_EXAMPLES) this.#take(entry.broken, { n, finding });
  }

  advises(clause: string, n: number, finding: Finding): void {
    if (!this.#isHeard(clause)) return;
    const entry = this.#count('advises', clause, n, finding);
    if (entry.advised.length < ADVICE_EXAMPLES) this.#take(entry.advised, { n, finding });
  }

  undecided(clause: string, n: number, reason: string, attribution: Attribution = 'configuration'): void {
    if (!this.#isHeard(clause)) return;
    const entry = this.#count('undecided', clause, n);
    if (entry.missing !== undefined) return;
    entry.missing = { n, reason, attribution };
    this.examples += 1;
  }

  /** Says everything again that another tally holds. */
  add(other: Tally): void {
    for (const [clause, entry] of other.#entries) {
      const own = this.#entryOf(clause);
      for (const kind of Object.keys(own.counts) as NoteKind[]) own.counts[kind] += entry.counts[kind];
      own.broken.push(...entry.broken.slice(0, BROKEN_EXAMPLES - own.broken.length));
      own.kept.push(...entry.kept.slice(0, KEPT_EXAMPLES - own.kept.length));
      own.advised.push(...entry.advised.slice(0, ADVICE_EXAMPLES - own.advised.length));
      own.missing ??= entry.missing;
    }
  }

  /** The clauses that anything was said about. */
  get clauses(): string[] {
    return [...this.#entries.keys()];
  }

  /**
   * How a clause came out; undefined when no exchange was about it. `canPass`: traffic can show the clause kept; else it can
   * only show it broken, and `otherwise` says what would decide it.
   */
  outcome(clause: string, traffic: { canPass: boolean; otherwise: string }): ClauseTally | undefined {
    const entry = this.#entries.get(clause);
    if (entry === undefined) return undefined;
    const level = levelOf(clause);
    const { counts } = entry;
    const [advised] = entry.advised;
    const base = {
      clause,
      level,
      counts,
      ...(advised === undefined
        ? {}
        : { advice: { finding: advised.finding, exchanges: entry.advised.map(({ n }) => n) } }),
    };
    const [first] = entry.broken;
    if (first !== undefined) {
      const exchanges = [...new Set(entry.broken.map(({ n }) => n))];
      const others = counts.breaks - 1;
      const more = others === 0 ? '' : ` (and ${others === 1 ? 'once' : `${others} times`} more)`;
      return {
        ...base,
        verdict: level === 'MUST' ? 'fail' : 'warn',
        attribution: 'target',
        reason: `${first.finding.message}${more}`,
        finding: first.finding,
        decisive: first.n,
        exchanges,
      };
    }
    const left = counts.undecided === 0 ? '' : `; ${exchangesWord(counts.undecided)} could not be judged`;
    if (traffic.canPass && counts.keeps > 0) {
      return {
        ...base,
        verdict: 'pass',
        reason: `kept in ${exchangesWord(counts.keeps)}${left}`,
        exchanges: entry.kept,
      };
    }
    if (entry.missing !== undefined) {
      const { n, reason, attribution } = entry.missing;
      return { ...base, verdict: 'inconclusive', attribution, reason, decisive: n, exchanges: [n] };
    }
    return {
      ...base,
      verdict: 'inconclusive',
      attribution: 'configuration',
      reason: traffic.otherwise,
      exchanges: entry.kept,
    };
  }

  #take<T>(examples: T[], example: T): void {
    examples.push(example);
    this.examples += 1;
  }

  #count(kind: NoteKind, clause: string, n: number, finding?: Finding): Entry {
    const entry = this.#entryOf(clause);
    entry.counts[kind] += 1;
    this.#onNote?.(kind, clause, n, finding);
    return entry;
  }

  #entryOf(clause: string): Entry {
    let entry = this.#entries.get(clause);
    if (entry === undefined) {
      levelOf(clause);
      const counts = { keeps: 0, breaks: 0, advises: 0, undecided: 0 };
      entry = { counts, broken: [], kept: [], advised: [], missing: undefined };
      this.#entries.set(clause, entry);
    }
    return entry;
  }
}

/** The level of a clause. Throws for an id that the contract does not have: a rule must name a real clause. */
export function levelOf(clause: string): ClauseLevel {
  const level = LEVELS.get(clause);
  if (level === undefined) throw new TypeError(`A rule over traffic names the clause ${clause}, which does not exist.`);
  return level;
}

function exchangesWord(count: number): string {
  return count === 1 ? '1 exchange' : `${count} exchanges`;
}
