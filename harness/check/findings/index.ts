/** What a check has found so far, beside its assertion: the same for either judged party. */

import { OBSERVATIONS } from '../../../contracts/clauses/index.ts';
import type { Breach, CheckResult, CheckTrace, ObservationSeen, PropertyCase } from '../../../contracts/run/events.ts';
import { evidenceOf } from '../../evidence/bounded.ts';
import type { Redaction } from '../../evidence/redaction/index.ts';
import { asRedacted, type Redacted } from '../../evidence/redaction/redacted.ts';
import type { Assertions } from '../expect.ts';
import type { CheckLevel, CheckTitle } from '../facts.ts';
import { LatestResponses } from './latest-responses.ts';

/** What of a check its result names. */
export interface CheckSummary {
  readonly id: string;
  readonly title: CheckTitle;
  readonly level: CheckLevel;
  readonly clauses: readonly string[];
  readonly additional?: true;
}

export type Screenshot = NonNullable<CheckResult['screenshots']>[number];

export abstract class Findings {
  abstract readonly expect: Assertions;
  readonly observed: ObservationSeen[] = [];
  readonly warnings: string[] = [];
  /** Numbers of the exchanges that the check rests on. */
  readonly exchanges: number[] = [];
  /** The responses of its own calls, without those of clean-up. */
  readonly latest = new LatestResponses();
  readonly screenshots: Screenshot[] = [];
  /** Of the browser steps, once the check has ended with a finding. */
  trace: CheckTrace | undefined;
  /** What responses broke by themselves, by clause: the first of each. */
  readonly breaches = new Map<string, Breach>();
  /** Breaches that calls of the check show together: a later read does not show an earlier write. */
  readonly shown = new Map<string, Breach>();
  /** Set by properties: what repeats their counterexample. */
  seed: number | undefined;
  replay: string | undefined;
  counterexample: PropertyCase | undefined;
  /** Set by checks about many clauses: those that were met with; all of the check's when left out. */
  decided: readonly string[] | undefined;
  readonly #judged: CheckSummary;

  constructor(check: CheckSummary) {
    this.#judged = check;
  }

  /** Adds breaches to those that are known, the first of each clause. */
  note(known: Map<string, Breach>, breaches: Iterable<Breach>): void {
    for (const breach of breaches) if (!known.has(breach.clause)) known.set(breach.clause, breach);
  }

  get checkId(): string {
    return this.#judged.id;
  }

  get clauses(): readonly string[] {
    return this.#judged.clauses;
  }

  /** Records what is done where the spec is silent. */
  observe(id: string, seen: unknown): void {
    const row = OBSERVATIONS.find((observation) => observation.id === id);
    if (row === undefined)
      throw new Error(`The observation "${id}" does not exist in contracts/inventory/observations.yaml.`);
    this.observed.push({
      type: 'observation',
      id,
      question: row.question,
      seen,
      check: this.#judged.id,
      exchanges: [...this.exchanges],
    });
  }

  /** What was observed, without its secrets and in a size that can be carried. */
  observations(redaction: Redaction): Redacted<ObservationSeen>[] {
    return this.observed.map((event) =>
      asRedacted({ ...redaction.value({ ...event, seen: null }), seen: evidenceOf(event.seen, redaction) }),
    );
  }

  /** Notes legal behaviour that harms a party (say which). Only SHOULD, MAY and OBSERVES checks may. */
  warn(sentence: string): void {
    if (this.#judged.level === 'MUST')
      throw new Error(`${this.#judged.id} is a MUST check: give the warning its own check.`);
    this.warnings.push(sentence);
  }
}
