/** Preconditions about anything: facts of a page, a file, traffic that was received. `Given` adds those of a target. */
import { type Evidence, GivenFailure } from '../failures.ts';

export class Preconditions {
  /** States that something holds which `clause` promises: when it does not, that is evidence against the clause. */
  holds(condition: boolean, clause: string, message: string, evidence: Evidence = {}): void {
    if (!condition) throw new GivenFailure(message, clause, evidence);
  }

  /**
   * States that a target does what it is free not to do (it took a value that the check chose, it has a part that the check
   * needs): when it does not, that is not evidence of a fault. `clause` is the one that the check then can't rest on.
   */
  granted(condition: boolean, clause: string, message: string, evidence: Evidence = {}): void {
    if (!condition) throw new GivenFailure(message, clause, evidence, 'refusal');
  }

  /** States that a value is present and of its type, and returns it; `clause` as in `holds`. */
  present<T>(value: T | undefined, clause: string, message: string, evidence: Evidence = {}): T {
    if (value === undefined) throw new GivenFailure(message, clause, evidence);
    return value;
  }
}
