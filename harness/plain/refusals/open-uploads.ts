/**
 * Which lists are under way while a call starts or continues one. Whether lists of several methods may be uploaded at the same time,
 * and whether an unfinished one may be replaced, is not shown (A. Delivery endpoints, Batch replace rules), so that a refusal may rest
 * on it and on nothing in the call.
 */
import type { ServiceRequest } from '../../target/client/request.ts';
import { type CallHistory, subjectOf } from './calls-on-points.ts';

export class OpenUploads implements CallHistory {
  /** Handles. */
  readonly #open = new Set<string>();

  note(call: ServiceRequest): void {
    const { kind, handles, json } = subjectOf(call);
    if (kind === 'list') {
      const isLast = json.is_finalization !== false;
      for (const handle of handles) this.#open[isLast ? 'delete' : 'add'](handle);
    } else if (kind === 'method' && call.method === 'DELETE') {
      for (const handle of handles) this.#open.delete(handle);
    }
  }

  /** Whether a list of a method that the call names is under way. */
  isUnderWay(call: ServiceRequest): boolean {
    return subjectOf(call).handles.some((handle) => this.#open.has(handle));
  }

  /** That a list of a method which the call does not name is under way, or that it starts one while the last one is not finished. */
  traitsOf(call: ServiceRequest): string[] {
    const { kind, handles, json } = subjectOf(call);
    if (kind !== 'list') return [];
    const isStart = json.is_initialization !== false;
    return [
      ...([...this.#open].some((handle) => !handles.includes(handle)) ? ['a list beside one of another method'] : []),
      ...(isStart && handles.some((handle) => this.#open.has(handle)) ? ['a list in place of an unfinished one'] : []),
    ];
  }
}
