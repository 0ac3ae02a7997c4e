/**
 * Which exchanges and screenshots the HTML report shows: all that a failure rests on, a few of everything else. A run may
 * have a million exchanges; a report that opens at once has at most some hundred, each cut to a readable size.
 */
import type { BodyText, Exchange, RunEvent } from '../../contracts/run/events.ts';
import type { Verdict } from '../../contracts/run/verdicts.ts';
import type { CheckOutcome, Results } from '../results/index.ts';

export interface Screenshot {
  readonly title: string;
  /** PNG as base64, checked to be nothing else. */
  readonly png: string;
}

export interface Evidence {
  readonly exchanges: ReadonlyMap<number, Exchange>;
  /** By id of the check. */
  readonly screenshots: ReadonlyMap<string, readonly Screenshot[]>;
}

export interface EvidenceFold {
  add(event: RunEvent): void;
  done(): Evidence;
}

/** Exchanges shown of one check, by what became of it, and the characters of a body. */
const SHOWN: Readonly<Record<Verdict, { exchanges: number; bodyCharacters: number }>> = {
  fail: { exchanges: 25, bodyCharacters: 40_000 },
  error: { exchanges: 25, bodyCharacters: 20_000 },
  warn: { exchanges: 15, bodyCharacters: 10_000 },
  inconclusive: { exchanges: 6, bodyCharacters: 4000 },
  observed: { exchanges: 4, bodyCharacters: 2000 },
  pass: { exchanges: 3, bodyCharacters: 1200 },
  'not-applicable': { exchanges: 0, bodyCharacters: 0 },
};
/** Over the whole report; checks that matter most are served first. */
const MAX_EXCHANGES = 1000;
const MAX_SCREENSHOT_CHARACTERS = 12_000_000;
const MAX_HEADERS = 60;
const MAX_HEADER_CHARACTERS = 1000;
const MAX_URL_CHARACTERS = 3000;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PNG_START = 'iVBORw0KGgo';

/** Numbers of the exchanges of a check that are shown: the decisive one and those that led to it, in their order. */
export function shownExchanges(check: CheckOutcome): number[] {
  const most = SHOWN[check.verdict].exchanges;
  const all = check.exchanges;
  if (most === 0 || all.length <= most) return most === 0 ? [] : [...all];
  const decisive = check.decisive === undefined ? -1 : all.indexOf(check.decisive);
  const end = decisive === -1 ? most : Math.max(decisive + 1, most);
  return all.slice(end - most, end);
}

/** Collects what `results` call for; the events go in a second time. Memory is bounded by the limits above. */
export function evidenceFold(results: Results): EvidenceFold {
  const wanted = new Map<number, number>();
  const verdicts = new Map(results.checks.map((check) => [check.id, check.verdict]));
  const order = Object.keys(SHOWN);
  const byWeight = [...results.checks].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  for (const check of byWeight) {
    for (const n of shownExchanges(check)) {
      const characters = Math.max(wanted.get(n) ?? 0, SHOWN[check.verdict].bodyCharacters);
      if (wanted.has(n) || wanted.size < MAX_EXCHANGES) wanted.set(n, characters);
    }
  }
  const exchanges = new Map<number, Exchange>();
  const screenshots = new Map<string, Screenshot[]>();
  let screenshotCharacters = 0;
  return {
    add(event) {
      if (event.type === 'exchange') {
        const characters = wanted.get(event.n);
        if (characters !== undefined) exchanges.set(event.n, cut(event, characters));
      } else if (event.type === 'check') {
        const useful = (event.screenshots ?? []).filter(({ png }) => png.startsWith(PNG_START) && BASE64.test(png));
        const shown = verdicts.get(event.id) === 'pass' ? useful.slice(-2) : useful;
        for (const screenshot of shown) {
          screenshotCharacters += screenshot.png.length;
          if (screenshotCharacters > MAX_SCREENSHOT_CHARACTERS) return;
          screenshots.set(event.id, [...(screenshots.get(event.id) ?? []), screenshot]);
        }
      }
    },
    done: () => ({ exchanges, screenshots }),
  };
}

function cut(exchange: Exchange, bodyCharacters: number): Exchange {
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
