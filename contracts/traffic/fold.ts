/**
 * Judges recorded traffic exchange by exchange, in their order, and says for each clause how it came out. What it remembers has
 * a fixed size: traffic may be as long as it likes.
 */
import { AMID_FORGERIES, type Exchange } from '../run/events.ts';
import type { CallRules, RuleContext, ServiceRequest, TrafficFacts } from './call.ts';
import { type HeadersSeen, integratorRules } from './integrator/index.ts';
import { canPass, whyOpen } from './reach.ts';
import { type Candidate, candidatesOf, isEvidence, withoutVersion } from './reading/bases.ts';
import { JsonTexts } from './reading/json-texts.ts';
import { pageReader } from './reading/pages.ts';
import { comparable, SeenExchange } from './reading/seen.ts';
import { serviceRules } from './service/index.ts';
import { type ClauseTally, type NoteListener, Tally } from './tally.ts';

export interface TrafficOptions {
  /** Who is judged. */
  readonly party: 'service' | 'integrator';
  /** Keys and secrets by name; without them signatures are not judged. A name with "secret" in it is an app's secret. */
  readonly keys?: Readonly<Record<string, string>>;
  /** Addresses of the service's interfaces, each ending with `/v1/` or `/api/`; others are recognised by what goes to them. */
  readonly bases?: readonly string[];
  /** Every header was recorded: one that is missing was never sent. Default: false, as browsers leave some out. */
  readonly headersComplete?: boolean;
  /** The recording holds the whole traffic of the integration, from its first exchange to its last. Default: false. */
  readonly complete?: boolean;
  /** Languages of the website, where they are known. */
  readonly languages?: readonly string[];
  /** Hears of everything that any rule says, with the number of the exchange. */
  readonly onNote?: NoteListener;
}

export interface TrafficVerdicts {
  /** The clauses that any exchange was about. */
  readonly clauses: ReadonlyMap<string, ClauseTally>;
  readonly exchanges: number;
  /** Exchanges with an interface of the service, and requests to or from what integrators host. */
  readonly calls: number;
  readonly pages: number;
  /** The bases that were recognised, or named. */
  readonly bases: readonly string[];
}

export interface TrafficFold {
  /** Returns true when the exchange became evidence of a verdict, as far as that can be said before the end. */
  add(exchange: Exchange): boolean;
  /** To be called once, after the last exchange. */
  done(): TrafficVerdicts;
}

/** A place that may turn out to be an interface of the service. */
interface Room {
  readonly tally: Tally;
  readonly rules: CallRules;
  calls: number;
  recognised: boolean;
  /** Any of its calls was served. */
  served: boolean;
  readonly first: SeenExchange;
}

/** Hosts and paths that are examined without being recognised as a base; a recording of a browser may contain any number. */
const MAX_UNRECOGNISED = 64;
/** Requests to unknown paths that wait for their base to be recognised. */
const MAX_WAITING = 100;

/** What an integrator says there repeats the request that it received: of a forged one a callback has what was forged, and a call its order. */
const REPEATS_REQUESTS = /^provider\.(?:callback\.|calls\.wrapped-bodies$)/;

