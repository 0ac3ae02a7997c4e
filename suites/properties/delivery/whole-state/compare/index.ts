/**
 * Everything that a run can see, compared with the model: each method and point alone and in every list, in both orders, in pages,
 * by both owners. After each step the lists that it names are compared, and everything else in turns; at the end all of it is.
 */
import type { Context } from '../../../../../harness/check/context.ts';
import type { MethodState, World } from '../world.ts';
import { expectNothingLeft } from './absence.ts';
import { MethodComparison } from './methods.ts';
import { PointComparison } from './points.ts';
import { Reader, type Stores } from './reader.ts';

export class Comparison {
  readonly #world: World;
  readonly #reader: Reader;
  readonly #methods: MethodComparison;
  readonly #points: PointComparison;
  #turn = 0;

  constructor(context: Context, world: World, stores: Stores) {
    this.#world = world;
    this.#reader = new Reader(context, world, stores);
    this.#methods = new MethodComparison(this.#reader);
    this.#points = new PointComparison(this.#reader);
  }

  /** Before the first step: what is wrong already was not done by a call. */
  async before(): Promise<void> {
    for (const method of this.#world.methods) await this.#methods.compare(method);
    await this.#methods.compareLists(false);
  }

  /** After a step: the lists of what it named, and in turns everything else that can be seen. */
  async afterStep(): Promise<void> {
    const { methods, last } = this.#world;
    const touched = last?.methods ?? [];
    this.#turn += 1;
    // Directly after a refused call, before the lists: what a refusal leaves for the next read is in all of them.
    const areListsFirst = last?.write.served === false && this.#turn % 4 === 0;
    if (areListsFirst) await this.#methods.compareLists(this.#turn % 8 === 0);
    else if (last?.write.served === false && touched[0]?.alive === true)
      await this.#points.glance(touched[0], this.#turn);
    for (const method of touched) {
      if (!method.alive) await expectNothingLeft(this.#reader, method);
      else if (last?.write.kind === 'method') await this.#methods.compare(method);
      else await this.#points.compare(method, this.#turn);
    }
    const others = methods.filter((method) => !touched.includes(method));
    const other = others[this.#turn % Math.max(1, others.length)];
    if (other !== undefined) await this.#glance(other);
    if (last?.write.kind === 'method' || (this.#turn % 4 === 0 && !areListsFirst))
      await this.#methods.compareLists(this.#turn % 2 === 0);
  }

  /** What a call for other methods may have changed. */
  async #glance(method: MethodState): Promise<void> {
    if (!method.alive) return expectNothingLeft(this.#reader, method);
    if (this.#world.last?.write.kind === 'method' || this.#turn % 4 === 0) await this.#methods.compare(method);
    await this.#points.compare(method, undefined);
  }

  /** At the end: everything. */
  async whole(): Promise<void> {
    for (const method of this.#world.methods) await this.#inEveryWay(method);
    await this.#methods.compareLists(false);
    await this.#methods.compareLists(true);
  }

  async #inEveryWay(method: MethodState): Promise<void> {
    if (!method.alive) return expectNothingLeft(this.#reader, method);
    await this.#methods.compare(method);
    await this.#points.compare(method, 'every');
  }

  /** Takes over what is listed for these ids, or for all: the contract leaves open what a call made of them. */
  async learn(method: MethodState, ids?: readonly string[]): Promise<void> {
    const listed = new Set(((await this.#points.listed(method)) ?? []).map(({ id }) => String(id)));
    const doubtful = ids ?? [...new Set([...method.points.keys(), ...listed])];
    for (const id of doubtful) {
      if (listed.has(id)) method.points.set(id, {});
      else method.points.delete(id);
    }
  }
}
