/**
 * Which points were deleted. Whether their ids can be given to new ones is not stated (A. Pickup point), so that a refusal may rest on
 * it and on nothing else in the call.
 */
import type { ServiceRequest } from '../../target/client/request.ts';
import { type CallHistory, subjectOf } from './calls-on-points.ts';

export class DeletedIds implements CallHistory {
  /** Handles with ids. */
  readonly #deleted = new Set<string>();

  note(call: ServiceRequest): void {
    const { kind, handles, id } = subjectOf(call);
    if (call.method !== 'DELETE' || kind !== 'point') return;
    for (const handle of handles) this.#deleted.add(`${handle} ${id}`);
  }

  traitsOf(call: ServiceRequest): string[] {
    if (call.method !== 'POST' || this.#deleted.size === 0) return [];
    const { kind, handles, points } = subjectOf(call);
    const areDeleted = handles.some((handle) => points.some(({ id }) => this.#deleted.has(`${handle} ${id}`)));
    return areDeleted ? [`the id of a deleted point in a ${kind}`] : [];
  }
}
