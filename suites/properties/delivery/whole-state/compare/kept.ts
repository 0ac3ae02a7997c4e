/** Whether a value is kept when it is alone: one that is not is not a fault of the call that brought it. */

import { isJsonObject } from '../../../../../contracts/json/object.ts';
import type { Context } from '../../../../../harness/check/context.ts';
import { isServed } from '../../../../../harness/target/response/judge-response.ts';
import {
  METHOD_KEPT,
  type MethodField,
  POINT_KEPT,
  type PointField,
  readBackFaults,
} from '../../../../delivery/steps/fields.ts';
import { listPoints, readMethod } from '../../../../delivery/steps/reading.ts';
import { pointAt } from '../../../../delivery/steps/values.ts';

async function keepsPoint(context: Context, field: PointField, value: unknown): Promise<boolean> {
  const { delivery, given, send } = context;
  const method = await given.newMethod(delivery);
  const sent = { ...pointAt(context, 'p'), [field]: value };
  if (!isServed(await send(delivery.addPoint(method.handle, sent), 'add'))) return true;
  const [read = {}] = await listPoints(context, method);
  return readBackFaults(context, field, value, read[field]).length === 0;
}

async function keepsMethod(context: Context, field: MethodField, value: unknown): Promise<boolean> {
  const fresh = await context.given.newMethod(context.delivery, { [field]: value });
  const read = await readMethod(context, fresh);
  return readBackFaults(context, field, value, read[field]).length === 0;
}

/** The clause of a title in several languages that is lost: where one of them alone is kept, it is their number. */
async function ofTitle(value: unknown, clause: string, keeps: (title: unknown) => Promise<boolean>): Promise<string> {
  const [first, ...others] = isJsonObject(value) ? Object.entries(value) : [];
  if (first === undefined || others.length === 0) return clause;
  return (await keeps(Object.fromEntries([first]))) ? 'delivery.multilanguage.object-read-back' : clause;
}

async function point(context: Context, field: PointField, value: unknown, blamed: string): Promise<string> {
  if (await keepsPoint(context, field, value)) return blamed;
  const keeps = (one: unknown) => keepsPoint(context, field, one);
  return field === 'title' ? ofTitle(value, POINT_KEPT.title, keeps) : POINT_KEPT[field];
}

async function method(context: Context, field: MethodField, value: unknown, blamed: string): Promise<string> {
  // A reference without the run's mark can't be given to a new method.
  if (field === 'reference' || (await keepsMethod(context, field, value))) return ofUpdate(field, value, blamed);
  if (field === 'print_label_url' && value === null) return 'delivery.method.print-label-url-null-otherwise';
  const keeps = (one: unknown) => keepsMethod(context, field, one);
  return field === 'title' ? ofTitle(value, METHOD_KEPT.title, keeps) : METHOD_KEPT[field];
}

function ofUpdate(field: MethodField, value: unknown, blamed: string): string {
  const isOfSeveral = field === 'title' && isJsonObject(value) && Object.keys(value).length > 1;
  return isOfSeveral && blamed === 'delivery.method.update-applies'
    ? 'delivery.multilanguage.object-sets-named-languages'
    : blamed;
}

/** The clause to blame for a field that does not read back: that of the field, where its value is not kept alone either. */
export const kept = { point, method };
