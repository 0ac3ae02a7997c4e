/**
 * Preconditions. Each throws `GivenFailure` with the clause that it rests on, so that one fault of the target fails one check
 * and makes the others inconclusive. A refusal of what a check chose proves nothing; anything else that is not as the clause
 * promises is (`contracts/run/evidence.ts`).
 */

import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { METHOD_COUNTRY_LISTS } from '../../../contracts/fields/catalogue/delivery.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { LedgerEntry } from '../../cleanup/ledger.ts';
import type { CleanupScope, RestoreEntry, TrackedEntry } from '../../cleanup/undo/scope.ts';
import { COUNTRY_OF_CHECKS } from '../../plain/stand-ins/home-country.ts';
import { isNeeded } from '../../resources/methods/dispensable.ts';
import type { Resources } from '../../resources/resources.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import type { ServiceResponse } from '../../target/client/types.ts';
import type { Delivery, Handles, Json } from '../../target/interfaces/delivery.ts';
import { walk } from '../../target/list-walk.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../target/response/judge-response.ts';
import type { Send } from '../expect.ts';
import { summary } from '../expect.ts';
import { GivenFailure, Inconclusive } from '../failures.ts';
import { MethodRoom } from './method-room.ts';
import { Preconditions } from './preconditions.ts';

/** A delivery method that a check made, with what was sent. */
export interface MethodUnderTest {
  readonly delivery: Delivery;
  readonly handle: string;
  readonly fields: Json;
  /** The response to its creation. */
  readonly created: ServiceResponse;
  /**
   * Writes down a reference without the run's mark before the method is given it: it is deleted by its handle then, as long as
   * it carries this text, the one before it or none.
   */
  readonly willCarry: (reference: string) => void;
}

/** What services answer when a field is missing. */
const REFUSED_AS_INCOMPLETE: ReadonlySet<number> = new Set([400, 409, 422]);

export class Given extends Preconditions {
  readonly #send: Send;
  readonly #resources: Resources;
  readonly #undoing: CleanupScope;
  readonly #room: MethodRoom;
  readonly #asSent: (reference: string) => string;
  /** Whether clean-up comes after this run of the check. */
  readonly #outlives: boolean;
  readonly #callAsSent: (call: ServiceRequest) => ServiceRequest;
  /** The languages of the website whose methods are made; none where they are not known. */
  languages: readonly string[];
  /** The country of the store, as far as it is known. */
  country: string;

  /**
   * `asSent`: the reference as it goes out, only for an `undoing` that outlives this run of the check and does not know its stand-ins.
   * `callAsSent`: a call as it goes out.
   * The run's own scope translates references itself, since it compares what it reads with the check's own values.
   */
  constructor(
    send: Send,
    resources: Resources,
    undoing: CleanupScope,
    makeRoom?: () => Promise<boolean>,
    asSent?: (reference: string) => string,
    callAsSent: (call: ServiceRequest) => ServiceRequest = (call) => call,
  ) {
    super();
    this.#room = new MethodRoom({ undoing, operations: resources.operations, deleteOthers: makeRoom });
    this.#outlives = asSent !== undefined;
    this.#asSent = asSent ?? ((reference) => reference);
    this.#callAsSent = callAsSent;
    this.#send = send;
    this.#resources = resources;
    this.#undoing = undoing;
    this.languages = resources.profile.website?.languages ?? [];
    this.country = resources.profile.website?.country ?? COUNTRY_OF_CHECKS;
  }

  /** States that a value of the profile or of the driver is there. */
  configured<T>(value: T | undefined, key: string): T {
    if (value === undefined) {
      const unusable = this.#resources.run.unusable[key];
      if (unusable !== undefined) throw new Inconclusive(unusable.reason, unusable.attribution);
      throw new Inconclusive(`the profile has no "${key}": add it and run again`, 'configuration');
    }
    return value;
  }

  /** States that a call was served, and returns its response. A refusal proves nothing, because the values of the call are ours. */
  async accepted(response: ServiceResponse | Promise<ServiceResponse>, clause: string): Promise<ServiceResponse> {
    const got = await response;
    if (!isServed(got))
      throw new GivenFailure(
        `a call that must work was refused: ${summary(got)}`,
        clause,
        { response: got },
        'refusal',
      );
    return got;
  }

