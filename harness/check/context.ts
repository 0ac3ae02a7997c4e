/** What a check's body gets: lazy members, so that a check pays only for what it uses. */
import type { Page } from '@playwright/test';
import { Visitor, type VisitorOptions } from '../browser/visitor.ts';
import type { MethodOwner } from '../cleanup/ledger.ts';
import { CleanupScope, type LedgerNote } from '../cleanup/undo/scope.ts';
import { Choices } from '../plain/choices.ts';
import { type CodeForm, carriesCodes } from '../plain/codes.ts';
import { COUNTRY_OF_CHECKS } from '../plain/home-country.ts';
import { canBeSimplified } from '../plain/simplified.ts';
import type { StandIns } from '../plain/stand-ins.ts';
import { unclearValueSentence } from '../probe/unclear-value.ts';
import { deleteIdle } from '../resources/idle-methods.ts';
import { passingRefusal } from '../resources/passing-refusal.ts';
import { recheckRefusal } from '../resources/recheck-refusal.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import type { Apps } from '../target/interfaces/apps.ts';
import type { Delivery } from '../target/interfaces/delivery.ts';
import { Reseller } from '../target/interfaces/reseller.ts';
import { carriesToken } from '../target/interfaces/session-renewal.ts';
import type { Listener } from '../target/listener/index.ts';
import { nearMissesOf, nearMissOf } from '../target/near-miss.ts';
import { requestOf } from '../target/network/wire.ts';
import type { Profile } from '../target/profile/types.ts';
import { breachesOf } from '../target/response/breaches.ts';
import { GATEWAY_STATUSES } from '../target/response/gateway.ts';
import { isRefused, isServed } from '../target/response/judge-response.ts';
import type { Secret } from '../target/secrets/secret.ts';
import { CallsOfCheck } from './calls-together.ts';
import { Expect } from './expect.ts';
import type { CheckFacts } from './facts.ts';
import { Inconclusive } from './failures.ts';
import { Findings } from './findings.ts';
import { Given } from './given.ts';
import { Interfaces } from './interfaces.ts';
import { type RequiredDriver, requiredDriver } from './required-driver.ts';
import { servedWithoutCredentials } from './wrong-credentials.ts';

export interface ContextOptions {
  /** Receives each response, in the order of the requests. */
  readonly onResponse?: (response: ServiceResponse, role: string) => void;
  /** Calls go out with these in place of the check's own values. */
  readonly standIns?: StandIns;
  /** Says of a refused call whether it carries a value that has a plainer stand-in. */
  readonly watch?: StandIns;
  /** Where a check can ask for less and show the same, it does. */
  readonly asksLeast?: boolean;
  /** The form in which ids and references go out, where that is not the usual one. */
  readonly codes?: CodeForm | undefined;
  /** What the runs of one property share: which refusals rest on values alone. */
  readonly choices?: Choices;
  /** Whether the check may work on what others have made, and rest on what they have just read. */
  readonly mayShare?: boolean;
}

