// Pickup points: single ones, and whole lists that are published at once.

import { isObject, json, jsonObject, Refusal, type ServiceRequest, type ServiceResponse } from '../server/http.ts';
import { type Method, nextNumber, type Owner, type Point, type World } from '../state.ts';
import { countryOrNone, flag, mergedTexts, readTexts, textOrNull, wrapped } from './fields.ts';
import { pageOf } from './lists.ts';
import { type DeliveryContext, done, methodsNamed, ownMethod } from './owned.ts';

/** The contract's limit for one call (Limits). */
const MAX_BATCH_ITEMS = 100;

const refused = (message: string) => new Refusal(422, 1017, message);

const blank = {
  seq: 0,
  id: '',
  title: {},
  address: '',
  city: '',
  zip: '',
  country: '',
  attributes: '',
  scope: '',
} as const;

function pointRecord(owner: Owner, point: Point): object {
  const { id, address, city, zip, country, attributes } = point;
  const title = readTexts(owner, point.title);
  return { id, title, address, city, zip, country, attributes, 'darba_laiks★': '00–24' };
}

/** An id that works in an address: URL parsers drop `.` and `..`. */
function pointId(value: unknown): string {
  const id = textOrNull(value ?? 0, 'id') ?? '';
  if (id === '') throw refused('id has to be a text of one character or more.');
  if (id === '.' || id === '..') throw refused('The ids "." and ".." cannot be used in an address.');
  return id;
}

/** The point that `before` becomes with the fields that were sent. */
function withFields(owner: Owner, before: Point, fields: Record<string, unknown>): Point {
  const text = (name: 'address' | 'city' | 'zip') =>
    fields[name] === undefined ? before[name] : (textOrNull(fields[name], name) ?? '');
  const country = fields.country === undefined ? before.country : countryOrNone(fields.country, 'country');
  return {
    ...before,
    title: fields.title === undefined ? before.title : mergedTexts(owner, before.title, fields.title, 'title'),
    address: text('address'),
    city: text('city'),
    zip: text('zip'),
    country,
    attributes: fields.attributes === undefined ? before.attributes : attributesOf(fields.attributes),
    scope: (fields.country === undefined ? before.scope : country).toUpperCase(),
  };
}

function attributesOf(value: unknown): object | '' {
  if (value === '' || value === null) return '';
  if (!isObject(value)) throw refused('attributes has to be an object or an empty string.');
  return value;
}

function newPoint(owner: Owner, fields: Record<string, unknown>): Point {
  return withFields(owner, { ...blank, title: {}, id: pointId(fields.id) }, fields);
}

/** Adds a point at the newest end of the method's list and removes one with the same id. */
function put(world: World, method: Method, point: Point): void {
  method.points.delete(point.id);
  method.points.set(point.id, { ...point, seq: nextNumber(world) });
  method.listed = null;
}

export function listPoints(context: DeliveryContext, call: ServiceRequest, [handle = '']: string[]): ServiceResponse {
  const method = ownMethod(context, handle);
  method.listed ??= [...method.points.values()];
  const path = `/store/delivery_method/${encodeURIComponent(handle)}/pickup_points/`;
  const { items, link } = pageOf(method.listed, path, call);
  return json({ error: false, pickup_points: items.map((point) => pointRecord(method.owner, point)), ...link });
}

/** A provider gets a point under its name, a store gets it unwrapped: the reverse of methods. */
export function readPoint(
  context: DeliveryContext,
  _call: ServiceRequest,
  [handle = '', id = '']: string[],
): ServiceResponse {
  const point = ownMethod(context, handle).points.get(id);
  if (!point) throw new Refusal(404, 1004, 'There is no such pickup point.');
  const record = pointRecord(context.owner, point);
  return json(context.owner.kind === 'provider' ? { pickup_point: record } : record);
}

/** Adds a point to every named method; one with the same id is replaced. */
export function addPoint(context: DeliveryContext, call: ServiceRequest, [handles = '']: string[]): ServiceResponse {
  const { methods, skipped } = methodsNamed(context, handles);
  const point = newPoint(context.owner, wrapped(jsonObject(call), 'pickup_point'));
  for (const method of methods) put(context.world, method, point);
  return done(skipped);
}

/** The named methods that hold the point; the others are skipped; if none has it, the call is a 404. */
function holdersOf(context: DeliveryContext, handles: string, id: string) {
  const { methods, skipped } = methodsNamed(context, handles);
  const holders = methods.filter((method) => method.points.has(id));
  if (holders.length === 0) throw new Refusal(404, 1004, 'There is no such pickup point.');
  const without = methods.filter((method) => !method.points.has(id)).map((method) => method.handle);
  return { holders, skipped: [...skipped, ...without] };
}

