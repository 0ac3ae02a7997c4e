/**
 * Everything that a run can see, held against the model: each method and point alone and in every list, in both orders, in pages,
 * by both owners. After each step the lists that it names are compared, and everything else in turns; at the end all of it is.
 */
import { resourceOf } from '../../../../contracts/envelopes/index.ts';
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { LOOK } from '../../../../harness/property/index.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Delivery, Json, ListOptions } from '../../../../harness/target/interfaces/delivery.ts';
import { follow } from '../../../../harness/target/list-walk.ts';
import { isObject, isRefused } from '../../../../harness/target/response/judge-response.ts';
import { anomaliesOf } from '../../../delivery/lists/judge.ts';
import { pointsOf, type Reading, readList } from '../../../delivery/lists/reading.ts';
import { METHOD_FIELDS, POINT_FIELDS, type PointField, readBackFaults } from '../../../delivery/steps/fields.ts';
import { countOf, showsMethod, showsPoint } from '../../../delivery/steps/reading.ts';
import { shapeOfMethod, shapeOfPoint } from '../base-rules.ts';
import { isPlainId } from './alphabets.ts';
import { kept } from './kept.ts';
import { isRefusalOfSize, SLACK_PAGES, sizeFor } from './page-sizes.ts';
import type { MethodState, World } from './world.ts';
import { garbled, WRONG_IDS, wrongIds } from './wrong-ids.ts';

/** Points of a method that are read alone; of longer lists the first, the last and those that the last call named. */
const MAX_READ_ALONE = 4;
/** Ids that are not there and are asked for. */
const MAX_ABSENT = 2;

export class Comparison {
  readonly #context: Context;
  readonly #world: World;
  readonly #stores: Readonly<Record<'own' | 'other', Delivery | undefined>>;
  #turn = 0;

  constructor(context: Context, world: World, stores: Readonly<Record<'own' | 'other', Delivery | undefined>>) {
    this.#context = context;
    this.#world = world;
    this.#stores = stores;
  }

  /** Before the first step: what is wrong already was not done by a call. */
  async before(): Promise<void> {
    for (const method of this.#world.methods) await this.#method(method);
    await this.#methodLists(false);
  }

  /** After a step: the lists of what it named, and in turns everything else that can be seen. */
  async afterStep(): Promise<void> {
    const { methods, last } = this.#world;
    const touched = last?.methods ?? [];
    this.#turn += 1;
    for (const method of touched) {
      if (!method.alive) await this.#nothingIsLeft(method);
      else if (last?.write.kind === 'method') await this.#method(method);
      else await this.#points(method, this.#turn);
    }
    const others = methods.filter((method) => !touched.includes(method));
    const other = others[this.#turn % Math.max(1, others.length)];
    if (other !== undefined) await this.#glance(other);
    if (last?.write.kind === 'method' || this.#turn % 4 === 0) await this.#methodLists(this.#turn % 2 === 0);
  }

  /** What a call for other methods may have changed. */
  async #glance(method: MethodState): Promise<void> {
    if (!method.alive) return this.#nothingIsLeft(method);
    if (this.#world.last?.write.kind === 'method' || this.#turn % 4 === 0) await this.#method(method);
    await this.#points(method, undefined);
  }

  /** At the end: everything. */
  async whole(): Promise<void> {
    for (const method of this.#world.methods) await this.#inEveryWay(method);
    await this.#methodLists(false);
    await this.#methodLists(true);
  }

  async #inEveryWay(method: MethodState): Promise<void> {
    if (!method.alive) return this.#nothingIsLeft(method);
    await this.#method(method);
    await this.#points(method, 'every');
  }

  #expect(clause: string, holds: boolean, message: string, evidence: object = {}): void {
    const words = this.#world.last?.words;
    const after = words === undefined ? '' : `, after: ${words}`;
    this.#context.expect.that(holds, `${message}${after}`, { clauses: [clause], ...evidence });
  }

  async #send(call: Parameters<Context['send']>[0]): Promise<ServiceResponse> {
    const answer = await this.#context.send(call, LOOK);
    if (isRefused(answer) === 'unavailable')
      throw new Inconclusive(`the target was not available (${summary(answer)}): run again when it answers`, 'network');
    return answer;
  }

  #store({ owner }: MethodState): Delivery {
    const store = this.#stores[owner];
    if (store === undefined) throw new Error(`This run has no store "${owner}".`);
    return store;
  }

