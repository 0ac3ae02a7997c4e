/** The target's side of the model: the real methods, and how what they show is compared with what the model has. */
import { resourceOf } from '../../../contracts/envelopes.ts';
import type { Context } from '../../../harness/context.ts';
import { type Fault, summary } from '../../../harness/expect.ts';
import { AssertionFailure, Inconclusive } from '../../../harness/failures.ts';
import { isObject, isRefused, isServed } from '../../../harness/judge-answer.ts';
import type { PropertyRun } from '../../../harness/property.ts';
import type { Call } from '../../../harness/target/call.ts';
import type { Answer } from '../../../harness/target/client.ts';
import type { Delivery, Json } from '../../../harness/target/delivery.ts';
import { walk } from '../../../harness/walk.ts';
import { METHOD_FIELDS, POINT_FIELDS, type PointField, readBackFaults, websiteOf } from '../../delivery/kit/fields.ts';
import { countOf, showsMethod, showsPoint } from '../../delivery/kit/reading.ts';
import { clauseOfList, clauseOfMethod, type ModelClause, type Wrong } from './clauses.ts';
import type { Fields, Model, Owner, Slot, SlotName, Write } from './state.ts';

/** A size of pages that hardly any service has by itself. */
const OTHER_PAGE_SIZE = 3;

export class Stage {
  readonly context: Context;
  readonly #run: PropertyRun;
  readonly #handles = new Map<SlotName, string>();
  readonly #stores: Readonly<Record<Owner, Delivery | undefined>>;

  constructor(run: PropertyRun, stores: Readonly<Record<Owner, Delivery | undefined>>) {
    this.context = run.context;
    this.#run = run;
    this.#stores = stores;
  }

  step(words: string): void {
    this.#run.step(words);
  }

  store(owner: Owner): Delivery {
    const store = this.#stores[owner];
    if (store === undefined) throw new Error(`The model has no store "${owner}".`);
    return store;
  }

  handle(name: SlotName): string {
    const handle = this.#handles.get(name);
    if (handle === undefined) throw new Error(`The method ${name} was not made.`);
    return handle;
  }

  /** One handle, or several. */
  handles(names: readonly SlotName[]): string | readonly string[] {
    return names.length === 1 ? this.handle(names[0]!) : names.map((name) => this.handle(name));
  }

  /** Makes the method of a slot, and hands on what was sent. */
  async make({ name, owner }: Pick<Slot, 'name' | 'owner'>, fields: Json): Promise<Json> {
    const method = await this.context.given.newMethod(this.store(owner), fields);
    this.#handles.set(name, method.handle);
    return method.fields;
  }

  /** The language that a plain string changes; undefined where it is not known. */
  get defaultLanguage(): string | undefined {
    const { languages, defaultLanguage } = websiteOf(this.context);
    return defaultLanguage ?? (languages.length === 1 ? languages[0] : undefined);
  }

  /** Asserts under one of the model's clauses. */
  expect(clause: ModelClause, holds: boolean, message: string, evidence: object = {}): void {
    this.context.expect.that(holds, message, { clauses: [clause], ...evidence });
  }

  /** Asserts that a call was served that has to be. */
  served(clause: ModelClause, answer: Answer, message: string): void {
    this.expect(clause, isServed(answer), message, {
      expected: 'a successful answer',
      actual: summary(answer),
      answer,
    });
  }

  /** Sends a call that may change something, and notes it with every list that it may have reached. */
  async write(model: Model, call: Call, write: Omit<Write, 'served'>): Promise<Answer> {
    const answer = await this.context.send(call, write.kind);
    if (isRefused(answer) === 'unavailable')
      throw new Inconclusive(`the target was not available (${summary(answer)}): run again when it answers`, 'network');
    this.note(model, { ...write, served: isServed(answer) });
    return answer;
  }

  note(model: Model, write: Write): void {
    for (const slot of model.slots) {
      slot.writes.push(write);
      if (write.kind === 'method') slot.methodWrite = write;
    }
  }

