/** Which calls of a check were refused, as far as that decides whether it runs once more, and with which values. */
import type { ServiceRequest } from '../target/client/request.ts';

/** A refused call as the check chose it, with the text of the response. */
export interface RefusedCall {
  readonly own: ServiceRequest;
  readonly text: string;
}

/** What a refused call was, beside its values. */
export interface Refusal extends RefusedCall {
  readonly operation: string;
  /** Whether the call had to be refused. */
  readonly isProbe: boolean;
  readonly hasOwnValues: boolean;
  readonly hasCodes: boolean;
  readonly canBeSimplified: boolean;
}

export class RefusedCalls {
  /** Whether a plainer call can be sent for one of them. */
  ownValues = false;
  /** Whether one sends more than the minimum. */
  moreThanMinimum = false;
  /** Whether one carries an id of a point or a reference. */
  codes = false;
  last: RefusedCall | undefined;
  readonly #served = new Set<string>();
  readonly #unserved = new Map<string, RefusedCall>();

  /** A call for each operation that was refused, other than by a probe, and never served. */
  get unserved(): Iterable<RefusedCall> {
    return this.#unserved.values();
  }

  served(operation: string): void {
    this.#served.add(operation);
    this.#unserved.delete(operation);
  }

  refused({ own, text, operation, isProbe, hasOwnValues, hasCodes, canBeSimplified }: Refusal): void {
    this.last = { own, text };
    if (!isProbe && !this.#served.has(operation)) this.#unserved.set(operation, this.last);
    this.ownValues ||= hasOwnValues;
    this.codes ||= hasCodes;
    this.moreThanMinimum ||= canBeSimplified;
  }

  /** Counts those of another run, or of what another check has made for all, as of this one. */
  adopt({ ownValues, moreThanMinimum, codes, last }: RefusedCallsSummary): void {
    this.ownValues ||= ownValues;
    this.moreThanMinimum ||= moreThanMinimum;
    this.codes ||= codes;
    this.last = last ?? this.last;
  }

  /** What there is by now. */
  summary(): RefusedCallsSummary {
    const { ownValues, moreThanMinimum, codes, last } = this;
    return { ownValues, moreThanMinimum, codes, last };
  }
}

export type RefusedCallsSummary = Readonly<Pick<RefusedCalls, 'ownValues' | 'moreThanMinimum' | 'codes' | 'last'>>;
