/** Updates with further fields, for a service that takes no others: which fields an update needs is not stated. */
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import type { Completion } from '../../plain/stand-ins/stand-ins.ts';
import type { ServiceRequest } from '../../target/client/request.ts';

type Json = Record<string, unknown>;

/** What a field of a method or point has where the target shows nothing. */
const DEFAULTS: Readonly<Record<'delivery_method' | 'pickup_point', Json>> = {
  delivery_method: {
    title: '',
    reference: '',
    available_countries_from: [],
    available_countries_to: [],
    print_label_url: null,
  },
  pickup_point: { title: '', address: '', city: '', zip: '', country: '', attributes: '' },
};

/** Reads the object that an update changes; the first one of those that its path names. */
export const readBefore = ({ body: _, ...update }: ServiceRequest): ServiceRequest => ({
  ...update,
  method: 'GET',
  path: update.path.replace(/(delivery_method\/[^/,]+),[^/]*/, '$1'),
});

/** An update with the fields that it leaves out as `shown`, the body of a response, has them. An id is only added where it is shown. */
export function completed(update: ServiceRequest, shown: unknown, completion: Completion): ServiceRequest {
  const { body } = update;
  if (body === undefined || 'form' in body) return update;
  const json = completedBody('json' in body ? body.json : jsonIn(String(body.raw)), shown, completion);
  if (json === undefined) return update;
  return { ...update, body: 'json' in body ? { ...body, json } : { ...body, raw: JSON.stringify(json) } };
}

/** A body with further fields of what it wraps; undefined where it is not an object. */
function completedBody(body: unknown, shown: unknown, completion: Completion): Json | undefined {
  if (!isJsonObject(body)) return undefined;
  const json: Json = { ...body };
  for (const [wrapper, fields] of Object.entries(DEFAULTS)) {
    const sent = json[wrapper];
    const defaults = completion === 'all' ? fields : {};
    const names = [...Object.keys(defaults), ...(wrapper === 'pickup_point' ? ['id'] : [])];
    if (isJsonObject(sent)) json[wrapper] = { ...defaults, ...fieldsIn(shown, wrapper, names), ...sent };
  }
  return json;
}

/** The named fields of an object that a response contains, by itself or in its wrapper. */
function fieldsIn(shown: unknown, wrapper: string, names: readonly string[]): Json {
  if (!isJsonObject(shown)) return {};
  const wrapped = shown[wrapper];
  const fields = isJsonObject(wrapped) ? wrapped : shown;
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
