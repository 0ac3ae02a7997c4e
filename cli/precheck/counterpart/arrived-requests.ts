/** What is remembered of the requests that reach the counterpart, and what of it is written into the record: an app in a loop would fill both. */
import { AMID_FORGERIES } from '../../../contracts/run/events.ts';
import type { Recorder } from '../../../harness/evidence/recorder.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { wallClockMs } from '../../../harness/process/wall-clock.ts';

const MAX_REMEMBERED = 20_000;
/** In characters of addresses, bodies and responses; one at least is remembered. */
export const MAX_REMEMBERED_CHARACTERS = 32 * 1024 * 1024;
const MAX_RECORDED = 2_000;
/** Until the record is open, what is to be written into it is in memory, too. */
const MAX_RECORDED_CHARACTERS = 32 * 1024 * 1024;
const MAX_BODY_CHARACTERS = 256 * 1024;

export class ArrivedRequests {
  /** Those that are remembered, oldest first. */
  readonly received: Received[] = [];
  readonly #recorder: Recorder;
  readonly #sizes = new Map<Received, number>();
  readonly #forgeries = new Set<symbol>();
  #held = 0;
  #arrivals = 0;
  #recorded = 0;
  #recordedCharacters = 0;
  #unrecorded = 0;

  constructor(recorder: Recorder) {
    this.#recorder = recorder;
  }

  /** All that ever arrived. */
  get arrivals(): number {
    return this.#arrivals;
  }

  /** Requests that were not recorded any more, because there were too many. */
  get unrecorded(): number {
    return this.#unrecorded;
  }

  /** From now on what arrives comes amid forged requests, until the returned function is called. */
  beginForgeries(): () => void {
    const one = Symbol('forgeries');
    this.#forgeries.add(one);
    return () => void this.#forgeries.delete(one);
  }

  add(arrived: Received): void {
    this.#arrivals += 1;
    this.received.push(arrived);
    this.#grow(arrived, arrived.target.length + arrived.body.length);
  }

  /** Writes a request with its response into the record, as long as there is room. */
  record(arrived: Received, response: Response, { url, text }: { readonly url: string; readonly text: string }): void {
    arrived.responseText = text.slice(0, MAX_BODY_CHARACTERS);
    if (this.#sizes.has(arrived)) this.#grow(arrived, arrived.responseText.length);
    const characters = arrived.target.length + arrived.body.length + arrived.responseText.length;
    if (this.#recorded >= MAX_RECORDED || this.#recordedCharacters + characters > MAX_RECORDED_CHARACTERS) {
      this.#unrecorded += 1;
      return;
    }
    this.#recorded += 1;
    this.#recordedCharacters += characters;
    arrived.exchange = this.#recorder.record({
      role: this.#forgeries.size === 0 ? 'integrator' : AMID_FORGERIES,
      direction: 'received',
      at: arrived.at,
      durationMs: arrived.durationMs ?? 0,
      request: {
        method: arrived.method,
        url,
        headers: Object.entries(arrived.headers),
        ...(arrived.body === '' ? {} : { body: arrived.body }),
      },
      response: {
        status: response.status,
        headers: [...response.headers],
        ...(text === '' ? {} : { body: text }),
      },
    });
  }

  #grow(request: Received, characters: number): void {
    this.#sizes.set(request, (this.#sizes.get(request) ?? 0) + characters);
    this.#held += characters;
    const isTooMuch = (): boolean =>
      this.received.length > MAX_REMEMBERED || (this.#held > MAX_REMEMBERED_CHARACTERS && this.received.length > 1);
    while (isTooMuch()) {
      const oldest = this.received.shift() as Received;
      this.#held -= this.#sizes.get(oldest) ?? 0;
      this.#sizes.delete(oldest);
    }
  }
}

/** With the byte order mark, which `text()` would leave out: whether one was sent is judged. */
const AS_SENT = new TextDecoder('utf-8', { ignoreBOM: true });

/** A request as it arrived, before it is answered. */
export async function receivedOf(request: Request, target: string): Promise<Received> {
  const whole = target.replace(/^https?:\/\/[^/?#]*/i, '');
  const [path, ...rest] = (whole.split('#')[0] ?? '').split('?') as [string, ...string[]];
  const body = request.body === null ? '' : AS_SENT.decode(await request.clone().arrayBuffer());
  return {
    at: wallClockMs(),
    method: request.method,
    target: whole,
    path: path === '' ? '/' : path,
    query: rest.join('?'),
    headers: Object.fromEntries(request.headers),
    body: body.slice(0, MAX_BODY_CHARACTERS),
    status: undefined,
    durationMs: undefined,
    responseText: undefined,
    exchange: undefined,
  };
}
