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
import { withoutWords } from '../stand-ins/codes.ts';
import { subjectOf } from './calls-on-points.ts';
import { OpenUploads } from './open-uploads.ts';
import { traitsOf } from './traits.ts';

/** The clause that a refusal of such an update breaks. */
const CLAUSES = {
  point: 'delivery.point.update-applies',
  method: 'delivery.method.update-applies',
  'apps/set_data/': 'apps.data.replaced-entirely',
  'apps/set_snippet/': 'apps.snippet.replaced',
} as const;

/** Fields of a point whose values a service can't compare with those of other points, or of the method. */
const OF_ITS_OWN: ReadonlySet<string> = new Set(['address', 'city', 'attributes']);
/** The same of methods; of these fields some services want other texts than those of other methods. */
const OF_METHOD: ReadonlySet<string> = new Set(['title', 'reference', 'print_label_url']);
const UNIQUE = ['title', 'reference'] as const;

/** Values that the points of a method may have, in JSON: those of its lists, and by id those of calls for single points. */
interface SentValues {
  readonly listed: Set<string>;
  readonly single: Map<string, Set<string>>;
}

/** How many updates of one kind a caller may be served before a refusal can be a limit on their number: the contract excludes none. */
const FEWER_THAN_ANY_LIMIT = 3;

/** Updates of one kind by one caller. */
interface Counts {
  served: number;
  /** How many were served before the first refusal that the values do not explain. A limit that is reached stays reached. */
  servedBefore: number | undefined;
}

export class ServedUpdates {
  readonly #served = new Set<string>();
  /** What an installation has set last, by place. */
  readonly #last = new Map<string, string>();
  readonly #uploads = new OpenUploads();
  readonly #sent = new Map<string, SentValues>();
  /** Values that a method may have, whichever: a create does not name its handle. */
  readonly #sentOfMethods = new Set<string>();
  readonly #counts = new Map<string, Counts>();

  /** Notes a call that was served. */
  note(call: ServiceRequest): void {
    if (call.api !== 'v1') return;
    this.#noteValues(call);
    this.#uploads.note(call);
    const clause = clauseOf(call);
    if (clause === undefined) return;
    this.#countsOf(call, clause).served += 1;
    for (const part of partsOf(call)) this.#served.add(part);
    this.#last.set(placeOf(call), bodyOf(call));
  }

  /** Notes a call that was refused. Returns the clause which that breaks, if neither the call nor a limit explains it. */
  brokenBy(call: ServiceRequest): string | undefined {
    const clause = clauseOf(call);
    // Whether points may be changed during an upload is not stated.
    if (clause === undefined || this.#mayChangeNothing(call) || this.#uploads.isUnderWay(call)) return undefined;
    if (!partsOf(call).every((part) => this.#served.has(part))) return undefined;
    const counts = this.#countsOf(call, clause);
    counts.servedBefore ??= counts.served;
    const mayBeLimit = counts.servedBefore > FEWER_THAN_ANY_LIMIT && counts.served === counts.servedBefore;
    return mayBeLimit ? undefined : clause;
  }

  #countsOf(call: ServiceRequest, clause: string): Counts {
    const key = `${callerOf(call)} ${clause}`;
    const counts = this.#counts.get(key) ?? { served: 0, servedBefore: undefined };
    this.#counts.set(key, counts);
    return counts;
  }

  #noteValues(call: ServiceRequest): void {
    const { kind, handles, points, json } = subjectOf(call);
    for (const value of valuesOfMethod(json)) this.#sentOfMethods.add(value);
    for (const handle of handles) {
      if (kind === 'method' && call.method === 'DELETE') this.#sent.delete(handle);
      if (points.length === 0) continue;
      const values = this.#sent.get(handle) ?? { listed: new Set<string>(), single: new Map<string, Set<string>>() };
      this.#sent.set(handle, values);
      for (const { id, fields } of points) {
        const own = kind === 'list' ? values.listed : (values.single.get(id) ?? new Set<string>());
        if (kind !== 'list') values.single.set(id, own);
        for (const value of valuesIn(fields)) own.add(value);
      }
    }
  }

  /** Whether a call may set what is there already, which a service may refuse. */
  #mayChangeNothing(call: ServiceRequest): boolean {
    if (this.#last.get(placeOf(call)) === bodyOf(call)) return true;
    const { kind, handles, id = '', points, json } = subjectOf(call);
    if (kind === 'method') return valuesOfMethod(json).every((value) => this.#sentOfMethods.has(value));
    const sent = this.#sent.get(handles[0] ?? '');
    return points.some(({ fields }) =>
      valuesIn(fields).every((value) => sent?.listed.has(value) === true || sent?.single.get(id)?.has(value) === true),
    );
  }
}

const valuesIn = (fields: Record<string, unknown>, names = OF_ITS_OWN): string[] =>
  Object.keys(fields).flatMap((name) => (names.has(name) ? [`${name} ${JSON.stringify(fields[name])}`] : []));

const valuesOfMethod = ({ delivery_method: fields }: Record<string, unknown>): string[] =>
  isJsonObject(fields) ? valuesIn(fields, OF_METHOD) : [];

function clauseOf(call: ServiceRequest): string | undefined {
  const { method, path } = call;
  if (method === 'POST') return path === 'apps/set_data/' || path === 'apps/set_snippet/' ? CLAUSES[path] : undefined;
  const { kind, handles, id, points, json } = subjectOf(call);
  if (method !== 'PUT' || handles.length !== 1) return undefined;
  if (kind === 'method') return isOfMethodAlone(json.delivery_method) ? CLAUSES.method : undefined;
  if (kind !== 'point' || id === undefined) return undefined;
  return points.every(({ fields }) => Object.keys(fields).every((name) => OF_ITS_OWN.has(name)))
    ? CLAUSES.point
    : undefined;
}

function isOfMethodAlone(fields: unknown): boolean {
  if (!isJsonObject(fields) || !Object.keys(fields).every((name) => OF_METHOD.has(name))) return false;
  return UNIQUE.every((name) => !(name in fields) || isOfRun(fields[name]));
}

/** Whether each text of a value carries a mark of the run or is a word of a stand-in, which no other object has. */
const isOfRun = (value: unknown): boolean =>
  isJsonObject(value)
    ? Object.values(value).every(isOfRun)
    : typeof value === 'string' && apart(JSON.stringify(value)) !== JSON.stringify(value);

/** A JSON text without what differs in each call: marks of the run, and words of stand-ins. */
const apart = (json: string): string => withoutWords(withoutMarks(json));

const bodyOf = ({ body }: ServiceRequest): string => JSON.stringify(body ?? null);

/** Keys of different callers may have different limits. */
const callerOf = ({ headers, query }: ServiceRequest): string =>
  JSON.stringify([...headers, ...query].map(([name, value]) => [name, plain(value)]));

function placeOf(call: ServiceRequest): string {
  const { body } = call;
  const language = body !== undefined && 'json' in body && isJsonObject(body.json) ? body.json.language : undefined;
  return `${callerOf(call)} ${call.path} ${String(language ?? '')}`;
}

function partsOf(call: ServiceRequest): string[] {
  const { body } = call;
  const unmarked: ServiceRequest =
    body === undefined || !('json' in body)
      ? call
      : { ...call, body: { ...body, json: JSON.parse(apart(JSON.stringify(body.json ?? null))) } };
  return traitsOf(unmarked).map((trait) => `${callerOf(call)} ${trait}`);
}
