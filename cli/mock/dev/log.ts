/**
 * What reached the service: each call and callback as it was received, without its secrets, with what a judgement of the
 * integrator would find wrong in it. The rules are those for recorded traffic; they see the request as it was sent.
 */
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import type { BodyText, Exchange } from '../../../contracts/run/events.ts';
import { TrafficFold } from '../../../contracts/traffic/index.ts';
import { createRecorder } from '../../../harness/evidence/recorder.ts';
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

export interface RequestLog {
  /** Knows every secret that is in the state at the moment it is asked for. */
  readonly redaction: Redaction;
  add(arrival: Arrival): LogEntry;
  /** A request that never reached the service. The rules don't see it: what is wrong with it is all in its hint. */
  addEarly(refusal: EarlyRefusal): Promise<LogEntry>;
  /** Oldest first; those after a number only, where one is given. */
  entries(after?: number): readonly LogEntry[];
  entry(n: number): LogEntry | undefined;
  /** Forgets the entries, and what the rules remember of them. Numbers go on. */
  clear(): void;
}

/** What is remembered: the latest of so many. */
const MAX_ENTRIES = 1_000;
/** No key that we know: it may be a real one that was sent here by mistake. */
const CREDENTIALS = /^(\S{1,20})\s+(\S.*)$/;

const LEVELS = new Map(CLAUSES.map(({ id, level }) => [id, level]));

/** A log of the requests that the service has received, with what is wrong in each; secrets are replaced by their names. */
export function createLog(service: MockService): RequestLog {
  const redaction = createRedaction();
  const keys: Record<string, string> = {};
  const learn = (): void => {
    for (const secret of secretsOf(service)) redaction.add(secret);
    Object.assign(keys, keysOf(service));
  };
  let entries: LogEntry[] = [];
  let recorded: Exchange | undefined;
  let count = 0;
  let found: ClauseFinding[] = [];
  const recorder = createRecorder({
    check: '',
    spool: (exchange) => {
      recorded = exchange;
    },
    redaction,
    // What is in a test service is not personal, and a developer wants to see it.
    showPersonalData: true,
    next: () => count,
  });
  const newFold = (): TrafficFold =>
    new TrafficFold({
      party: 'integrator',
      keys,
      bases: [`${service.origin}/v1/`, `${service.origin}/api/`],
      headersComplete: true,
      onNote: (kind, clause, _n, finding) => {
        if ((kind !== 'breaks' && kind !== 'advises') || finding === undefined) return;
        const { message, pointer } = finding;
        const level = LEVELS.get(clause) ?? 'MUST';
        found.push({
          kind,
          clause,
          level,
          message: redaction.text(message),
          ...(pointer === undefined ? {} : { pointer }),
        });
      },
    });
  let fold = newFold();
  learn();
  const noted = (arrival: Arrival, url: string): LogEntry => {
    recorder.record({
      role: 'integrator',
      direction: 'received',
      at: arrival.at.getTime(),
      durationMs: arrival.durationMs,
      request: {
        method: arrival.method,
        url,
        headers: [...arrival.headers].map(([name, value]) => [name, shownHeader(name, value, redaction)]),
        ...(arrival.body.length === 0 ? {} : { body: arrival.body }),
      },
      response: {
        status: arrival.response.status,
        headers: [...arrival.response.headers],
        ...(arrival.responseText === '' ? {} : { body: arrival.responseText }),
      },
    });
    const hint = arrival.response.headers.get(HINT_HEADER);
    const entry: LogEntry = {
      n: count,
      exchange: recorded!,
      ...(hint === null ? {} : { hint: redaction.text(hint) }),
      wrong: found,
    };
    entries.push(entry);
    if (entries.length > MAX_ENTRIES) entries = entries.slice(-MAX_ENTRIES);
    return entry;
  };

  return {
    get redaction() {
      learn();
      return redaction;
    },
    add(arrival) {
      learn();
      count += 1;
      found = [];
      fold.add(rawExchange(arrival, count, service.origin));
      return noted(arrival, service.origin + arrival.target);
    },
    async addEarly({ method, target, headers, response }) {
      const at = new Date();
      const responseText = await response.clone().text();
      learn();
      count += 1;
      found = [];
      const body = '';
      return noted(
        { at, durationMs: 0, method: method || 'NOT HTTP', target, headers, body, response, responseText },
        addressOf(service.origin, target),
      );
    },
    entries: (after = 0) => entries.filter(({ n }) => n > after),
    entry: (number) => entries.find(({ n }) => n === number),
    clear() {
      entries = [];
      fold = newFold();
    },
  };
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
