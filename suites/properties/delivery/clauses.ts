/** Which clause a list, a point or a method that is not as the model has it goes against: that of the last call before. */
import { METHOD_KEPT, type MethodField, POINT_KEPT, type PointField } from '../../delivery/steps/fields.ts';
import type { Slot, SlotName, Write } from './state.ts';

/** What is wrong with a point in the list of a method. `garbled`: under another id than the one that was sent. */
export interface WrongPoint {
  readonly what: 'missing' | 'stranger' | 'twice' | 'field' | 'garbled';
  readonly id: string;
  readonly field?: PointField;
}

/** All clauses that the model proves. */
export const MODEL_CLAUSES = [
  'delivery.method.create-stores',
  ...Object.values(METHOD_KEPT),
  'delivery.method.print-label-url-null-otherwise',
  'delivery.method.country-lists-are-codes',
  'delivery.method.read-by-handle',
  'delivery.method.update-applies',
  'delivery.method.update-keeps-omitted-fields',
  'delivery.method.update-leaves-other-methods',
  'delivery.method.delete-removes',
  'delivery.method.delete-leaves-other-methods',
  'delivery.method.unknown-not-updated',
  'delivery.point.create-stores',
  ...Object.values(POINT_KEPT),
  'delivery.point.attributes-shape',
  'delivery.point.country-is-code',
  'delivery.point.id-kept',
  'delivery.point.id-unique',
  'delivery.point.same-id-in-two-methods',
  'delivery.point.list-of-one-method',
  'delivery.point.read-by-id',
  'delivery.point.list-agrees-with-read',
  'delivery.point.update-applies',
  'delivery.point.update-keeps-omitted-fields',
  'delivery.point.update-leaves-other-points',
  'delivery.point.delete-removes',
  'delivery.point.delete-leaves-other-points',
  'delivery.point.unknown-read-refused',
  'delivery.point.unknown-not-updated',
  'delivery.point.unknown-method-refused',
  'delivery.handles.add-to-each',
  'delivery.handles.update-in-each',
  'delivery.handles.delete-from-each',
  'delivery.handles.others-untouched',
  'delivery.batch.replaces-all',
  'delivery.batch.empty-list',
  'delivery.batch.country-replaces',
  'delivery.batch.country-keeps-others',
  'delivery.batch.country-in-portions',
  'delivery.batch.finalization-publishes',
  'delivery.batch.unlisted-until-final-portion',
  'delivery.batch.initialization-discards-unfinished',
  'delivery.batch.fields-kept',
  'delivery.batch.several-handles',
  'delivery.batch.several-handles-in-portions',
  'delivery.batch.other-methods-untouched',
  'delivery.batch.ids-unique',
  'delivery.owner.methods-not-readable',
  'delivery.owner.methods-not-changeable',
  'delivery.owner.methods-not-deletable',
  'delivery.owner.points-not-readable',
  'delivery.owner.points-not-addable',
  'delivery.owner.points-not-changeable',
  'delivery.owner.points-not-deletable',
  'delivery.owner.points-not-replaceable',
  'delivery.owner.foreign-handle-beside-own',
  'delivery.multilanguage.shape',
  'envelope.delivery.refusal-changes-nothing',
] as const;
export type ModelClause = (typeof MODEL_CLAUSES)[number];

/** The clause that a wrong list of a method goes against. */
export function clauseOfList({ name, owner, writes, before }: Slot, wrong: WrongPoint): ModelClause {
  if (wrong.what === 'garbled') return 'delivery.point.id-kept';
  // Several calls may be new since the list was last read: one for this method is likelier than one beside it.
  const last = writes.findLast(({ by, slots }) => by === owner && slots.includes(name)) ?? writes.at(-1);
  // A list that was right before and is wrong now, with nothing written since: what was published does not stay so.
  if (last === undefined) return before?.kind === 'batch' ? clauseOfBatch(before) : 'delivery.point.list-of-one-method';
  if (last.by !== owner) return clauseOfIntrusion(last, name);
  if (!last.served) return 'envelope.delivery.refusal-changes-nothing';
  if (!last.slots.includes(name)) return clauseOfUnrelated(last, wrong);
  if (wrong.what === 'twice') return last.kind === 'batch' ? 'delivery.batch.ids-unique' : 'delivery.point.id-unique';
  return CLAUSE_OF_WRITE[last.kind](last, wrong);
}