export function changePoint(
  context: DeliveryContext,
  call: ServiceRequest,
  [handles = '', id = '']: string[],
): ServiceResponse {
  const { holders, skipped } = holdersOf(context, handles, id);
  const fields = wrapped(jsonObject(call), 'pickup_point');
  if (fields.id !== undefined && fields.id !== id) throw refused('The id of a pickup point can not be changed.');
  const changed = holders.map((method) => withFields(context.owner, method.points.get(id)!, fields));
  for (const [index, method] of holders.entries()) {
    method.points.set(id, changed[index]!);
    method.listed = null;
  }
  return done(skipped);
}

export function removePoint(
  context: DeliveryContext,
  _call: ServiceRequest,
  [handles = '', id = '']: string[],
): ServiceResponse {
  const { holders, skipped } = holdersOf(context, handles, id);
  for (const method of holders) {
    method.points.delete(id);
    method.listed = null;
  }
  return done(skipped);
}

/**
 * Replaces the list of every named method, at once or in portions (Endpoints, batch replace rules).
 *
 * Of entries with one id the last one counts. A portion that continues no open list is a 409, or is left out for the
 * methods without one when another has one. Everything that can be refused is refused before anything changes.
 */
export function batchReplace(
  context: DeliveryContext,
  call: ServiceRequest,
  [handles = '']: string[],
): ServiceResponse {
  const { methods, skipped } = methodsNamed(context, handles);
  const body = jsonObject(call);
  if (!Array.isArray(body.pickup_points)) throw refused('pickup_points has to be an array.');
  if (body.pickup_points.length > MAX_BATCH_ITEMS) {
    throw new Refusal(422, 1019, `One call takes at most ${MAX_BATCH_ITEMS} pickup points; send portions.`);
  }
  const starts = flag(body.is_initialization, 'is_initialization', true);
  const ends = flag(body.is_finalization, 'is_finalization', true);
  const country = countryOrNone(body.country ?? '', 'country').toUpperCase() || null;
  const ready = starts ? methods : methods.filter((method) => method.upload);
  if (ready.length === 0) throw new Refusal(409, 1020, 'No list is open: start one with is_initialization true.');
  const scope = starts ? country : ready[0]!.upload!.country;
  const others = ready.some((method) => !starts && method.upload!.country !== scope);
  if (others || (country !== null && country !== scope)) {
    throw new Refusal(409, 1020, 'The country is not that of the open list.');
  }
  const portion = new Map<string, Point>();
  for (const entry of body.pickup_points) {
    const point = portionPoint(context.owner, entry, scope);
    portion.set(point.id, point);
  }
  if (ends) for (const method of ready) refuseCollisions(method, scope, portion, starts);
  for (const method of ready) {
    const upload = !starts && method.upload ? method.upload : { country: scope, points: new Map<string, Point>() };
    for (const [id, point] of portion) upload.points.set(id, point);
    method.upload = upload;
    if (ends) publish(context.world, method);
  }
  return done([...skipped, ...methods.filter((method) => !ready.includes(method)).map((method) => method.handle)]);
}

function portionPoint(owner: Owner, entry: unknown, scope: string | null): Point {
  if (!isObject(entry)) throw refused('Each pickup point has to be an object.');
  const point = newPoint(owner, entry);
  if (scope === null) return point;
  if (point.scope !== '' && point.scope !== scope) throw refused(`A point lies outside the country ${scope}.`);
  return { ...point, scope };
}

/** Ids stay unique: a list of one country must not bring an id that a point of another country has. */
function refuseCollisions(method: Method, scope: string | null, portion: Map<string, Point>, starts: boolean): void {
  if (scope === null) return;
  for (const point of method.points.values()) {
    if (point.scope === scope) continue;
    if (portion.has(point.id) || (!starts && method.upload!.points.has(point.id))) {
      throw new Refusal(409, 1021, 'A point of another country already has one of these ids.');
    }
  }
}

/** Publishes the open list in one assignment, so that no reader ever sees a part of it. */
function publish(world: World, method: Method): void {
  const { country, points } = method.upload!;
  const next = new Map<string, Point>();
  if (country !== null) {
    for (const point of method.points.values()) if (point.scope !== country) next.set(point.id, point);
  }
  for (const [id, point] of points) next.set(id, { ...point, seq: nextNumber(world) });
  method.points = next;
  method.listed = null;
  method.upload = null;
}
