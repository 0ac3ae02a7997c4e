/** Updates with further fields, for a service that takes no others: which fields an update needs is not stated. */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { jsonIn } from '../../../contracts/json/parse.ts';
import { subjectOf } from '../../plain/refusals/calls-on-points.ts';
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

/**
 * An update with the fields that it leaves out as `shown`, the body of a response, has them; one of a point with the id in its path, too.
 */
export function completed(update: ServiceRequest, shown: unknown, completion: Completion): ServiceRequest {
  const { body } = update;
  if (body === undefined || 'form' in body) return update;
  const json: unknown = 'json' in body ? body.json : jsonIn(String(body.raw));
  if (!isJsonObject(json)) return update;
  const { id } = subjectOf(update);
  const whole: Json = { ...json };
  for (const [wrapper, fields] of Object.entries(DEFAULTS)) {
    const sent = json[wrapper];
    if (!isJsonObject(sent)) continue;
    const others = completion === 'all' ? { ...fields, ...fieldsIn(shown, wrapper, Object.keys(fields)) } : {};
    whole[wrapper] = { ...(id === undefined ? {} : { id: decodeURIComponent(id) }), ...others, ...sent };
  }
  return { ...update, body: 'json' in body ? { ...body, json: whole } : { ...body, raw: JSON.stringify(whole) } };
}

/** The named fields of the resource in a response. */
function fieldsIn(shown: unknown, wrapper: string, names: readonly string[]): Json {
  const fields = resourceOf(shown, wrapper);
  if (!isJsonObject(fields)) return {};
  return Object.fromEntries(names.filter((name) => name in fields).map((name) => [name, fields[name]]));
}
