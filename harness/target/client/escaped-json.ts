/** The same JSON in other characters: letters beyond ASCII and slashes as escapes, as the JSON writers of several languages do. */
import type { ServiceRequest } from './request.ts';

/** The call with its JSON body written with escapes; it says exactly the same. A call without a JSON body stays as it is. */
export function withEscapes(call: ServiceRequest): ServiceRequest {
  if (call.body === undefined || !('json' in call.body)) return call;
  const raw = JSON.stringify(call.body.json)
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7e]/g, escaped);
  return { ...call, body: { raw, contentType: 'application/json' } };
}

/** A character beyond the first plane is two escapes, as in the text itself. */
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
