/** What a check's body gets: lazy members, so that a check pays only for what it uses. */
import type { Page } from '@playwright/test';
import { operationAt } from '../../contracts/operations/match.ts';
import { JsonTexts } from '../../contracts/traffic/index.ts';
import { Visitor, type VisitorOptions } from '../browser/visitor.ts';
import type { MethodOwner } from '../cleanup/ledger.ts';
import { CleanupScope, type LedgerNote } from '../cleanup/undo/scope.ts';
import { Choices } from '../plain/refusals/choices.ts';
import { RefusedCalls } from '../plain/refused-calls.ts';
import { COUNTRY_OF_CHECKS } from '../plain/stand-ins/home-country.ts';
import type { ValueKind } from '../plain/stand-ins/kinds.ts';
import { unclearValueSentence } from '../probe/unclear-value.ts';
import { deleteIdle } from '../resources/idle-methods.ts';
import { passingRefusal } from '../resources/passing-refusal.ts';
import { recheckRefusal } from '../resources/recheck-refusal.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { OutgoingRequest, ServiceResponse } from '../target/client/types.ts';
import type { Apps } from '../target/interfaces/apps.ts';
import type { Delivery } from '../target/interfaces/delivery.ts';
import { Reseller } from '../target/interfaces/reseller.ts';
import type { Listener } from '../target/listener/index.ts';
import { nearMissesOf, nearMissOf } from '../target/near-miss.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import { breachesOf } from '../target/response/breaches.ts';
import { GATEWAY_STATUSES } from '../target/response/gateway.ts';
import { isRefused, isServed } from '../target/response/judge-response.ts';
import type { Secret } from '../target/secrets/secret.ts';
import { type ContextOptions, variationOf } from './context-options.ts';
import { Expect } from './expect.ts';
import type { CheckFacts } from './facts.ts';
import { Inconclusive } from './failures.ts';
import { CallsOfCheck } from './findings/calls-together.ts';
import { Findings } from './findings/index.ts';
import { servedWithoutCredentials } from './findings/wrong-credentials.ts';
import { Given } from './given.ts';
import { Interfaces, inCountry } from './interfaces.ts';
import { isReadWithTokenOnly, isSafe } from './reading-calls.ts';
import { refusalOf } from './refusal.ts';
import { type RequiredDriver, requiredDriver } from './required-driver.ts';

export class Context extends Findings {
  /** The refused calls, as far as they decide whether the check runs once more. */
  readonly refused = new RefusedCalls();
  /** Which refusals may be due to values that the check chose. */
  readonly choices: Choices;
  readonly resources: Resources;
  readonly given: Given;
  /** Creates what all checks of this process share: it is put back when the process ends, not when the check does. */
  readonly givenForAll: Given;
  readonly expect: Expect;
  readonly #check: CheckFacts;
  readonly #undoing: CleanupScope;
  /** The rules over single calls and those over several read the same bodies. */
  readonly #texts = new JsonTexts();
  readonly #calls = new CallsOfCheck(this.#texts);
  #isFork = false;
  readonly #interfaces: Interfaces;
  readonly #closing: (() => Promise<void>)[] = [];
  readonly #options: ContextOptions;

  constructor(check: CheckFacts, resources: Resources, options: ContextOptions = {}) {
    super(check);
    this.#check = check;
    this.#options = options;
    this.choices = options.choices ?? new Choices();
    this.#pagesAwayBefore = resources.pagesAway;
    this.resources = resources;
    this.expect = new Expect(this.send);
    const asSent = (reference: string): string => options.standIns?.reference(reference) ?? reference;
    this.#undoing = new CleanupScope(resources, this.send, asSent);
    const makeRoom = async (): Promise<boolean> => {
      if (options.mayShare !== true) return deleteIdle(resources);
      // A brief check may be reading what it shares with others. What it has borrowed is not idle.
      return resources.operations.takesFewMethods && deleteIdle(resources, check.shares);
    };
    this.given = new Given(this.send, resources, this.#undoing, makeRoom);
    const { isElsewhere } = this;
    this.#interfaces = new Interfaces(
      isElsewhere ? inCountry(resources.profile, COUNTRY_OF_CHECKS) : resources.profile,
      this.given,
    );
    this.givenForAll = new Given(this.send, resources, resources.kept, makeRoom, asSent);
    for (const given of isElsewhere ? [this.given, this.givenForAll] : []) given.country = COUNTRY_OF_CHECKS;
  }

