/** What a response breaks by itself (contracts/traffic), judged when it comes: whole, before it is cut and redacted for the record. */

import type { Breach, Exchange } from '../../../contracts/run/events.ts';
import { breachesIn, type JsonTexts } from '../../../contracts/traffic/index.ts';
import type { ServiceResponse } from '../client/types.ts';

/** What a response breaks by itself: status, envelope, content type and types (`contracts/traffic/service/alone.ts`). */
export function breachesOf(response: ServiceResponse, api: 'v1' | 'api', base: string, texts?: JsonTexts): Breach[] {
  const { request, status, headers, text, exchange } = response;
  return breachesIn(asExchange(request, exchange, { status, headers, body: { text } }), api, base, texts);
}

/** The exchange as rules over traffic read it. Values of the request are not needed: what is judged is the response. */
function asExchange(
  { method, url, body }: ServiceResponse['request'],
  n: number,
  response: Exchange['response'],
): Exchange {
  const sent = typeof body === 'string' ? { body: { text: body } } : {};
  const request = { method, url, headers: [], ...sent };
  const common = { type: 'exchange', n, check: '', role: '', direction: 'sent', at: '', durationMs: 0 } as const;
  return { ...common, request, ...(response === undefined ? {} : { response }) };
}
