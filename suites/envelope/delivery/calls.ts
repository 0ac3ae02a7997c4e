/** Calls of the Delivery interface of every kind: some are served, others have to be refused. */
import type { Context } from '../../../harness/check/context.ts';
import type { MethodUnderTest } from '../../../harness/check/given/index.ts';
import { withPair } from '../../../harness/target/client/request.ts';
import { Delivery, type Json } from '../../../harness/target/interfaces/delivery.ts';
import { idsFrom, mixedPointsAt, pointsAt, wholeList } from '../../delivery/batch/calls.ts';
import { methodsOf, readList } from '../../delivery/lists/reading/index.ts';
import { unlessFull } from '../../delivery/steps/methods/unless-full.ts';
import type { RequestSample, Sample } from '../samples.ts';

/** Reading calls that are served: the list of methods and, where there is one, a method with its points, the one of `known` first. */
export async function servedReads(context: Context, known?: string): Promise<RequestSample[]> {
  const { delivery } = context;
  const list: RequestSample = {
    what: 'the list of methods',
    call: delivery.listMethods(),
    clause: 'delivery.method.list-contains-own',
  };
  const settings: RequestSample[] = settingsServed(context);
  const handle = known ?? (await readList(context, methodsOf(delivery), { stopAfter: 1 })).ids[0];
  if (handle === undefined) return [list, ...settings];
  return [
    { what: 'a method read alone', call: delivery.readMethod(handle), clause: 'delivery.method.read-by-handle' },
    { what: 'the list of points', call: delivery.listPoints(handle), clause: 'delivery.point.list-contains' },
    list,
    ...settings,
  ];
}

/** The custom fields of an order, where the profile names one. */
function settingsServed({ profile }: Context): RequestSample[] {
  const { apiKey, orderUuid } = profile.delivery?.public ?? {};
  if (apiKey === undefined || orderUuid === undefined) return [];
  const call = new Delivery('public', apiKey).readProviderSettings(orderUuid);
  return [{ what: 'the custom fields of an order', call, clause: 'delivery.settings.returns-fields' }];
}

/** Reading calls that are refused, each where another part of a service may build the response. */
export function refusedReads(context: Context): RequestSample[] {
  const { delivery } = context;
  const unknown = context.resources.newMark();
  const nearMiss = new Delivery(delivery.owner, context.nearMiss(delivery.key));
  return [
    {
      what: 'a method that does not exist',
      call: delivery.readMethod(unknown),
      clause: 'delivery.method.unknown-read-refused',
    },
    {
      what: 'the points of a method that does not exist',
      call: delivery.listPoints(unknown),
      clause: 'delivery.point.unknown-method-refused',
    },
    {
      what: 'a call without a key',
      call: withPair(delivery.listMethods(), 'headers', 'authorization', undefined),
      clause: 'delivery.credentials.every-read',
    },
    { what: 'a call with a wrong key', call: nearMiss.listMethods(), clause: 'delivery.credentials.every-read' },
    ...settingsServed(context).map(({ what, call }) => ({
      what: `${what} without a key`,
      call: withPair(call, 'headers', 'authorization', undefined),
      clause: 'delivery.credentials.every-read',
    })),
    {
      what: 'a path that does not exist',
      call: delivery.call('GET', `store/${unknown}/`),
      clause: 'envelope.v1.unknown-path',
      strange: true,
    },
  ];
}

