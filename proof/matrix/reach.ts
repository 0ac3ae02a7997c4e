/**
 * Which checks can notice a deviation. While every check runs once on the correct service, each deviation's rules are asked
 * beside the usual ones: a check whose requests a deviation stands before nowhere, and in which its rules never decide
 * otherwise, gets the same answers with it and without it. Leaving such checks out makes the matrix much faster. Some rows are
 * run whole all the same, since what one check leaves behind under a fault might confuse another; the soak runs all of them whole.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MatrixCheck } from '../../contracts/run/selftest.ts';
import { createRules } from '../../mock/rules/index.ts';
import { touches } from '../../mock/service.ts';
import type { Deviation, Part } from '../../mock/types/deviation.ts';
import type { Rules } from '../../mock/types/rules.ts';
import type { PlannedRow } from './rows.ts';

type Transport = (request: Request) => Promise<Response>;
type Rule = (...args: unknown[]) => unknown;

const PARTS: readonly Part[] = ['delivery', 'apps', 'reseller', 'pages'];

/** One in so many rows is run with every check: a deviation that reached further than it seems to would show there. */
const WHOLE_ROW_EVERY = 128;

/** A rule of a deviation, in place of a usual one. */
interface Other {
  readonly id: string;
  readonly rule: Rule;
}

/** What one check met on the correct service, each once. */
interface InterceptedRequest {
  readonly parts: Set<Part>;
  readonly requests: Map<string, { readonly method: string; readonly path: string }>;
  /** Ids of deviations whose rules decide otherwise. */
  readonly otherwise: Set<string>;
}

/** Notes what each check meets on the correct service. */
export class Reach {
  readonly #deviations: ReadonlyMap<string, Deviation>;
  readonly #met = new Map<string, InterceptedRequest>();
  readonly #sharing: (check: string) => readonly string[];
  #running = '';

  /** `sharing`: the checks that rest on the requests of one of them. */
  constructor(deviations: readonly Deviation[], sharing = (check: string): readonly string[] => [check]) {
    this.#sharing = sharing;
    this.#deviations = new Map(deviations.map((deviation) => [deviation.id, deviation]));
  }

  /** What is met from now on is met by this check. */
  begin(check: string): void {
    this.#running = check;
  }

  noting(transport: Transport): Transport {
    return (request) => {
      this.note(request.method, new URL(request.url).pathname);
      return transport(request);
    };
  }

  note(method: string, path: string): void {
    const { requests, parts } = this.#now();
    requests.set(`${method} ${path}`, { method, path });
    for (const part of PARTS) if (touches(part, path)) parts.add(part);
  }

  /** A deviation of the correct service that changes nothing, and notes where the others would. */
  asDeviation(): Deviation {
    return {
      id: 'reach.noted',
      about: 'Notes which deviations would decide otherwise.',
      rules: (correct) => {
        const others = this.#othersByRule(createRules());
        const noted = Object.entries(correct).map(([name, rule]) => [
          name,
          (...args: unknown[]) => this.#decided(rule as Rule, others.get(name) ?? [], args),
        ]);
        return Object.fromEntries(noted) as Partial<Rules>;
      },
    };
  }

  /** Whether a check, or one that it shares with, meets the deviation anywhere. */
  meets(check: string, id: string): boolean {
    return this.#sharing(check).some((one) => this.#meets(one, id));
  }

  #meets(check: string, id: string): boolean {
    const met = this.#met.get(check);
    const { only, fixtures, http } = this.#deviations.get(id) ?? {};
    if (met === undefined || (only !== undefined && !met.parts.has(only))) return false;
    // Other rows to begin with may show in any answer.
    if (fixtures !== undefined || met.otherwise.has(id)) return true;
    return (
      http !== undefined &&
      (http.isAbout === undefined ||
        [...met.requests.values()].some(({ method, path }) => http.isAbout?.(method, path)))
    );
  }

  #othersByRule(correct: ReturnType<typeof createRules>): Map<string, Other[]> {
    const all = [...this.#deviations.values()].flatMap(({ id, rules }) =>
      Object.entries(rules?.(correct) ?? {}).map(([name, rule]) => ({ name, id, rule: rule as Rule })),
    );
    return Map.groupBy(all, ({ name }) => name);
  }

  /** What the usual rule decides, with a note of the deviations that decide otherwise. */
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
    const isAskedOnce = result === undefined || args.some((arg) => typeof arg === 'function');
    for (const { id, rule } of others)
      if (!otherwise.has(id) && (isAskedOnce || isOtherwise(rule, args, result))) otherwise.add(id);
    return result;
  }

  #now(): InterceptedRequest {
    const known = this.#met.get(this.#running);
    if (known !== undefined) return known;
    const met: InterceptedRequest = { parts: new Set(), requests: new Map(), otherwise: new Set() };
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
  return checks.filter(
    // What a fault declares is tried whatever was noted, so that a wrong declaration can't hide it.
    ({ id, clauses }) =>
      clauses.some((clause) => declared.includes(clause)) || deviations.some((one) => reach.meets(id, one)),
  );
}
