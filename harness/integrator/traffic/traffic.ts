/** The calls of an integrator during a precheck, judged by the rules for recorded traffic. */
import type { Exchange } from '../../../contracts/run/events.ts';
import { type ClauseTally, judgeTraffic, type TrafficVerdicts } from '../../../contracts/traffic/index.ts';
import { Inconclusive, Skipped } from '../../check/failures.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import type { IntegratorContext } from '../context.ts';
import type { Counterpart, Received } from '../counterpart.ts';

export interface ReceivedTraffic {
  readonly counterpart: Counterpart;
  /** The requests to judge; only answered ones. */
  readonly received: readonly Received[];
  /** The integration's own key: calls with another one are a fault. */
  readonly apiKey: Secret;
  /** Whether what was begun has come to its end: an upload that goes on is not a fault. */
  readonly complete: boolean;
  readonly languages?: readonly string[];
}

/** Judges requests as they were received, before anything is taken out of them. */
export function judgeReceived({
  counterpart,
  received,
  apiKey,
  complete,
  languages,
}: ReceivedTraffic): TrafficVerdicts {
  return judgeTraffic(
    received
      .filter(({ status }) => status !== undefined)
      .map((request, at) => exchangeOf(request, at, counterpart.origin)),
    {
      party: 'integrator',
      keys: { [apiKey.name]: apiKey.reveal() },
      bases: [counterpart.base],
      headersComplete: true,
      complete,
      ...(languages === undefined ? {} : { languages }),
    },
  );
}

/** Requests that are not in the record any more get numbers below zero, which no report shows. */
function exchangeOf(request: Received, at: number, origin: string): Exchange {
  const { method, target, headers, body, status, responseText, exchange } = request;
  return {
    type: 'exchange',
    n: exchange ?? -1 - at,
    check: '',
    role: 'integrator',
    direction: 'received',
    at: new Date(request.at).toISOString(),
    durationMs: request.durationMs ?? 0,
    request: {
      method,
      url: origin + target,
      headers: Object.entries(headers),
      ...(body === '' ? {} : { body: { text: body } }),
    },
    response: {
      status: status ?? 0,
      headers: [['content-type', 'application/json']],
      ...(responseText === undefined || responseText === '' ? {} : { body: { text: responseText } }),
    },
  };
}

/** Asserts that a clause was kept in the traffic. */
export function expectKept(context: IntegratorContext, tally: ClauseTally): void {
  context.restOn(tally.exchanges);
  if (tally.verdict === 'inconclusive') throw new Inconclusive(tally.reason, tally.attribution ?? 'target');
  const { finding, decisive } = tally;
  context.expect.that(tally.verdict === 'pass', tally.reason, {
    ...(finding?.expected === undefined ? {} : { expected: finding.expected }),
    ...(finding?.actual === undefined ? {} : { actual: finding.actual }),
    ...(finding?.pointer === undefined ? {} : { pointer: finding.pointer }),
    ...(decisive === undefined || decisive < 0 ? {} : { exchange: decisive }),
  });
}

/**
 * Warns of what is legal in the traffic and works only because the service is lenient. Of the clauses that calls may keep so, those are decided that the
 * traffic is about, and a warning only about those that were kept by leniency.
 */
export function warnOfLeniency(context: IntegratorContext, traffic: TrafficVerdicts, clauses: readonly string[]): void {
  const met = clauses.flatMap((clause) => traffic.clauses.get(clause) ?? []);
  if (met.length === 0) throw new Skipped('the integration made no call that could rely on undocumented leniency');
  context.decided = met.map(({ clause }) => clause);
  const lenient = met.flatMap(({ clause, advice }) => (advice === undefined ? [] : [{ clause, ...advice }]));
  const [first] = lenient;
  context.restOn(lenient.flatMap(({ exchanges }) => exchanges));
  context.expect.that(first === undefined, `${lenient.map(({ finding }) => finding.message).join('. ')}.`, {
    clauses: lenient.map(({ clause }) => clause),
    ...(first === undefined ? {} : { expected: first.finding.expected, actual: first.finding.actual }),
  });
}
