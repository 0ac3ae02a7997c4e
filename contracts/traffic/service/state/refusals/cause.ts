/** Writes as causes of what is read later. */
import type { ServiceRequest } from '../../../call.ts';
import { named } from '../../responses.ts';
import type { Cause } from '../lists/item.ts';

const REFUSED = 'envelope.delivery.refusal-changes-nothing';

/** A refused call: whatever is another one afterwards breaks the same clause. */
export const refusalOf = (call: ServiceRequest): Cause =>
  causeOf(call, { item: REFUSED, otherFields: REFUSED, otherItems: REFUSED });

/** A call as the cause of what later reads show, with the clauses that they may break. */
export const causeOf = (call: ServiceRequest, clauses: Omit<Cause, 'n' | 'endMs' | 'name'>): Cause => ({
  n: call.seen.n,
  endMs: call.seen.endMs,
  name: named(call),
  ...clauses,
});
