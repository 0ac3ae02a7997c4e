/** Plays the steps of a sequence: which calls each makes, and what the model then has. */
import type { Context } from '../../../../harness/check/context.ts';
import { summary } from '../../../../harness/check/expect.ts';
import { Inconclusive } from '../../../../harness/check/failures.ts';
import { INSPECTION } from '../../../../harness/property/index.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Delivery, Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isRefused, isServed } from '../../../../harness/target/response/judge-response.ts';
import { Echo } from '../../steps/echo.ts';
import { written } from '../../steps/written.ts';
import { clauseOfCall } from '../clauses.ts';
import { changesSomething, type MethodFields } from '../state.ts';
import type { Action } from './action.ts';
import { isPlainId, isPlainText } from './alphabets.ts';
import type { Comparison } from './compare/index.ts';
import {
  deliverTo,
  inPortions,
  isPlainList,
  isPlainPoint,
  isWhole,
  pointFields,
  pointsOfList,
  titleOf,
} from './points.ts';
import { refusedCall } from './refusals.ts';
import type { MethodSelection, MethodValues, Step } from './steps.ts';
import {
  commonId,
  handlesOf,
  type MethodState,
  nameOf,
  placesOf,
  selectedMethods,
  similarIds,
  type World,
} from './world.ts';

/** The contract's limit for one call. */
const MAX_BATCH_ITEMS = 100;

export class StepRunner {
  readonly #context: Context;
  readonly #world: World;
  readonly #comparison: Comparison;
  readonly #store: Delivery;
  readonly #step: (words: string) => void;
  #lastAction: Action | undefined;
  readonly #echo = new Echo();

  constructor(context: Context, world: World, comparison: Comparison, store: Delivery, step: (words: string) => void) {
    this.#context = context;
    this.#world = world;
    this.#comparison = comparison;
    this.#store = store;
    this.#step = step;
  }

  /** Plays one step; steps that have no meaning in this state are skipped. */
  async play(step: Step): Promise<void> {
    if (step.do === 'make') return this.#make(step.values);
    const action = step.do === 'again' ? this.#repeated() : this.#actionOf(step);
    if (action === undefined) return;
    this.#lastAction = action;
    await this.#carryOut(action);
  }

