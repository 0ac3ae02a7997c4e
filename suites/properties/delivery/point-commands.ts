/** Commands on single points: add, change and delete under one handle or several, list and read. */
import type fc from 'fast-check';
import { summary } from '../../../harness/check/expect.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { Delivery, Handles } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { clauseOfCall } from './clauses.ts';
import {
  addTo,
  changeIn,
  changesSomething,
  deleteFrom,
  type Fields,
  type Model,
  ownerOf,
  type Slot,
  slotOf,
  type Write,
} from './state.ts';
import type { SystemUnderTest } from './system-under-test.ts';
import { type CallTarget, expectedFields, sentPoint } from './values.ts';

export type Command = fc.AsyncCommand<Model, SystemUnderTest>;

const named = ({ by, slots }: CallTarget): string => `${slots.join(',')}${by === 'other' ? ' by the other store' : ''}`;

/** The methods that a call names: those that are there for the caller, and whether these are all. */
export function reachOf(model: Model, { by, slots }: CallTarget): { reach: readonly Slot[]; all: boolean } {
  const reach = slots.map((name) => slotOf(model, name)).filter(({ alive, owner }) => alive && owner === by);
  return { reach, all: reach.length === slots.length };
}

/** Before a call builds on what is not known for sure, the lists say it. */
export async function resolveUnknowns(system: SystemUnderTest, reach: readonly Slot[]): Promise<void> {
  for (const slot of reach) if ([...slot.points.values()].some(({ sure }) => !sure)) await system.compareList(slot);
}

/** What add, change and delete have in common. */
abstract class PointWrite implements Command {
  readonly aim: CallTarget;
  readonly id: string;
  abstract readonly kind: 'add' | 'change' | 'delete';
  readonly fields: Fields;

  constructor(aim: CallTarget, id: string, fields: Fields = {}) {
    this.aim = aim;
    this.id = id;
    this.fields = fields;
  }

  abstract toString(): string;
  protected abstract call(store: Delivery, handles: Handles): ServiceRequest;
  /** Whether a method is in the state in which the call has to work. */
  protected abstract fits(slot: Slot): boolean;
  protected abstract apply(slot: Slot, sure: boolean): void;
  /** Whether the call changes anything in a method that fits. */
  protected hasEffect(_slot: Slot): boolean {
    return true;
  }

  /** Asserts what the response has to be where no method is in the state for the call. */
  protected abstract refused(
    system: SystemUnderTest,
    reach: readonly Slot[],
    served: boolean,
    evidence: object,
  ): void | Promise<void>;

  /** Ids that the call brings. */
  protected get brings(): readonly string[] {
    return [];
  }

  check(_model: Readonly<Model>): boolean {
    return true;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    const { by, slots } = this.aim;
    const { reach, all } = reachOf(model, this.aim);
    await resolveUnknowns(system, reach);
    const write: Omit<Write, 'served'> = {
      kind: this.kind,
      by,
      slots,
      ids: [this.id],
      fields: Object.keys(this.fields),
    };
    const response = await system.write(model, this.call(system.store(by), system.handles(slots)), write);
    const fitting = reach.filter((slot) => this.fits(slot));
    const full = all && fitting.length === reach.length;
    if (full) {
      const isPromised = reach.every((slot) => this.hasEffect(slot));
      const message = `the call "${this}" must be served`;
      if (isPromised) await system.served(clauseOfCall(write), response, message, this.brings);
    } else if (fitting.length === 0) {
      const evidence = { expected: 'a refusal', actual: summary(response), response };
      await this.refused(system, reach, isServed(response), evidence);
    }
    // A refused call has changed nothing; one that is served in part may have done any of its parts.
    if (isServed(response)) for (const slot of reach) this.apply(slot, full);
    await system.compareState(model);
  }
}

/** Whether a call of the store itself named methods that are gone, and no other. */
const allGone = (reach: readonly Slot[], { by, slots }: CallTarget): boolean =>
  reach.length === 0 && slots.every((name) => ownerOf(name) === by);

export class AddPoint extends PointWrite {
  readonly kind = 'add';

  toString(): string {
    return `add ${JSON.stringify(this.id)} to ${named(this.aim)}`;
  }

  protected override get brings(): readonly string[] {
    return [this.id];
  }

  protected call(store: Delivery, handles: Handles): ServiceRequest {
    return store.addPoint(handles, sentPoint(this.id, this.fields, this.aim.by));
  }

  protected fits(slot: Slot): boolean {
    return !slot.points.has(this.id);
  }

  protected apply(slot: Slot, sure: boolean): void {
    addTo(slot, this.id, expectedFields(this.fields, this.aim.by), sure);
  }

