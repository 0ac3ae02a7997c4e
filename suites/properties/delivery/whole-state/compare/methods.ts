/** Methods, read alone and in the lists of both stores, compared with the model. */
import { resourceOf } from '../../../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../../../contracts/json/object.ts';
import { summary } from '../../../../../harness/check/expect.ts';
import type { ServiceResponse } from '../../../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../../../harness/target/interfaces/delivery.ts';
import { follow } from '../../../../../harness/target/list-walk.ts';
import { METHOD_FIELDS, readBackFaults, showsPlainTitle } from '../../../../delivery/steps/fields.ts';
import { countOf, showsMethod } from '../../../../delivery/steps/reading.ts';
import { shapeOfMethod } from '../../base-rules.ts';
import type { MethodState } from '../world.ts';
import { kept } from './kept.ts';
import type { Owner, Reader } from './reader.ts';

const MAX_WALKS = 3;

/** The methods of a list as it was walked, with the response that its last page came in. */
interface ListedMethods {
  readonly items: readonly Json[];
  readonly lastResponse: ServiceResponse;
}

export class MethodComparison {
  readonly #reader: Reader;

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Asserts that a method reads alone as it has to. */
  async compare(method: MethodState): Promise<void> {
    const response = await this.#reader.send(this.#reader.store(method).readMethod(method.handle));
    const shown = showsMethod(response, method.handle);
    const clause = this.#reader.world.clauseOfMethod(method);
    this.#reader.expect(clause, shown, `method ${method.place} must be readable by its handle`, {
      expected: method.handle,
      actual: summary(response),
      response,
    });
    await this.#expectFields(method, resourceOf(response.json, 'delivery_method') as Json, response, undefined);
  }

  async #expectFields(
    method: MethodState,
    read: Json,
    response: ServiceResponse,
    clause: string | undefined,
  ): Promise<void> {
    const { plainTitle } = method;
    if (plainTitle !== undefined)
      this.#reader.expect(
        clause ?? this.#reader.world.clauseOfMethod(method, 'title'),
        showsPlainTitle(read.title, plainTitle),
        `method ${method.place}: title was given as ${JSON.stringify(plainTitle)}`,
        { expected: plainTitle, actual: read.title, pointer: '/title', response },
      );
    for (const field of METHOD_FIELDS) {
      if (!(field in method.fields)) continue;
      const [fault] = readBackFaults(this.#reader.context, field, method.fields[field], read[field]);
      const blamed = this.#reader.world.clauseOfMethod(method, field);
      const found =
        fault === undefined
          ? blamed
          : (shapeOfMethod(read, field) ??
            clause ??
            (await kept.method(this.#reader.context, field, method.fields[field], blamed)));
      this.#reader.expect(found, fault === undefined, `method ${method.place}: ${fault?.message}`, {
        ...fault,
        response,
      });
    }
  }

  /** Asserts that each store lists its methods once, as they read alone, and no others. */
  async compareLists(desc: boolean): Promise<void> {
    for (const owner of ['own', 'other'] as const) {
      const store = this.#reader.stores[owner];
      if (store === undefined) continue;
      const listed = await this.#listed(store, desc);
      if (listed === undefined) continue;
      const { items, lastResponse } = listed;
      const { methods } = this.#reader.world;
      const handles = items.map(({ handle }) => String(handle));
      for (const method of methods) {
        const times = countOf(handles, method.handle);
        const isDue = method.alive && method.owner === owner;
        const clause = isDue ? 'delivery.method.list-contains-own' : clauseOfUnexpected(method, owner);
        const message = `method ${method.place} must ${isDue ? 'be listed once' : 'not be listed'}${desc ? ' with desc=1' : ''}`;
        this.#reader.expect(clause, times === (isDue ? 1 : 0), message, { expected: isDue ? 1 : 0, actual: times });
        this.#expectAddedOnce(method, items);
        const item = items.find(({ handle }) => handle === method.handle);
        if (item !== undefined)
          await this.#expectFields(method, item, lastResponse, 'delivery.method.list-agrees-with-read');
      }
    }
  }

  /** A method that was added twice is listed again under another handle, with a reference that only this one was given. */
  #expectAddedOnce({ handle, marked, place }: MethodState, items: readonly Json[]): void {
    // A reference that the service knows may be that of other methods as well.
    const isOwn = this.#reader.context.resources.markIn(marked?.reference) !== undefined;
    const second = items.find((item) => item.handle !== handle && item.reference === marked?.reference);
    const isRepeated = isOwn && second !== undefined;
    this.#reader.expect(
      'delivery.method.create-stores',
      !isRepeated,
      `method ${place} was added once, and is listed twice`,
      {
        expected: handle,
        actual: [handle, second?.handle],
      },
    );
  }

  /**
   * Other checks add and delete methods meanwhile, which moves others between pages: where one of ours seems to be missing or twice, a
   * list of several pages is walked again. One that shows what the store must not see is not forgotten for the next walk.
   */
  async #listed(store: Delivery, desc: boolean): Promise<ListedMethods | undefined> {
    const { resources } = this.#reader.context;
    const isDue = (method: MethodState): boolean => method.alive && this.#reader.store(method) === store;
    const due = this.#reader.world.methods.filter(isDue);
    const strangers = new Set(
      this.#reader.world.methods.filter((method) => !isDue(method)).map(({ handle }) => handle),
    );
    for (let attempt = 1; ; attempt += 1) {
      const call = store.listMethods(desc ? { desc } : {});
      const walked = await follow(this.#reader.inspect, resources, call, 'delivery_methods');
      if (walked.end !== 'last-page') return undefined;
      const items = walked.items.filter(isJsonObject);
      const isWhole = due.every(({ handle }) => items.filter((item) => item.handle === handle).length === 1);
      const isLeaky = items.some(({ handle }) => strangers.has(String(handle)));
      if (isWhole || isLeaky || walked.pages.length === 1 || attempt === MAX_WALKS)
        return { items, lastResponse: walked.pages.at(-1)!.response };
    }
  }
}

const clauseOfUnexpected = (method: MethodState, owner: Owner): string =>
  method.owner === owner ? 'delivery.method.delete-removes' : 'delivery.owner.methods-not-listed';
