/**
 * Which titles the points of a method have. Whether two of them may have one title is not stated (A. Pickup point), so that a refusal
 * may rest on it and on nothing else in the call.
 */
import type { ServiceRequest } from '../target/client/request.ts';
import { isObject } from '../target/response/judge-response.ts';

const POINT = /^store\/delivery_method\/([^/]+)\/pickup_point\/(?:([^/]+)\/)?$/;
const BATCH = /^store\/delivery_method\/([^/]+)\/pickup_points\/batch_replace\/$/;
const METHOD = /^store\/delivery_method\/([^/]+)\/$/;

interface TitledPoint {
  readonly id: string;
  /** In JSON: a text, or one text per language. */
  readonly title: string;
}

export class PointTitles {
  /** By handle and id: titles that a point surely has. */
  readonly #present = new Map<string, Map<string, string>>();
  /** By handle: every title that was sent; a point with it may still be there. */
  readonly #sent = new Map<string, Set<string>>();

  /** Notes a call that was served. */
  note(call: ServiceRequest): void {
    const { method, path } = call;
    const points = pointsIn(call);
    for (const handle of handlesIn(call)) {
      if (POINT.test(path) && method !== 'DELETE') this.#add(handle, points);
      else if (BATCH.test(path)) this.#replace(handle, points, isWhole(call));
      else if (method === 'DELETE') this.#remove(handle, POINT.exec(path)?.[2]);
    }
  }

  /** What a service may dislike of a call: a title of two points. `surely`: only where there is no doubt that it has one. */
  traitsOf(call: ServiceRequest, surely: boolean): string[] {
    const points = pointsIn(call);
    const titles = points.map(({ title }) => title);
    const isTwice = new Set(titles).size < titles.length;
    // A whole list replaces all points; which of them another list leaves is not known.
    const isList = BATCH.test(call.path);
    const isTitleOf = (handle: string, { id, title }: TitledPoint): boolean => {
      if (isList && (surely || isWhole(call))) return false;
      return surely ? this.#isPresent(handle, id, title) : this.#sent.get(handle)?.has(title) === true;
    };
    const isTaken = handlesIn(call).some((handle) => points.some((point) => isTitleOf(handle, point)));
    const traits = [
      ...(isTwice ? ['two points with one title'] : []),
      ...(isTaken ? ['the title of another point'] : []),
    ];
    return traits.map((trait) => `${call.method} ${trait}`);
  }

  #isPresent(handle: string, id: string, title: string): boolean {
    return [...(this.#present.get(handle) ?? [])].some(([other, its]) => other !== id && its === title);
  }

  #add(handle: string, points: readonly TitledPoint[]): void {
    const present = this.#present.get(handle) ?? new Map<string, string>();
    const sent = this.#sent.get(handle) ?? new Set<string>();
    this.#present.set(handle, present);
    this.#sent.set(handle, sent);
    for (const { id, title } of points) {
      present.set(id, title);
      sent.add(title);
    }
  }

  /** After a list in portions, or of one country, nobody knows which points are there. */
  #replace(handle: string, points: readonly TitledPoint[], isWhole: boolean): void {
    this.#present.delete(handle);
    this.#add(handle, points);
    if (!isWhole) this.#present.delete(handle);
  }

  #remove(handle: string, id: string | undefined): void {
    if (id === undefined) this.#present.delete(handle);
    else this.#present.get(handle)?.delete(id);
  }
}

const jsonOf = ({ body }: ServiceRequest): Record<string, unknown> =>
  body !== undefined && 'json' in body && isObject(body.json) ? body.json : {};

const isWhole = (call: ServiceRequest): boolean => {
  const { is_initialization: starts, is_finalization: ends, country } = jsonOf(call);
  return starts !== false && ends !== false && (country ?? '') === '';
};

/** The points of a call that have a title. */
function pointsIn(call: ServiceRequest): TitledPoint[] {
  const { pickup_point: one, pickup_points: several } = jsonOf(call);
  const inPath = POINT.exec(call.path)?.[2];
  return (Array.isArray(several) ? several : [one]).flatMap((point) => {
    if (!isObject(point) || typeof point.title === 'undefined' || point.title === null) return [];
    return [{ id: inPath ?? encodeURIComponent(String(point.id)), title: JSON.stringify(point.title) }];
  });
}

function handlesIn({ path }: ServiceRequest): string[] {
  const [, handles = ''] = POINT.exec(path) ?? BATCH.exec(path) ?? METHOD.exec(path) ?? [];
  return handles === '' ? [] : handles.split(/,|%2C/i);
}
