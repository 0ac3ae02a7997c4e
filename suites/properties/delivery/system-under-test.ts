/** The target's side of the model: the real methods, and how what they show is compared with what the model has. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Fault, summary } from '../../../harness/check/expect.ts';
import { AssertionFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { INSPECTION } from '../../../harness/property/index.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../harness/target/interfaces/delivery.ts';
import { walk } from '../../../harness/target/list-walk.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import {
  inOneLanguage,
  METHOD_FIELDS,
  POINT_FIELDS,
  type PointField,
  readBackFaults,
} from '../../delivery/steps/fields.ts';
import { countOf, showsMethod, showsPoint } from '../../delivery/steps/reading.ts';
import { written } from '../steps/written.ts';
import { baseRuleOfCall, baseRuleOfList, baseRuleOfMethod } from './base-rules.ts';
import { clauseOfList, clauseOfMethod, type ModelClause, type WrongPoint } from './clauses.ts';
import type { MethodAccess } from './method-access.ts';
import { type Fields, type Model, type Owner, ownerOf, type Slot, type SlotName, type Write } from './state.ts';

/** A size of pages that hardly any service has by itself. */
const OTHER_PAGE_SIZE = 3;

export interface SystemOptions {
  /** Called with each command. */
  readonly step: (words: string) => void;
  /** Whether everything is read after each call, to find the one that went wrong. */
  readonly comparesState: boolean;
}

export class SystemUnderTest implements MethodAccess {
  readonly context: Context;
  readonly step: (words: string) => void;
  readonly #comparesState: boolean;
  #role = 'read';
  readonly #handles = new Map<SlotName, string>();
  readonly #stores: Readonly<Record<Owner, Delivery | undefined>>;

  constructor(
    context: Context,
    stores: Readonly<Record<Owner, Delivery | undefined>>,
    { step, comparesState }: SystemOptions,
  ) {
    this.context = context;
    this.step = step;
    this.#comparesState = comparesState;
    this.#stores = stores;
  }

  store(owner: Owner): Delivery {
    const store = this.#stores[owner];
    if (store === undefined) throw new Error(`The model has no store "${owner}".`);
    return store;
  }

  handle(name: SlotName): string {
    const handle = this.#handles.get(name);
    if (handle === undefined) throw new Error(`The method ${name} was not created.`);
    return handle;
  }

  /** One handle, or several. */
  handles(names: readonly SlotName[]): string | readonly string[] {
    return names.length === 1 ? this.handle(names[0]!) : names.map((name) => this.handle(name));
  }

