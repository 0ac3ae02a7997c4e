/**
 * Which checks can notice a deviation. Every check runs once on the correct service, and the rules and interceptions of each
 * deviation are called in addition to the usual ones. If its rules never decide differently, and it changes neither a request
 * nor a response, the check gets the same responses with and without it. Skipping such checks makes the matrix much faster. Some rows are
 * run with all checks anyway, because what one check leaves behind under a fault might confuse another; the soak runs all checks on all rows.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MatrixCheck } from '../../contracts/run/selftest.ts';
import type { Wire } from '../../harness/target/network/network.ts';
import { createRules } from '../../mock/rules/index.ts';
import { touches } from '../../mock/service.ts';
import type { Deviation, Part } from '../../mock/types/deviation.ts';
import type { Rules } from '../../mock/types/rules.ts';
import { isDrawn, numberOf } from '../draw.ts';
import { Interceptions } from './interceptions.ts';
import type { PlannedRow } from './rows.ts';

type Transport = (request: Request) => Promise<Response>;
type Rule = (...args: unknown[]) => unknown;

const PARTS: readonly Part[] = ['delivery', 'apps', 'reseller', 'pages'];

/** One in this many rows runs every check, which would show a deviation that reaches further than expected. */
const WHOLE_ROW_EVERY = 512;

/** A rule of a deviation that replaces a usual one. */
interface Other {
  readonly id: string;
  readonly rule: Rule;
}

/** What one check reached on the correct service, without duplicates. */
interface Met {
  readonly parts: Set<Part>;
  /** Ids of deviations whose rules decide differently, or that change a request or its response. */
  readonly otherwise: Set<string>;
}

/** The same as plain data. */
export interface CheckReach {
  readonly check: string;
  readonly parts: readonly Part[];
  readonly otherwise: readonly string[];
}

/** Records what each check reaches on the correct service. */
export class Reach {
  readonly #deviations: ReadonlyMap<string, Deviation>;
  readonly #interceptions: Interceptions;
  readonly #met = new Map<string, Met>();
  readonly #sharing: (check: string) => readonly string[];
  #running = '';

  /** `sharing`: the checks that rest on the requests of one of them. */
  constructor(deviations: readonly Deviation[], sharing = (check: string): readonly string[] => [check]) {
    this.#sharing = sharing;
    this.#interceptions = new Interceptions(deviations);
    this.#deviations = new Map(deviations.map((deviation) => [deviation.id, deviation]));
  }

  /** Attributes everything reached from now on to this check. */
  begin(check: string): void {
    this.#running = check;
  }

  noting(transport: Transport): Transport {
    return (request) => {
      this.note(new URL(request.url).pathname);
      return transport(request);
    };
  }

  notingWire(wire: Wire): Wire {
    return {
      ...wire,
      exchange: (request) => {
        this.note(new URL(request.url).pathname);
        return wire.exchange(request);
      },
    };
  }

  note(path: string): void {
    const { parts } = this.#now();
    for (const part of PARTS) if (touches(part, path)) parts.add(part);
  }

  /** A deviation that changes nothing and records where the others would. */
  asDeviation(): Deviation {
    return {
      id: 'reach.noted',
      about: 'Records which deviations would decide differently.',
      rules: (correct) => {
        const others = this.#othersByRule(createRules());
        const noted = Object.entries(correct).map(([name, rule]) => [
          name,
          (...args: unknown[]) => this.#decided(rule as Rule, others.get(name) ?? [], args),
        ]);
        return Object.fromEntries(noted) as Partial<Rules>;
      },
      http: (request, next, service) => this.#interceptions.serve(request, next, service, this.#now().otherwise),
    };
  }

