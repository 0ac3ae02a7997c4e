/** Sends the calls of a check, and notes what each response means for it: for its clean-up, for another try, by itself. */
import { operationAt } from '../../../contracts/operations/match.ts';
import type { JsonTexts } from '../../../contracts/traffic/index.ts';
import type { CleanupScope } from '../../cleanup/undo/scope.ts';
import { type CallSubject, subjectOf } from '../../plain/refusals/calls-on-points.ts';
import type { Choices } from '../../plain/refusals/choices.ts';
import type { RefusedCalls } from '../../plain/refused-calls.ts';
import { COUNTRY_OF_CHECKS } from '../../plain/stand-ins/home-country.ts';
import type { Completion } from '../../plain/stand-ins/stand-ins.ts';
import { passingRefusal } from '../../resources/refusals/passing-refusal.ts';
import { recheckRefusal } from '../../resources/refusals/recheck-refusal.ts';
import type { Resources } from '../../resources/resources.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { OutgoingRequest, ServiceResponse } from '../../target/client/types.ts';
import { requestOf } from '../../target/network/wire.ts';
import { breachesOf } from '../../target/response/breaches.ts';
import { GATEWAY_STATUSES } from '../../target/response/gateway.ts';
import { isRefusalOfPromise, isRefused, isServed, refusesMethod } from '../../target/response/judge-response.ts';
import type { ContextOptions } from '../context-options.ts';
import type { CallsOfCheck } from '../findings/calls-together.ts';
import type { Findings } from '../findings/index.ts';
import { otherThanStated } from '../findings/stated-values.ts';
import { servedWithoutCredentials } from '../findings/wrong-credentials.ts';
import { refusalOf } from '../refusal.ts';
import { completed, readBefore, TitlesTaken } from './complete-update.ts';
import { isReadWithTokenOnly, isSafe } from './reading-calls.ts';

/** The role of a read whose response stays as it came, for what other parts of the service show as well. */
export const AS_SHOWN = 'read as shown';

/** The role of a read that may show what the check itself has set against the contract: its response is not judged by itself. */
export const AS_SET = 'read as set';

/** Whether a call reads one method or one point. */
function isReadOfOne(call: ServiceRequest): boolean {
  const { kind, id } = subjectOf(call);
  return call.method === 'GET' && (kind === 'method' || (kind === 'point' && id !== undefined));
}

/** The check that sends. */
export interface SendingCheck extends Pick<Findings, 'breaches' | 'exchanges' | 'latest' | 'note'> {
  readonly resources: Resources;
  readonly choices: Choices;
  readonly refused: RefusedCalls;
  readonly refusedForState: Map<ServiceResponse, string>;
  readonly given: { readonly country: string };
  readonly mayShare: boolean;
  wasAway: boolean;
}

export interface SenderParts {
  readonly options: ContextOptions;
  readonly undoing: CleanupScope;
  readonly calls: CallsOfCheck;
  /** Shared with `calls`, so that each body is read once. */
  readonly texts: JsonTexts;
}

export class CallSender {
  readonly #context: SendingCheck;
  readonly #resources: Resources;
  readonly #options: ContextOptions;
  readonly #undoing: CleanupScope;
  readonly #calls: CallsOfCheck;
  readonly #texts: JsonTexts;
  readonly #changes = new ChangesUnderWay();
  /** The fields of the latest method and the latest point that the target has taken, or shown before an update. */
  readonly #latest = new Map<CallSubject['kind'], unknown>();
  /** The bodies of methods and points as they were read last, by path. */
  readonly #shown = new Map<string, unknown>();
  readonly #titles = new TitlesTaken();

  constructor(context: SendingCheck, { options, undoing, calls, texts }: SenderParts) {
    this.#context = context;
    this.#resources = context.resources;
    this.#options = options;
    this.#undoing = undoing;
    this.#calls = calls;
    this.#texts = texts;
  }