  /** The points that the method lists, walked to the end as a precondition. */
  async listed({ name, owner }: Slot, pageSize?: number): Promise<Json[]> {
    const call = this.store(owner).listPoints(this.handle(name), pageSize === undefined ? {} : { pageSize });
    const { items } = await walk(this.context.send, this.context.resources, call, 'pickup_points');
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
        clauses: [clauseOfList(slot, wrong)],
      });
    }
    this.context.expect.asserted += 1;
    const ids = items.map(({ id }) => id);
    for (const [id, point] of [...slot.points]) {
      if (!ids.includes(id)) slot.points.delete(id);
      else if (!point.sure) slot.points.set(id, { ...point, sure: true });
    }
    slot.writes = [];
  }

  #wrongIn(slot: Slot, items: readonly Json[]): (Wrong & { message: string; evidence: object }) | undefined {
    const ids = items.map(({ id }) => String(id));
    const expected = [...slot.points].filter(([, { sure }]) => sure).map(([id]) => id);
    const evidence = { expected: expected.toSorted(), actual: ids.toSorted(), pointer: '/pickup_points' };
    const quoted = (id: string) => `the point ${JSON.stringify(id)}`;
    const twice = ids.find((id) => countOf(ids, id) > 1);
    if (twice !== undefined) return { what: 'twice', id: twice, message: `${quoted(twice)} stands twice`, evidence };
    const stranger = ids.find((id) => !slot.points.has(id));
    if (stranger !== undefined)
      return { what: 'stranger', id: stranger, message: `${quoted(stranger)} must not be`, evidence };
    const missing = expected.find((id) => !ids.includes(id));
    if (missing !== undefined) return { what: 'missing', id: missing, message: `${quoted(missing)} must be`, evidence };
    for (const item of items) {
      const id = String(item.id);
      const fault = this.#wrongField(slot.points.get(id)?.fields ?? {}, item);
      if (fault === undefined) continue;
      const { field, message, expected, actual } = fault;
      return { what: 'field', id, field, message: `${quoted(id)}: ${message},`, evidence: { expected, actual } };
    }
    return undefined;
  }

  #wrongField(fields: Fields, read: Json): (Fault & { field: PointField }) | undefined {
    for (const field of POINT_FIELDS) {
      if (!(field in fields)) continue;
      const [fault] = this.#faultsOf(field, fields[field], read[field]);
      if (fault !== undefined) return { ...fault, field };
    }
    return undefined;
  }

  /** A title of which no language is known can't be wrong. */
  #faultsOf(field: PointField | (typeof METHOD_FIELDS)[number], sent: unknown, read: unknown): Fault[] {
    const nothingKnown = field === 'title' && typeof sent === 'object' && Object.keys(sent ?? {}).length === 0;
    return nothingKnown ? [] : readBackFaults(this.context, field, sent, read);
  }

  /** What only the list gets wrong is no fault of what was written: it has checks of its own. */
  async #isOfTheList(slot: Slot, items: readonly Json[], { what, id }: Wrong): Promise<void> {
    const { given, send } = this.context;
    const again = await this.listed(slot, OTHER_PAGE_SIZE);
    const ids = (list: readonly Json[]) => list.map((item) => item.id).toSorted();
    const same = ids(items).join('\\n') === ids(again).join('\\n');
    given.holds(same, 'lists.every-item-once', 'the list shows other points in pages of another size');
    if (what !== 'missing') return;
    const read = await send(this.store(slot.owner).readPoint(this.handle(slot.name), id), 'read');
    given.holds(!showsPoint(read, id), 'delivery.point.list-contains', `${id} is read under its id and not listed`);
  }

  /** Asserts that a point reads as the model has it, or that it does not read where there is none. */
  async comparePoint(slot: Slot, id: string): Promise<void> {
    const { send, expect } = this.context;
    const answer = await send(this.store(slot.owner).readPoint(this.handle(slot.name), id), 'read');
    const expectation = slot.points.get(id);
    if (expectation?.sure === false) return;
    const shown = showsPoint(answer, id);
    const named = `the point ${JSON.stringify(id)} of ${slot.name}`;
    const evidence = { expected: expectation === undefined ? 'a refusal' : id, actual: summary(answer), answer };
    const fault =
      shown && expectation !== undefined
        ? this.#wrongField(expectation.fields, resourceOf(answer.json, 'pickup_point') as Json)
        : undefined;
    // The list says whether this is the fault of reading, or of what was written before.
    if (shown !== (expectation !== undefined) || fault !== undefined) await this.compareList(slot);
    this.expect('delivery.point.read-by-id', shown || expectation === undefined, `${named} must be read`, evidence);
    this.expect('delivery.point.unknown-not-read', !shown || expectation !== undefined, `${named} must not be read`, {
      ...evidence,
    });
    this.expect('delivery.point.list-agrees-with-read', fault === undefined, `${named}: ${fault?.message}`, {
      expected: fault?.expected,
      actual: fault?.actual,
      answer,
    });
    expect.asserted += 1;
  }

  /** Asserts that a method reads as the model has it. */
  async compareMethod(slot: Slot): Promise<void> {
    const { name, owner, method } = slot;
    const answer = await this.context.send(this.store(owner).readMethod(this.handle(name)), 'read');
    const shown = showsMethod(answer, this.handle(name));
    this.expect(clauseOfMethod(slot), shown, `the method ${name} must be read`, { actual: summary(answer), answer });
    const read = resourceOf(answer.json, 'delivery_method') as Json;
    for (const field of METHOD_FIELDS) {
      if (!(field in method)) continue;
      const [fault] = this.#faultsOf(field, method[field], read[field]);
      this.expect(clauseOfMethod(slot, field), fault === undefined, `the method ${name}: ${fault?.message}`, {
        ...fault,
        answer,
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
    const answer = await this.context.send(calls[what], 'read');
    const shown =
      what === 'method' ? showsMethod(answer, handle) : what === 'point' ? showsPoint(answer, id) : hasPoints(answer);
    const foreign = by !== slot.owner;
    const clause = foreign
      ? what === 'method'
        ? 'delivery.owner.methods-not-readable'
        : 'delivery.owner.points-not-readable'
      : what === 'method'
        ? 'delivery.method.delete-removes'
        : 'delivery.point.unknown-method-refused';
    const whose = foreign ? "another store's method" : 'a deleted method';
    const evidence = { expected: 'a refusal', actual: summary(answer), answer };
    this.expect(clause, !shown, `${what === 'method' ? whose : `the ${what} of ${whose}`} must not be read`, evidence);
  }
}

/** Whether an answer lists a point at all. */
function hasPoints({ json }: Answer): boolean {
  return isObject(json) && Array.isArray(json.pickup_points) && json.pickup_points.length > 0;
}
