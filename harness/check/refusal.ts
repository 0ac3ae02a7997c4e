/** What a refused call may be refused for: a value that the check chose, a code, or a field that is not needed. */
import type { Refusal } from '../plain/refused-calls.ts';
import { canBeSimplified } from '../plain/simplified.ts';
import { carriesCodes } from '../plain/stand-ins/codes.ts';
import type { StandIns } from '../plain/stand-ins/stand-ins.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';

/** A refused call as the check wrote it, and as it was sent, with stand-ins. */
interface RefusedRequest {
  readonly own: ServiceRequest;
  readonly call: ServiceRequest;
  readonly role: string;
}

interface RefusalContext {
  /** Id of the operation. */
  readonly operation: string;
  readonly response: ServiceResponse;
  /** The country that the check writes, and that of the store, which stands in for it. */
  readonly countries: { readonly ofCheck: string; readonly ofStore: string };
  /** Says whether a call carries a value that has a plainer stand-in. */
  readonly watch: StandIns | undefined;
}

export const refusalOf = (
  { own, call, role }: RefusedRequest,
  { operation, response, countries, watch }: RefusalContext,
): Refusal => ({
  own,
  text: response.text,
  operation,
  isProbe: role === 'probe',
  hasOwnValues: watch?.changes(own) === true,
  hasCodes: carriesCodes(own),
  canBeSimplified: canBeSimplified(own, countries.ofCheck) || canBeSimplified(call, countries.ofStore),
});