  /**
   * Sends a call to its interface and returns the response, whatever its status. Throws `NoResponse` if none came. If the shared
   * Reseller session has ended, or a lock after wrong credentials refuses the call, it is sent once more after that is resolved.
   */
  readonly send = async (call: ServiceRequest, role = 'request'): Promise<ServiceResponse> => {
    const resources = this.#resources;
    await this.#openLogins(call);
    const current = resources.renewal.current(call, resources.session.present);
    const response = await this.#sendOnce(current, role);
    return isRefused(response) === 'refused'
      ? recheckRefusal(resources, current, response, this.#sendOnce, role)
      : response;
  };

  /**
   * Sends a call and, if it is refused, another one with the same meaning. If both are refused, one read finds out for both whether the
   * session has ended. Returns the responses; the second is missing if the first call was served.
   */
  async sendEither(
    first: ServiceRequest,
    other: ServiceRequest,
    role?: string,
  ): Promise<readonly [ServiceResponse, ServiceResponse?]> {
    const resources = this.#resources;
    await this.#openLogins(first);
    const current = (call: ServiceRequest) => resources.renewal.current(call, resources.session.present);
    const calls = [current(first), current(other)] as const;
    const response = await this.#sendOnce(calls[0], role);
    if (isServed(response)) return [response];
    const again = await this.#sendOnce(calls[1], role);
    if (isServed(again)) {
      this.noteRefusedRead(calls[0], response);
      return [response, again];
    }
    const refusedAt = resources.renewal.moment();
    const recheck = (call: ServiceRequest, refused: ServiceResponse): Promise<ServiceResponse> | ServiceResponse =>
      isRefused(refused) === 'refused'
        ? recheckRefusal(resources, call, refused, this.#sendOnce, role ?? 'request', refusedAt)
        : refused;
    const decided = await recheck(calls[0], response);
    return isServed(decided) ? [decided] : [decided, await recheck(calls[1], again)];
  }

  /** Ends the open session of a target that refuses every login meanwhile, before a login is judged. */
  async #openLogins(call: ServiceRequest): Promise<void> {
    const { openSessions } = this.#resources;
    if (openSessions.hides(call)) await openSessions.endAll(this.#sendOnce);
  }

  /** Records that one of GET and POST refused a read that the other served, if only a fault of the target explains that. */
  noteRefusedRead(call: ServiceRequest, refused: ServiceResponse): void {
    if (!isSafe(call)) return;
    const breach = passingRefusal(this.#resources, call, requestOf(call, this.#resources.base(call.api)), refused);
    if (breach !== undefined) this.#context.note(this.#context.breaches, [breach]);
  }

  readonly #sendOnce = async (own: ServiceRequest, role = 'request'): Promise<ServiceResponse> => {
    const isCleanup = role === 'cleanup';
    const { standIns } = this.#options;
    // Clean-up restores old values, so it sends them as they are. Responses are compared with the check's own values.
    const plain = (isCleanup ? undefined : standIns?.call(own)) ?? own;
    const completion = isCleanup ? undefined : standIns?.completion(own);
    const call = completion === undefined ? plain : await this.#complete(own, plain, { completion, role });
    const base = this.#resources.base(call.api);
    const request = requestOf(call, base);
    this.#undoing.sends(call, role);
    this.#resources.kept.createSent(call);
    const changesBefore = this.#resources.changesSent;
    const answered = this.#calls.sends(request, call.api, base);
    const endsAlone = isSafe(call) ? () => true : this.#changes.begins();
    const sent = this.#resources.client.send(request, { role, safe: isSafe(call) });
    const changesWithIt = this.#resources.changesSent;
    const received = await sent.catch((error: unknown) => {
      answered(undefined);
      endsAlone();
      throw error;
    });
    answered(received);
    const isAlone = endsAlone();
    // Clean-up deletes points by the ids that the target lists.
    const isAsListed = isCleanup && operationAt(request.method, request.url)?.id === 'listPoints';
    const response = isAsListed || role === AS_SHOWN ? received : (standIns?.restore(received) ?? received);
    this.#context.exchanges.push(response.exchange);
    this.#noteForCleanup(call, response);
    this.#resources.answered(call, response, changesWithIt);
    if (this.#context.mayShare && isServed(response) && isReadWithTokenOnly(call, this.#resources.session.present))
      this.#resources.keepReading(call.path, response, changesBefore);
    if (isServed(response)) {
      this.#resources.operations.updates.note(call);
      this.#noteNew(call);
      if (standIns !== undefined && isReadOfOne(call)) this.#shown.set(call.path, received.json);
    }
    const isWhole = completion !== undefined;
    if (!isCleanup) this.#noteForAttempts({ own, call, isWhole, request, role, isAlone }, response);
    if (role !== AS_SET) this.#judgeAlone(call, received);
    if (!isCleanup) this.#context.latest.add(response);
    if (!isCleanup) this.#options.onResponse?.(response, role);
    return response;
  };

  /**
   * An update with the fields that the check leaves out, which have the values that the target shows for them. Where it shows none to this
   * caller, those of the latest object of the kind: an update that has to be refused must not be refused for what it leaves out. For such a
   * one an earlier reading will do: one with its wrong key may be slowed down.
   */
  async #complete(
    own: ServiceRequest,
    plain: ServiceRequest,
    { completion, role }: { readonly completion: Completion; readonly role: string },
  ): Promise<ServiceRequest> {
    const { kind } = subjectOf(own);
    const before = readBefore(own);
    let shown = role === 'probe' ? this.#shown.get(before.path) : undefined;
    if (shown === undefined) {
      const read = await this.#sendOnce(before, AS_SHOWN);
      if (isServed(read)) this.#latest.set(kind, read.json);
      shown = this.#latest.get(kind);
    }
    return completed(plain, shown, {
      completion,
      isSent: (language, title) => this.#titles.areIn(kind, language, title),
    });
  }

  /** Notes the fields with which the target has taken a new method or point, and the languages of each title. */
  #noteNew(call: ServiceRequest): void {
    if (call.api !== 'v1' || call.method === 'GET') return;
    const { points, json } = subjectOf(call);
    const { website } = this.#resources.profile;
    this.#titles.note({ points, json }, website?.defaultLanguage ?? website?.languages?.[0]);
    if (call.method !== 'POST') return;
    if (points[0] !== undefined) this.#latest.set('point', points[0].fields);
    if (json.delivery_method !== undefined) this.#latest.set('method', json.delivery_method);
  }

  #noteForCleanup(call: ServiceRequest, response: ServiceResponse): void {
    if (!isServed(response)) {
      this.#undoing.refused(call, response);
      this.#resources.kept.createRefused(call, response);
      return;
    }
    if (call.method === 'GET') {
      this.#undoing.saw(response.json);
      this.#resources.runHandles.sawList(response.json);
    }
    this.#resources.runHandles.served(call);
    this.#undoing.served(call, response);
  }

