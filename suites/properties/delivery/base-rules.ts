/**
 * Base rules: after the call that caused a wrong result is known, they are tried on their own. A value that is not even kept
 * alone is not the fault of the list or the change that carried it.
 */

import { fits } from '../../../contracts/fields/forms.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { pointsAt, replacePoints, wholeList } from '../../delivery/batch/calls.ts';
import {
  METHOD_KEPT,
  type MethodField,
  POINT_KEPT,
  type PointField,
  readBackFaults,
} from '../../delivery/steps/fields.ts';
import { listPoints, readMethod, readPoint } from '../../delivery/steps/reading.ts';
import { pointAt } from '../../delivery/steps/values.ts';
import { clauseOfList, clauseOfMethod, type ModelClause, type WrongPoint } from './clauses.ts';
import type { MethodAccess } from './method-access.ts';
import type { Slot } from './state.ts';

/** The clause that a wrong list goes against, after trying what is simpler. */
export async function baseRuleOfList(system: MethodAccess, slot: Slot, wrong: WrongPoint): Promise<ModelClause> {
  const clause = clauseOfList(slot, wrong);
  const { id, field } = wrong;
  const fields = slot.points.get(id)?.fields;
  if (field === undefined || fields === undefined) return clause;
  const method = { delivery: system.store(slot.owner), handle: system.handle(slot.name) };
  const alone = await readPoint(system.context, method, id);
  if (system.wrongField(fields, alone) === undefined) return 'delivery.point.list-agrees-with-read';
  const shape = shapeOfPoint(alone, field);
  if (shape !== undefined) return shape;
  if (!(await isKept(system.context, 'add', field, fields[field]))) return POINT_KEPT[field] as ModelClause;
  if (clause === 'delivery.handles.update-in-each') {
    const named = slot.writes.at(-1)?.fields ?? [field];
    const changes = Object.fromEntries(named.map((name) => [name, fields[name as PointField]]));
    const alone = await isKept(system.context, 'change', field, fields[field], changes);
    return alone ? clause : 'delivery.point.update-applies';
  }
  // A batch that brings the point to a new method keeps it, so that it is the replacing that went wrong, or another call.
  if (clause === 'delivery.batch.fields-kept' && (await isKept(system.context, 'batch', field, fields[field]))) {
    if (!(await replacesFields(system.context, field, fields[field]))) return 'delivery.batch.replaces-all';
    const isOthers = slot.writes.some(({ slots }) => !slots.includes(slot.name));
    return isOthers ? 'delivery.batch.other-methods-untouched' : clause;
  }
  return clause;
}

/** Whether a batch brings a new value to an existing point. */
async function replacesFields(context: Context, field: PointField, value: unknown): Promise<boolean> {
  const method = await context.given.newMethod(context.delivery);
  const [point] = pointsAt(context, ['p']);
  await replacePoints(context, method, [point!]);
  await replacePoints(context, method, [{ ...point, [field]: value }]);
  const [read = {}] = await listPoints(context, method);
  return readBackFaults(context, field, value, read[field]).length === 0;
}

/** Whether a value is kept by a point of a new method, the only one there, when it comes in this way. */
async function isKept(
  context: Context,
  by: 'add' | 'change' | 'batch',
  field: PointField,
  value: unknown,
  changes: Json = {},
): Promise<boolean> {
  const { delivery, given, send } = context;
  const method = await given.newMethod(delivery);
  const point = { ...pointAt(context, 'p'), ...(by === 'change' ? {} : { [field]: value }) };
  if (by === 'batch') await send(wholeList(method, [point]), 'batch');
  else await send(delivery.addPoint(method.handle, point), 'add');
  if (by === 'change') await send(delivery.changePoint(method.handle, 'p', { ...changes, [field]: value }), 'change');
  const [read = {}] = await listPoints(context, method);
  return readBackFaults(context, field, value, read[field]).length === 0;
}

/** The clause that a wrong field of a method goes against, after trying the field of a new method. */
export async function baseRuleOfMethod(
  system: MethodAccess,
  slot: Slot,
  field: MethodField,
  read: Json,
): Promise<ModelClause> {
  const clause = clauseOfMethod(slot, field);
  const shape = shapeOfMethod(read, field);
  if (shape !== undefined) return shape;
  const expected = slot.method[field];
  if (slot.methodWrite?.served === false || slot.methodWrite?.by === 'other') return clause;
  if (field === 'print_label_url' && expected === null) return 'delivery.method.print-label-url-null-otherwise';
  const fresh = await system.context.given.newMethod(system.context.delivery, { [field]: expected });
  const again = await readMethod(system.context, fresh);
  const isKept = readBackFaults(system.context, field, expected, again[field]).length === 0;
  return isKept ? clause : (METHOD_KEPT[field] as ModelClause);
}

/** A call that was refused because of an id, which another one is taken for. */
export async function baseRuleOfCall(
  system: MethodAccess,
  clause: ModelClause,
  ids: readonly string[],
): Promise<ModelClause> {
  const { context } = system;
  for (const id of ids) {
    const fresh = await context.given.newMethod(context.delivery);
    await context.send(context.delivery.addPoint(fresh.handle, pointAt(context, id)), 'add');
    const [point] = await listPoints(context, fresh);
    if (point !== undefined && point.id !== id) return 'delivery.point.id-kept';
  }
  return clause;
}

/** The clause about the form of a point's field, where a value has another. */
export function shapeOfPoint(read: Json, field: string): ModelClause | undefined {
  const value = read[field];
  if (isUnset(value)) return undefined;
  if (field === 'attributes' && !isJsonObject(value)) return 'delivery.point.attributes-shape';
  if (field === 'country' && !/^[A-Za-z]{2}$/.test(String(value))) return 'delivery.point.country-is-code';
  return field === 'title' && !fits('multilanguage', value) ? 'delivery.multilanguage.shape' : undefined;
}

/** The clause about the form of a method's field, where a value has another. */
export function shapeOfMethod(read: Json, field: MethodField): ModelClause | undefined {
  const value = read[field];
  if (isUnset(value)) return undefined;
  const isCode = (code: unknown) => typeof code === 'string' && /^[A-Za-z]{2}$/.test(code);
  if (field.startsWith('available_countries') && !(Array.isArray(value) && value.every(isCode)))
    return 'delivery.method.country-lists-are-codes';
  return field === 'title' && !fits('multilanguage', value) ? 'delivery.multilanguage.shape' : undefined;
}
