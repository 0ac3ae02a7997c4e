/**
 * The methods that a check has deleted by its own calls. Where the delete was served, and a reading was refused since, clean-up has
 * no need of another delete, which would be refused, nor of another reading: the list of methods shows whether they are gone.
 */
import { matchPath } from '../../../../contracts/operations/match.ts';
import type { ServiceRequest } from '../../../target/client/request.ts';

const METHOD_ALONE = '/store/delivery_method/{handle}/';

export class DeletedMethods {
  /** By the handle as it is in paths: whether a reading was refused after the delete. */
  readonly #deleted = new Map<string, boolean>();

  /** Notes a call that goes out: whatever changes a method may make it again. */
  sends({ api, method, path }: ServiceRequest): void {
    if (api !== 'v1' || method === 'GET') return;
    const { handle: handles = '' } = matchPath(api, path)?.params ?? {};
    for (const handle of handles.split(',')) this.#deleted.delete(handle);
  }

  /** Notes that a call was served. */
  served(call: ServiceRequest): void {
    const handle = methodIn(call);
    if (handle === undefined) return;
    if (call.method === 'DELETE') this.#deleted.set(handle, false);
    // It is there, whatever the response to the delete was.
    else this.#deleted.delete(handle);
  }

  /** Notes that a call was refused as it is. */
  refused(call: ServiceRequest): void {
    const handle = methodIn(call);
    if (handle !== undefined && call.method === 'GET' && this.#deleted.has(handle)) this.#deleted.set(handle, true);
  }

  /** Whether the check has deleted the method, and was refused the last reading of it. */
  isUnreadable(handle: string): boolean {
    return this.#deleted.get(handle) === true;
  }
}

/** The handle of a call for a method itself, not for its points. */
function methodIn({ api, path }: ServiceRequest): string | undefined {
  const match = matchPath(api, path);
  return match?.template === METHOD_ALONE ? match.params.handle : undefined;
}
