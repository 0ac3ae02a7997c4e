/**
 * The vocabulary of assertions. A check states one; each throws `AssertionFailure` when the target is at fault.
 * The count of what was asserted is kept: a check that asserted nothing is an error of ours, never a pass.
 */
import { isDeepStrictEqual } from 'node:util';
import pMap from 'p-map';
import { cutRedacted } from '../evidence/cut.ts';
import { NoResponse } from '../target/client/no-response.ts';
import { differences, type ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import { GATEWAY_STATUSES } from '../target/response/gateway.ts';
import { isRefusalOfPromise, isRefused, isServed, type Refusal } from '../target/response/judge-response.ts';
import { AssertionFailure, type Evidence, GivenFailure, Inconclusive } from './failures.ts';

export type Send = (call: ServiceRequest, role?: string) => Promise<ServiceResponse>;

/** A fault as the pure rules of contracts/ report it. */
export interface Fault {
  readonly message: string;
  readonly pointer?: string | undefined;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

export interface RefusalProof {
  /** The clause under which the valid call is accepted; named when the control is refused. */
  readonly clause: string;
  /** What was changed, for the report: `one character of the key`. */
  readonly change: string;
  /** How the control is known to be accepted; by default: any 2xx that is not an error envelope. */
  readonly accepted?: (response: ServiceResponse) => boolean;
  /**
   * By default the valid call follows the altered ones, so that both meet the same state. `beside`: it reads and changes nothing, and goes
   * out at the same time. A response: it was sent just before.
   */
  readonly control?: 'first' | 'beside' | ServiceResponse;
  /** The contract promises that the valid call works, whatever is in it: its refusal counts against the target. */
  readonly isPromised?: true;
  /** The altered calls follow each other: a service may lock logins after some wrong ones, and how many it counts at once is its affair. */
  readonly oneByOne?: true;
  /** Sends further calls at the same time as the altered ones; it is judged after them. */
  readonly beside?: () => Promise<unknown>;
  /** Runs after the refusals and before the control, which may change what it looks at: did the refused calls do anything? */
  readonly meanwhile?: () => Promise<void>;
}

/** One way to alter a valid call, in exactly one place. */
export interface Probe {
  /** For the report: `one character of the key`. */
  readonly change: string;
  readonly mutate: (call: ServiceRequest) => ServiceRequest;
}

/** Assertions about anything: facts of a page, a file, traffic that was received. */
export class Assertions {
  asserted = 0;

  /** Asserts `holds`; the message says what should have been, in a sentence. */
  that(holds: boolean, message: string, evidence: Evidence = {}): void {
    this.asserted += 1;
    if (!holds) throw new AssertionFailure(message, evidence);
  }

  /** Asserts that two JSON values are equal (order of object members aside). */
  equal(actual: unknown, expected: unknown, message: string, evidence: Evidence = {}): void {
    this.that(isDeepStrictEqual(plain(actual), plain(expected)), message, { expected, actual, ...evidence });
  }

  /** Asserts that a pure rule found nothing; the first fault is reported, the others are counted. */
  noFaults(faults: readonly Fault[], message: string, evidence: Evidence = {}): void {
    const [first] = faults;
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
    this.that(first === undefined, `${message}: ${first?.message}${more}`, {
      ...(first?.expected === undefined ? {} : { expected: first.expected }),
      ...(first?.actual === undefined ? {} : { actual: first.actual }),
      ...(first?.pointer === undefined ? {} : { pointer: first.pointer }),
      ...evidence,
    });
  }
}

/** Assertions of a check that sends calls to a target. */
export class Expect extends Assertions {
  readonly #send: Send;

  constructor(send: Send) {
    super();
    this.#send = send;
  }

  /** Asserts that a call was served: 2xx and not an error envelope. */
  accepted(response: ServiceResponse, message: string): void {
    const refusedChoice = isRefused(response) === 'refused' ? ({ refusedChoice: true } as const) : {};
    const evidence = {
      expected: 'a successful response',
      actual: summary(response),
      response,
      ...refusedChoice,
    };
    this.that(isServed(response), message, evidence);
  }

  /** The same for a call that the contract promises to serve, whatever is in it: 100 points, a language of the website, a read. */
  served(response: ServiceResponse, message: string): void {
    this.that(isServed(response), message, {
      expected: 'a successful response',
      actual: summary(response),
      response,
    });
  }

  /**
   * Asserts that a call is refused while its control request, exactly one difference away, is accepted.
   * An accepted probe fails; a refused control makes the check inconclusive, because then the refusal proves nothing.
   * Returns both responses.
   */
  async refuses(
    valid: ServiceRequest,
    mutate: (call: ServiceRequest) => ServiceRequest,
    proof: RefusalProof,
  ): Promise<{ control: ServiceResponse; probe: ServiceResponse; refusal: Refusal }> {
    const { control, probes } = await this.refusesEach(valid, [{ change: proof.change, mutate }], proof);
    return { control, ...probes[0]! };
  }

  /** The same for several altered copies of one call, which share its control. */
  async refusesEach(
    valid: ServiceRequest,
    probes: readonly Probe[],
    proof: Omit<RefusalProof, 'change'>,
  ): Promise<{ control: ServiceResponse; probes: { probe: ServiceResponse; refusal: Refusal }[] }> {
    const sendControl = (): Promise<ServiceResponse> => this.#send(valid, 'control');
    const early =
      typeof proof.control === 'object' ? proof.control : proof.control === 'first' ? await sendControl() : undefined;
    const [head, ...rest] = probes;
    // The others directly after a refusal: what one leaves behind, such as a caller that is known by then, may open the door to the next.
    const alone = rest.length > 0 ? [await settled(this.#refused(valid, head!))] : [];
    // Refused calls have no effect, so their order makes no difference.
    const [others, beside, together] = await Promise.all([
      pMap(rest.length > 0 ? rest : probes, (one) => settled(this.#refused(valid, one)), {
        concurrency: proof.oneByOne === true ? 1 : PROBES_AT_ONCE,
      }),
      settled(proof.beside?.() ?? Promise.resolve()),
      settled(proof.control === 'beside' ? sendControl() : Promise.resolve(early)),
    ]);
    const judged = [...alone, ...others];
    const refused = judged.map((one) => {
      if ('error' in one) throw one.error;
      return one.value;
    });
    if ('error' in beside) throw beside.error;
    await proof.meanwhile?.();
    if ('error' in together) throw together.error;
    const control = together.value ?? (await sendControl());
    if (!(proof.accepted ?? isServed)(control)) {
      throw new GivenFailure(
        `the same call without the change was not accepted either (${summary(control)}), so the refusal proves nothing`,
        proof.clause,
        { response: control },
        isServed(control) || (proof.isPromised === true && isRefusalOfPromise(control)) ? 'deviation' : 'refusal',
      );
    }
    const all: RefusedProbe[] = [];
    for (const one of refused) {
      const isFinal = one.refusal !== 'unavailable' || together.value !== undefined;
      all.push(isFinal ? one : await this.#refused(valid, one, true));
    }
    const unavailable = all.find(({ refusal }) => refusal === 'unavailable');
    if (unavailable !== undefined) throw notAvailable(unavailable.probe);
    return { control, probes: all };
  }

  /**
   * The response to a call that a service may refuse. Where it is a gateway's, `valid` is sent, and then the call once more: the target is
   * there, and only this call is answered so.
   */
  async responseTo(call: ServiceRequest, what: string, valid: ServiceRequest): Promise<ServiceResponse> {
    const response = await this.#responseTo(call);
    if (isRefused(response) !== 'unavailable') return response;
    if (!isServed(await this.#send(valid, 'control'))) throw notAvailable(response);
    return this.#refusalBeyondGateway(call, what);
  }

  /** `isAfterControl`: the call was answered by a gateway twice, and the control was served since then. */
  async #refused(valid: ServiceRequest, proof: Probe, isAfterControl = false): Promise<RefusedProbe> {
    const { change, mutate } = proof;
    const altered = mutate(valid);
    const changes = differences(valid, altered);
    if (changes.length !== 1) {
      throw new Error(
        `A refusal must differ from its control in one place; "${change}" differs in ${changes.length}: ${changes.join(', ')}.`,
      );
    }
    const probe = isAfterControl
      ? await this.#refusalBeyondGateway(altered, `a call with ${change}`)
      : await this.#responseTo(altered);
    const refusal = isRefused(probe);
    this.that(refusal !== 'served', `must refuse a call with ${change}`, {
      expected: 'a refusal: 4XX or 5XX with the error envelope',
      actual: summary(probe),
      pointer: changes[0]!.replace(/^\//, '').replace('/', ' '),
      response: probe,
    });
    return { ...proof, probe, refusal };
  }

  /** Once more where no response of the service comes: whether the first call was carried out does not matter to a refusal. */
  async #responseTo(altered: ServiceRequest): Promise<ServiceResponse> {
    const probe = await this.#orOfGateway(altered);
    return probe !== undefined && isRefused(probe) !== 'unavailable' ? probe : this.#orOfGateway(altered, true);
  }

  /** The response, also where it is a gateway's; undefined, or an error if it is the `last` try, where there was none. */
  async #orOfGateway(call: ServiceRequest, last: true): Promise<ServiceResponse>;
  async #orOfGateway(call: ServiceRequest): Promise<ServiceResponse | undefined>;
  async #orOfGateway(call: ServiceRequest, last?: true): Promise<ServiceResponse | undefined> {
    try {
      return await this.#send(call, 'probe');
    } catch (error) {
      if (!(error instanceof NoResponse && error.isLost)) throw error;
      if (last === true && error.gatewayResponse === undefined) throw error;
      return error.gatewayResponse;
    }
  }

  /**
   * The response to a call that a gateway has answered before another call was served. One that a gateway answers after it as well is
   * answered so each time: this is how the target refuses it, without the envelope.
   */
  async #refusalBeyondGateway(call: ServiceRequest, what: string): Promise<ServiceResponse> {
    const response = await this.#orOfGateway(call, true);
    if (isRefused(response) !== 'unavailable' || !GATEWAY_STATUSES.has(response.status)) return response;
    throw new GivenFailure(
      `${what} is answered without the error envelope each time (${summary(response)}), while others are served`,
      call.api === 'v1' ? 'envelope.v1.error-true' : 'envelope.reseller.error-true',
      { expected: 'the error envelope', actual: summary(response), response },
    );
  }
}

const notAvailable = (response: ServiceResponse): Inconclusive =>
  new Inconclusive(
    `the target was not available for the altered call (${summary(response)}): run again when it responds`,
    'network',
  );

interface RefusedProbe extends Probe {
  readonly probe: ServiceResponse;
  readonly refusal: Refusal;
}

/** The end of a promise, as a value: several are awaited, and then judged in order. */
const settled = <T>(promise: Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> =>
  promise.then((value) => ({ value })).catch((error: unknown) => ({ error }));

/** All bad credentials of one call: a browser opens about as many connections to one host. */
const PROBES_AT_ONCE = 8;

/** Characters of a response that a sentence quotes. */
const MAX_QUOTED_CHARS = 300;
/** Of an indented response so much is read for it. */
const MAX_READ_CHARS = 2_000;

/** One line on a response: `200 {"error":false}`, `500 without a body`. Secrets are taken out before it is cut. */
export function summary(response: ServiceResponse): string {
  const text = cutRedacted(response.text, MAX_READ_CHARS, response.redact ?? ((unrecorded) => unrecorded));
  // On one line: a reason is a sentence, and some services indent their JSON.
  const parts = text.split('\n').map((part) => part.trim());
  const line = parts.filter((part) => part !== '').join(' ');
  if (line === '') return `${response.status} without a body`;
  return `${response.status} ${line.length > MAX_QUOTED_CHARS ? `${line.slice(0, MAX_QUOTED_CHARS).toWellFormed()}…` : line}`;
}

/** Objects of other realms and with null prototypes compare as plain JSON. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, plain(member)]),
  );
}