  /** The same for a call in which nothing is chosen (a read or a delete of what is there): a refusal is evidence. */
  async promised(response: ServiceResponse | Promise<ServiceResponse>, clause: string): Promise<ServiceResponse> {
    const got = await response;
    if (!isServed(got) && isRefusalOfPromise(got))
      throw new GivenFailure(`a call that must work was refused: ${summary(got)}`, clause, { response: got });
    return this.accepted(got, clause);
  }

  /** States that a call was refused, and returns its response. A target that was not available decides nothing. */
  async refused(
    response: ServiceResponse | Promise<ServiceResponse>,
    clause: string,
    message: string,
  ): Promise<ServiceResponse> {
    const got = await response;
    const refusal = isRefused(got);
    if (refusal === 'unavailable')
      throw new Inconclusive(`the target was not available (${summary(got)}): run again when it responds`, 'network');
    this.holds(refusal === 'refused', clause, message, { response: got });
    return got;
  }

  /** The JSON object in a served response, taken out of its wrapper where it has one. */
  async resource(response: ServiceResponse | Promise<ServiceResponse>, name: string, clause: string): Promise<Json> {
    const got = await this.accepted(response, clause);
    const resource = resourceOf(got.json, name);
    const found = isJsonObject(resource) ? resource : undefined;
    return this.present(found, clause, `the response contains no ${name}: ${summary(got)}`, { response: got });
  }

