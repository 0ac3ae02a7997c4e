/** Cuts an exchange to a size that people read. The whole of it is in the events. */
import type { BodyText, Exchange } from '../../../contracts/run/events.ts';

const MAX_HEADERS = 60;
const MAX_HEADER_CHARACTERS = 1000;
const MAX_URL_CHARACTERS = 3000;

/** The exchange with at most `bodyCharacters` of each body; what is left out is counted. */
export function cutExchange(exchange: Exchange, bodyCharacters: number): Exchange {
  const { request, response } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      url: short(request.url, MAX_URL_CHARACTERS),
      headers: cutHeaders(request.headers),
      ...(request.body === undefined ? {} : { body: cutBody(request.body, bodyCharacters) }),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            ...response,
            headers: cutHeaders(response.headers),
            ...(response.body === undefined ? {} : { body: cutBody(response.body, bodyCharacters) }),
          },
        }),
  };
}

function cutHeaders(headers: ReadonlyArray<readonly [string, string]>): Array<readonly [string, string]> {
  const cutOnes = headers
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => [short(name, MAX_HEADER_CHARACTERS), short(value, MAX_HEADER_CHARACTERS)] as const);
  const more = headers.length - MAX_HEADERS;
  return more > 0 ? [...cutOnes, [`… and ${more} more headers`, ''] as const] : cutOnes;
}

/** Cuts at characters and counts them as bytes left out: the exact bytes are in the events. */
function cutBody(body: BodyText, most: number): BodyText {
  const before = body.truncated ?? 0;
  if (body.text !== undefined && body.text.length > most) {
    return { text: body.text.slice(0, most), truncated: before + body.text.length - most };
  }
  if (body.base64 !== undefined && body.base64.length > most) {
    const kept = most - (most % 4);
    return {
      base64: body.base64.slice(0, kept),
      truncated: before + Math.floor(((body.base64.length - kept) * 3) / 4),
    };
  }
  return body;
}

function short(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
