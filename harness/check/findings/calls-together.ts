/**
 * The calls of one check, for what they show together (contracts/traffic/service/together.ts). Each has its place by a count, and not
 * by a clock: which of two calls came first is certain then, and which were under way at once.
 */

import type { Breach, Exchange } from '../../../contracts/run/events.ts';
import { CallsTogether, type JsonTexts } from '../../../contracts/traffic/index.ts';
import type { OutgoingRequest, ServiceResponse } from '../../target/client/types.ts';
import { isServed } from '../../target/response/judge-response.ts';
import { plain } from '../../target/secrets/secret.ts';

/** Takes the response of a call that was sent; nothing where none came. */
export type ResponseTaker = (response: ServiceResponse | undefined) => void;

export class CallsOfCheck {
  readonly #calls: CallsTogether;
  #moment = 0;
  #isStopped = false;

  /** `texts`: JSON texts that were parsed before. */
  constructor(texts: JsonTexts) {
    this.#calls = new CallsTogether(texts);
  }

  /** Takes a call that is about to be sent to the interface at `base`, and returns what takes its response. */
  sends(request: OutgoingRequest, api: 'v1' | 'api', base: string): ResponseTaker {
    const from = this.#now();
    return (response) => {
      if (this.#isStopped) return;
      // A link that is good once was used by the first try.
      if (response?.isRepeated === true && !isServed(response)) return;
      this.#calls.add(asExchange(request, response, from, this.#now()), api, base);
    };
  }

  /** Something else than calls may have changed anything: the driver, a person. */
  forget(): void {
    if (!this.#isStopped) this.#calls.forget();
  }

  /** From here on other things than calls may change anything at any time: a page is open. */
  stop(): void {
    this.#isStopped = true;
  }

  /** What the calls so far break. */
  breaches(): readonly Breach[] {
    return this.#calls.end();
  }

  #now(): number {
    this.#moment += 1;
    return this.#moment;
  }
}

/** The exchange as rules over traffic read it, with its secrets: it is not kept. */
function asExchange(
  { method, url, headers = [], body }: OutgoingRequest,
  response: ServiceResponse | undefined,
  from: number,
  to: number,
): Exchange {
  const sent = typeof body === 'string' ? { body: { text: body } } : {};
  return {
    ...{ type: 'exchange', n: response?.exchange ?? 0, check: '', role: '', direction: 'sent' },
    at: new Date(from).toISOString(),
    durationMs: to - from,
    request: { method, url, headers: headers.map(([name, value]) => [name, plain(value)] as const), ...sent },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, headers: response.headers, body: { text: response.text } } }),
  };
}
