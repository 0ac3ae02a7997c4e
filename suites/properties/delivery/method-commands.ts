/** Commands on the methods themselves: change and read, and now and then delete and make again. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { summary } from '../../../harness/check/expect.ts';
import { deletePoints } from '../../../harness/target/delete-points.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { showsMethod } from '../../delivery/steps/reading.ts';
import type { Command } from './point-commands.ts';
import { changesSomething, type MethodFields, type Model, type Slot, type SlotName, slotOf } from './state.ts';
import type { SystemUnderTest } from './system-under-test.ts';
import type { CallTarget } from './values.ts';

/** The slot that a command names, and whether its method is there for the caller. */
function aimed(model: Model, { by, slots }: CallTarget): { slot: Slot; reached: boolean } {
  const slot = slotOf(model, slots[0]!);
  return { slot, reached: slot.alive && slot.owner === by };
}

const words = ({ by, slots }: CallTarget): string => `${slots[0]}${by === 'other' ? ' by the other store' : ''}`;

export class ReadMethod implements Command {
  readonly aim: CallTarget;

  constructor(aim: CallTarget) {
    this.aim = aim;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `read ${words(this.aim)}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { slot, reached } = aimed(model, this.aim);
    if (reached) await system.compareMethod(slot);
    else await system.showsNothing(slot, this.aim.by, 'method');
  }
}

export class ChangeMethod implements Command {
  readonly aim: CallTarget;
  readonly changes: MethodFields;

  constructor(aim: CallTarget, changes: MethodFields) {
    this.aim = aim;
    this.changes = changes;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `change ${Object.keys(this.changes).join(' and ')} of ${words(this.aim)}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { slot, reached } = aimed(model, this.aim);
    const { by, slots } = this.aim;
    const { title, reference, ...rest } = this.changes;
    const sent: MethodFields = {
      ...rest,
      // A service may want a title of its own for each method.
      ...(title === undefined || by === 'other' ? {} : { title: marked(title, system.context.resources.newMark()) }),
      // The reference keeps its mark, by which the method is known as the run's own.
      ...(reference === undefined ? {} : { reference: `${system.context.resources.newMark()} ${reference}` }),
    };
    const changes: MethodFields = Object.keys(sent).length > 0 ? sent : { print_label_url: null };
    const call = system.store(by).changeMethod(system.handle(slot.name), changes);
    const write = { kind: 'method', by, slots, ids: [], fields: Object.keys(changes) } as const;
    const response = await system.write(model, call, write);
    if (reached) {
      // An update without any change may be refused as one.
      const isChange = changesSomething(slot.method, changes);
      if (isChange)
        await system.served('delivery.method.update-applies', response, `the call "${this}" must be served`);
      if (isServed(response)) slot.method = { ...slot.method, ...changes };
    } else if (slot.owner === by) {
      const isMade = isServed(response) && (await this.#takesAway(system, slot));
      const message = `a change of the deleted method ${slot.name} must be refused`;
      const evidence = { expected: 'a refusal', actual: summary(response), response };
      system.expect('delivery.method.unknown-not-updated', !isServed(response) || isMade, message, evidence);
    }
    await system.compareState(model);
  }

  /** A change may make the method again, which is deleted then, as it was. Returns whether it was there. */
  async #takesAway(system: SystemUnderTest, { name, owner }: Slot): Promise<boolean> {
    const { given, send } = system.context;
    const [delivery, handle] = [system.store(owner), system.handle(name)];
    const isThere = showsMethod(await send(delivery.readMethod(handle), 'read'), handle);
    if (isThere) await given.promised(send(delivery.deleteMethod(handle), 'given'), 'delivery.method.delete-removes');
    return isThere;
  }
}

/** A title with a mark behind its words, in whatever languages it is. */
function marked(title: unknown, mark: string): unknown {
  if (!isJsonObject(title)) return `${title} ${mark}`;
  return Object.fromEntries(Object.entries(title).map(([language, text]) => [language, `${text} ${mark}`]));
}

export class DeleteMethod implements Command {
  readonly aim: CallTarget;

  constructor(aim: CallTarget) {
    this.aim = aim;
  }

  check(model: Readonly<Model>): boolean {
    return slotOf(model, this.aim.slots[0]!).alive;
  }

  toString(): string {
    return `delete ${words(this.aim)}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { slot, reached } = aimed(model, this.aim);
    const { by, slots } = this.aim;
    const call = system.store(by).deleteMethod(system.handle(slot.name));
    const remove = () => system.write(model, call, { kind: 'method', by, slots, ids: [] });
    let response = await remove();
    if (reached && !isServed(response) && slot.points.size > 0) {
      // A service may want the points to be deleted first.
      const { context } = system;
      await deletePoints((one) => context.send(one, 'empty'), system.store(by), system.handle(slot.name));
      slot.points = new Map();
      response = await remove();
    }
    if (reached) {
      await system.served('delivery.method.delete-removes', response, `the call "${this}" must be served`);
      slot.alive = false;
      await system.showsNothing(slot, by, 'method');
    }
    // What is gone can't be listed, and that would be taken for a fault of lists.
    for (const other of model.slots) if (other.alive) await system.compareMethod(other);
    await system.compareState(model);
  }
}

export class MakeMethod implements Command {
  readonly name: SlotName;

  constructor(name: SlotName) {
    this.name = name;
  }

  check(model: Readonly<Model>): boolean {
    return !slotOf(model, this.name).alive;
  }

  toString(): string {
    return `make ${this.name} again`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const slot = slotOf(model, this.name);
    const deleted = model.slots.filter(({ alive }) => !alive).map(({ name }) => name);
    slot.method = await system.make(this.name, deleted);
    slot.alive = true;
    slot.points = new Map();
    slot.deleted.clear();
    slot.writes = [];
    slot.methodWrite = undefined;
    await system.compareState(model);
  }
}