  /** What the checks reached, to be sent to another process. */
  met(): CheckReach[] {
    return [...this.#met].map(([check, { parts, otherwise }]) => ({
      check,
      parts: [...parts],
      otherwise: [...otherwise],
    }));
  }

  /** Adds what checks reached in another process. */
  add(all: readonly CheckReach[]): void {
    for (const { check, parts, otherwise } of all)
      this.#met.set(check, { parts: new Set(parts), otherwise: new Set(otherwise) });
  }

  /** Whether a check, or one that it shares requests with, reaches the deviation. */
  meets(check: string, id: string): boolean {
    return this.#sharing(check).some((one) => this.#meets(one, id));
  }

  #meets(check: string, id: string): boolean {
    const met = this.#met.get(check);
    const { only, fixtures } = this.#deviations.get(id) ?? {};
    if (met === undefined || (only !== undefined && !met.parts.has(only))) return false;
    // Different initial rows may show in any response.
    return fixtures !== undefined || met.otherwise.has(id);
  }

  #othersByRule(correct: ReturnType<typeof createRules>): Map<string, Other[]> {
    const all = [...this.#deviations.values()].flatMap(({ id, rules }) =>
      Object.entries(rules?.(correct) ?? {}).map(([name, rule]) => ({ name, id, rule: rule as Rule })),
    );
    return Map.groupBy(all, ({ name }) => name);
  }

  /** What the usual rule decides; records the deviations that decide differently. */
  #decided(usual: Rule, others: readonly Other[], args: unknown[]): unknown {
    const { otherwise } = this.#now();
    let result: unknown;
    try {
      result = usual(...args);
    } catch (error) {
      for (const { id } of others) otherwise.add(id);
      throw error;
    }
    // A rule that changes rows (and returns nothing) or draws random bytes can't be asked a second time.
    const isCalledOnce = result === undefined || args.some((arg) => typeof arg === 'function');
    for (const { id, rule } of others)
      if (!otherwise.has(id) && (isCalledOnce || isOtherwise(rule, args, result))) otherwise.add(id);
    return result;
  }

  #now(): Met {
    const known = this.#met.get(this.#running);
    if (known !== undefined) return known;
    const met: Met = { parts: new Set(), otherwise: new Set() };
    this.#met.set(this.#running, met);
    return met;
  }
}

function isOtherwise(rule: Rule, args: unknown[], usual: unknown): boolean {
  try {
    return !isDeepStrictEqual(rule(...args), usual);
  } catch {
    return true;
  }
}

/** The checks of a row, `at` being its place: all, or for one fault or variant those that can notice it. */
export function checksFor(
  { kind, clauses: declared, deviations }: Pick<PlannedRow, 'kind' | 'clauses' | 'deviations'>,
  at: number,
  checks: readonly MatrixCheck[],
  reach: Reach,
): readonly MatrixCheck[] {
  // Combinations of variants, controls and correct services are few, and run whole.
  if ((kind !== 'fault' && kind !== 'variant') || at % WHOLE_ROW_EVERY === 0) return checks;
  const meeting = new Set(checks.filter(({ id }) => deviations.some((one) => reach.meets(id, one))));
  const met = new Set([...meeting].flatMap(({ clauses }) => clauses));
  // A clause that a fault declares, and that no check of it meets, runs all the same, so that a wrong declaration cannot hide.
  const unmet = declared.filter((clause) => !met.has(clause));
  return checks.filter((check) => meeting.has(check) || check.clauses.some((clause) => unmet.includes(clause)));
}

/**
 * Of the checks of a fault one in `sample`, drawn by the seed, and of each clause that it breaks at least one. Variants and other
 * correct services are not sampled: a false alarm costs more than a fault that is found by one check too many.
 */
export function sampleOf(
  { kind, id: row, clauses: declared }: Pick<PlannedRow, 'kind' | 'id' | 'clauses'>,
  checks: readonly MatrixCheck[],
  { sample, seed }: { readonly sample: number; readonly seed: number },
): readonly MatrixCheck[] {
  if (kind !== 'fault') return checks;
  const drawn = new Set(checks.filter(({ id }) => isDrawn(`${seed} ${row} ${id}`, sample)));
  for (const clause of declared) {
    const ofClause = checks.filter(({ clauses }) => clauses.includes(clause));
    const first = ofClause[numberOf(`${seed} ${row} ${clause}`) % ofClause.length];
    if (first !== undefined && !ofClause.some((check) => drawn.has(check))) drawn.add(first);
  }
  return checks.filter((check) => drawn.has(check));
}
