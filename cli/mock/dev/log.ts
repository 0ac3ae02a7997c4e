/**
 * What reached the service: each call and callback as it was received, without its secrets, with what a judgement of the
 * integrator would find wrong in it. The rules are those for recorded traffic; they see the request as it was sent.
 */
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import type { BodyText, Exchange } from '../../../contracts/run/events.ts';
import { TrafficFold } from '../../../contracts/traffic/index.ts';
import { createRecorder, type Recorder } from '../../../harness/evidence/recorder.ts';
import { createRedaction, type Redaction } from '../../../harness/evidence/redaction/index.ts';
import { HINT_HEADER } from '../../../mock/hints/request.ts';
import type { EarlyRefusal } from '../../../mock/http/early-refusals.ts';
import type { MockService } from '../../../mock/types/service.ts';
import { keysOf, secretsOf } from './secrets.ts';

/** A clause that a request breaks (`breaks`), or keeps only through undocumented leniency (`advises`). */
export interface ClauseFinding {
  readonly kind: 'breaks' | 'advises';
  readonly clause: string;
  readonly level: string;
  readonly message: string;
  readonly pointer?: string;
}

export interface LogEntry {
  readonly n: number;
  readonly exchange: Exchange;
  /** What the refusal said in its header. */
  readonly hint?: string;
  readonly wrong: readonly ClauseFinding[];
}

/** A request and its response, before anything is taken out. */
export interface Arrival {
  readonly at: Date;
  readonly durationMs: number;
  readonly method: string;
  readonly target: string;
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** The bytes where they are not UTF-8. */
  readonly body: string | Uint8Array;
  readonly response: Response;
  readonly responseText: string;
}

/** What is remembered: the latest of so many. */
const MAX_ENTRIES = 1_000;
/** No key that we know: it may be a real one that was sent here by mistake. */
const CREDENTIALS = /^(\S{1,20})\s+(\S.*)$/;

const LEVELS = new Map(CLAUSES.map(({ id, level }) => [id, level]));

/** A log of the requests that the service has received, with what is wrong in each; secrets are replaced by their names. */
export class RequestLog {
  readonly #service: MockService;
  readonly #redaction = createRedaction();
  readonly #keys: Record<string, string> = {};
  readonly #recorder: Recorder;
  #fold: TrafficFold;
  #entries: LogEntry[] = [];
  #recorded: Exchange | undefined;
  #count = 0;
  #found: ClauseFinding[] = [];

  constructor(service: MockService) {
    this.#service = service;
    this.#recorder = createRecorder({
      check: '',
      spool: (exchange) => {
        this.#recorded = exchange;
      },
      redaction: this.#redaction,
      // What is in a test service is not personal, and a developer wants to see it.
      showPersonalData: true,
      next: () => this.#count,
    });
    this.#fold = this.#newFold();
    this.#learn();
  }

  /** Knows every secret that is in the state at the moment it is asked for. */
  get redaction(): Redaction {
    this.#learn();
    return this.#redaction;
  }

  add(arrival: Arrival): LogEntry {
    const { origin } = this.#service;
    this.#begin();
    this.#fold.add(rawExchange(arrival, this.#count, origin));
    return this.#noted(arrival, origin + arrival.target);
  }

  /** A request that never reached the service. The rules don't see it: what is wrong with it is all in its hint. */
  async addEarly({ method, target, headers, response }: EarlyRefusal): Promise<LogEntry> {
    const at = new Date();
    const responseText = await response.clone().text();
    this.#begin();
    return this.#noted(
      { at, durationMs: 0, method: method || 'NOT HTTP', target, headers, body: '', response, responseText },
      addressOf(this.#service.origin, target),
    );
  }

  /** Oldest first; those after a number only, where one is given. */
  entries(after = 0): readonly LogEntry[] {
    return this.#entries.filter(({ n }) => n > after);
  }

  entry(number: number): LogEntry | undefined {
    return this.#entries.find(({ n }) => n === number);
  }

  /** Forgets the entries, and what the rules remember of them. Numbers go on. */
  clear(): void {
    this.#entries = [];
    this.#fold = this.#newFold();
  }

  #learn(): void {
    for (const secret of secretsOf(this.#service)) this.#redaction.add(secret);
    Object.assign(this.#keys, keysOf(this.#service));
  }

  #begin(): void {
    this.#learn();
    this.#count += 1;
    this.#found = [];
  }

  #newFold(): TrafficFold {
    const { origin } = this.#service;
    return new TrafficFold({
      party: 'integrator',
      keys: this.#keys,
      bases: [`${origin}/v1/`, `${origin}/api/`],
      headersComplete: true,
      onNote: (kind, clause, _n, finding) => {
        if ((kind !== 'breaks' && kind !== 'advises') || finding === undefined) return;
        const { message, pointer } = finding;
        this.#found.push({
          kind,
          clause,
          level: LEVELS.get(clause) ?? 'MUST',
          message: this.#redaction.text(message),
          ...(pointer === undefined ? {} : { pointer }),
        });
      },
    });
  }

  #noted({ at, durationMs, method, headers, body, response, responseText }: Arrival, url: string): LogEntry {
    this.#recorder.record({
      ...{ role: 'integrator', direction: 'received', at: at.getTime(), durationMs },
      request: {
        ...{ method, url },
        headers: [...headers].map(([name, value]) => [name, shownHeader(name, value, this.#redaction)]),
        ...(body.length === 0 ? {} : { body }),
      },
      response: {
        status: response.status,
        headers: [...response.headers],
        ...(responseText === '' ? {} : { body: responseText }),
      },
    });
    const hint = response.headers.get(HINT_HEADER);
    const entry: LogEntry = {
      n: this.#count,
      exchange: this.#recorded!,
      ...(hint === null ? {} : { hint: this.#redaction.text(hint) }),
      wrong: this.#found,
    };
    this.#entries.push(entry);
    if (this.#entries.length > MAX_ENTRIES) this.#entries = this.#entries.slice(-MAX_ENTRIES);
    return entry;
  }
}

/** The address that a request line names, which may be of another host, or none at all. */
function addressOf(origin: string, target: string): string {
  if (/^https?:\/\//i.test(target) && URL.canParse(target)) return target;
  return `${origin}${target.startsWith('/') ? '' : '/'}${target}`;
}

function shownHeader(name: string, value: string, redaction: Redaction): string {
  if (!/^(?:proxy-)?authorization$|^x-api-key$/i.test(name) || redaction.text(value) !== value) return value;
  const [, scheme, rest] = CREDENTIALS.exec(value) ?? [];
  const secret = rest ?? value;
  return `${scheme === undefined ? '' : `${scheme} `}(${secret.length} characters, no key of this service)`;
}

const bodyText = (body: string | Uint8Array): BodyText =>
  typeof body === 'string' ? { text: body } : { base64: Buffer.from(body).toString('base64') };

function rawExchange(arrival: Arrival, n: number, origin: string): Exchange {
  const { method, target, headers, body, response, responseText, at, durationMs } = arrival;
  return {
    type: 'exchange',
    n,
    check: '',
    role: 'integrator',
    direction: 'received',
    at: at.toISOString(),
    durationMs,
    request: {
      method,
      url: origin + target,
      headers: [...headers],
      ...(body.length === 0 ? {} : { body: bodyText(body) }),
    },
    response: {
      status: response.status,
      headers: [...response.headers],
      ...(responseText === '' ? {} : { body: { text: responseText } }),
    },
  };
}
