/** When a value was never set (spec: Resources and their fields). */
import { isServed } from '../../../harness/judge-answer.ts';
import type { Answer } from '../../../harness/target/client.ts';

/** Absent, null, "" and [] all say that nothing is there. */
export function isUnset(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/**
 * Whether a read was refused because nothing was ever set, which a service may do. Refused credentials, too many requests
 * and a failing service say nothing about what is there.
 */
export function isNeverSet(answer: Answer): boolean {
  return !isServed(answer) && answer.status >= 400 && answer.status < 500 && ![401, 429].includes(answer.status);
}