  /** Notes what decides whether the check runs again, and how: a refusal, what it may be due to, and a target that was away. */
  #noteForAttempts({ own, call, isWhole, request, role, isAlone }: SentCall, response: ServiceResponse): void {
    if (GATEWAY_STATUSES.has(response.status)) this.#context.wasAway = true;
    this.#context.choices.note(call, response);
    const operation = operationAt(request.method, request.url)?.id ?? '';
    if (isServed(response)) {
      this.#resources.operations.served(request);
      this.#resources.operations.noteChange(own, isWhole);
      this.#context.refused.served(operation);
      return;
    }
    const { operations } = this.#resources;
    if (call.api === 'api' && refusesMethod(response)) operations.refusedMethod(request);
    const broken = isAlone && isRefusalOfPromise(response) ? operations.updates.brokenBy(call) : undefined;
    if (broken !== undefined) this.#context.refusedForState.set(response, broken);
    operations.takesFewMethods ||= !GATEWAY_STATUSES.has(response.status) && operations.wasServedAlike(request);
    const countryOfStore = this.#resources.profile.website?.country ?? COUNTRY_OF_CHECKS;
    const countries = { ofCheck: this.#context.given.country, ofStore: countryOfStore };
    this.#context.refused.refused(
      refusalOf({ own, call, role }, { operation, response, countries, watch: this.#options.watch }),
    );
  }

  /** Records what a response breaks by itself, whatever this check judges. */
  #judgeAlone(call: ServiceRequest, response: ServiceResponse): void {
    const { api } = call;
    this.#context.note(this.#context.breaches, breachesOf(response, api, this.#resources.base(api), this.#texts));
    const unguarded = servedWithoutCredentials(call, response);
    const other = otherThanStated(this.#resources.profile, call, response);
    this.#context.note(
      this.#context.breaches,
      [unguarded, other].filter((breach) => breach !== undefined),
    );
  }
}

/** A call as the check wrote it, with stand-ins, and as a request. */
interface SentCall {
  readonly own: ServiceRequest;
  readonly call: ServiceRequest;
  /** An update went out with fields that the check left out. */
  readonly isWhole: boolean;
  readonly request: OutgoingRequest;
  readonly role: string;
  /** No other change of the check was under way. */
  readonly isAlone: boolean;
}

/** Counts the changes that a check has sent and got no response to yet. */
class ChangesUnderWay {
  #open = 0;
  #begun = 0;

  /** Begins one; the function ends it, and returns whether no other was under way meanwhile. */
  begins(): () => boolean {
    const wasAlone = this.#open === 0;
    this.#open += 1;
    this.#begun += 1;
    const begun = this.#begun;
    return () => {
      this.#open -= 1;
      return wasAlone && this.#begun === begun;
    };
  }
}
