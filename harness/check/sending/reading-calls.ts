/** Which calls only read: they may be sent twice, and checks may share their responses. */
import type { ServiceRequest } from '../../target/client/request.ts';
import { carriesToken } from '../../target/interfaces/session-renewal.ts';
import type { Secret } from '../../target/secrets/secret.ts';

/** Reseller calls that only read; all others change something, even as GET, and are never sent twice. */
const RESELLER_READS = /^(websites|settings|balance|website\/[^/]+\/domains)\/$/;

/** Whether a call only reads, by POST with the token of the session and nothing else: checks may share its response. */
export const isReadWithTokenOnly = (call: ServiceRequest, token: Secret | undefined): boolean =>
  call.api === 'api' &&
  RESELLER_READS.test(call.path) &&
  call.method === 'POST' &&
  call.body !== undefined &&
  'form' in call.body &&
  call.body.form.length === 1 &&
  carriesToken(call, token);

/** Whether a call changes nothing, so that it may be sent twice. */
export const isSafe = (call: ServiceRequest): boolean =>
  call.api === 'v1' ? call.method === 'GET' : RESELLER_READS.test(call.path);