  #repeated(): Action | undefined {
    const last = this.#lastAction;
    if (last === undefined) return undefined;
    const isGone = last.methods.some(({ alive }) => !alive);
    // A method that is deleted again stays away, whatever the response is; other calls have no method any more.
    if (isGone && last.write.kind !== 'method') return undefined;
    const words = last.words.endsWith(AGAIN) ? last.words : `${last.words}${AGAIN}`;
    return { ...last, words, isPlain: false };
  }

  async #carryOut(action: Action): Promise<void> {
    const { words, methods, write, by = 'own' } = action;
    if (action.mustNotWork === undefined && (await this.#echo.send(this.#context))) await this.#comparison.afterStep();
    this.#step(words);
    let served = true;
    for (const [at, call] of action.calls.entries()) {
      const response = await this.#context.send(written(this.#context, call), write.kind);
      if (isRefused(response) === 'unavailable')
        throw new Inconclusive(`the target was not available (${summary(response)}): run again`, 'network');
      served = isServed(response);
      if (served) continue;
      this.#expectTaken(action, response);
      // What is left of an upload whose later portion is refused is open.
      if (at > 0) await this.#startOver(methods);
      break;
    }
    const effective = action.mustNotWork === undefined;
    if (!effective && !served) this.#echo.keep(action.calls[0]);
    this.#world.last = {
      ...{ write: { ...write, served }, methods, by, words },
      ...clauseOfEffect(action, served),
    };
    if (served && effective) {
      const unknown = new Map<MethodState, readonly string[] | undefined>();
      action.apply((method, ids) => unknown.set(method, ids));
      for (const [method, ids] of unknown) await this.#comparison.learn(method, ids);
    }
    await this.#comparison.afterStep();
  }

  /** Asserts that a call with nothing in it that a service may refuse was served. */
  #expectTaken({ isPlain, words, write, methods, promise }: Action, response: ServiceResponse): void {
    if (!isPlain || !isRefusalOfPromise(response)) return;
    const clause = promise ?? clauseOfCall({ ...write, slots: methods.map(nameOf) });
    const message = `the call must be served: ${words}`;
    if (this.#context.choices.skipsRefusal(response, { clause, message })) return;
    this.#context.expect.that(false, message, {
      clauses: [clause],
      expected: 'a successful response',
      actual: summary(response),
      response,
    });
  }

  async #startOver(methods: readonly MethodState[]): Promise<void> {
    for (const method of methods) {
      await this.#context.given.points(this.#store, method.handle, []);
      await this.#comparison.learn(method);
    }
  }

  async #make(values: MethodValues): Promise<void> {
    this.#step('make another method');
    const title = values.title === undefined ? {} : { title: titleOf(this.#context, values.title, 'all') };
    // The reference carries the run's mark until the handle is known.
    const { reference: _, title: __, ...rest } = values;
    const made = await this.#context.given.newMethod(this.#store, {
      ...rest,
      ...(isPlainText(values.title) ? title : {}),
    });
    const words = 'make another method';
    const method = this.#world.add({
      ...{ owner: 'own', handle: made.handle, alive: true, fields: made.fields as MethodFields },
      marked: { reference: made.fields.reference, willCarry: made.willCarry },
      ...{ points: new Map(), gone: new Set() },
    });
    this.#lastAction = undefined;
    this.#world.last = {
      ...{ write: { kind: 'method', ids: [], served: true }, methods: [method], by: 'own', words },
    };
    await this.#comparison.afterStep();
  }

  #actionOf(step: Exclude<Step, { do: 'make' | 'again' }>): Action | undefined {
    switch (step.do) {
      case 'edit-method':
        return this.#editMethod(step);
      case 'drop-method':
        return this.#dropMethod(step.at);
      case 'add':
        return this.#add(step);
      case 'edit':
        return this.#edit(step);
      case 'drop':
        return this.#drop(step);
      case 'list':
        return this.#list(step);
      case 'refused':
        return refusedCall(this.#context, this.#world, this.#store, step);
    }
  }

  #editMethod({ at, values, languages }: Extract<Step, { do: 'edit-method' }>): Action | undefined {
    const [method] = selectedMethods(this.#world, at);
    if (method === undefined) return undefined;
    const { title, reference, ...rest } = values;
    const sent: MethodFields = {
      ...rest,
      ...(reference === undefined ? {} : { reference: this.#referenceOf(method, reference) }),
      ...(title === undefined ? {} : { title: titleOf(this.#context, title, languages) }),
    };
    const fields = Object.keys(sent);
    return {
      words: `change ${described(sent)} of method ${method.place}`,
      methods: [method],
      write: { kind: 'method', ids: [], fields },
      // Which fields can be changed is not shown.
      isPlain: false,
      calls: [this.#store.changeMethod(method.handle, sent as Json)],
      apply: () => {
        method.fields = { ...method.fields, ...sent };
      },
    };
  }

  /** The text alone where it can be written down that this method carries it; else behind the run's mark. */
  #referenceOf({ marked }: MethodState, text: string): string {
    if (marked === undefined || text.length > MAX_WRITTEN_CHARS) return `${this.#context.resources.newMark()} ${text}`;
    marked.willCarry(text);
    return text;
  }

  /**
   * Gives each method a reference with the run's mark again, whatever a sequence came to: a service that wrote one in another
   * way would keep a method that is not known as the run's own.
   */
  async restore(): Promise<void> {
    for (const { handle, marked, fields, alive } of this.#world.methods) {
      if (!alive || marked === undefined || fields.reference === marked.reference) continue;
      const call = this.#store.changeMethod(handle, { reference: marked.reference });
      // What ended the sequence is what counts; a method that carries what was written down is known without this.
      await this.#context.send(call, INSPECTION).catch(() => undefined);
    }
  }

  #dropMethod(at: MethodSelection): Action | undefined {
    const methods = this.#world.alive();
    const [method] = selectedMethods(this.#world, at);
    if (method === undefined || methods.length < 3) return undefined;
    return {
      words: `delete method ${method.place}`,
      methods: [method],
      write: { kind: 'method', ids: [] },
      // A service may want the points to be deleted first.
      isPlain: method.points.size === 0,
      promise: 'delivery.method.delete-removes',
      calls: [this.#store.deleteMethod(method.handle)],
      apply: () => {
        method.alive = false;
      },
    };
  }

  #add({ at, id, values }: Extract<Step, { do: 'add' }>): Action | undefined {
    const methods = selectedMethods(this.#world, at);
    const fields = pointFields(this.#context, values);
    const isNew = methods.every(({ points }) => !points.has(id));
    if (!this.#world.canDistinguish && methods.some(({ points }) => similarIds(points.keys(), id).length > 0))
      return undefined;
    return {
      words: `add ${JSON.stringify(id)} to ${placesOf(methods)} with ${described(fields)}`,
      methods,
      write: { kind: 'add', ids: [id], fields: Object.keys(fields) },
      isPlain: isNew && isPlainId(id) && isPlainPoint(values) && isWhole(values) && deliverTo(methods, [fields]),
      calls: [this.#store.addPoint(handlesOf(methods), { id, ...fields })],
      apply: (isUnknown) => {
        for (const method of methods) {
          const { points, gone } = method;
          const before = points.get(id);
          gone.delete(id);
          // If the id already exists, either may win; and where another method has it, the call may be served in part.
          if (before !== undefined) points.set(id, inCommon(before, fields));
          else if (isNew) points.set(id, fields);
          else isUnknown(method, [id]);
        }
      },
    };
  }

  #edit({ at, nth, values }: Extract<Step, { do: 'edit' }>): Action | undefined {
    const methods = selectedMethods(this.#world, at);
    const id = commonId(methods, nth);
    if (id === undefined) return undefined;
    const changes = pointFields(this.#context, values);
    const earlier = methods.map(({ points }) => points.get(id) ?? {});
    const isChange = earlier.every((before) => changesSomething(before, changes));
    const isWithin = deliverTo(
      methods,
      earlier.map((before) => ({ ...before, ...changes })),
    );
    return {
      words: `change ${described(changes)} of ${JSON.stringify(id)} in ${placesOf(methods)}`,
      methods,
      write: { kind: 'change', ids: [id], fields: Object.keys(changes) },
      // An update without any change may be refused as one.
      isPlain: isPlainId(id) && isPlainPoint(values) && isChange && earlier.every(isWhole) && isWithin,
      calls: [this.#store.changePoint(handlesOf(methods), id, changes)],
      apply: () => {
        for (const { points } of methods) {
          const before = points.get(id);
          if (before !== undefined) points.set(id, { ...before, ...changes });
        }
      },
    };
  }

  #drop({ at, nth }: Extract<Step, { do: 'drop' }>): Action | undefined {
    const methods = selectedMethods(this.#world, at);
    const id = commonId(methods, nth);
    if (id === undefined) return undefined;
    return {
      words: `delete ${JSON.stringify(id)} from ${placesOf(methods)}`,
      methods,
      write: { kind: 'delete', ids: [id] },
      isPlain: isPlainId(id),
      calls: [this.#store.deletePoint(handlesOf(methods), id)],
      apply: () => {
        for (const { points, gone } of methods) if (points.delete(id)) gone.add(id);
      },
    };
  }

  #list(step: Extract<Step, { do: 'list' }>): Action | undefined {
    const methods = selectedMethods(this.#world, step.at);
    const { country } = step;
    const isCountryKnown = methods.every(({ points }) => [...points.values()].every((point) => 'country' in point));
    if (country !== undefined && !isCountryKnown) return undefined;
    const points = pointsOfList(this.#context, this.#world, step);
    const ids = [...points.keys()];
    const portions = inPortions([...points], Math.max(step.portions, Math.ceil(points.size / MAX_BATCH_ITEMS)));
    const others = methods.flatMap((method) => [...method.points.keys()]);
    const isAlike = ids.some((id) => similarIds(others, id).length > 0);
    // The points of other countries stay beside the new ones.
    if (!this.#world.canDistinguish && country !== undefined && isAlike) return undefined;
    return {
      words: `replace the list of ${placesOf(methods)}${country === undefined ? '' : ` in ${country}`} with ${ids.length} points (${ids.slice(0, 3).map((id) => JSON.stringify(id))})${portions.length > 1 ? ` in ${portions.length} portions` : ''}`,
      methods,
      write: { kind: 'batch', ids, country, portions: portions.length },
      isPlain:
        points.size > 0 &&
        points.size <= MAX_BATCH_ITEMS &&
        isPlainList(step, points) &&
        deliverTo(methods, points.values()),
      calls: portions.map((portion, at) =>
        this.#store.batchReplace(handlesOf(methods), {
          pickup_points: portion.map(([id, one]) => ({ id, ...one })),
          ...(country === undefined ? {} : { country }),
          is_initialization: at === 0,
          is_finalization: at === portions.length - 1,
        }),
      ),
      apply: () => {
        for (const { points: there, gone } of methods) {
          for (const [id, point] of [...there]) {
            if (country !== undefined && point.country !== country) continue;
            there.delete(id);
            gone.add(id);
          }
          for (const [id, point] of points) {
            there.set(id, point);
            gone.delete(id);
          }
        }
      },
    };
  }
}

/** The clause that any effect of a call goes against that must have none. */
function clauseOfEffect({ mustNotWork, ifRefused }: Action, served: boolean): { clause?: string } {
  const clause = served ? mustNotWork : ifRefused;
  return clause === undefined ? {} : { clause };
}

/** Longer texts are not written into the ledger. */
const MAX_WRITTEN_CHARS = 300;
const AGAIN = ', and again';

const MAX_SHOWN = 24;
const described = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => {
      const text = JSON.stringify(value);
      return `${name} ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)` : text}`;
    })
    .join(', ');

/** What is known of a point of which either of two versions may be there. */
const inCommon = (one: Json, other: Json): Json =>
  Object.fromEntries(
    Object.entries(one).filter(([name, value]) => JSON.stringify(value) === JSON.stringify(other[name])),
  );
