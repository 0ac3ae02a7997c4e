/** The points of a method, in its list, alone, in pages and in both orders, compared with the model. */
import { resourceOf } from '../../../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../../../contracts/json/object.ts';
import { summary } from '../../../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../../../harness/target/client/types.ts';
import type { Json, ListOptions } from '../../../../../harness/target/interfaces/delivery.ts';
import { clauseOfEnd, follow } from '../../../../../harness/target/list-walk.ts';
import { pointsOf, type Reading, readList } from '../../../../delivery/lists/reading/index.ts';
import { anomaliesOf } from '../../../../delivery/lists/reading/judge.ts';
import { POINT_FIELDS, type PointField, readBackFaults } from '../../../../delivery/steps/fields.ts';
import { showsPoint } from '../../../../delivery/steps/reading.ts';
import { shapeOfPoint } from '../../base-rules.ts';
import { isPlainId } from '../alphabets.ts';
import type { MethodState } from '../world.ts';
import { expectHiddenFromOtherStore } from './absence.ts';
import { kept } from './kept.ts';
import { isRefusalOfSize, SLACK_PAGES, sizeFor } from './page-sizes.ts';
import type { Reader } from './reader.ts';
import { garbled, WRONG_IDS, wrongIds } from './wrong-ids.ts';

/** Points of a method that are read alone; of longer lists the first, the last and those that the last call named. */
const MAX_READ_ALONE = 4;
/** Ids that do not exist and are requested. */
const MAX_ABSENT = 2;
const ANY_ID = 'delivery.point.id-any-characters';