/** Writing calls that are served, on methods made for them: the response to the first create, its handle, and calls in their order. */
export async function servedWrites(
  context: Context,
  words = 'Another',
): Promise<{ created: Sample; handle: string; calls: RequestSample[] }> {
  const { delivery, given } = context;
  const method = await given.newMethod(delivery);
  const doomed = (await unlessFull(context, () => given.newMethod(delivery))) ?? method;
  const { handle } = method;
  const [second, point] = mixedPointsAt(context, ['second', 'first']) as [Json, Json];
  const returnsNothing = true;
  const calls: RequestSample[] = [
    {
      what: 'an update of a method',
      call: delivery.changeMethod(handle, { title: given.text(`${words} courier`) }),
      clause: 'delivery.method.update-applies',
    },
    {
      what: 'a new point',
      call: delivery.addPoint(handle, point),
      clause: 'delivery.point.create-stores',
      returnsNothing,
    },
    {
      what: 'an update of a point',
      call: delivery.changePoint(handle, 'first', { address: `${words} street` }),
      clause: 'delivery.point.update-applies',
      returnsNothing,
    },
    { what: 'a point read alone', call: delivery.readPoint(handle, 'first'), clause: 'delivery.point.read-by-id' },
    {
      what: 'a deleted point',
      call: delivery.deletePoint(handle, 'first'),
      clause: 'delivery.point.delete-removes',
      returnsNothing,
    },
    {
      what: 'a batch call',
      call: wholeList(method, [second, { ...point, id: 'third' }]),
      clause: 'delivery.batch.replaces-all',
      returnsNothing,
    },
    {
      what: 'a deleted method',
      call: delivery.deleteMethod(doomed.handle),
      clause: 'delivery.method.delete-removes',
      returnsNothing,
    },
  ];
  return { created: { what: 'a new method', response: method.created }, handle, calls };
}

/** Calls that are refused, on a method made for them, so that one that is served by mistake does no harm. */
export function refusedWrites(context: Context, { delivery, handle }: MethodUnderTest): RequestSample[] {
  const unknown = context.resources.newMark();
  const whole = wholeList({ delivery, handle }, pointsAt(context, ['a']));
  // A service that makes sense of it has one method more, which is removed by its reference.
  const reference = context.resources.newMark();
  context.given.track({ kind: 'delivery-method', owner: delivery.owner, reference });
  const [point] = pointsAt(context, ['a']) as [Json];
  const keyless = [
    ['a new method', delivery.addMethod({ title: context.given.text('Courier') })],
    ['an update of a method', delivery.changeMethod(handle, { title: context.given.text('Courier') })],
    ['a deletion of a method', delivery.deleteMethod(handle)],
    ['a new point', delivery.addPoint(handle, point)],
    ['an update of a point', delivery.changePoint(handle, 'a', { address: 'Nowhere' })],
    ['a deletion of a point', delivery.deletePoint(handle, 'a')],
    ['a batch call', whole],
  ] as const;
  return [
    ...keyless.map(([what, call]) => ({
      what: `${what} without a key`,
      call: withPair(call, 'headers', 'authorization', undefined),
      clause: 'delivery.credentials.every-write',
    })),
    {
      what: 'a point that does not exist',
      call: delivery.readPoint(handle, unknown),
      clause: 'delivery.point.unknown-read-refused',
    },
    {
      what: 'an update of a point that does not exist',
      call: delivery.changePoint(handle, unknown, { address: 'Nowhere' }),
      clause: 'delivery.point.unknown-not-updated',
    },
    {
      what: 'a batch call for a method that does not exist',
      call: wholeList({ delivery, handle: unknown }, [point]),
      clause: 'delivery.point.unknown-method-refused',
    },
    {
      what: 'a deletion of a method that does not exist',
      call: delivery.deleteMethod(unknown),
      clause: 'delivery.method.unknown-read-refused',
    },
    {
      what: 'a batch call with 101 points',
      call: wholeList({ delivery, handle }, pointsAt(context, idsFrom('p', 101))),
      clause: 'delivery.batch.refuses-101-points',
    },
    {
      what: 'a list of points that is a text',
      call: delivery.batchReplace(handle, { pickup_points: 'many' }),
      clause: 'envelope.v1.malformed-input',
    },
    {
      what: 'a new method with a list of countries that is an object',
      call: delivery.addMethod({ ...context.given.methodFields(reference), available_countries_to: { all: true } }),
      clause: 'envelope.v1.malformed-input',
    },
    {
      what: 'a verb that the path does not have',
      call: { ...whole, method: 'PUT' },
      clause: 'envelope.v1.malformed-input',
      strange: true,
    },
  ];
}
