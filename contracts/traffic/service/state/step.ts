/** Calls to the Reseller interface that changed something. */
import type { ServiceRequest } from '../../call.ts';
import { named } from '../responses.ts';

/** A call that changed something, and when that was certain. */
export interface Step {
  readonly n: number;
  readonly name: string;
  readonly endMs: number;
}

export const stepOf = (call: ServiceRequest): Step => ({ n: call.seen.n, name: named(call), endMs: call.seen.endMs });
