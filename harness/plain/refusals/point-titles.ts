/**
 * Which titles the points of a method have. Whether two of them may have one title is not stated (A. Pickup point), so that a refusal
 * may rest on it and on nothing else in the call.
 */
import type { ServiceRequest } from '../../target/client/request.ts';
import { type CallHistory, type CallSubject, subjectOf } from './calls-on-points.ts';

interface TitledPoint {
  readonly id: string;
  /** In JSON: a text, or one text per language. */
  readonly title: string;
}

export class PointTitles implements CallHistory {
  /** By handle and id: titles that a point surely has. */
  readonly #present = new Map<string, Map<string, string>>();
  /** By handle: every title that was sent; a point with it may still be there. */
  readonly #sent = new Map<string, Set<string>>();

  note(call: ServiceRequest): void {
    const subject = subjectOf(call);
    for (const handle of subject.handles) {
      if (subject.kind === 'list') this.#replace(handle, subject);
      else if (call.method === 'DELETE') this.#remove(handle, subject.id);
      else if (subject.kind === 'point') this.#add(handle, titledIn(subject));
    }
  }

  traitsOf(call: ServiceRequest, served: boolean): string[] {
    const subject = subjectOf(call);
    const points = titledIn(subject);
    const isTwice = new Set(points.map(({ title }) => title)).size < points.length;
    // A whole list replaces all points; which of them another list leaves is not known.
    const isJudged = subject.kind === 'point' || (!served && !isWhole(subject));
    const isTaken =
      isJudged && subject.handles.some((handle) => points.some((one) => this.#isTitleOf(handle, one, served)));
    const traits = [
      ...(isTwice ? ['two points with one title'] : []),
      ...(isTaken ? ['the title of another point'] : []),
    ];
    return traits.map((trait) => `${call.method} ${trait}`);
  }

  #isTitleOf(handle: string, { id, title }: TitledPoint, surely: boolean): boolean {
    if (!surely) return this.#sent.get(handle)?.has(title) === true;
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

  /** Which points are there after a list in portions, or of one country, is not known. */
  #replace(handle: string, subject: CallSubject): void {
    this.#present.delete(handle);
    this.#add(handle, titledIn(subject));
    if (!isWhole(subject)) this.#present.delete(handle);
  }

  #remove(handle: string, id: string | undefined): void {
    if (id === undefined) this.#present.delete(handle);
    else this.#present.get(handle)?.delete(id);
  }
}

const isWhole = ({ json }: CallSubject): boolean =>
  json.is_initialization !== false && json.is_finalization !== false && (json.country ?? '') === '';

const titledIn = ({ points }: CallSubject): TitledPoint[] =>
  points.flatMap(({ id, fields: { title } }) =>
    title === undefined || title === null ? [] : [{ id, title: JSON.stringify(title) }],
  );
