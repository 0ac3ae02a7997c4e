/** Preconditions about anything: facts of a page, a file, traffic that was received. `Given` adds those of a target. */
import { type Evidence, GivenFailure } from './failures.ts';

export class Preconditions {
  /** States that something holds; `clause` is the one whose own check fails when it does not. */
  holds(condition: boolean, clause: string, message: string, evidence: Evidence = {}): void {
    if (!condition) throw new GivenFailure(message, clause, evidence);
  }

  /** States that a value is there and of its type, and hands it on; `clause` as above. */
  present<T>(value: T | undefined, clause: string, message: string, evidence: Evidence = {}): T {
    if (value === undefined) throw new GivenFailure(message, clause, evidence);
    return value;
  }
}