  /**
   * Makes a delivery method that carries the run's mark, finds its handle (in the response, else by listing) and has it
   * deleted when the check ends. `fields` are laid over plain defaults; a field given as `undefined` is left out. Which fields
   * a service needs is not shown: one that refuses a method without lists of countries is sent empty ones.
   * A `reference` of one's own must carry a mark (`resources.newMark()`), or nothing can be cleaned up after a crash.
   */
  async newMethod(delivery: Delivery, fields: Json = {}): Promise<MethodUnderTest> {
    const reference = this.#resources.newMark();
    const usual = this.methodFields(reference);
    // One that a service knows belongs to other methods as well.
    const isOwn =
      'reference' in fields && (usual.reference === reference || !isUnmarked(this.#resources, fields.reference));
    // Where references carry no mark, the title has to, or the method is not known as the run's.
    const isTitleOnly =
      !isOwn &&
      usual.reference !== reference &&
      'title' in fields &&
      this.#resources.markIn(fields.title) === undefined;
    const all: Json = { ...usual, ...fields, ...(isTitleOnly ? { title: usual.title } : {}) };
    let sent: Json = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
    // By this it is found if its response is lost: without a reference, by the mark that the caller's title has.
    const marked =
      isOwn && sent.reference !== undefined
        ? String(sent.reference)
        : (this.#resources.markIn(sent.reference) ?? this.#resources.markIn(sent.title) ?? reference);
    const filled = this.filledReference(delivery, sent);
    const settle = this.track({
      kind: 'delivery-method',
      owner: delivery.owner,
      reference: (this.#outlives ? filled[0] : undefined) ?? marked,
    });
    let response = await this.#send(delivery.addMethod(sent), 'given');
    const listless = METHOD_COUNTRY_LISTS.filter((name) => !(name in sent));
    if (listless.length > 0 && REFUSED_AS_INCOMPLETE.has(response.status)) {
      sent = { ...sent, ...Object.fromEntries(listless.map((name) => [name, []])) };
      response = await this.#send(delivery.addMethod(sent), 'given');
    }
    if (!isServed(response) && !isOwn) ({ sent, response } = await this.withOtherReference(delivery, sent, response));
    // A service may take only so many methods, as it took others.
    if (this.#resources.operations.wasServed(response.request) && (await this.#room.makeAfter(response)))
      response = await this.#send(delivery.addMethod(sent), 'given');
    const created = await this.accepted(response, 'delivery.method.create-stores');
    // A title of the caller's may carry another mark than the reference, which a service may not take.
    const mark = this.#resources.markIn(sent.title) ?? reference;
    const handle =
      handleIn(created) ??
      (await this.findMethod(delivery, isOwn ? String(sent.reference ?? reference) : reference, mark));
    if (this.#resources.operations.handlesBefore.has(handle)) {
      // Clean-up must not take it for the run's.
      settle.cancel();
      const message = 'a create returned the handle of a method that was there before';
      this.holds(false, 'delivery.method.create-stores', message, { response: created });
    }
    settle.created({ handle });
    this.#resources.runHandles.created(handle, sent);
    isNeeded(this.#resources, { handle });
    const given: string[] = [...this.#known, ...filled];
    if (given.length > 0) settle.created({ given });
    const willCarry = (text: string): void => {
      given.push(this.#asSent(text));
      settle.created({ given: [...given] });
    };
    if (
      isTitleOnly &&
      fields.title !== undefined &&
      (await this.#retitled(delivery, handle, sent, fields.title, willCarry))
    )
      sent = { ...sent, title: fields.title };
    return { delivery, handle, fields: sent, created, willCarry };
  }

  /** Gives a method the title that was asked for, without the run's mark: its handle is known now. A service may refuse that. */
  async #retitled(
    delivery: Delivery,
    handle: string,
    { reference }: Json,
    title: unknown,
    willCarry: (reference: string) => void,
  ): Promise<boolean> {
    // Clean-up knows a method by its handle if it has no reference or the one that was recorded.
    if (typeof reference === 'string') willCarry(reference);
    return isServed(await this.#send(delivery.changeMethod(handle, { title } as Json), 'given'));
  }

  /**
   * Sends a new method once more that was refused with a reference of the run: a service may take only references that it knows.
   * First without one, then with one that another method of the owner carries; what is served is what later methods carry. Tried
   * once a process for the same fields, and only for a method that has the run's mark in its title too.
   */
  async withOtherReference(
    delivery: Delivery,
    refused: Json,
    response: ServiceResponse,
  ): Promise<{ readonly sent: Json; readonly response: ServiceResponse }> {
    const { operations } = this.#resources;
    const isMarked = this.#resources.markIn(refused.reference) !== undefined && this.#resources.markIn(refused.title);
    // Where one of the run was taken, something else was refused.
    if (!isMarked || operations.codeServedAs('reference') !== undefined) return { sent: refused, response };
    const { reference: _, ...others } = refused;
    // One that is left out may be filled: then nothing shows whether the target takes a method without.
    const isFilled = this.filledReference(delivery, others).length > 0;
    const way = `${delivery.owner} ${isFilled ? 'filled' : 'as it is'}`;
    if (!operations.mayTryReferences(response.request, way)) return { sent: refused, response };
    const known = await this.#referencesOf(delivery);
    for (const reference of isFilled ? known : [null, ...known]) {
      const sent: Json = reference === null ? others : { ...others, reference };
      const again = await this.#send(delivery.addMethod(sent), 'given');
      if (!isServed(again)) continue;
      operations.methodReference = reference;
      return { sent, response: again };
    }
    return { sent: refused, response };
  }

  /** Notes that the check needs this method no longer: it is deleted at once where the service takes no more methods. */
  doneWith({ handle }: Pick<MethodUnderTest, 'handle'>): void {
    this.#room.release(handle);
  }

  /** Whether a create may have been refused because the owner has all the methods that it can have. */
  isFull(response: ServiceResponse): boolean {
    return this.#room.isUsedUp(response);
  }

  /** The response to a create of a method; room is made for it where the owner has all the methods that it can have. */
  createWithRoom(create: () => Promise<ServiceResponse>): Promise<ServiceResponse> {
    return this.#room.create(create);
  }

  /** Makes room for a create of the check's own, where the service is known to take few methods. */
  ensureRoom(): Promise<void> {
    return this.#room.ensure();
  }

  /** A reference that a method of the owner carries. */
  async #referencesOf(delivery: Delivery): Promise<string[]> {
    const { items } = await walk(this.#send, this.#resources, delivery.listMethods(), 'delivery_methods');
    for (const item of items)
      if (isJsonObject(item) && this.#resources.markIn(item) === undefined)
        this.#resources.operations.handlesBefore.add(item.handle);
    const references = items.map((item) => (isJsonObject(item) ? item.reference : undefined));
    return references.filter((one): one is string => typeof one === 'string' && one !== '').slice(0, 1);
  }

  /** The reference of a new method that the check leaves out, where one goes out all the same: by it, and its handle, it is the run's. */
  filledReference(delivery: Delivery, sent: Json): string[] {
    if (typeof sent.reference === 'string') return [];
    const { body } = this.#callAsSent(delivery.addMethod(sent));
    const method =
      body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json.delivery_method : undefined;
    return isJsonObject(method) && typeof method.reference === 'string' ? [method.reference] : [];
  }

  /** The reference of new methods that is not the run's own. */
  get #known(): string[] {
    const { methodReference } = this.#resources.operations;
    return typeof methodReference === 'string' ? [methodReference] : [];
  }

  /** Fields that any website takes: a text in every language it is known to have, its own country, no label page. */
  methodFields(reference: string): Json {
    const { country } = this;
    const { methodReference } = this.#resources.operations;
    return {
      ...(methodReference === null ? {} : { reference: methodReference ?? reference }),
      title: this.text(`Proofmark courier ${reference}`),
      available_countries_from: [country],
      available_countries_to: [country],
      print_label_url: null,
    };
  }

  /** A multilanguage text that may be sent to the website: an object where its languages are known, else a plain string. */
  text(words: string): unknown {
    const { languages } = this;
    return languages.length > 1 ? Object.fromEntries(languages.map((code) => [code, `${words} (${code})`])) : words;
  }

  /**
   * The handle of the method that carries a reference, found by walking the list. Where the target garbles the reference,
   * the mark is looked for in every field: the one that is given, or the one that the reference begins with.
   */
  async findMethod(delivery: Delivery, reference: string, mark = reference): Promise<string> {
    const marks = [mark, ...reference.split(' ', 1)].filter((text) => text.length >= MIN_MARK_CHARS);
    const look = async (): Promise<unknown> => {
      const { items } = await walk(this.#send, this.#resources, delivery.listMethods(), 'delivery_methods');
      const carrying = (texts: readonly string[]): unknown[] =>
        items.filter((item) => texts.some((text) => JSON.stringify(item)?.includes(text)));
      const isReferred = (item: unknown): boolean => isJsonObject(item) && item.reference === reference;
      // Methods of others may carry a reference without a mark as well.
      const marked = carrying(mark.length >= MIN_MARK_CHARS ? [mark] : []);
      return marked.find(isReferred) ?? marked[0] ?? items.find(isReferred) ?? carrying(marks)[0];
    };
    // Others may add and delete methods during a walk, so that it misses one.
    const found = (await look()) ?? (await look());
    const handle = isJsonObject(found) ? found.handle : undefined;
    return this.present(
      typeof handle === 'string' && handle !== '' ? handle : undefined,
      'delivery.method.list-contains-own',
      'the method that was just added is not in the list of methods with its reference and a handle',
    );
  }

  /**
   * Writes down, before it happens, that something of the target is about to be made or changed, and has it put right
   * when the check ends (or by `proofmark sweep` after a crash). Call it before the call that makes the change.
   * `putBack` does it by other means than calls.
   */
  track(entry: LedgerEntry, putBack?: RestoreEntry): TrackedEntry {
    const written = 'reference' in entry ? { ...entry, reference: this.#asSent(entry.reference) } : entry;
    return this.#undoing.track(written, putBack);
  }

  /** Puts points into methods by one batch call. */
  async points(delivery: Delivery, handles: Handles, points: readonly Json[]): Promise<void> {
    const call = delivery.batchReplace(handles, { pickup_points: points });
    await this.accepted(this.#send(call, 'given'), 'delivery.batch.replaces-all');
  }
}

/** A title or reference of the caller's that the run can't recognise. */
const isUnmarked = (resources: Resources, text: unknown): boolean =>
  text !== undefined && resources.markIn(text) === undefined;

/** Marks are longer; anything shorter could occur in a method by chance. */
const MIN_MARK_CHARS = 10;

/** The handle in the response to an add: bare, wrapped, or as the response's only news. */
export function handleIn(created: Pick<ServiceResponse, 'json'>): string | undefined {
  const resource = resourceOf(created.json, 'delivery_method');
  for (const holder of [resource, created.json]) {
    if (typeof holder === 'string' && holder !== '') return holder;
    if (!isJsonObject(holder)) continue;
    for (const name of ['handle', 'delivery_method_handle']) {
      const value = holder[name];
      if (typeof value === 'string' && value !== '') return value;
    }
  }
  return undefined;
}