/** Judges exchanges one by one, as they are added in the order of their start. */
export function trafficFold(options: TrafficOptions): TrafficFold {
  const facts: TrafficFacts = {
    keys: options.keys ?? {},
    headersComplete: options.headersComplete ?? false,
    complete: options.complete ?? false,
    languages: options.languages ?? [],
  };
  const { onNote } = options;
  const named = new Set((options.bases ?? []).map((base) => comparable(base.replace(/(?<!\/)\/*$/, '/'))));
  const headers: HeadersSeen = { authorization: false };
  const rooms = new Map<string, Room>();
  let amidForgeries = false;
  const isHeard = (clause: string): boolean => !amidForgeries || !REPEATS_REQUESTS.test(clause);
  const pageTally = new Tally(onNote, isHeard);
  const pageContext: RuleContext = { notes: pageTally, facts };
  const rulesOfParty = options.party === 'service' ? serviceRules : integratorRules;
  const pages = rulesOfParty.pages(pageContext);
  const readPage = pageReader();
  const texts = new JsonTexts();
  const counts = { exchanges: 0, pages: 0 };
  /** Paths that no interface has, below bases that may turn out to be of the service. */
  const waiting: Array<{ readonly seen: SeenExchange; readonly candidates: readonly Candidate[] }> = [];

  const roomOf = (base: string, first: SeenExchange): Room | undefined => {
    const known = rooms.get(base);
    if (known !== undefined) return known;
    const unrecognised = [...rooms.values()].filter(({ recognised }) => !recognised).length;
    if (!named.has(base) && unrecognised >= MAX_UNRECOGNISED) return undefined;
    const tally = new Tally(onNote, isHeard);
    const rules = rulesOfParty.calls({ notes: tally, facts }, headers);
    const room: Room = { tally, rules, calls: 0, recognised: named.has(base), served: false, first };
    rooms.set(base, room);
    return room;
  };

  return {
    add(exchange) {
      counts.exchanges += 1;
      amidForgeries = exchange.role === AMID_FORGERIES;
      const seen = new SeenExchange(exchange, texts);
      if (seen.header('authorization') !== undefined) headers.authorization = true;
      const lost = options.party === 'integrator' ? withoutVersion(seen) : undefined;
      const candidates = [...candidatesOf(seen), ...(lost === undefined ? [] : [lost])];
      const [first] = candidates;
      if (first?.match !== undefined) return addCall(seen, first);
      const before = pageTally.examples;
      const visit = readPage(seen);
      if (visit !== undefined) {
        counts.pages += 1;
        pages.visit(visit);
        return pageTally.examples > before;
      }
      const stray = strayOf(candidates);
      if (stray !== undefined) return addCall(seen, stray);
      pages.other(seen);
      if (seen.method !== 'GET') for (const [base, { rules }] of rooms) if (isOfSite(seen, base)) rules.other(seen);
      if (candidates.length > 0 && waiting.length < MAX_WAITING) {
        waiting.push({ seen, candidates });
        return true;
      }
      return pageTally.examples > before;
    },
    done() {
      amidForgeries = false;
      for (const { seen, candidates } of waiting) {
        const stray = strayOf(candidates);
        if (stray !== undefined) addCall(seen, stray);
      }
      for (const [base, room] of rooms) {
        const outer = outerOf(base, room);
        if (outer === undefined) continue;
        rooms.delete(base);
        for (const candidate of candidatesOf(room.first).filter((one) => one.base === base)) {
          addCall(room.first, {
            ...candidate,
            base: outer,
            behind: room.first.path.slice(new URL(outer).pathname.length),
            match: undefined,
          });
        }
      }
      const all = new Tally();
      const bases: string[] = [];
      let calls = 0;
      for (const [base, room] of rooms) {
        if (!room.recognised) continue;
        room.rules.end();
        all.add(room.tally);
        bases.push(base);
        calls += room.calls;
      }
      all.add(pageTally);
      const clauses = new Map<string, ClauseTally>();
      for (const clause of all.clauses) {
        const { party } = options;
        const outcome = all.outcome(clause, {
          canPass: canPass(party, clause),
          otherwise: whyOpen(party, clause),
        });
        if (outcome !== undefined) clauses.set(clause, outcome);
      }
      return { clauses, exchanges: counts.exchanges, calls, pages: counts.pages, bases };
    },
  };

  function addCall(seen: SeenExchange, candidate: Candidate): boolean {
    const room = roomOf(candidate.base, seen);
    if (room === undefined) return false;
    room.calls += 1;
    room.recognised ||= isEvidence(candidate, seen);
    room.served ||= seen.status >= 200 && seen.status < 300;
    const operation = candidate.match?.operations.get(seen.method);
    const call: ServiceRequest = { seen, operation, ...candidate };
    const before = room.tally.examples + pageTally.examples;
    const isHeld = room.rules.call(call);
    pages.call(call);
    // The first one may turn out to be at a wrong address.
    return isHeld || room.calls === 1 || room.tally.examples + pageTally.examples > before;
  }

  /** A base within another one that exists only because a client joined a link wrongly: `…/v1/v1/`, where nothing was ever served. */
  function outerOf(base: string, { served }: Room): string | undefined {
    if (served || named.has(base)) return undefined;
    const isAround = (other: string): boolean =>
      /^(?:v1|api)\/$/.test(base.slice(other.length)) && base.startsWith(other);
    // One that was named is the service's, whatever was called below it.
    const known = [...named, ...[...rooms].flatMap(([other, room]) => (room.served ? [other] : []))];
    return known.find(isAround);
  }

  /** A path that no interface has counts below a base that is known already; the longest one where several are. */
  function strayOf(candidates: readonly Candidate[]): Candidate | undefined {
    const known = candidates.filter(({ base }) => named.has(base) || rooms.get(base)?.recognised === true);
    return known.toSorted((a, b) => b.base.length - a.base.length)[0];
  }
}

/** Whether a request went to the host of a base, or to another one under the same name. */
function isOfSite(seen: SeenExchange, base: string): boolean {
  const [site, other] = [seen.origin, base].map((address) =>
    URL.parse(address)?.hostname.split('.').slice(-2).join('.'),
  );
  return site !== undefined && site === other;
}

/** Judges traffic that is all there. */
export function judgeTraffic(exchanges: Iterable<Exchange>, options: TrafficOptions): TrafficVerdicts {
  const fold = trafficFold(options);
  for (const exchange of exchanges) fold.add(exchange);
  return fold.done();
}
