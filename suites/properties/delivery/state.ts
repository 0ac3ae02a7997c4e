/**
 * The model of the Delivery interface: a plain reading of the contract, kept beside the target. Where the contract is
 * silent the model knows less, and what it does not know it does not judge: a field without an expectation may read as
 * anything, and a point that is not sure may be listed or not.
 */
import { isDeepStrictEqual } from 'node:util';
import type { MethodField, PointField } from '../../delivery/steps/fields.ts';

export type Owner = 'own' | 'other';
/** Three methods of the store, and one of another store where the profile has its key. */
export type SlotName = 'A' | 'B' | 'C' | 'X';
export const ownerOf = (name: SlotName): Owner => (name === 'X' ? 'other' : 'own');

/** What fields have to read as; those that are missing are not known. */
export type Fields = Readonly<Partial<Record<PointField, unknown>>>;
export type MethodFields = Readonly<Partial<Record<MethodField, unknown>>>;

export interface PointExpectation {
  /** Whether the point has to be there; else it may be. */
  readonly sure: boolean;
  readonly fields: Fields;
}

/** A call that may have changed something, for saying which rule was broken when the list is not as it should be. */
export interface Write {
  readonly kind: 'add' | 'change' | 'delete' | 'batch' | 'method';
  readonly by: Owner;
  readonly slots: readonly SlotName[];
  readonly served: boolean;
  readonly ids: readonly string[];
  readonly fields?: readonly string[];
  readonly country?: string | undefined;
  readonly portions?: number;
  /** Ids of an upload that was given up. */
  readonly discarded?: readonly string[];
}

export interface Slot {
  readonly name: SlotName;
  readonly owner: Owner;
  /** False once its method was deleted. */
  alive: boolean;
  points: Map<string, PointExpectation>;
  /** Ids of points that were deleted one by one. */
  readonly deleted: Set<string>;
  method: MethodFields;
  /** The last call that changed this method, or another one, since it was last read. */
  methodWrite: Write | undefined;
  /** Everything that was written anywhere since this list was last found to be as it should. */
  writes: Write[];
  /** The last call for this method before that. */
  before: Write | undefined;
}

export interface Model {
  readonly slots: readonly Slot[];
}

/** Whether an update certainly changes one of the fields that are known. */
export const changesSomething = (known: object, changes: object): boolean =>
  Object.entries(changes).some(
    ([name, value]) => name in known && !isDeepStrictEqual(known[name as keyof typeof known], value),
  );

export const newSlot = (name: SlotName, method: MethodFields): Slot => ({
  name,
  owner: ownerOf(name),
  alive: true,
  points: new Map(),
  deleted: new Set(),
  method,
  methodWrite: undefined,
  writes: [],
  before: undefined,
});

/** The method of the model under a name. */
export function slotOf({ slots }: Model, name: SlotName): Slot {
  const slot = slots.find((one) => one.name === name);
  if (slot === undefined) throw new Error(`The model has no method ${name}.`);
  return slot;
}

/** Adds a point. If its id already exists, either may win. `sure`: the whole call has to take effect. */
export function addTo(slot: Slot, id: string, fields: Fields, sure: boolean): void {
  const before = slot.points.get(id);
  slot.points.set(id, before === undefined ? { sure, fields } : { ...before, fields: either(before.fields, fields) });
}

/** Gives the named fields new values; when it is not sure that the call took effect, each may have its old one. */
export function changeIn(slot: Slot, id: string, changes: Fields, sure: boolean): void {
  const before = slot.points.get(id);
  if (before === undefined) {
    // It may make a point that is not there.
    addTo(slot, id, changes, false);
    return;
  }
  const changed: Fields = { ...before.fields, ...changes };
  slot.points.set(id, { ...before, fields: sure ? changed : either(before.fields, changed) });
}

/** Deletes a point. `sure`: the call has to take effect, otherwise the point may be there still. */
export function deleteFrom(slot: Slot, id: string, sure: boolean): void {
  const before = slot.points.get(id);
  if (before === undefined) return;
  if (sure) slot.points.delete(id);
  else slot.points.set(id, { ...before, sure: false });
}

/** Replaces the list, or the points of one country. */
export function replaceIn(
  slot: Slot,
  points: ReadonlyMap<string, Fields>,
  country: string | undefined,
  sure: boolean,
): void {
  for (const [id, { fields }] of [...slot.points]) {
    const stays = country !== undefined && fields.country !== undefined && fields.country !== country;
    const known = country === undefined || fields.country !== undefined;
    if (!stays) deleteFrom(slot, id, sure && known);
  }
  for (const [id, fields] of points) {
    // What was there under this id belongs to the part that is replaced: the call's check has seen to that.
    if (sure) slot.points.set(id, { sure, fields });
    else addTo(slot, id, fields, false);
  }
}

/** What two sets of fields have in common: all that is known where either may be there. */
function either(one: Fields, other: Fields): Fields {
  const isAlike = (field: string) =>
    JSON.stringify(one[field as PointField]) === JSON.stringify(other[field as PointField]);
  return Object.fromEntries(Object.entries(one).filter(([field]) => isAlike(field)));
}