  /** Whether this is the second run of a check, with plain stand-ins for the values that it chose. */
  get isPlain(): boolean {
    return this.#options.standIns !== undefined;
  }

  /** The kinds of values that have stand-ins in this run; undefined if it is a usual one, or if all kinds have. */
  get replaced(): ReadonlySet<ValueKind> | undefined {
    return this.#options.standIns?.only;
  }

  /** Whether the check runs as if the store were in the country that checks write. */
  get isElsewhere(): boolean {
    return this.#options.standIns?.isElsewhere === true;
  }

  /** Whether the check may work on objects of other checks, and use what they have just read. */
  get mayShare(): boolean {
    return this.#options.mayShare === true;
  }

  /**
   * Whether this is the last run of a check, after plain values were refused as well: two handles in a call in place of three, one
   * country, and the title as the field that is changed as an example.
   */
  get sendsMinimum(): boolean {
    return this.#options.sendsMinimum === true;
  }

  /** How this run differs from the usual one, such as `in plain values`; undefined for the usual one. */
  get variation(): string | undefined {
    return variationOf(this.#options);
  }

  #wasAway = false;
  #pagesAwayBefore: number;

  /** Whether the target was away for a moment: a gateway responded in its place, it said so itself, or a page got no response. */
  get wasAway(): boolean {
    return this.#wasAway || this.resources.pagesAway > this.#pagesAwayBefore;
  }

  set wasAway(away: boolean) {
    this.#wasAway = away;
    if (!away) this.#pagesAwayBefore = this.resources.pagesAway;
  }

  /** Whether the check left something out or used objects of other checks: it then runs again unless it passes. */
  isBrief = false;

  /**
   * Whether a check also sends calls that only explain a failure. Not at its first try, since a pass needs no explanation. Calls that a
   * pass rests on are never left out.
   */
  get explains(): boolean {
    if (!this.mayShare) return true;
    this.isBrief = true;
    return false;
  }

  /** What the check created, changed and put back on the target, for the report. */
  get changes(): readonly LedgerNote[] {
    return this.#undoing.notes;
  }

  /** States that the driver has placed an order, which no interface removes: the report counts and names it. */
  placedOrder(uuid: string): void {
    this.#undoing.notes.push({ what: 'placed', object: uuid });
  }

  get profile(): Profile {
    return this.#interfaces.profile;
  }

  /** Another owner's interface takes the place of the first store's, see `Interfaces`. */
  actAs(owner: MethodOwner): void {
    this.#interfaces.actAs(owner);
  }

  /**
   * Sends a call to its interface and returns the response, whatever its status. Throws `NoResponse` if none came. If the shared
   * Reseller session has ended, or a lock after wrong credentials refuses the call, it is sent once more after that is resolved.
   */
  readonly send = async (call: ServiceRequest, role = 'request'): Promise<ServiceResponse> => {
    const { resources } = this;
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
    const { resources } = this;
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

  /** Records that one of GET and POST refused a read that the other served, if only a fault of the target explains that. */
  noteRefusedRead(call: ServiceRequest, refused: ServiceResponse): void {
    if (!isSafe(call)) return;
    const breach = passingRefusal(this.resources, call, requestOf(call, this.resources.base(call.api)), refused);
    if (breach !== undefined) this.note(this.breaches, [breach]);
  }

  readonly #sendOnce = async (own: ServiceRequest, role = 'request'): Promise<ServiceResponse> => {
    const isCleanup = role === 'cleanup';
    const { standIns } = this.#options;
    // Clean-up restores old values, so it sends them as they are. Responses are compared with the check's own values.
    const call = (isCleanup ? undefined : standIns?.call(own)) ?? own;
    const base = this.resources.base(call.api);
    const request = requestOf(call, base);
    this.#undoing.sends(call, role);
    const changesBefore = this.resources.changesSent;
    const answered = this.#calls.sends(request, call.api, base);
    const sent = this.resources.client.send(request, { role, safe: isSafe(call) });
    const changesWithIt = this.resources.changesSent;
    const received = await sent.catch((error: unknown) => {
      answered(undefined);
      throw error;
    });
    answered(received);
    // Clean-up deletes points by the ids that the target lists.
    const isAsListed = isCleanup && operationAt(request.method, request.url)?.id === 'listPoints';
    const response = isAsListed ? received : (standIns?.restore(received) ?? received);
    this.exchanges.push(response.exchange);
    this.#noteForCleanup(call, response);
    this.resources.answered(call, response, changesWithIt);
    if (this.mayShare && isServed(response) && isReadWithTokenOnly(call, this.resources.session.present))
      this.resources.keepReading(call.path, response, changesBefore);
    if (!isCleanup) this.#noteForAttempts({ own, call, request, role }, response);
    this.#judgeAlone(call, received);
    if (!isCleanup) this.latest.add(response);
    if (!isCleanup) this.#options.onResponse?.(response, role);
    return response;
  };

  #noteForCleanup(call: ServiceRequest, response: ServiceResponse): void {
    if (!isServed(response)) {
      this.#undoing.refused(call, response);
      return;
    }
    if (call.method === 'GET') {
      this.#undoing.saw(response.json);
      this.resources.reusedHandles.sawList(response.json);
    }
    this.#undoing.served(call, response);
  }

