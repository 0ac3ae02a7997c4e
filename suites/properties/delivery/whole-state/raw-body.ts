/** A call whose JSON ends in its midst. */
import { bodyOf, type ServiceRequest } from '../../../../harness/target/client/request.ts';

/** The call with the last characters of its body missing, under the same content type. */
export function withAlteredBody(call: ServiceRequest): ServiceRequest {
  const { content = '' } = bodyOf(call) ?? {};
  return { ...call, body: { raw: String(content).slice(0, -2), contentType: 'application/json' } };
}