export class PointComparison {
  readonly #reader: Reader;
  #intrusions = 0;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Asserts that the list of points is correct, and so are the other ways of seeing it: `every` one, or the one whose turn it is. */
  async compare(method: MethodState, ways: 'every' | number | undefined): Promise<void> {
    const items = await this.listed(method);
    if (items === undefined) return;
    await this.#list(method, items);
    const ids = items.map(({ id }) => String(id));
    const views = [
      () => this.#alone(method, items),
      () => this.#otherOrder(method, ids, { desc: true }),
      () => this.#absent(method, ids),
      () => this.#otherOrder(method, ids, { pageSize: sizeFor(ids) }),
      () => expectHiddenFromOtherStore(this.#reader, method, this.#nextIntrusion(ids)),
      () => this.#otherOrder(method, ids, { pageSize: sizeFor(ids), desc: true }),
    ];
    if (ways === undefined) return;
    for (const view of ways === 'every' ? views : [views[ways % views.length]!]) await view();
  }

  /** Reads one point alone, without its list: one that has to be there, or in turns one that was deleted. */
  async glance(method: MethodState, turn: number): Promise<void> {
    const there = [...method.points.keys()];
    const [gone] = method.gone;
    const id = there[turn % Math.max(1, there.length)];
    if (turn % 2 === 1 && gone !== undefined) await this.#expectAbsent(method, gone);
    else if (id !== undefined) await this.#expectAlone(method, id);
  }

  /** The other store lists in each way in turn: a list in pages, or in the other order, may come from another query. */
  #nextIntrusion(ids: readonly string[]): ListOptions {
    const pageSize = sizeFor(ids);
    const all: readonly ListOptions[] = [{}, { desc: true }, { pageSize }, { pageSize, desc: true }];
    this.#intrusions += 1;
    return all[this.#intrusions % all.length]!;
  }

  /** The points that a method lists; undefined where a chosen page size is refused. */
  async listed(method: MethodState, options: ListOptions = {}): Promise<Json[] | undefined> {
    const call = this.#reader.store(method).listPoints(method.handle, options);
    const { resources, given } = this.#reader.context;
    try {
      const walked = await follow(this.#reader.inspect, resources, call, 'pickup_points');
      if (walked.end === 'too-many-pages' || walked.end === 'refused-page') return undefined;
      given.holds(
        walked.end === 'last-page',
        clauseOfEnd(walked.end),
        `a list could not be walked: ${walked.endReason}`,
        {
          response: walked.pages.at(-1)?.response,
        },
      );
      return walked.items.filter(isJsonObject);
    } catch (thrown) {
      if (options.pageSize !== undefined && isRefusalOfSize(thrown)) return undefined;
      throw thrown;
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
          : this.#reader.world.clauseOfList(method, garbled(wrong, ids, method.points)));
      this.#reader.expect(
        clause,
        false,
        `${WRONG_IDS[wrong.what]} in the list of method ${method.place}: ${wrong.id}`,
        evidence,
      );
    }
    this.#reader.context.expect.asserted += 1;
    for (const item of items) await this.#pointFields(method, item, undefined);
  }

  /** The rule of lists that explains a wrong list, where the same points come out right in other pages or in another order. */
  async #clauseOfPages(method: MethodState, ids: readonly string[]): Promise<string | undefined> {
    const source = pointsOf(this.#reader.store(method), method.handle);
    const readings: Reading[] = [];
    for (const spec of [{}, {}, { pageSize: 7 }, { pageSize: 100 }, { desc: true }, { pageSize: 7, desc: true }]) {
      try {
        readings.push(await readList(this.#reader.context, source, spec, ids.length + SLACK_PAGES));
      } catch (thrown) {
        if (!isRefusalOfSize(thrown)) throw thrown;
      }
    }
    // Where no reading shows what has to be there, it is not there.
    const isStored = readings.some((reading) => sorted(reading.ids) === sorted(ids));
    return isStored ? anomaliesOf(readings, ids)[0]?.clause : undefined;
  }

  async #readsAlone(method: MethodState, id: string): Promise<boolean> {
    return showsPoint(await this.#reader.send(this.#reader.store(method).readPoint(method.handle, id)), id);
  }

  async #pointFields(method: MethodState, item: Json, alone: ServiceResponse | undefined): Promise<void> {
    const id = String(item.id);
    const fields = method.points.get(id) ?? {};
    for (const field of POINT_FIELDS) {
      if (!(field in fields)) continue;
      const [fault] = readBackFaults(this.#reader.context, field, fields[field], item[field]);
      if (fault === undefined) continue;
      const blamed = this.#reader.world.clauseOfList(method, { what: 'field', id, field });
      const clause =
        shapeOfPoint(item, field) ??
        (alone !== undefined || (await this.#isRightAlone(method, id, field, fields[field]))
          ? 'delivery.point.list-agrees-with-read'
          : await kept.point(this.#reader.context, field, fields[field], blamed));
      const where = alone === undefined ? 'in the list' : 'read alone';
      this.#reader.expect(
        clause,
        false,
        `${JSON.stringify(id)} of method ${method.place}, ${where}: ${fault.message}`,
        {
          ...fault,
          ...(alone === undefined ? {} : { response: alone }),
        },
      );
    }
  }

  async #isRightAlone(method: MethodState, id: string, field: PointField, value: unknown): Promise<boolean> {
    const response = await this.#reader.send(this.#reader.store(method).readPoint(method.handle, id));
    const read = resourceOf(response.json, 'pickup_point');
    return isJsonObject(read) && readBackFaults(this.#reader.context, field, value, read[field]).length === 0;
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
    this.#reader.expect(blamed, same, `the list of method ${method.place} with ${how} must hold the same points`, {
      expected,
      actual,
      pointer: '/pickup_points',
    });
    for (const item of items) await this.#pointFields(method, item, undefined);
  }

  async #alone(method: MethodState, items: readonly Json[]): Promise<void> {
    const named = new Set(this.#reader.world.last?.write.ids);
    const chosen =
      items.length <= MAX_READ_ALONE
        ? items
        : items.filter(({ id }, at) => at === 0 || at === items.length - 1 || named.has(String(id)));
    for (const { id } of chosen.slice(0, MAX_READ_ALONE)) await this.#expectAlone(method, String(id));
  }

  async #expectAlone(method: MethodState, id: string): Promise<void> {
    const response = await this.#reader.send(this.#reader.store(method).readPoint(method.handle, id));
    const message = `${JSON.stringify(id)}, which method ${method.place} lists, must be readable by its id`;
    this.#reader.expect(isPlainId(id) ? 'delivery.point.read-by-id' : ANY_ID, showsPoint(response, id), message, {
      expected: id,
      actual: summary(response),
      response,
    });
    await this.#pointFields(method, resourceOf(response.json, 'pickup_point') as Json, response);
  }

  async #absent(method: MethodState, ids: readonly string[]): Promise<void> {
    const elsewhere = this.#reader.world.methods.flatMap(({ points }) => [...points.keys()]);
    const absent = [...method.gone, ...elsewhere].filter((id) => !ids.includes(id));
    for (const id of [...new Set(absent)].slice(0, MAX_ABSENT)) await this.#expectAbsent(method, id);
  }

  async #expectAbsent(method: MethodState, id: string): Promise<void> {
    const response = await this.#reader.send(this.#reader.store(method).readPoint(method.handle, id));
    const clause = method.gone.has(id) ? 'delivery.point.delete-removes' : 'delivery.point.unknown-read-refused';
    const message = `${JSON.stringify(id)}, which method ${method.place} does not list, must not be read`;
    this.#reader.expectRefusal(clause, showsPoint(response, id), message, response);
  }
}

const sorted = (ids: readonly string[]): string => ids.toSorted().join('\n');
