/** An exchange of a run as an entry of an HTTP archive (HAR 1.2), as browsers' tools read it. Pure; everything is redacted already. */
import type { BodyText, Exchange } from '../../contracts/run/events.ts';

type Pairs = ReadonlyArray<{ readonly name: string; readonly value: string }>;

/** What a HAR file begins with, up to its entries; `HAR_END` closes it. */
export function harStart(version: string): string {
  const creator = JSON.stringify({ name: 'Proofmark', version });
  return `{"log":{"version":"1.2","creator":${creator},"entries":[\n`;
}

export const HAR_END = '\n]}}\n';

/** One entry; `_check`, `_n` and `_direction` say which exchange of the run it is. */
export function harEntry(exchange: Exchange): object {
  const { n, check, role, direction, at, durationMs, request, response, failure } = exchange;
  return {
    startedDateTime: at,
    time: durationMs,
    request: {
      method: request.method,
      url: request.url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(request.headers),
      queryString: queryOf(request.url),
      ...(request.body === undefined
        ? {}
        : {
            postData: {
              mimeType: typeOf(request.headers),
              text: request.body.text ?? request.body.base64 ?? '',
              ...commentOf(request.body),
            },
          }),
      headersSize: -1,
      bodySize: sizeOf(request.body),
    },
    response: {
      status: response?.status ?? 0,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairs(response?.headers ?? []),
      content: contentOf(response?.headers ?? [], response?.body),
      redirectURL: headerOf(response?.headers ?? [], 'location') ?? '',
      headersSize: -1,
      bodySize: sizeOf(response?.body),
      ...(failure === undefined ? {} : { _error: failure }),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _n: n,
    _check: check,
    _role: role,
    _direction: direction,
  };
}

function contentOf(headers: Exchange['request']['headers'], body: BodyText | undefined): object {
  const encoding = body?.text === undefined && body?.base64 !== undefined ? { encoding: 'base64' } : {};
  return {
    size: Math.max(0, sizeOf(body)),
    mimeType: typeOf(headers),
    text: body?.text ?? body?.base64 ?? '',
    ...encoding,
    ...(body === undefined ? {} : commentOf(body)),
  };
}

function commentOf({ text, base64, truncated }: BodyText): { comment?: string } {
  const parts = [
    text === undefined && base64 !== undefined && 'base64 of bytes that are not UTF-8',
    truncated !== undefined && `${truncated} more bytes were not kept`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? {} : { comment: parts.join('; ') };
}

function sizeOf(body: BodyText | undefined): number {
  if (body === undefined) return 0;
  const kept = body.text === undefined ? Buffer.byteLength(body.base64 ?? '', 'base64') : Buffer.byteLength(body.text);
  return kept + (body.truncated ?? 0);
}

const pairs = (headers: Exchange['request']['headers']): Pairs => headers.map(([name, value]) => ({ name, value }));

const typeOf = (headers: Exchange['request']['headers']): string => headerOf(headers, 'content-type') ?? '';

function headerOf(headers: Exchange['request']['headers'], wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function queryOf(url: string): Pairs {
  const [, query = ''] = url.split('#', 1)[0]?.split(/\?(.*)/s) ?? [];
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
