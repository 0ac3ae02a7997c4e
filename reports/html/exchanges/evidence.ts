/**
 * What the HTML report shows beside the results: the exchanges that findings rest on, as text; all exchanges, packed;
 * screenshots; sequences; and what the plots count. Which exchanges and screenshots are shown, the results say at the end.
 */
import type { Exchange, RunEvent } from '../../../contracts/run/events.ts';
import type { Verdict } from '../../../contracts/run/verdicts.ts';
import type { CheckOutcome, Results } from '../../results/index.ts';
import { type Tally, TallyWriter } from '../timing/tally.ts';
import { type Archive, ArchiveWriter } from './archive.ts';
import { cutExchange } from './cut.ts';
import { type Hop, hopOf, isSequence } from './hops.ts';

export interface Screenshot {
  readonly title: string;
  /** PNG as base64, checked to be nothing else. */
  readonly png: string;
}

export interface Evidence {
  /** Those that the page contains as text. */
  readonly exchanges: ReadonlyMap<number, Exchange>;
  /** All of them, for the script. */
  readonly archive: Archive;
  /** By id of the check. */
  readonly screenshots: ReadonlyMap<string, readonly Screenshot[]>;
  /** By id of the check; only of checks that met a sequence. */
  readonly sequences: ReadonlyMap<string, readonly Hop[]>;
  readonly tally: Tally;
}

export interface EvidenceFold {
  add(event: RunEvent): void;
  /**
   * Ends the fold for these results.
   *
   * @param exchangesOf gives the exchanges of these numbers once more, in the order of the events: until the results are
   *   there, it is unknown which they are, and all of them are too many to keep
   */
  done(results: Results, exchangesOf: (numbers: ReadonlySet<number>) => Iterable<Exchange>): Evidence;
}

/** Folds events that are all there. */
export function foldEvidence(events: readonly RunEvent[], results: Results): Evidence {
  const fold = evidenceFold();
  for (const event of events) fold.add(event);
  return fold.done(results, (numbers) =>
    events.filter((event): event is Exchange => event.type === 'exchange' && numbers.has(event.n)),
  );
}

/** Exchanges of one check that the page contains as text: the decisive one last. */
const SHOWN: Readonly<Record<Verdict, number>> = {
  fail: 3,
  error: 3,
  warn: 1,
  inconclusive: 0,
  observed: 0,
  pass: 0,
  'not-applicable': 0,
};
const MAX_SHOWN_BODY_CHARACTERS = 40_000;
const MAX_PACKED_BODY_CHARACTERS = 20_000;
/** Over the whole report; checks that matter most are served first. */
const MAX_EXCHANGES = 200;
const MAX_SCREENSHOT_CHARACTERS = 12_000_000;
/** Checks whose exchanges are kept until it shows whether they are a sequence, and how many of each. */
const MAX_HOPS_OF_CHECK = 60;
const MAX_SEQUENCES = 80;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const PNG_START = 'iVBORw0KGgo';

/** Numbers of the exchanges of a check that the page contains: the decisive one and those that led to it, in their order. */
export function shownExchanges(check: CheckOutcome): number[] {
  const most = SHOWN[check.verdict];
  const all = check.exchanges;
  if (most === 0 || all.length <= most) return most === 0 ? [] : [...all];
  const decisive = check.decisive === undefined ? -1 : all.indexOf(check.decisive);
  const end = decisive === -1 ? most : Math.max(decisive + 1, most);
  return all.slice(end - most, end);
}

/** Collects what results may call for. Memory is bounded by the limits above and by those of the archive. */
export function evidenceFold(): EvidenceFold {
  const screenshots = new Map<string, Screenshot[]>();
  const hops = new Map<string, Hop[]>();
  const archive = new ArchiveWriter();
  let tally = new TallyWriter([]);
  let sequences = 0;
  let screenshotCharacters = 0;
  return {
    add(event) {
      if (event.type === 'header') tally = new TallyWriter(Object.values(event.target.addresses ?? {}));
      else if (event.type === 'exchange') {
        archive.add(cutExchange(event, MAX_PACKED_BODY_CHARACTERS));
        tally.add(event);
        const known = hops.get(event.check) ?? [];
        if (known.length < MAX_HOPS_OF_CHECK) hops.set(event.check, [...known, hopOf(event)]);
      } else if (event.type === 'check') {
        const own = hops.get(event.id);
        if (own !== undefined) {
          if (isSequence(own) && sequences < MAX_SEQUENCES) sequences += 1;
          else hops.delete(event.id);
        }
        const useful = (event.screenshots ?? []).filter(({ png }) => png.startsWith(PNG_START) && BASE64.test(png));
        const shown = event.verdict === 'pass' ? useful.slice(-2) : useful;
        for (const screenshot of shown) {
          screenshotCharacters += screenshot.png.length;
          if (screenshotCharacters > MAX_SCREENSHOT_CHARACTERS) return;
          screenshots.set(event.id, [...(screenshots.get(event.id) ?? []), screenshot]);
        }
      }
    },
    done: (results, exchangesOf) => ({
      exchanges: new Map(
        [...exchangesOf(wantedOf(results))].map((one) => [one.n, cutExchange(one, MAX_SHOWN_BODY_CHARACTERS)]),
      ),
      archive: archive.done(),
      screenshots,
      sequences: new Map([...hops].filter(([, own]) => isSequence(own))),
      tally: tally.done(),
    }),
  };
}

function wantedOf(results: Results): Set<number> {
  const order = Object.keys(SHOWN);
  const byWeight = [...results.checks].sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict));
  return new Set(byWeight.flatMap(shownExchanges).slice(0, MAX_EXCHANGES));
}
