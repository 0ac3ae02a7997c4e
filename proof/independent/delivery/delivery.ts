// The delivery interface: methods and what belongs to them, for the holder of one delivery key.

import {
  json,
  jsonObject,
  Refusal,
  type Route,
  route,
  type ServiceRequest,
  type ServiceResponse,
} from '../server/http.ts';
import { type Method, newMethod } from '../state.ts';
import { countries, mergedTexts, pageAddress, readTexts, textOrNull, wrapped } from './fields.ts';
import { pageOf } from './lists.ts';
import { type DeliveryContext, ownMethod } from './owned.ts';
import { addPoint, batchReplace, changePoint, listPoints, readPoint, removePoint } from './points.ts';

/** A method as the service returns it. Unset values are omitted, except country lists, which are then empty. */
function methodRecord(method: Method): object {
  return {
    handle: method.handle,
    name: method.name,
    title: readTexts(method.owner, method.title),
    ...(method.reference === null ? {} : { reference: method.reference }),
    available_countries_from: method.from,
    available_countries_to: method.to,
    ...(method.labelUrl === null ? {} : { print_label_url: method.labelUrl }),
    'piezīme ☂': { seq: method.seq, punkti: method.points.size },
  };
}

/** Applies the writable fields that are there. Reads all of them before it changes one. */
function applyFields(method: Method, fields: Record<string, unknown>): void {
  const title =
    fields.title === undefined ? method.title : mergedTexts(method.owner, method.title, fields.title, 'title');
  if (Object.keys(title).length === 0) {
    throw new Refusal(422, 1018, 'A delivery method needs a title in a language of the website.');
  }
  const reference = fields.reference === undefined ? method.reference : textOrNull(fields.reference, 'reference');
  const list = (name: string, before: string[]) =>
    fields[name] === undefined ? before : countries(fields[name], name);
  const from = list('available_countries_from', method.from);
  const to = list('available_countries_to', method.to);
  const labelUrl =
    fields.print_label_url === undefined ? method.labelUrl : pageAddress(fields.print_label_url, 'print_label_url');
  Object.assign(method, { title, reference, from, to, labelUrl });
}

function listMethods({ world, owner }: DeliveryContext, call: ServiceRequest): ServiceResponse {
  const own = [...world.methods.values()].filter((method) => method.owner === owner);
  const { items, link } = pageOf(own, '/store/delivery_methods/', call);
  return json({ delivery_methods: items.map(methodRecord), total_äpfel: own.length, ...link });
}

function createMethod({ world, owner }: DeliveryContext, call: ServiceRequest): ServiceResponse {
  const fields = wrapped(jsonObject(call), 'delivery_method');
  const method = newMethod(world, owner);
  applyFields(method, fields);
  world.methods.set(method.handle, method);
  return json({ error: false });
}

/** A provider gets its method unwrapped in the envelope; a store gets it under its name. */
function readMethod(context: DeliveryContext, _call: ServiceRequest, [handle = '']: string[]): ServiceResponse {
  const record = methodRecord(ownMethod(context, handle));
  return json(context.owner.kind === 'provider' ? { error: false, ...record } : { delivery_method: record });
}

function changeMethod(context: DeliveryContext, call: ServiceRequest, [handle = '']: string[]): ServiceResponse {
  const method = ownMethod(context, handle);
  applyFields(method, wrapped(jsonObject(call), 'delivery_method'));
  return json({ error: false });
}

function deleteMethod(context: DeliveryContext, _call: ServiceRequest, [handle = '']: string[]): ServiceResponse {
  const method = ownMethod(context, handle);
  method.deleted = true;
  context.world.methods.delete(handle);
  for (const store of context.world.stores) store.enabled.delete(handle);
  return json({ error: false });
}

/** The custom fields of the store that owns an order, for the provider whose method the order was bought with. */
function providerSettings({ world, owner }: DeliveryContext, call: ServiceRequest): ServiceResponse {
  if (owner.kind !== 'provider') throw new Refusal(403, 1008, 'Only a delivery provider has custom fields.');
  const uuid = jsonObject(call).order_uuid;
  if (typeof uuid !== 'string' || uuid === '') throw new Refusal(422, 1017, 'order_uuid has to be a string.');
  const order = world.orders.get(uuid);
  if (!order || order.method.owner !== owner) throw new Refusal(404, 1004, 'There is no such order of yours.');
  return json({ error: false, fields: order.store.fields.get(owner.id) ?? {} });
}

const routes: Route<DeliveryContext>[] = [
  { path: 'delivery_methods', verbs: { GET: listMethods } },
  { path: 'delivery_method', verbs: { POST: createMethod } },
  { path: 'delivery_method/*', verbs: { GET: readMethod, PUT: changeMethod, DELETE: deleteMethod } },
  { path: 'delivery_method/*/pickup_points', verbs: { GET: listPoints } },
  { path: 'delivery_method/*/pickup_points/batch_replace', verbs: { POST: batchReplace } },
  { path: 'delivery_method/*/pickup_point', verbs: { POST: addPoint } },
  { path: 'delivery_method/*/pickup_point/*', verbs: { GET: readPoint, PUT: changePoint, DELETE: removePoint } },
  { path: 'delivery_provider_settings', verbs: { POST: providerSettings } },
];

/** Answers a call whose path, below `store`, is `path`. */
export function serveDelivery(
  context: DeliveryContext,
  call: ServiceRequest,
  path: string[],
): ServiceResponse | Promise<ServiceResponse> {
  return route(routes, context, call, path, { safeGets: true });
}
