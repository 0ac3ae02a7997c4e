/**
 * Updates that a process has seen served, in their parts. One that is refused although each part of it was served in other calls of the
 * same caller is refused for what is there, not for what is sent: that a snippet is set, that a point was uploaded. An update may
 * be made whatever is there (spec: Endpoints), so this is evidence, where a check rests on the update and the values that it sends have
 * nothing to do with other objects.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import { withoutMarks } from '../../resources/run-info.ts';
import type { ServiceRequest } from '../../target/client/request.ts';
import { plain } from '../../target/secrets/secret.ts';
import { subjectOf } from './calls-on-points.ts';
import { traitsOf } from './traits.ts';

/** The clause that a refusal of such an update breaks. */
const CLAUSES = {
  point: 'delivery.point.update-applies',
  'apps/set_data/': 'apps.data.replaced-entirely',
  'apps/set_snippet/': 'apps.snippet.replaced',
} as const;

/** Fields of a point whose values a service can't compare with those of other points, or of the method. */
const OF_ITS_OWN: ReadonlySet<string> = new Set(['address', 'city', 'attributes']);

export class ServedUpdates {
  readonly #served = new Set<string>();
  /** What was set last, by place: setting it again changes nothing, which a service may refuse. */
  readonly #last = new Map<string, string>();

  /** Notes a call that was served. */
  note(call: ServiceRequest): void {
    if (clauseOf(call) === undefined) return;
    for (const part of partsOf(call)) this.#served.add(part);
    this.#last.set(placeOf(call), bodyOf(call));
  }

  /** The clause that the refusal of a call breaks, if nothing in the call explains it; undefined for any other call. */
  brokenBy(call: ServiceRequest): string | undefined {
    const isSame = this.#last.get(placeOf(call)) === bodyOf(call);
    return !isSame && partsOf(call).every((part) => this.#served.has(part)) ? clauseOf(call) : undefined;
  }
}

function clauseOf(call: ServiceRequest): string | undefined {
  const { method, path } = call;
  if (method === 'POST') return path === 'apps/set_data/' || path === 'apps/set_snippet/' ? CLAUSES[path] : undefined;
  const { kind, handles, id, points } = subjectOf(call);
  if (method !== 'PUT' || kind !== 'point' || id === undefined || handles.length !== 1) return undefined;
  return points.every(({ fields }) => Object.keys(fields).every((name) => OF_ITS_OWN.has(name)))
    ? CLAUSES.point
    : undefined;
}

const bodyOf = ({ body }: ServiceRequest): string => JSON.stringify(body ?? null);

/** Keys of different callers may have different limits. */
const callerOf = ({ headers, query }: ServiceRequest): string =>
  JSON.stringify([...headers, ...query].map(([name, value]) => [name, plain(value)]));

function placeOf(call: ServiceRequest): string {
  const { body } = call;
  const language = body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json.language : undefined;
  return `${callerOf(call)} ${call.path} ${String(language ?? '')}`;
}

/** Marks of the run differ in each call. */
function partsOf(call: ServiceRequest): string[] {
  const { body } = call;
  const unmarked: ServiceRequest =
    body === undefined || !('json' in body)
      ? call
      : { ...call, body: { ...body, json: JSON.parse(withoutMarks(JSON.stringify(body.json ?? null))) } };
  return traitsOf(unmarked).map((trait) => `${callerOf(call)} ${trait}`);
}
