/** The list of websites in a response. */
import { isJsonObject } from '../../../../json/object.ts';
import type { ServiceRequest } from '../../../call.ts';

/** The records of a response to `/websites/`, which may be anything; undefined without a list of them. */
export function listedWebsites({ seen }: ServiceRequest): readonly unknown[] | undefined {
  const body = seen.responseBody.kind === 'json' ? seen.responseBody.value : undefined;
  const list = isJsonObject(body) ? body.websites : undefined;
  return Array.isArray(list) ? list : undefined;
}
