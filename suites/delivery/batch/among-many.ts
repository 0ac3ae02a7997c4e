/** Single points of a long list, and its method: what holds among few points holds among many. */
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isRefusalOfPromise, isServed } from '../../../harness/target/response/judge-response.ts';
import { changedFields, METHOD_FIELDS, POINT_FIELDS, readBackFaults } from '../steps/fields.ts';
import { unlessFull } from '../steps/methods/unless-full.ts';
import { type Method, readMethod, readPoint, showsPoint } from '../steps/reading.ts';
import { changeOfPoint } from '../steps/values.ts';
import { pointsAt, wholeList } from './calls.ts';
import { usedBatchMethod } from './new-method.ts';

const APPLIES = 'delivery.point.update-applies';

/** States that a method is read as before: it keeps its fields, however many points it has. */
export async function readsAsBefore(context: Context, method: Method, before: Json): Promise<void> {
  const after = await readMethod(context, method);
  const changed = changedFields(context, METHOD_FIELDS, before, after);
  context.given.holds(
    changed.length === 0,
    'delivery.method.create-stores',
    `a method with many points shows another ${changed}`,
    { expected: before, actual: after },
  );
}

/** Calls for single points of a long list, whose own checks make short ones: its last points, and one more. */
export async function changeOneByOne(context: Context, method: Method, ids: readonly string[]): Promise<void> {
  const { given, send } = context;
  const { delivery, handle } = method;
  const [changed = '', deleted = ''] = ids.slice(-2);
  const among = `a point among ${ids.length}`;
  const shows = async (id: string): Promise<boolean> =>
    showsPoint(await send(delivery.readPoint(handle, id), 'read'), id);

  await changeOne(context, method, changed, ids.length);
  await given.promised(send(delivery.deletePoint(handle, deleted), 'delete'), 'delivery.point.delete-removes');
  given.holds(!(await shows(deleted)), 'delivery.point.delete-removes', `${among} is there after it was deleted`);
  // How many points a method may have is not stated.
  if (!isServed(await send(delivery.addPoint(handle, pointsAt(context, ['one-more'])[0]!), 'add'))) return;
  given.holds(await shows('one-more'), 'delivery.point.create-stores', `${among} is not there after it was added`);
}

/** Changes a point among so many, which is kept. */
export async function changeOne(context: Context, method: Method, id: string, count: number): Promise<void> {
  const change = changeOfPoint(context, 'Elsewhere');
  const update = () => context.send(method.delivery.changePoint(method.handle, id, change), 'change');
  const response = await update();
  if (!isServed(response)) return givenRefusedAmongFew(context, response, change, update);
  const read = await readPoint(context, method, id);
  const fields = POINT_FIELDS.filter((field) => Object.hasOwn(change, field));
  const [lost] = fields.flatMap((field) => readBackFaults(context, field, change[field], read[field]));
  context.given.holds(lost === undefined, APPLIES, `an update of a point among ${count} is lost: ${lost?.message}`);
}

/**
 * States that an update which is refused among many points is refused in a list of one as well: then its values are the reason. `update`
 * sends it again, since a service may be busy with a long list for a while.
 */
async function givenRefusedAmongFew(
  context: Context,
  refused: ServiceResponse,
  change: Json,
  update: () => Promise<ServiceResponse>,
): Promise<void> {
  if (!isRefusalOfPromise(refused)) return;
  const { given, send } = context;
  const method = await unlessFull(context, () => usedBatchMethod(context));
  if (method === undefined || !isServed(await send(wholeList(method, pointsAt(context, ['few'])), 'given'))) return;
  const control = await send(method.delivery.changePoint(method.handle, 'few', change), 'control');
  if (!isServed(control) || isServed(await update())) return;
  const message = 'an update of a point among many is refused, and served where its method has one';
  given.holds(false, APPLIES, message, { response: refused });
}