export class Context extends Findings {
  /** Whether a call was refused that a plainer one can be sent for. */
  sentOwnValues = false;
  /** Whether a call was refused that sends more than the minimum. */
  sentMoreThanLeast = false;
  /** Whether a call was refused that carries an id of a point or a reference. */
  sentCodes = false;
  /** Which refusals rest on values that the check chose. */
  readonly choices: Choices;
  readonly resources: Resources;
  readonly given: Given;
  /** Makes what all checks of this process share: it is put back when the process ends, not when the check does. */
  readonly givenForAll: Given;
  readonly expect: Expect;
  readonly #check: CheckFacts;
  readonly #undoing: CleanupScope;
  readonly #calls = new CallsOfCheck();
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
    // A brief check takes from the idle methods; it runs again where it needs more room.
    const makeRoom = options.mayShare === true ? undefined : () => deleteIdle(resources);
    this.given = new Given(this.send, resources, this.#undoing, makeRoom);
    const isElsewhere = options.standIns?.isElsewhere === true;
    this.#interfaces = new Interfaces(
      isElsewhere ? inCountry(resources.profile, COUNTRY_OF_CHECKS) : resources.profile,
      this.given,
    );
    this.givenForAll = new Given(this.send, resources, resources.kept, undefined, asSent);
    for (const given of isElsewhere ? [this.given, this.givenForAll] : []) given.country = COUNTRY_OF_CHECKS;
  }

  /** Whether this is the second run of a check, with plain stand-ins for the values that it chose. */
  get isPlain(): boolean {
    return this.#options.standIns !== undefined;
  }

  /** Whether the check may work on what others have made, and rest on what they have just read. */
  get mayShare(): boolean {
    return this.#options.mayShare === true;
  }

  /**
   * Whether this is the last run of a check, after plain values were refused as well: two handles in a call in place of three, one
   * country, and the title as the field that is changed as an example.
   */
  get asksLeast(): boolean {
    return this.#options.asksLeast === true;
  }

  /** How this run differs from those that others share: `in plain values`; undefined for the usual one. */
  get manner(): string | undefined {
    const { asksLeast, codes, standIns } = this.#options;
    const least = asksLeast === true ? 'asking least' : undefined;
    if (codes !== undefined) return [`with codes of ${codes}`, least].filter(Boolean).join(', ');
    if (least !== undefined) return least;
    return standIns === undefined ? undefined : 'in plain values';
  }

  #wasAway = false;
  #pagesAwayBefore: number;

  /** Whether the target was away for a moment: a gateway responded in its place, it said so itself, or a page got no answer. */
  get wasAway(): boolean {
    return this.#wasAway || this.resources.pagesAway > this.#pagesAwayBefore;
  }

  set wasAway(away: boolean) {
    this.#wasAway = away;
    if (!away) this.#pagesAwayBefore = this.resources.pagesAway;
  }

  /** Whether the check left something out, or rests on what others made: then it runs again unless it passes. */
  isBrief = false;

  /**
   * Whether a check finds out what else may be wrong, and looks after each of its calls: not at its first try, since a pass needs no
   * explanation. What a pass rests on is never left out.
   */
  get explains(): boolean {
    if (!this.mayShare) return true;
    this.isBrief = true;
    return false;
  }

  /** What the check made, changed and put back on the target, for the report. */
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
   * Sends a call to its interface and hands on the response, whatever its status. Throws `NoResponse` when none came. A call that
   * meets the end of the shared Reseller session, or a lock after wrong credentials, is sent once more when that is out of the way.
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
   * Sends a call, and another one that asks the same where the first is refused. Both refusals are questioned after both have come: one
   * question about the session serves them. Returns the responses; the second is missing where the first was served.
   */
  async sendEither(
    first: ServiceRequest,
    other: ServiceRequest,
    role?: string,
  ): Promise<readonly [ServiceResponse, ServiceResponse?]> {
    const { resources } = this;
    const current = (call: ServiceRequest) => resources.renewal.current(call, resources.session.present);
    const calls = [current(first), current(other)] as const;
    const answer = await this.#sendOnce(calls[0], role);
    if (isServed(answer)) return [answer];
    const again = await this.#sendOnce(calls[1], role);
    if (isServed(again)) {
      this.noteRefusedRead(calls[0], answer);
      return [answer, again];
    }
    const refusedAt = resources.renewal.moment();
    const recheck = (call: ServiceRequest, refused: ServiceResponse): Promise<ServiceResponse> | ServiceResponse =>
      isRefused(refused) === 'refused'
        ? recheckRefusal(resources, call, refused, this.#sendOnce, role ?? 'request', refusedAt)
        : refused;
    const decided = await recheck(calls[0], answer);
    return isServed(decided) ? [decided] : [decided, await recheck(calls[1], again)];
  }

  /** Records that a read was refused which the other method of Reseller served, where nothing but a fault explains that. */
  noteRefusedRead(call: ServiceRequest, refused: ServiceResponse): void {
    if (!isSafe(call)) return;
    const breach = passingRefusal(this.resources, call, requestOf(call, this.resources.base(call.api)), refused);
    if (breach !== undefined) this.note(this.breaches, [breach]);
  }

  readonly #sendOnce = async (own: ServiceRequest, role = 'request'): Promise<ServiceResponse> => {
    const isCleanup = role === 'cleanup';
    const { standIns } = this.#options;
    const { watch, onResponse } = isCleanup ? {} : this.#options;
    // What is put back has its old value, also after a run in plain values. What is read is compared with the check's own values.
    const call = (isCleanup ? undefined : standIns?.call(own)) ?? own;
    const base = this.resources.base(call.api);
    const request = requestOf(call, base);
    this.#undoing.sends(call, role);
    const { changesSent } = this.resources;
    const answered = this.#calls.sends(request, call.api, base);
    const sent = this.resources.client.send(request, { role, safe: isSafe(call) });
    const changesWithIt = this.resources.changesSent;
    const received = await sent.catch((error: unknown) => {
      answered(undefined);
      throw error;
    });
    answered(received);
    const response = standIns?.answer(received) ?? received;
    this.exchanges.push(response.exchange);
    if (isServed(response) && !isCleanup) this.resources.operations.served(request);
    if (!isCleanup && GATEWAY_STATUSES.has(response.status)) this.wasAway = true;
    if (isServed(response) && call.method === 'GET') this.#undoing.saw(response.json);
    if (isServed(response)) this.#undoing.served(call, response);
    else this.#undoing.refused(call, response);
    this.resources.answered(call, response, changesWithIt);
    if (this.mayShare && isServed(response) && isPlainReading(call, this.resources.session.present))
      this.resources.keepReading(call.path, response, changesSent);
    if (!this.sentOwnValues && watch !== undefined && !isServed(response)) this.sentOwnValues = watch.changes(own);
    if (!isCleanup && !isServed(response)) this.sentCodes ||= carriesCodes(own);
    if (!isCleanup && !isServed(response))
      this.sentMoreThanLeast ||=
        canBeSimplified(own, this.given.country) ||
        canBeSimplified(call, this.resources.profile.website?.country ?? COUNTRY_OF_CHECKS);
    if (!isCleanup) this.choices.note(call, response);
    this.#judgeAlone(call, received);
    onResponse?.(response, role);
    return response;
  };

  /** Records what a response breaks by itself, whatever this check judges. */
  #judgeAlone(call: ServiceRequest, response: ServiceResponse): void {
    const { api } = call;
    this.note(this.breaches, breachesOf(response, api, this.resources.base(api)));
    const unguarded = servedWithoutCredentials(call, response);
    if (unguarded !== undefined) this.note(this.breaches, [unguarded]);
  }

  /** A call with its values as they go out, for a check that writes the body itself. */
  asSent(call: ServiceRequest): ServiceRequest {
    return this.#options.standIns?.call(call) ?? call;
  }

  /** A context for one of many runs of this check's body, which puts back its own changes at its own `cleanUp`. */
  fork(onResponse: (response: ServiceResponse, role: string) => void): Context {
    const fork = new Context(this.#check, this.resources, {
      ...this.#options,
      mayShare: false,
      onResponse,
      choices: this.choices,
    });
    fork.#isFork = true;
    return fork;
  }

  /** Counts what a fork sent, asserted and did to the target as done by this check. */
  adopt(fork: Context): void {
    this.exchanges.push(...fork.exchanges);
    this.note(this.breaches, fork.breaches.values());
    // An attempt that decided nothing has met a refusal of its own values: what its calls show may come of that.
    if (fork.#isFork) this.note(this.shown, fork.shown.values());
    this.#undoing.notes.push(...fork.changes);
    this.expect.asserted += fork.expect.asserted;
    this.wasAway ||= fork.wasAway;
    this.sentOwnValues ||= fork.sentOwnValues;
    this.sentMoreThanLeast ||= fork.sentMoreThanLeast;
    this.sentCodes ||= fork.sentCodes;
  }

  /**
   * States that the value of a profile's key is not what a difference comes from. Call it where the target consistently shows
   * another value and no other response supports either: only the user can decide that, and vouches for a value with `--trust`.
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

  /** The same for a next call that only needs to be served: whether the session is still good is not asked before. */
  async resellerUnasked(): Promise<Reseller> {
    return new Reseller(await this.resources.session.tokenUnasked(this.send));
  }

  /** The driver; a member it lacks makes the check inconclusive when it is called for. */
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
        const received = await client.send(request, { role: 'page', mayConnect: await reach.guard(request.url) });
        this.exchanges.push(received.exchange);
        return this.#options.standIns?.answer(received) ?? received;
      },
      { now: () => this.resources.now(), ...options },
    );
  }

  listener(): Promise<Listener> {
    return this.resources.listener();
  }

  /** The secret with one character changed; the redaction knows it, since it gives all others away. */
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

  /** Puts everything back, last change first, and closes what was opened. Never throws: what is left is an orphan. */
  async cleanUp(): Promise<void> {
    this.#calls.stop();
    this.note(this.shown, this.#calls.breaches());
    for (const close of this.#closing.splice(0).reverse()) await close().catch(() => undefined);
    await this.#undoing.undoAll();
    this.note(this.breaches, this.#undoing.madeThoughRefused);
  }
}

/** Reading Reseller calls; all others change something, even as GET, and are never sent twice. */
const RESELLER_READS = /^(websites|settings|balance|website\/[^/]+\/domains)\/$/;

/** A reading call by POST with the token of the session and nothing else: checks may share its response. */
const isPlainReading = (call: ServiceRequest, token: Secret | undefined): boolean =>
  call.api === 'api' &&
  RESELLER_READS.test(call.path) &&
  call.method === 'POST' &&
  call.body !== undefined &&
  'form' in call.body &&
  call.body.form.length === 1 &&
  carriesToken(call, token);

const inCountry = (profile: Profile, country: string): Profile =>
  profile.website === undefined ? profile : { ...profile, website: { ...profile.website, country } };

const isSafe = (call: ServiceRequest): boolean =>
  call.api === 'v1' ? call.method === 'GET' : RESELLER_READS.test(call.path);