  /** An existing id may be refused or not; a missing method can't get a point. */
  protected refused(system: SystemUnderTest, reach: readonly Slot[], served: boolean, evidence: object): void {
    if (!allGone(reach, this.aim)) return;
    system.expect('delivery.point.unknown-method-refused', !served, 'a deleted method must not get a point', evidence);
  }
}

export class ChangePoint extends PointWrite {
  readonly kind = 'change';

  toString(): string {
    return `change ${Object.keys(this.fields).join(' and ')} of ${JSON.stringify(this.id)} in ${named(this.aim)}`;
  }

  protected call(store: Delivery, handles: Handles): ServiceRequest {
    const { title, ...rest } = this.fields;
    return store.changePoint(handles, this.id, this.aim.by === 'own' ? this.fields : { address: 'Street 1', ...rest });
  }

  protected fits(slot: Slot): boolean {
    return slot.points.has(this.id);
  }

  protected apply(slot: Slot, sure: boolean): void {
    changeIn(slot, this.id, this.#changes, sure);
  }

  /** An update without any change may be refused as one. */
  protected override hasEffect(slot: Slot): boolean {
    return changesSomething(slot.points.get(this.id)?.fields ?? {}, this.#changes);
  }

  get #changes(): Fields {
    return this.aim.by === 'own' ? this.fields : { address: 'Street 1', ...expectedFields(this.fields, 'other') };
  }

  /** A change of a point that is not there is refused, or makes the point. */
  protected async refused(
    system: SystemUnderTest,
    reach: readonly Slot[],
    served: boolean,
    evidence: object,
  ): Promise<void> {
    if (reach.length === 0) return;
    let isMade = false;
    for (const slot of served ? reach : []) isMade ||= (await system.listed(slot)).some(({ id }) => id === this.id);
    const message = `a change of ${JSON.stringify(this.id)}, which does not exist, must be refused`;
    system.expect('delivery.point.unknown-not-updated', !served || isMade, message, evidence);
  }
}

export class DeletePoint extends PointWrite {
  readonly kind = 'delete';

  toString(): string {
    return `delete ${JSON.stringify(this.id)} from ${named(this.aim)}`;
  }

  protected call(store: Delivery, handles: Handles): ServiceRequest {
    return store.deletePoint(handles, this.id);
  }

  protected fits(slot: Slot): boolean {
    return slot.points.has(this.id);
  }

  protected apply(slot: Slot, sure: boolean): void {
    deleteFrom(slot, this.id, sure);
    slot.deleted.add(this.id);
  }

  /** How the delete of something that is not there is answered is open. */
  protected refused(): void {}
}

export class ListPoints implements Command {
  readonly aim: CallTarget;
  readonly pageSize: number | undefined;

  constructor(aim: CallTarget, pageSize: number | undefined) {
    this.aim = aim;
    this.pageSize = pageSize;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `list ${named(this.aim)}${this.pageSize === undefined ? '' : ` in pages of ${this.pageSize}`}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    for (const name of this.aim.slots) {
      const slot = slotOf(model, name);
      if (slot.alive && slot.owner === this.aim.by) await system.compareList(slot, this.pageSize);
      else await system.showsNothing(slot, this.aim.by, 'points');
    }
  }
}

export class ReadPoint implements Command {
  readonly aim: CallTarget;
  readonly id: string;

  constructor(aim: CallTarget, id: string) {
    this.aim = aim;
    this.id = id;
  }

  check(): boolean {
    return true;
  }

  toString(): string {
    return `read ${JSON.stringify(this.id)} of ${named(this.aim)}`;
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    system.step(this.toString());
    for (const name of this.aim.slots) {
      const slot = slotOf(model, name);
      if (slot.alive && slot.owner === this.aim.by) await system.comparePoint(slot, this.id);
      else await system.showsNothing(slot, this.aim.by, 'point', this.id);
    }
  }
}

/** A command on a point that is there by then: ids at random mostly miss. */
export class OnExistingPoint implements Command {
  readonly aim: CallTarget;
  readonly nth: number;
  readonly make: (id: string) => Command;

  constructor(aim: CallTarget, nth: number, make: (id: string) => Command) {
    this.aim = aim;
    this.nth = nth;
    this.make = make;
  }

  #present(model: Readonly<Model>): string[] {
    const slot = slotOf(model, this.aim.slots[0]!);
    return slot.alive ? [...slot.points.keys()].toSorted() : [];
  }

  check(model: Readonly<Model>): boolean {
    return this.#present(model).length > 0;
  }

  toString(): string {
    return this.make('…').toString();
  }

  async run(model: Model, system: SystemUnderTest): Promise<void> {
    const ids = this.#present(model);
    await this.make(ids[this.nth % ids.length]!).run(model, system);
  }
}
