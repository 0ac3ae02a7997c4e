/** The requests of a trace, in the form of Playwright's `.network` file: without bodies, which the exchanges of the report hold. */
import { learnSecrets } from '../../target/secrets/received-secrets.ts';
import type { Redaction } from '../redaction/index.ts';
import type { Cleaner } from './clean.ts';
import type { RawRequest } from './raw-trace.ts';

/** When the context's trace began, by both clocks. */
export interface TraceClock {
  readonly wallTime: number;
  readonly monotonicTime: number;
}

/** A page in a loop has no end of requests. */
const MAX_REQUESTS = 1_000;

/** Makes codes and cookies that pages were given known to the redaction, before anything of the trace is cleaned. */
export function learnFromRequests(requests: readonly RawRequest[], redaction: Redaction): void {
  for (const { method, url, headers, response, at } of requests) {
    const request = { method, url, headers: Object.entries(headers) };
    const received = response && { status: response.status, headers: Object.entries(response.headers) };
    learnSecrets({ at, durationMs: 0, request, ...(received === undefined ? {} : { response: received }) }, redaction);
  }
}

/** One line a request. */
export function shownRequests(
  requests: readonly RawRequest[],
  { wallTime, monotonicTime }: TraceClock,
  cleaner: Cleaner,
): object[] {
  return requests.slice(-MAX_REQUESTS).map((request) => {
    const headersOf = (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).map(([name, value]) => ({
        name: cleaner.text(name),
        value: cleaner.header(name, value),
      }));
    const { response, at, durationMs = -1, failure } = request;
    const location = Object.entries(response?.headers ?? {}).find(([name]) => name.toLowerCase() === 'location')?.[1];
    return {
      type: 'resource-snapshot',
      snapshot: {
        startedDateTime: new Date(at).toISOString(),
        time: durationMs,
        request: {
          method: cleaner.text(request.method),
          url: cleaner.text(request.url),
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: headersOf(request.headers),
          queryString: [],
          headersSize: -1,
          bodySize: -1,
        },
        response: {
          status: response?.status ?? -1,
          statusText: cleaner.text(response?.statusText ?? ''),
          httpVersion: 'HTTP/1.1',
          cookies: [],
          headers: headersOf(response?.headers ?? {}),
          content: { size: -1, mimeType: mimeTypeOf(response?.headers) },
          headersSize: -1,
          bodySize: -1,
          redirectURL: location === undefined ? '' : cleaner.text(location),
          _transferSize: -1,
          ...(failure === undefined ? {} : { _failureText: cleaner.text(failure) }),
        },
        cache: {},
        timings: { send: -1, wait: durationMs, receive: -1 },
        _resourceType: request.kind,
        _monotonicTime: monotonicTime + (at - wallTime),
      },
    };
  });
}

const MIME_TYPE = /^[a-z0-9.+-]{1,40}\/[a-z0-9.+-]{1,80}/i;

const mimeTypeOf = (headers: Readonly<Record<string, string>> = {}): string =>
  MIME_TYPE.exec(headers['content-type'] ?? '')?.[0] ?? 'x-unknown';
