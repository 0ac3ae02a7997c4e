/** Pickup points that are added under an id which the method has already, as far as the traffic shows (spec: A. Delivery endpoints). */
import { isJsonObject } from '../../../json/object.ts';
import { type RuleContext, responseKind, type ServiceRequest } from '../../call.ts';
import { Memory } from '../../memory.ts';
import { decoded } from '../../reading/given-values.ts';
import { isRedacted } from '../../reading/redacted.ts';
import { named } from '../../service/responses.ts';

const UNIQUE = 'provider.calls.point-ids-unique';
export const POINT_CLAUSES = [UNIQUE];

/** Methods and ids that are remembered; what is forgotten is taken as not there. */
const MAX_METHODS = 500;
const MAX_IDS_OF_ALL = 400_000;

/** Ids with the country that each belongs to; undefined where its call and its own field don't agree on one. */
type Ids = Map<string, string | undefined>;

/** What the traffic has put into a method. */
interface Method {
  readonly ids: Ids;
  /** Ids of an upload under way; undefined if no upload is open, or if a part of it was refused. */
  upload: Ids | undefined;
  /** Ids that lists of the method showed. */
  readonly listed: Set<string>;
}

/** A rule with memory: takes every call of one base, in their order. */
export class PointRule {
  readonly #notes: RuleContext['notes'];
  readonly #methods = new Memory<Method>({
    entries: MAX_METHODS,
    weight: { of: ({ ids, upload, listed }) => ids.size + listed.size + (upload?.size ?? 0), most: MAX_IDS_OF_ALL },
  });

  constructor(scene: RuleContext) {
    this.#notes = scene.notes;
  }

  call(call: ServiceRequest): void {
    const { operation, match, seen } = call;
    if (operation === undefined || match === undefined) return;
    const handles = (match.params.handle ?? '').split(',').filter((handle) => handle !== '');
    const body = seen.requestBody.kind === 'json' && isJsonObject(seen.requestBody.value) ? seen.requestBody.value : {};
    const isServed = responseKind(call) === 'served';
    this.#adviseOnEncoding(call, handles, match.params.point);
    if (operation.id === 'addPoint') this.#added(call, handles, body.pickup_point, isServed);
    else if (operation.id === 'batchReplace') this.#replaced(call, handles, body, isServed);
    // A call whose outcome is not known may have changed anything.
    else if (operation.id === 'deleteMethod') for (const handle of handles) this.#methods.delete(handle);
    else if (operation.id === 'deletePoint') this.#removed(handles, match.params.point ?? '');
    else if (operation.id === 'changePoint') this.#renamed(call, handles, match.params.point ?? '', body.pickup_point);
    else if (operation.id === 'listPoints' && isServed) this.#listed(call, handles);
  }

  /** An id that was encoded before it was put into a path, or encoded as in a query, where a plus is a space: it names no point. */
  #adviseOnEncoding(call: ServiceRequest, handles: readonly string[], id: string | undefined): void {
    if (id === undefined || !/[%+]/.test(id) || responseKind(call) !== 'refused') return;
    const has = (wanted: string): boolean =>
      handles.some((handle) => {
        const method = this.#methods.get(handle);
        return method?.ids.has(wanted) === true || method?.listed.has(wanted) === true;
      });
    if (has(id)) return;
    const meant = [decoded(id), id.replaceAll('+', ' ')].find((one) => one !== id && has(one));
    if (meant === undefined) return;
    const how = meant === decoded(id) ? 'encoded twice' : 'with a plus, which in a path is not a space';
    this.#notes.advises('provider.calls.known-operations', call.seen.n, {
      message: `${named(call)} was refused: its path has the id ${JSON.stringify(meant)} ${how}`,
      pointer: 'path',
      expected: encodeURIComponent(meant),
      actual: encodeURIComponent(id),
    });
  }

  /** A list shows what the method has at that moment; others may change it unseen. */
  #listed({ seen: { responseBody } }: ServiceRequest, handles: readonly string[]): void {
    const response: unknown = responseBody.kind === 'json' ? responseBody.value : undefined;
    const points = isJsonObject(response) && Array.isArray(response.pickup_points) ? response.pickup_points : [];
    for (const handle of handles) {
      const method = this.#methods.get(handle) ?? NOTHING();
      for (const point of points) {
        const id = isJsonObject(point) ? point.id : undefined;
        if (typeof id === 'string' && !isRedacted(id)) method.listed.add(id);
      }
      this.#methods.set(handle, method);
    }
  }

  #added(call: ServiceRequest, handles: readonly string[], point: unknown, isServed: boolean): void {
    const id = isJsonObject(point) ? point.id : undefined;
    if (typeof id !== 'string' || isRedacted(id)) return;
    const { n } = call.seen;
    const isListed = handles.some((handle) => this.#methods.get(handle)?.listed.has(id) === true);
    // What a list showed may be gone; where the service refuses the id, it is not.
    const wasRefused = responseKind(call) === 'refused';
    if (handles.some((handle) => this.#methods.get(handle)?.ids.has(id) === true) || (isListed && wasRefused)) {
      this.#notes.breaks(UNIQUE, n, {
        message: `${named(call)} adds a point with the id ${JSON.stringify(id)}, which the method already has`,
        pointer: '/pickup_point/id',
        expected: 'an id that the method does not have',
        actual: id,
      });
    } else this.#notes.keeps(UNIQUE, n);
    if (!isServed) return;
    for (const handle of handles) {
      const method = this.#methods.get(handle) ?? NOTHING();
      method.ids.set(id, countryOf(point, undefined));
      this.#methods.set(handle, method);
    }
  }

  /** A call for one country leaves the points of the others where they are, with their ids. */
  #replaced(call: ServiceRequest, handles: readonly string[], body: Json, isServed: boolean): void {
    const country = codeOf(body.country);
    const points = Array.isArray(body.pickup_points) ? body.pickup_points : [];
    const ids: Ids = new Map();
    for (const point of points) {
      const id = isJsonObject(point) ? point.id : undefined;
      if (typeof id === 'string' && !isRedacted(id)) ids.set(id, countryOf(point, country));
    }
    const staying = handles.map((handle) => idsOutside(country, this.#methods.get(handle)?.ids));
    const taken = [...ids.keys()].find((id) => staying.some((others) => others.has(id)));
    if (taken !== undefined) {
      this.#notes.breaks(UNIQUE, call.seen.n, {
        message: `${named(call)} uploads a point for ${country} with the id ${JSON.stringify(taken)}, which a point of another country already has`,
        pointer: '/pickup_points',
        expected: 'ids that the method does not have',
        actual: taken,
      });
    }
    for (const [at, handle] of handles.entries())
      this.#uploaded(handle, { body, ids, staying: staying[at] as Ids, isServed });
  }

  /** Points of a list that was not seen whole are not known and taken as not there. */
  #uploaded(handle: string, { body, ids, staying, isServed }: Uploaded): void {
    const [begins, ends] = [body.is_initialization !== false, body.is_finalization !== false];
    const method = this.#methods.get(handle) ?? NOTHING();
    if (begins) method.upload = new Map();
    for (const [id, country] of ids) method.upload?.set(id, country);
    if (!isServed) method.upload = undefined;
    const { listed } = method;
    listed.clear();
    if (ends)
      this.#methods.set(handle, { ids: new Map([...staying, ...(method.upload ?? [])]), upload: undefined, listed });
    else this.#methods.set(handle, method);
  }

  #removed(handles: readonly string[], id: string): void {
    for (const handle of handles) {
      this.#methods.get(handle)?.ids.delete(id);
      this.#methods.get(handle)?.listed.delete(id);
    }
  }

  #moved(handle: string, id: string): void {
    const ids = this.#methods.get(handle)?.ids;
    if (ids?.has(id) === true) ids.set(id, undefined);
  }

  #renamed(call: ServiceRequest, handles: readonly string[], id: string, point: unknown): void {
    const next: Json = isJsonObject(point) ? point : {};
    const taken = next.id !== id && typeof next.id === 'string' && !isRedacted(next.id) ? next.id : undefined;
    if (taken !== undefined && handles.some((handle) => this.#methods.get(handle)?.ids.has(taken) === true)) {
      this.#notes.breaks(UNIQUE, call.seen.n, {
        message: `${named(call)} gives a point the id ${JSON.stringify(taken)}, which another point of the method has`,
        pointer: '/pickup_point/id',
        expected: 'an id that the method does not have',
        actual: taken,
      });
    }
    if (next.id !== undefined && next.id !== id) this.#removed(handles, id);
    else if (next.country !== undefined) for (const handle of handles) this.#moved(handle, id);
  }
}

type Json = Readonly<Record<string, unknown>>;

interface Uploaded {
  readonly body: Json;
  readonly ids: Ids;
  /** What the method has beside the points that are replaced. */
  readonly staying: Ids;
  readonly isServed: boolean;
}

const NOTHING = (): Method => ({ ids: new Map(), upload: undefined, listed: new Set() });

const codeOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && !isRedacted(value) ? value.toUpperCase() : undefined;

/** The country of a point, that of its call included; undefined where they differ, which is not judged. */
function countryOf(point: unknown, ofCall: string | undefined): string | undefined {
  const own = isJsonObject(point) ? codeOf(point.country) : undefined;
  return own === undefined || ofCall === undefined || own === ofCall ? (own ?? ofCall) : undefined;
}

/** The ids that a call for a country leaves as they are; none where it is for all. */
const idsOutside = (country: string | undefined, ids: Ids | undefined): Ids =>
  new Map(country === undefined ? [] : [...(ids ?? [])].filter(([, own]) => own !== undefined && own !== country));