/** The clause that a method which reads otherwise goes against; without a field, one that does not read at all. */
export function clauseOfMethod({ name, owner, methodWrite: last }: Slot, field?: MethodField): ModelClause {
  if (last === undefined)
    return field === undefined ? 'delivery.method.read-by-handle' : (METHOD_KEPT[field] as ModelClause);
  if (last.by !== owner)
    return field === undefined ? 'delivery.owner.methods-not-deletable' : 'delivery.owner.methods-not-changeable';
  if (!last.served) return 'envelope.delivery.refusal-changes-nothing';
  if (!last.slots.includes(name))
    return field === undefined
      ? 'delivery.method.delete-leaves-other-methods'
      : 'delivery.method.update-leaves-other-methods';
  if (field === undefined) return 'delivery.method.read-by-handle';
  return last.fields?.includes(field)
    ? 'delivery.method.update-applies'
    : 'delivery.method.update-keeps-omitted-fields';
}

/** Another store's call reached this method. */
function clauseOfIntrusion({ kind, slots }: Write, name: SlotName): ModelClause {
  if (slots.some((slot) => slot !== name)) return 'delivery.owner.foreign-handle-beside-own';
  const clauses = {
    add: 'delivery.owner.points-not-addable',
    change: 'delivery.owner.points-not-changeable',
    delete: 'delivery.owner.points-not-deletable',
    batch: 'delivery.owner.points-not-replaceable',
    method: 'delivery.owner.methods-not-changeable',
  } as const;
  return clauses[kind];
}

/** A call for other methods of the owner reached this one. */
function clauseOfUnrelated({ kind, slots }: Write, { what }: WrongPoint): ModelClause {
  if (kind === 'batch') return 'delivery.batch.other-methods-untouched';
  if (kind === 'method') return 'delivery.method.delete-leaves-other-methods';
  if (slots.length > 1) return 'delivery.handles.others-untouched';
  return kind === 'add' && what === 'stranger'
    ? 'delivery.point.list-of-one-method'
    : 'delivery.point.same-id-in-two-methods';
}

const CLAUSE_OF_WRITE: Readonly<Record<Write['kind'], (write: Write, wrong: WrongPoint) => ModelClause>> = {
  add: ({ ids, slots }, { what, id, field }) => {
    if (field !== undefined && ids.includes(id)) return POINT_KEPT[field] as ModelClause;
    return slots.length > 1 && what === 'missing' && ids.includes(id)
      ? 'delivery.handles.add-to-each'
      : 'delivery.point.create-stores';
  },
  change: ({ ids, slots, fields }, { what, id, field }) => {
    if (!ids.includes(id)) return 'delivery.point.update-leaves-other-points';
    if (what === 'stranger') return 'delivery.point.unknown-not-updated';
    if (field !== undefined && !fields?.includes(field)) return 'delivery.point.update-keeps-omitted-fields';
    return slots.length > 1 ? 'delivery.handles.update-in-each' : 'delivery.point.update-applies';
  },
  delete: ({ ids, slots }, { what, id }) => {
    if (what !== 'stranger' || !ids.includes(id)) return 'delivery.point.delete-leaves-other-points';
    return slots.length > 1 ? 'delivery.handles.delete-from-each' : 'delivery.point.delete-removes';
  },
  batch: (write, { what, id }) => {
    const isNew = write.ids.includes(id);
    if (what === 'stranger' && write.discarded?.includes(id))
      return 'delivery.batch.initialization-discards-unfinished';
    if (what === 'field' && isNew) return 'delivery.batch.fields-kept';
    const isOfOthers = write.country !== undefined && !isNew && what !== 'stranger';
    if (isOfOthers && (what === 'field' || (write.portions ?? 1) === 1)) return 'delivery.batch.country-keeps-others';
    return clauseOfBatch(write);
  },
  method: () => 'delivery.point.list-of-one-method',
};

/** The rule of the call as a whole, by what is special about it. */
export function clauseOfBatch({
  slots,
  country,
  portions = 1,
}: Pick<Write, 'slots' | 'country' | 'portions'>): ModelClause {
  if (slots.length > 1)
    return portions > 1 ? 'delivery.batch.several-handles-in-portions' : 'delivery.batch.several-handles';
  if (country !== undefined)
    return portions > 1 ? 'delivery.batch.country-in-portions' : 'delivery.batch.country-replaces';
  return portions > 1 ? 'delivery.batch.finalization-publishes' : 'delivery.batch.replaces-all';
}

/** The rule under which a call that has to work was not served. */
export function clauseOfCall({
  kind,
  slots,
  ...rest
}: Pick<Write, 'kind' | 'slots' | 'country' | 'portions'>): ModelClause {
  const several = slots.length > 1;
  if (kind === 'add') return several ? 'delivery.handles.add-to-each' : 'delivery.point.create-stores';
  if (kind === 'change') return several ? 'delivery.handles.update-in-each' : 'delivery.point.update-applies';
  if (kind === 'delete') return several ? 'delivery.handles.delete-from-each' : 'delivery.point.delete-removes';
  if (kind === 'batch') return clauseOfBatch({ slots, ...rest });
  return 'delivery.method.update-applies';
}