  /** Makes a method that takes points of both countries, and hands on what the model knows of it. `deleted`: the slots without a method. */
  async make(name: SlotName, deleted: readonly SlotName[] = []): Promise<Json> {
    const owner = ownerOf(name);
    const { given, resources } = this.context;
    const words = `Proofmark courier ${resources.newMark()}`;
    // The languages of a second store are not known: a plain string is the one text that it must take.
    const title = owner === 'own' ? inOneLanguage(this.context, words) : words;
    const method = await given.newMethod(this.store(owner), { title, available_countries_to: ['EE', 'LV'] });
    // The handle of a deleted method may be given to a new one: the deleted one is then as unknown as any that was never given.
    for (const other of deleted)
      if (this.#handles.get(other) === method.handle) this.#handles.set(other, `gone-${resources.newMark()}`);
    this.#handles.set(name, method.handle);
    const { title: _, ...fields } = method.fields;
    return owner === 'own' ? method.fields : fields;
  }

  /** Asserts under one of the model's clauses. */
  expect(clause: ModelClause, holds: boolean, message: string, evidence: object = {}): void {
    this.context.expect.that(holds, message, { clauses: [clause], ...evidence });
  }

  /**
   * Asserts that a call was served that has to be; `ids` are those that it adds. A refusal of values that the model chose is skipped:
   * later reads show whether it changed anything.
   */
  async served(
    clause: ModelClause,
    response: ServiceResponse,
    message: string,
    ids: readonly string[] = [],
  ): Promise<void> {
    if (this.context.choices.skipsRefusal(response, { clause, message })) return;
    const isRefused = !isServed(response);
    const baseRule = this.#comparesState && isRefused ? await baseRuleOfCall(this, clause, ids) : clause;
    this.expect(baseRule, !isRefused, message, {
      expected: 'a successful response',
      actual: summary(response),
      response,
    });
  }

  /** Sends a call that may change something, and notes it with every list that it may have reached. */
  async write(model: Model, call: ServiceRequest, write: Omit<Write, 'served'>): Promise<ServiceResponse> {
    const response = await this.context.send(written(this.context, call), write.kind);
    if (isRefused(response) === 'unavailable')
      throw new Inconclusive(
        `the target was not available (${summary(response)}): run again when it responds`,
        'network',
      );
    this.note(model, { ...write, served: isServed(response) });
    return response;
  }

  /** Notes a call that may have changed something: for every method, since it may have reached any. */
  note(model: Model, write: Write): void {
    for (const slot of model.slots) {
      slot.writes.push(write);
      if (write.kind === 'method') slot.methodWrite = write;
    }
  }

  /** Compares everything that is there, where that is asked for after each call. */
  async compareState({ slots }: Model): Promise<void> {
    if (!this.#comparesState) return;
    for (const slot of slots) if (slot.alive) await this.compareMethod(slot);
    for (const slot of slots) if (slot.alive) await this.compareList(slot);
  }

  /** Compares what was written since it was last read, or may have been reached by that. */
  async compareWritten({ slots }: Model): Promise<void> {
    this.#role = INSPECTION;
    for (const slot of slots) if (slot.alive && slot.methodWrite !== undefined) await this.compareMethod(slot);
    for (const slot of slots) if (slot.alive && slot.writes.length > 0) await this.compareList(slot);
  }

  /** Compares how each id reads alone, whether it is there or not. */
  async compareReads(slot: Slot, ids: readonly string[]): Promise<void> {
    if (slot.alive) for (const id of ids) await this.comparePoint(slot, id);
  }

  /** The points that the method lists, walked to the end as a precondition. */
  async listed({ name, owner }: Slot, pageSize?: number): Promise<Json[]> {
    const call = this.store(owner).listPoints(this.handle(name), pageSize === undefined ? {} : { pageSize });
    const { items } = await walk(
      (one) => this.context.send(one, this.#role),
      this.context.resources,
      call,
      'pickup_points',
    );
    return items as Json[];
  }

  /** Asserts that the method lists what the model has, and learns what the model did not know for sure. */
  async compareList(slot: Slot, pageSize?: number): Promise<void> {
    const items = await this.listed(slot, pageSize);
    const wrong = this.#wrongIn(slot, items);
    if (wrong !== undefined) {
      await this.#isOfTheList(slot, items, wrong);
      throw new AssertionFailure(`${wrong.message} in the list of ${slot.name}`, {
        ...wrong.evidence,
        clauses: [this.#comparesState ? await baseRuleOfList(this, slot, wrong) : clauseOfList(slot, wrong)],
      });
    }
    this.context.expect.asserted += 1;
    const ids = items.map(({ id }) => id);
    for (const [id, point] of [...slot.points]) {
      if (!ids.includes(id)) slot.points.delete(id);
      else if (!point.sure) slot.points.set(id, { ...point, sure: true });
    }
    slot.before = slot.writes.findLast(({ slots }) => slots.includes(slot.name)) ?? slot.before;
    slot.writes = [];
  }

  #wrongIn(slot: Slot, items: readonly Json[]): (WrongPoint & { message: string; evidence: object }) | undefined {
    const ids = items.map(({ id }) => String(id));
    const expected = [...slot.points].filter(([, { sure }]) => sure).map(([id]) => id);
    const evidence = { expected: expected.toSorted(), actual: ids.toSorted(), pointer: '/pickup_points' };
    const quoted = (id: string) => `the point ${JSON.stringify(id)}`;
    const notText = items.find(({ id }) => typeof id !== 'string');
    if (notText !== undefined) {
      const message = `the id ${JSON.stringify(notText.id)} must be a text`;
      return { what: 'garbled', id: String(notText.id), message, evidence };
    }
    const twice = ids.find((id) => countOf(ids, id) > 1);
    if (twice !== undefined) return { what: 'twice', id: twice, message: `${quoted(twice)} is listed twice`, evidence };
    const stranger = ids.find((id) => !slot.points.has(id));
    const missing = expected.find((id) => !ids.includes(id));
    if (stranger !== undefined) {
      const neverSent = missing !== undefined && !slot.writes.some(({ ids: sent }) => sent.includes(stranger));
      const what = neverSent && slot.writes.length > 0 ? 'garbled' : 'stranger';
      return { what, id: stranger, message: `${quoted(stranger)} must not be`, evidence };
    }
    if (missing !== undefined) return { what: 'missing', id: missing, message: `${quoted(missing)} must be`, evidence };
    for (const item of items) {
      const id = String(item.id);
      const fault = this.wrongField(slot.points.get(id)?.fields ?? {}, item);
      if (fault === undefined) continue;
      const { field, message, expected, actual } = fault;
      const evidence = { expected, actual, pointer: `/pickup_points/…/${field}` };
      return { what: 'field', id, field, message: `${quoted(id)}: ${message},`, evidence };
    }
    return undefined;
  }

  /** The first field of a point that does not read as the model has it. */
  wrongField(fields: Fields, read: Json): (Fault & { field: PointField }) | undefined {
    for (const field of POINT_FIELDS) {
      if (!(field in fields)) continue;
      const [fault] = readBackFaults(this.context, field, fields[field], read[field]);
      if (fault !== undefined) return { ...fault, field };
    }
    return undefined;
  }

  /** What only the list gets wrong is not a fault of what was written: it has checks of its own. */
  async #isOfTheList(slot: Slot, items: readonly Json[], { what, id }: WrongPoint): Promise<void> {
    const { given, send } = this.context;
    const ids = (list: readonly Json[]) =>
      list
        .map((item) => JSON.stringify(item.id))
        .toSorted()
        .join();
    // A list that flickers is not a matter of pages.
    if (ids(await this.listed(slot)) !== ids(items)) return;
    const same = ids(items) === ids(await this.listed(slot, OTHER_PAGE_SIZE));
    given.holds(same, 'delivery.lists.every-item-once', 'the list shows other points in pages of another size');
    if (what !== 'missing') return;
    const read = await send(this.store(slot.owner).readPoint(this.handle(slot.name), id), this.#role);
    given.holds(
      !showsPoint(read, id),
      'delivery.point.list-contains',
      `${id} can be read by its id, but is not listed`,
    );
  }

  /** Asserts that a point reads as the model has it, or that reading it fails where the model has none. */
  async comparePoint(slot: Slot, id: string): Promise<void> {
    const { send, expect } = this.context;
    const response = await send(this.store(slot.owner).readPoint(this.handle(slot.name), id), this.#role);
    const expectation = slot.points.get(id);
    if (expectation?.sure === false) return;
    const shown = showsPoint(response, id);
    const named = `the point ${JSON.stringify(id)} of ${slot.name}`;
    const evidence = {
      expected: expectation === undefined ? 'a refusal' : id,
      actual: summary(response),
      response,
    };
    const fault =
      shown && expectation !== undefined
        ? this.wrongField(expectation.fields, resourceOf(response.json, 'pickup_point') as Json)
        : undefined;
    // The list says whether this is the fault of reading, or of what was written before.
    if (isServed(response) !== (expectation !== undefined) || fault !== undefined) await this.compareList(slot);
    this.expect('delivery.point.read-by-id', shown || expectation === undefined, `${named} must be read`, evidence);
    const wasDeleted = shown && slot.deleted.has(id);
    const clause = wasDeleted ? 'delivery.point.delete-removes' : 'delivery.point.unknown-read-refused';
    this.expect(clause, !isServed(response) || expectation !== undefined, `${named} is missing`, evidence);
    this.expect('delivery.point.list-agrees-with-read', fault === undefined, `${named}: ${fault?.message}`, {
      expected: fault?.expected,
      actual: fault?.actual,
      response,
    });
    expect.asserted += 1;
  }

  /** Asserts that a method reads as the model has it. */
  async compareMethod(slot: Slot): Promise<void> {
    const { name, owner, method } = slot;
    const response = await this.context.send(this.store(owner).readMethod(this.handle(name)), this.#role);
    const shown = showsMethod(response, this.handle(name));
    this.expect(clauseOfMethod(slot), shown, `the method ${name} must be read`, {
      actual: summary(response),
      response,
    });
    const read = resourceOf(response.json, 'delivery_method') as Json;
    for (const field of METHOD_FIELDS) {
      if (!(field in method)) continue;
      const [fault] = readBackFaults(this.context, field, method[field], read[field]);
      const readsFurther = this.#comparesState && fault !== undefined;
      const clause = readsFurther ? await baseRuleOfMethod(this, slot, field, read) : clauseOfMethod(slot, field);
      this.expect(clause, fault === undefined, `the method ${name}: ${fault?.message}`, {
        ...fault,
        response,
      });
    }
    slot.methodWrite = undefined;
  }

  /** Asserts that a method which is not there, or not the caller's, shows nothing. */
  async showsNothing(slot: Slot, by: Owner, what: 'method' | 'points' | 'point', id = ''): Promise<void> {
    const store = this.store(by);
    const handle = this.handle(slot.name);
    const calls = {
      method: store.readMethod(handle),
      points: store.listPoints(handle),
      point: store.readPoint(handle, id || '1'),
    };
    const response = await this.context.send(calls[what], this.#role);
    const shows = {
      method: showsMethod(response, handle),
      points: hasPoints(response),
      point: showsPoint(response, id),
    };
    const foreign = by !== slot.owner;
    const clause = foreign
      ? what === 'method'
        ? 'delivery.owner.methods-not-readable'
        : 'delivery.owner.points-not-readable'
      : what === 'method'
        ? 'delivery.method.delete-removes'
        : 'delivery.point.unknown-method-refused';
    const whose = foreign ? "another store's method" : 'a deleted method';
    const evidence = { expected: 'a refusal', actual: summary(response), response };
    // What another store gets may be empty; of what is gone even that is too much.
    const shown = foreign || what === 'method' ? shows[what] : isServed(response);
    this.expect(clause, !shown, `${what === 'method' ? whose : `the ${what} of ${whose}`} must not be read`, evidence);
  }
}

/** Whether a response lists a point at all. */
function hasPoints({ json }: ServiceResponse): boolean {
  return isJsonObject(json) && Array.isArray(json.pickup_points) && json.pickup_points.length > 0;
}
