/** What a check's body gets: lazy members, so that a check pays only for what it uses. */
import type { Page } from '@playwright/test';
import { JsonTexts } from '../../contracts/traffic/index.ts';
import { Visitor, type VisitorOptions } from '../browser/visitor.ts';
import type { MethodOwner } from '../cleanup/ledger.ts';
import { CleanupScope, type LedgerNote } from '../cleanup/undo/scope.ts';
import { Choices } from '../plain/refusals/choices.ts';
import { RefusedCalls } from '../plain/refused-calls.ts';
import type { IdForm } from '../plain/stand-ins/codes.ts';
import { COUNTRY_OF_CHECKS } from '../plain/stand-ins/home-country.ts';
import type { ValueKind } from '../plain/stand-ins/kinds.ts';
import { unclearValueSentence } from '../probe/unclear-value.ts';
import { deleteIdle } from '../resources/methods/idle-methods.ts';
import type { Resources } from '../resources/resources.ts';
import type { ServiceRequest } from '../target/client/request.ts';
import type { ServiceResponse } from '../target/client/types.ts';
import type { Apps } from '../target/interfaces/apps.ts';
import type { Delivery } from '../target/interfaces/delivery.ts';
import { Reseller } from '../target/interfaces/reseller.ts';
import type { Listener } from '../target/listener/index.ts';
import { looseMissesOf, nearMissesOf, nearMissOf } from '../target/near-miss.ts';
import type { Profile } from '../target/profile/types.ts';
import type { Secret } from '../target/secrets/secret.ts';
import { type ContextOptions, variationOf } from './context-options.ts';
import { Expect } from './expect.ts';
import type { CheckFacts } from './facts.ts';
import { Inconclusive } from './failures.ts';
import { CallsOfCheck } from './findings/calls-together.ts';
import { Findings } from './findings/index.ts';
import { Given } from './given/index.ts';
import { Interfaces, inCountry } from './interfaces.ts';
import { actsForProvider, isProviderSecond } from './needs/provider.ts';
import { type RequiredDriver, requiredDriver } from './needs/required-driver.ts';
import { CallSender } from './sending/call-sender.ts';

/** A wrong copy of a secret, and in words what is wrong with it. */
export interface NamedMiss {
  readonly change: string;
  readonly value: Secret;
}

export class Context extends Findings {
  /** The refused calls, as far as they decide whether the check runs once more. */
  readonly refused = new RefusedCalls();
  /** Refusals of updates that nothing in the call explains (`ServedUpdates`), with the clauses that they break. */
  readonly refusedForState = new Map<ServiceResponse, string>();
  /** Which refusals may be due to values that the check chose. */
  readonly choices: Choices;
  readonly resources: Resources;
  readonly given: Given;
  /** Creates what all checks of this process share: it is put back when the process ends, not when the check does. */
  readonly givenForAll: Given;
  readonly expect: Expect;
  readonly #check: CheckFacts;
  readonly #undoing: CleanupScope;
  readonly #sender: CallSender;
  /** The rules over single calls and those over several read the same bodies. */
  readonly #texts = new JsonTexts();
  readonly #calls = new CallsOfCheck(this.#texts);
  #isFork = false;
  #usesDriver = false;
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
    const callAsSent = (call: ServiceRequest): ServiceRequest => this.asSent(call);
    this.given = new Given(this.send, resources, this.#undoing, makeRoom, undefined, callAsSent);
    this.#sender = new CallSender(this, { options, undoing: this.#undoing, calls: this.#calls, texts: this.#texts });
    const { isElsewhere } = this;
    this.#interfaces = new Interfaces(
      isElsewhere ? inCountry(resources.profile, COUNTRY_OF_CHECKS) : resources.profile,
      this.given,
    );
    this.givenForAll = new Given(this.send, resources, resources.kept, makeRoom, asSent, callAsSent);
    for (const given of isElsewhere ? [this.given, this.givenForAll] : []) given.country = COUNTRY_OF_CHECKS;
    if (actsForProvider(check, resources.profile)) this.actAs('public');
    if (isProviderSecond(check, resources.profile)) this.#interfaces.takeProviderAsSecond();
  }

  /** Whether this is the second run of a check, with plain stand-ins for the values that it chose. */
  get isPlain(): boolean {
    return this.#options.standIns !== undefined;
  }

  /** The kinds of values that have stand-ins in this run; undefined if it is a usual one, or if all kinds have. */
  get replaced(): ReadonlySet<ValueKind> | undefined {
    return this.#options.standIns?.only;
  }

  /** The form that ids of points have in this run, because the target refused words. */
  get idForm(): IdForm | undefined {
    return this.#options.standIns?.idForm;
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

  /** Whether all countries of the check are that of the store, because the target refused others. The minimum has one country, too. */
  get hasOneCountry(): boolean {
    return this.sendsMinimum || this.#options.hasOneCountry === true;
  }

  /** Whether methods are made and changed without a label address, because the target refused one and has taken none. */
  get hasNoLabelAddress(): boolean {
    const isLess = this.sendsMinimum || this.#options.hasNoLabelAddress === true;
    return isLess && !this.resources.operations.takesLabelAddress;
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

  /** Sends a call, see `CallSender`. */
  readonly send = (call: ServiceRequest, role?: string): Promise<ServiceResponse> => this.#sender.send(call, role);

  /** Sends a call and, if it is refused, another one with the same meaning, see `CallSender`. */
  sendEither(
    first: ServiceRequest,
    other: ServiceRequest,
    role?: string,
  ): Promise<readonly [ServiceResponse, ServiceResponse?]> {
    return this.#sender.sendEither(first, other, role);
  }

  /** Records that one of GET and POST refused a read that the other served, if only a fault of the target explains that. */
  noteRefusedRead(call: ServiceRequest, refused: ServiceResponse): void {
    this.#sender.noteRefusedRead(call, refused);
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
    this.#usesDriver = true;
    return requiredDriver(this.resources.driver, {
      configured: (member, name) => this.given.configured(member, name),
      before: () => this.#calls.forget(),
    });
  }

  /** Whether the check has asked the driver for anything: what that does in the store, such as an order, stays. */
  get usesDriver(): boolean {
    return this.#usesDriver;
  }

  /** From here on the check reads what is not the run's, and may be changed at any time: its calls are not judged together. */
  readsOfOthers(): void {
    this.#calls.stop();
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
    const text = secret.reveal();
    const misses = [nearMissOf(text), ...nearMissesOf(text).map(({ value }) => value)];
    const unused = misses.find((one) => !this.resources.isInUse(one)) ?? misses[0]!;
    return this.resources.secret(`${secret.name}_NEAR_MISS`, unused, secret);
  }

  /** Every near miss of the secret, each with what was changed; none of them may open anything. */
  nearMisses(secret: Secret): NamedMiss[] {
    return this.#named(secret, nearMissesOf(secret.reveal()));
  }

  /** The same, and those that show how a secret is compared, which is tried with one operation. */
  allNearMisses(secret: Secret): NamedMiss[] {
    const text = secret.reveal();
    return this.#named(secret, [...nearMissesOf(text), ...looseMissesOf(text)]);
  }

  #named(secret: Secret, misses: ReturnType<typeof nearMissesOf>): NamedMiss[] {
    // The keys of two stores may differ in one character. What is left keeps the name of its place.
    return misses.flatMap(({ change, value }, at) =>
      this.resources.isInUse(value)
        ? []
        : [{ change, value: this.resources.secret(`${secret.name}_NEAR_MISS_${at + 1}`, value, secret) }],
    );
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