  /** Notes what decides whether the check runs again, and how: a refusal, what it may be due to, and a target that was away. */
  #noteForAttempts({ own, call, request, role }: SentCall, response: ServiceResponse): void {
    if (GATEWAY_STATUSES.has(response.status)) this.wasAway = true;
    this.choices.note(call, response);
    const operation = operationAt(request.method, request.url)?.id ?? '';
    if (isServed(response)) {
      this.resources.operations.served(request);
      this.refused.served(operation);
      return;
    }
    const { operations } = this.resources;
    operations.takesFewMethods ||= !GATEWAY_STATUSES.has(response.status) && operations.wasServedAlike(request);
    const countryOfStore = this.resources.profile.website?.country ?? COUNTRY_OF_CHECKS;
    const countries = { ofCheck: this.given.country, ofStore: countryOfStore };
    this.refused.refused(
      refusalOf({ own, call, role }, { operation, response, countries, watch: this.#options.watch }),
    );
  }

  /** Records what a response breaks by itself, whatever this check judges. */
  #judgeAlone(call: ServiceRequest, response: ServiceResponse): void {
    const { api } = call;
    this.note(this.breaches, breachesOf(response, api, this.resources.base(api), this.#texts));
    const unguarded = servedWithoutCredentials(call, response);
    if (unguarded !== undefined) this.note(this.breaches, [unguarded]);
  }

  /** A call with its values as they are sent, for a check that writes the body itself. */
  asSent(call: ServiceRequest): ServiceRequest {
    return this.#options.standIns?.call(call) ?? call;
  }

  /** Whether a text of a field goes out as the check chose it. */
  sendsAsIs(text: string): boolean {
    return (this.#options.standIns?.text(text) ?? text) === text;
  }

  /** A context for one of many runs of this check's body, which puts back its own changes at its own `cleanUp`. */
  fork(onResponse: (response: ServiceResponse, role: string) => void): Context {
    const fork = new Context(this.#check, this.resources, {
      ...this.#options,
      ...{ mayShare: false, onResponse, choices: this.choices },
    });
    fork.#isFork = true;
    return fork;
  }

  /** Counts what a fork sent, asserted and changed on the target as done by this check. */
  adopt(fork: Context): void {
    this.exchanges.push(...fork.exchanges);
    this.note(this.breaches, fork.breaches.values());
    // Not for an attempt that decided nothing: what its calls show together may result from the refusal that it met.
    if (fork.#isFork) this.note(this.shown, fork.shown.values());
    this.#undoing.notes.push(...fork.changes);
    this.expect.asserted += fork.expect.asserted;
    this.wasAway ||= fork.wasAway;
    this.refused.adopt(fork.refused.summary());
  }

  /**
   * States the precondition that a value of the profile is correct. Call it if the target consistently shows another value and no other
   * response supports either of them: only the user can decide that, and vouches for the value with `--trust`.
   */
  vouchedFor(key: string, difference: string, remedy: string): void {
    if (this.resources.run.trusted?.includes(key) === true) return;
    throw new Inconclusive(unclearValueSentence(key, difference, remedy), 'configuration');
  }

  get delivery(): Delivery {
    return this.#interfaces.delivery;
  }
  get otherDelivery(): Delivery {
    return this.#interfaces.otherDelivery;
  }
  get provider(): Delivery {
    return this.#interfaces.provider;
  }
  get apps(): Apps {
    return this.#interfaces.apps;
  }
  get otherApps(): Apps {
    return this.#interfaces.otherApps;
  }
  /** The reseller interface under the session's token. */
  async reseller(): Promise<Reseller> {
    return new Reseller(await this.resources.session.token(this.send));
  }

  /** The same without a read that verifies the session, for a next call that shows by itself whether it is valid. */
  async resellerUnchecked(): Promise<Reseller> {
    return new Reseller(await this.resources.session.tokenUnchecked(this.send));
  }

  /** The driver; a call of a member that it lacks makes the check inconclusive. */
  get driver(): RequiredDriver {
    return requiredDriver(this.resources.driver, {
      configured: (member, name) => this.given.configured(member, name),
      before: () => this.#calls.forget(),
    });
  }

  /** A page in a browser context of its own, closed when the check ends. */
  async page(): Promise<Page> {
    this.#calls.stop();
    const context = await this.resources.browserContext();
    this.#closing.push(() => context.close());
    await this.resources.steps?.watch(context);
    return context.newPage();
  }

  /** A visitor of web pages without a session: no script, no credential, cookies of its own. */
  visitor(options: VisitorOptions = {}): Visitor {
    return new Visitor(
      async (request) => {
        const { reach, client } = this.resources;
        const refusal = await reach.refuse(request.url);
        if (refusal !== undefined) throw new Inconclusive(refusal, 'target');
        const received = await client.send(request, {
          role: 'page',
          ...(options.isOnce === true ? { safe: false } : {}),
          mayConnect: await reach.guard(request.url),
        });
        this.exchanges.push(received.exchange);
        return this.#options.standIns?.restore(received) ?? received;
      },
      { now: () => this.resources.now(), ...options },
    );
  }

  listener(): Promise<Listener> {
    return this.resources.listener();
  }

  /** The secret with one character changed. It is redacted too, because it reveals all other characters. */
  nearMiss(secret: Secret): Secret {
    return this.resources.secret(`${secret.name}_NEAR_MISS`, nearMissOf(secret.reveal()), secret);
  }

  /** Every near miss of the secret, each with what was changed; none of them may open anything. */
  nearMisses(secret: Secret): { readonly change: string; readonly value: Secret }[] {
    return nearMissesOf(secret.reveal()).map(({ change, value }, at) => ({
      change,
      value: this.resources.secret(`${secret.name}_NEAR_MISS_${at + 1}`, value, secret),
    }));
  }

  /** A value that must not be printed: received from the target (an authCode, a login link), or a wrong copy of `from`. */
  secret(name: string, value: string, from?: Secret): Secret {
    return this.resources.secret(name, value, from);
  }

  /** Puts everything back, last change first, and closes pages. Never throws: what can't be put back becomes an orphan. */
  async cleanUp(): Promise<void> {
    this.#calls.stop();
    this.note(this.shown, this.#calls.breaches());
    for (const close of this.#closing.splice(0).reverse()) await close().catch(() => undefined);
    await this.#undoing.undoAll();
    this.note(this.breaches, this.#undoing.madeThoughRefused);
  }
}

/** A call as the check wrote it, with stand-ins, and as a request. */
interface SentCall {
  readonly own: ServiceRequest;
  readonly call: ServiceRequest;
  readonly request: OutgoingRequest;
  readonly role: string;
}