  /** Asserts that a method reads alone as it has to. */
  async #method(method: MethodState): Promise<void> {
    const answer = await this.#send(this.#store(method).readMethod(method.handle));
    const shown = showsMethod(answer, method.handle);
    const clause = this.#world.clauseOfMethod(method);
    this.#expect(clause, shown, `method ${method.place} must be read by its handle`, {
      expected: method.handle,
      actual: summary(answer),
      answer,
    });
    await this.#methodFields(method, resourceOf(answer.json, 'delivery_method') as Json, answer, undefined);
  }

  async #methodFields(
    method: MethodState,
    read: Json,
    answer: ServiceResponse,
    clause: string | undefined,
  ): Promise<void> {
    for (const field of METHOD_FIELDS) {
      if (!(field in method.fields)) continue;
      const [fault] = readBackFaults(this.#context, field, method.fields[field], read[field]);
      const blamed = this.#world.clauseOfMethod(method, field);
      const found =
        fault === undefined
          ? blamed
          : (shapeOfMethod(read, field) ??
            clause ??
            (await kept.method(this.#context, field, method.fields[field], blamed)));
      this.#expect(found, fault === undefined, `method ${method.place}: ${fault?.message}`, { ...fault, answer });
    }
  }

  /** Asserts that the list of points is correct, and so are the other ways of seeing it: `every` one, or the one whose turn it is. */
  async #points(method: MethodState, ways: 'every' | number | undefined): Promise<void> {
    const items = await this.listed(method);
    if (items === undefined) return;
    await this.#list(method, items);
    const ids = items.map(({ id }) => String(id));
    const views = [
      () => this.#alone(method, items),
      () => this.#otherOrder(method, ids, { desc: true }),
      () => this.#absent(method, ids),
      () => this.#otherOrder(method, ids, { pageSize: sizeFor(ids) }),
      () => this.#intruderSeesNothing(method),
      () => this.#otherOrder(method, ids, { pageSize: sizeFor(ids), desc: true }),
    ];
    if (ways === undefined) return;
    for (const view of ways === 'every' ? views : [views[ways % views.length]!]) await view();
  }

  /** The points that a method lists; undefined where a chosen page size is refused. */
  async listed(method: MethodState, options: ListOptions = {}): Promise<Json[] | undefined> {
    const call = this.#store(method).listPoints(method.handle, options);
    const { send, resources, given } = this.#context;
    const asLook: typeof send = (one) => send(one, LOOK);
    try {
      const walked = await follow(asLook, resources, call, 'pickup_points');
      if (walked.end === 'too-many-pages' || walked.end === 'refused-page') return undefined;
      const clause = walked.end === 'loop' ? 'delivery.lists.walk-ends' : 'delivery.lists.next-link-leads-on';
      given.holds(walked.end === 'last-page', clause, `a list could not be walked: ${walked.endReason}`, {
        answer: walked.pages.at(-1)?.answer,
      });
      return walked.items.filter(isObject);
    } catch (thrown) {
      if (options.pageSize !== undefined && isRefusalOfSize(thrown)) return undefined;
      throw thrown;
    }
  }

  /** Takes over what is listed for these ids, or for all: the contract leaves open what a call made of them. */
  async learn(method: MethodState, ids?: readonly string[]): Promise<void> {
    const listed = new Set(((await this.listed(method)) ?? []).map(({ id }) => String(id)));
    const doubtful = ids ?? [...new Set([...method.points.keys(), ...listed])];
    for (const id of doubtful) {
      if (listed.has(id)) method.points.set(id, {});
      else method.points.delete(id);
    }
  }

  async #list(method: MethodState, items: readonly Json[]): Promise<void> {
    const ids = items.map(({ id }) => String(id));
    const expected = [...method.points.keys()];
    const evidence = { expected: expected.toSorted(), actual: ids.toSorted(), pointer: '/pickup_points' };
    const wrong = wrongIds(ids, method.points);
    if (wrong !== undefined) {
      const clause =
        (await this.#clauseOfPages(method, expected)) ??
        (wrong.what === 'missing' && (await this.#readsAlone(method, wrong.id))
          ? 'delivery.point.list-contains'
          : this.#world.clauseOfList(method, garbled(wrong, ids, method.points)));
      this.#expect(
        clause,
        false,
        `${WRONG_IDS[wrong.what]} in the list of method ${method.place}: ${wrong.id}`,
        evidence,
      );
    }
    this.#context.expect.asserted += 1;
    for (const item of items) await this.#pointFields(method, item, undefined);
  }

  /** The rule of lists that explains a wrong list, where the same points come out right in other pages or in another order. */
  async #clauseOfPages(method: MethodState, ids: readonly string[]): Promise<string | undefined> {
    const source = pointsOf(this.#store(method), method.handle);
    const readings: Reading[] = [];
    for (const spec of [{}, {}, { pageSize: 7 }, { pageSize: 100 }, { desc: true }, { pageSize: 7, desc: true }]) {
      try {
        readings.push(await readList(this.#context, source, spec, ids.length + SLACK_PAGES));
      } catch (thrown) {
        if (!isRefusalOfSize(thrown)) throw thrown;
      }
    }
    // Where no reading shows what has to be there, it is not there.
    const isStored = readings.some((reading) => sorted(reading.ids) === sorted(ids));
    return isStored ? anomaliesOf(readings, ids)[0]?.clause : undefined;
  }

  async #readsAlone(method: MethodState, id: string): Promise<boolean> {
    return showsPoint(await this.#send(this.#store(method).readPoint(method.handle, id)), id);
  }

  async #pointFields(method: MethodState, item: Json, alone: ServiceResponse | undefined): Promise<void> {
    const id = String(item.id);
    const fields = method.points.get(id) ?? {};
    for (const field of POINT_FIELDS) {
      if (!(field in fields)) continue;
      const [fault] = readBackFaults(this.#context, field, fields[field], item[field]);
      if (fault === undefined) continue;
      const blamed = this.#world.clauseOfList(method, { what: 'field', id, field });
      const clause =
        shapeOfPoint(item, field) ??
        (alone !== undefined || (await this.#isRightAlone(method, id, field, fields[field]))
          ? 'delivery.point.list-agrees-with-read'
          : await kept.point(this.#context, field, fields[field], blamed));
      const where = alone === undefined ? 'in the list' : 'read alone';
      this.#expect(clause, false, `${JSON.stringify(id)} of method ${method.place}, ${where}: ${fault.message}`, {
        ...fault,
        ...(alone === undefined ? {} : { answer: alone }),
      });
    }
  }

  async #isRightAlone(method: MethodState, id: string, field: PointField, value: unknown): Promise<boolean> {
    const answer = await this.#send(this.#store(method).readPoint(method.handle, id));
    const read = resourceOf(answer.json, 'pickup_point');
    return isObject(read) && readBackFaults(this.#context, field, value, read[field]).length === 0;
  }

  /** Asserts that the list is the same in pages, and the exact reverse with desc. */
  async #otherOrder(method: MethodState, ids: readonly string[], options: ListOptions): Promise<void> {
    const items = await this.listed(method, options);
    if (items === undefined) return;
    const expected = options.desc === true ? ids.toReversed() : ids;
    const actual = items.map(({ id }) => String(id));
    const same = actual.join('\n') === expected.join('\n');
    const clause = options.desc === true ? 'delivery.lists.desc-reverses-whole-list' : 'delivery.lists.every-item-once';
    const blamed = same ? clause : ((await this.#clauseOfPages(method, ids)) ?? clause);
    const how = Object.entries(options).map(([name, value]) => `${name} ${value}`);
    this.#expect(blamed, same, `the list of method ${method.place} with ${how} must hold the same points`, {
      expected,
      actual,
      pointer: '/pickup_points',
    });
    for (const item of items) await this.#pointFields(method, item, undefined);
  }

  async #alone(method: MethodState, items: readonly Json[]): Promise<void> {
    const named = new Set(this.#world.last?.write.ids);
    const chosen =
      items.length <= MAX_READ_ALONE
        ? items
        : items.filter(({ id }, at) => at === 0 || at === items.length - 1 || named.has(String(id)));
    for (const { id: each } of chosen.slice(0, MAX_READ_ALONE)) {
      const id = String(each);
      const answer = await this.#send(this.#store(method).readPoint(method.handle, id));
      const message = `${JSON.stringify(id)}, which method ${method.place} lists, must be read by its id`;
      this.#expect(isPlainId(id) ? 'delivery.point.read-by-id' : ANY_ID, showsPoint(answer, id), message, {
        expected: id,
        actual: summary(answer),
        answer,
      });
      await this.#pointFields(method, resourceOf(answer.json, 'pickup_point') as Json, answer);
    }
  }

  async #absent(method: MethodState, ids: readonly string[]): Promise<void> {
    const elsewhere = this.#world.methods.flatMap(({ points }) => [...points.keys()]);
    const absent = [...method.gone, ...elsewhere].filter((id) => !ids.includes(id));
    for (const id of [...new Set(absent)].slice(0, MAX_ABSENT)) {
      const answer = await this.#send(this.#store(method).readPoint(method.handle, id));
      const clause = method.gone.has(id) ? 'delivery.point.delete-removes' : 'delivery.point.unknown-not-read';
      const message = `${JSON.stringify(id)}, which method ${method.place} does not list, must not be read`;
      this.#expect(clause, !showsPoint(answer, id), message, {
        expected: 'a refusal',
        actual: summary(answer),
        answer,
      });
    }
  }

  /** Asserts that the other store sees neither the method nor its points. */
  async #intruderSeesNothing(method: MethodState): Promise<void> {
    const intruder = this.#stores[method.owner === 'own' ? 'other' : 'own'];
    if (intruder === undefined) return;
    const { handle, points, place } = method;
    const [id] = points.keys();
    const calls = [
      ['method', intruder.readMethod(handle), (answer: ServiceResponse) => showsMethod(answer, handle)],
      ['points', intruder.listPoints(handle), (answer: ServiceResponse) => listsPoints(answer)],
      ...(id === undefined
        ? []
        : [['point', intruder.readPoint(handle, id), (answer: ServiceResponse) => showsPoint(answer, id)] as const]),
    ] as const;
    for (const [what, call, shows] of calls) {
      const answer = await this.#send(call);
      const clause = `delivery.owner.${what === 'method' ? 'methods' : 'points'}-not-readable`;
      const message = `another store must not see the ${what} of method ${place}`;
      this.#expect(clause, !shows(answer), message, { expected: 'a refusal', actual: summary(answer), answer });
    }
  }

  /** Asserts that nothing is left of a method that was deleted. */
  async #nothingIsLeft(method: MethodState): Promise<void> {
    const store = this.#store(method);
    const read = await this.#send(store.readMethod(method.handle));
    const evidence = (answer: ServiceResponse) => ({ expected: 'a refusal', actual: summary(answer), answer });
    const gone = `method ${method.place}, which was deleted,`;
    const isShown = showsMethod(read, method.handle);
    this.#expect('delivery.method.delete-removes', !isShown, `${gone} must not be read`, evidence(read));
    const list = await this.#send(store.listPoints(method.handle));
    this.#expect('delivery.point.unknown-method-refused', !listsPoints(list), `${gone} lists points`, evidence(list));
  }

  /** Asserts that each store lists its methods once, as they read alone, and no others. */
  async #methodLists(desc: boolean): Promise<void> {
    for (const owner of ['own', 'other'] as const) {
      const store = this.#stores[owner];
      if (store === undefined) continue;
      const items = await this.#listedMethods(store, desc);
      if (items === undefined) continue;
      const { methods } = this.#world;
      const handles = items.map(({ handle }) => String(handle));
      for (const method of methods) {
        const times = countOf(handles, method.handle);
        const isDue = method.alive && method.owner === owner;
        const clause = isDue ? 'delivery.method.list-contains-own' : clauseOfStranger(method, owner);
        const message = `method ${method.place} must be listed ${isDue ? 'once' : 'no more'}${desc ? ' with desc=1' : ''}`;
        this.#expect(clause, times === (isDue ? 1 : 0), message, { expected: isDue ? 1 : 0, actual: times });
        this.#expectAddedOnce(method, items);
        const item = items.find(({ handle }) => handle === method.handle);
        if (item !== undefined)
          await this.#methodFields(method, item, this.#lastAnswer!, 'delivery.method.list-agrees-with-read');
      }
    }
  }

  /** A method that was added twice is listed again under another handle, with a reference that only this one was given. */
  #expectAddedOnce({ handle, marked, place }: MethodState, items: readonly Json[]): void {
    const second = items.find((item) => item.handle !== handle && item.reference === marked?.reference);
    const isRepeated = typeof marked?.reference === 'string' && second !== undefined;
    this.#expect('delivery.method.create-stores', !isRepeated, `method ${place} was added once, and is listed twice`, {
      expected: handle,
      actual: [handle, second?.handle],
    });
  }

  #lastAnswer: ServiceResponse | undefined;

  /**
   * Other checks add and delete methods meanwhile, which moves others between pages: where one of ours seems to be missing or twice, a
   * list of several pages is walked again. One that shows what the store must not see is not forgotten for the next walk.
   */
  async #listedMethods(store: Delivery, desc: boolean): Promise<Json[] | undefined> {
    const { send, resources } = this.#context;
    const asLook: typeof send = (one) => send(one, LOOK);
    const isDue = (method: MethodState): boolean => method.alive && this.#store(method) === store;
    const due = this.#world.methods.filter(isDue);
    const strangers = new Set(this.#world.methods.filter((method) => !isDue(method)).map(({ handle }) => handle));
    for (let attempt = 1; ; attempt += 1) {
      const call = store.listMethods(desc ? { desc } : {});
      const walked = await follow(asLook, resources, call, 'delivery_methods');
      if (walked.end !== 'last-page') return undefined;
      this.#lastAnswer = walked.pages.at(-1)?.answer;
      const items = walked.items.filter(isObject);
      const isWhole = due.every(({ handle }) => items.filter((item) => item.handle === handle).length === 1);
      const isLeaky = items.some(({ handle }) => strangers.has(String(handle)));
      if (isWhole || isLeaky || walked.pages.length === 1 || attempt === MAX_WALKS) return items;
    }
  }
}

const ANY_ID = 'delivery.point.id-any-text';
const MAX_WALKS = 3;
const sorted = (ids: readonly string[]): string => ids.toSorted().join('\n');

const clauseOfStranger = (method: MethodState, owner: MethodState['owner']): string =>
  method.owner === owner ? 'delivery.method.delete-removes' : 'delivery.owner.methods-not-listed';

const listsPoints = ({ json }: ServiceResponse): boolean =>
  isObject(json) && Array.isArray(json.pickup_points) && json.pickup_points.length > 0;
