/** Paths that name several methods in another way than by commas (spec: A. Delivery endpoints), as far as the traffic shows the handles. */
import { resourceOf } from '../../../envelopes/index.ts';
import { isJsonObject } from '../../../json/object.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { decoded } from '../../reading/given-values.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { named } from '../../service/responses.ts';

const MAX_HANDLES = 5_000;
/** What programs put between the items of a list. */
const SEPARATORS = /[,;|+\s]+/;

/** A rule with memory: call it with every call of one base, in their order. */
export function handleRule({ notes }: RuleContext): (call: ServiceRequest) => void {
  const known = new Memory<true>({ entries: MAX_HANDLES });
  const isKnown = (handle: string): boolean => known.get(handle) === true;

  return (call) => {
    const handle = call.match?.params.handle;
    if (responseKind(call) === 'served') {
      for (const one of [...listed(call), ...created(call), ...(handle ?? '').split(',')])
        if (one !== '' && !isRedacted(one)) known.set(one, true);
      return;
    }
    if (handle === undefined || responseKind(call) !== 'refused' || handle.split(',').every(isKnown)) return;
    const meant = decoded(handle)
      .split(SEPARATORS)
      .filter((one) => one !== '');
    if (meant.length === 0 || !meant.every(isKnown)) return;
    notes.advises('provider.calls.known-operations', call.seen.n, {
      message: `${named(call)} was refused: its path names methods as ${JSON.stringify(handle)}; handles are separated by a comma and nothing else, and each is encoded once`,
      pointer: 'path',
      expected: meant.join(','),
      actual: handle,
    });
  };
}

/** The handle of a new method, where the response shows it. */
function created({ operation, seen: { responseBody } }: ServiceRequest): string[] {
  if (operation?.id !== 'addMethod') return [];
  const made = resourceOf(responseBody.kind === 'json' ? responseBody.value : undefined, 'delivery_method');
  return isJsonObject(made) && typeof made.handle === 'string' ? [made.handle] : [];
}

/** The handles that a list of methods shows. */
function listed({ operation, seen: { responseBody } }: ServiceRequest): string[] {
  const response: unknown = responseBody.kind === 'json' ? responseBody.value : undefined;
  if (operation?.id !== 'listMethods' || !isJsonObject(response) || !Array.isArray(response.delivery_methods))
    return [];
  return response.delivery_methods.flatMap((method) =>
    isJsonObject(method) && typeof method.handle === 'string' ? [method.handle] : [],
  );
}
