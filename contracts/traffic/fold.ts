/**
 * Judges recorded traffic exchange by exchange, in their order, and says for each clause how it came out. What it remembers has
 * a fixed size: traffic may be as long as it likes.
 */
import { AMID_FORGERIES, type Exchange } from '../run/events.ts';
import type { CallRules, ServiceRequest, TrafficFacts } from './call.ts';
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
export class TrafficFold {
  readonly #options: TrafficOptions;
  readonly #facts: TrafficFacts;
  readonly #named: ReadonlySet<string>;
  readonly #rules: typeof serviceRules | typeof integratorRules;
  readonly #headers: HeadersSeen = { authorization: false };
  readonly #rooms = new Map<string, Room>();
  readonly #pageTally: Tally;
  readonly #pages: ReturnType<typeof serviceRules.pages>;
  readonly #readPage = pageReader();
  readonly #texts = new JsonTexts();
  /** Paths that no interface has, below bases that may turn out to be of the service. */
  readonly #waiting: Array<{ readonly seen: SeenExchange; readonly candidates: readonly Candidate[] }> = [];
  #exchanges = 0;
  #pageCount = 0;
  #isAmidForgeries = false;

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#facts = {
      keys: options.keys ?? {},
      headersComplete: options.headersComplete ?? false,
      complete: options.complete ?? false,
      languages: options.languages ?? [],
    };
    this.#named = new Set((options.bases ?? []).map((base) => comparable(base.replace(/(?<!\/)\/*$/, '/'))));
    this.#rules = options.party === 'service' ? serviceRules : integratorRules;
    this.#pageTally = this.#newTally();
    this.#pages = this.#rules.pages({ notes: this.#pageTally, facts: this.#facts });
  }

  /** Returns true when the exchange became evidence of a verdict, as far as that can be said before the end. */
  add(exchange: Exchange): boolean {
    this.#exchanges += 1;
    this.#isAmidForgeries = exchange.role === AMID_FORGERIES;
    const seen = new SeenExchange(exchange, this.#texts);
    if (seen.header('authorization') !== undefined) this.#headers.authorization = true;
    const lost = this.#options.party === 'integrator' ? withoutVersion(seen) : undefined;
    const candidates = [...candidatesOf(seen), ...(lost === undefined ? [] : [lost])];
    const [first] = candidates;
    if (first?.match !== undefined) return this.#addCall(seen, first);
    const before = this.#pageTally.examples;
    const visit = this.#readPage(seen);
    if (visit !== undefined) {
      this.#pageCount += 1;
      this.#pages.visit(visit);
      return this.#pageTally.examples > before;
    }
    const stray = this.#strayOf(candidates);
    if (stray !== undefined) return this.#addCall(seen, stray);
    this.#pages.other(seen);
    if (seen.method !== 'GET') for (const [base, { rules }] of this.#rooms) if (isOfSite(seen, base)) rules.other(seen);
    if (candidates.length > 0 && this.#waiting.length < MAX_WAITING) {
      this.#waiting.push({ seen, candidates });
      return true;
    }
    return this.#pageTally.examples > before;
  }

  /** To be called once, after the last exchange. */
  done(): TrafficVerdicts {
    this.#isAmidForgeries = false;
    for (const { seen, candidates } of this.#waiting) {
      const stray = this.#strayOf(candidates);
      if (stray !== undefined) this.#addCall(seen, stray);
    }
    this.#moveToOuterBases();
    const all = new Tally();
    const bases: string[] = [];
    let calls = 0;
    for (const [base, room] of this.#rooms) {
      if (!room.recognised) continue;
      room.rules.end();
      all.add(room.tally);
      bases.push(base);
      calls += room.calls;
    }
    all.add(this.#pageTally);
    return { clauses: this.#outcomes(all), exchanges: this.#exchanges, calls, pages: this.#pageCount, bases };
  }

  #outcomes(all: Tally): Map<string, ClauseTally> {
    const { party } = this.#options;
    const clauses = new Map<string, ClauseTally>();
    for (const clause of all.clauses) {
      const outcome = all.outcome(clause, { canPass: canPass(party, clause), otherwise: whyOpen(party, clause) });
      if (outcome !== undefined) clauses.set(clause, outcome);
    }
    return clauses;
  }

  #newTally(): Tally {
    const isHeard = (clause: string): boolean => !this.#isAmidForgeries || !REPEATS_REQUESTS.test(clause);
    return new Tally(this.#options.onNote, isHeard);
  }

  #addCall(seen: SeenExchange, candidate: Candidate): boolean {
    const room = this.#roomOf(candidate.base, seen);
    if (room === undefined) return false;
    room.calls += 1;
    room.recognised ||= isEvidence(candidate, seen);
    room.served ||= seen.status >= 200 && seen.status < 300;
    const operation = candidate.match?.operations.get(seen.method);
    const call: ServiceRequest = { seen, operation, ...candidate };
    const before = room.tally.examples + this.#pageTally.examples;
    const isHeld = room.rules.call(call);
    this.#pages.call(call);
    // The first one may turn out to be at a wrong address.
    return isHeld || room.calls === 1 || room.tally.examples + this.#pageTally.examples > before;
  }

  #roomOf(base: string, first: SeenExchange): Room | undefined {
    const known = this.#rooms.get(base);
    if (known !== undefined) return known;
    const unrecognised = [...this.#rooms.values()].filter(({ recognised }) => !recognised).length;
    const recognised = this.#named.has(base);
    if (!recognised && unrecognised >= MAX_UNRECOGNISED) return undefined;
    const tally = this.#newTally();
    const rules = this.#rules.calls({ notes: tally, facts: this.#facts }, this.#headers);
    const room: Room = { tally, rules, calls: 0, recognised, served: false, first };
    this.#rooms.set(base, room);
    return room;
  }

  /** Judges the first call of each base that exists only because a client joined a link wrongly as one below the base around it. */
  #moveToOuterBases(): void {
    for (const [base, room] of this.#rooms) {
      const outer = this.#outerOf(base, room);
      if (outer === undefined) continue;
      this.#rooms.delete(base);
      const { first } = room;
      const behind = first.path.slice(new URL(outer).pathname.length);
      for (const candidate of candidatesOf(first).filter((one) => one.base === base))
        this.#addCall(first, { ...candidate, base: outer, behind, match: undefined });
    }
  }

  /** The base around such a one, as in `…/v1/v1/`, where nothing was ever served. */
  #outerOf(base: string, { served }: Room): string | undefined {
    if (served || this.#named.has(base)) return undefined;
    const isAround = (other: string): boolean =>
      /^(?:v1|api)\/$/.test(base.slice(other.length)) && base.startsWith(other);
    // One that was named is the service's, whatever was called below it.
    const known = [...this.#named, ...[...this.#rooms].flatMap(([other, room]) => (room.served ? [other] : []))];
    return known.find(isAround);
  }

  /** A path that no interface has counts below a base that is known already; the longest one where several are. */
  #strayOf(candidates: readonly Candidate[]): Candidate | undefined {
    const isKnown = ({ base }: Candidate): boolean =>
      this.#named.has(base) || this.#rooms.get(base)?.recognised === true;
    return candidates.filter(isKnown).toSorted((a, b) => b.base.length - a.base.length)[0];
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
  const fold = new TrafficFold(options);
  for (const exchange of exchanges) fold.add(exchange);
  return fold.done();
}
