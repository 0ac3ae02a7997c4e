/** The exchanges that verdicts rest on: held while the rest of the recording goes by, written at the end. */
import type { BodyText, Exchange } from '../../contracts/run/events.ts';
import { instantOf } from '../../contracts/run/instants.ts';
import { createRecorder, MAX_RECORDED_BODY_BYTES } from '../../harness/evidence/recorder.ts';
import type { Redaction } from '../../harness/evidence/redaction/index.ts';
import type { Redacted } from '../../harness/evidence/redaction/redacted.ts';

/** What all of them may hold together; later ones are kept without their bodies. */
const MAX_HELD_BYTES = 48 * 1024 * 1024;
/** Beside what is shown, so that a secret at the end of it is known for one. */
const HELD_BODY_BYTES = MAX_RECORDED_BODY_BYTES + 16 * 1024;

export interface Evidence {
  hold(exchange: Exchange): void;
  /** The exchanges of these numbers, in their order, redacted again. */
  written(numbers: ReadonlySet<number>, redaction: Redaction, showPersonalData: boolean): Redacted<Exchange>[];
}

/** Holds exchanges for the reports; once they have grown too large in all, further ones lose their bodies. */
export function evidence(): Evidence {
  const held = new Map<number, Exchange>();
  let bytes = 0;
  return {
    hold(exchange) {
      if (held.has(exchange.n)) return;
      const limit = bytes >= MAX_HELD_BYTES ? 0 : HELD_BODY_BYTES;
      const kept = cut(exchange, limit);
      bytes += sizeOf(kept.request.body) + sizeOf(kept.response?.body) + kept.request.url.length;
      held.set(exchange.n, kept);
    },
    written(numbers, redaction, showPersonalData) {
      const all = [...held.values()].filter(({ n }) => numbers.has(n)).sort((a, b) => a.n - b.n);
      return all.map((exchange) => recorded(exchange, redaction, showPersonalData));
    },
  };
}

const sizeOf = (body: BodyText | undefined): number => (body?.text?.length ?? 0) + (body?.base64?.length ?? 0);

function cut(exchange: Exchange, limit: number): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: { ...request, ...cutBody(request.body, limit) },
    ...(response === undefined ? {} : { response: { ...response, ...cutBody(response.body, limit) } }),
  };
}

/** A copy, so that the entry which it was a part of can go. */
function cutBody(body: BodyText | undefined, limit: number): { body?: BodyText } {
  if (body === undefined) return {};
  const bytes = body.text !== undefined ? Buffer.from(body.text, 'utf8') : Buffer.from(body.base64 ?? '', 'base64');
  const left = bytes.length - limit;
  if (left <= 0) return { body };
  const truncated = (body.truncated ?? 0) + left;
  const part = bytes.subarray(0, limit);
  const isText = body.text !== undefined;
  if (limit === 0) return { body: { truncated } };
  return {
    body: isText
      ? { text: part.toString('utf8').replace(/\uFFFD{1,3}$/, ''), truncated }
      : { base64: part.toString('base64'), truncated },
  };
}

/** As our own recorder writes it: secrets out, personal data masked, bodies cut. What was missing before stays missing. */
function recorded(exchange: Exchange, redaction: Redaction, showPersonalData: boolean): Redacted<Exchange> {
  const { request, response, failure, role, check } = exchange;
  const written: Redacted<Exchange>[] = [];
  const recorder = createRecorder({
    check,
    redaction,
    showPersonalData,
    next: () => exchange.n,
    spool: (one) => void written.push(one),
  });
  recorder.record({
    role,
    direction: exchange.direction,
    at: instantOf(exchange.at),
    durationMs: exchange.durationMs,
    request: { method: request.method, url: request.url, headers: request.headers, ...contentOf(request.body) },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, headers: response.headers, ...contentOf(response.body) } }),
    ...(failure === undefined ? {} : { failure }),
  });
  const [own] = written as [Redacted<Exchange>];
  return {
    ...own,
    request: { ...own.request, ...withMissing(own.request.body, request.body) },
    ...(own.response === undefined
      ? {}
      : { response: { ...own.response, ...withMissing(own.response.body, response?.body) } }),
  };
}

function contentOf(body: BodyText | undefined): { body?: string | Uint8Array } {
  if (body?.text !== undefined) return { body: body.text };
  return body?.base64 === undefined ? {} : { body: Buffer.from(body.base64, 'base64') };
}

function withMissing(written: BodyText | undefined, before: BodyText | undefined): { body?: BodyText } {
  const missing = before?.truncated ?? 0;
  if (missing === 0) return written === undefined ? {} : { body: written };
  return { body: { ...written, truncated: (written?.truncated ?? 0) + missing } };
}
