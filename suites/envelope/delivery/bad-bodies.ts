/** Bodies of a batch call that are not what the interface expects. Some can't be understood at all, others a service may coerce. */
import type { CallBody, ServiceRequest } from '../../../harness/target/client/request.ts';

const JSON_TYPE = 'application/json';
const textOf = (call: ServiceRequest): string => JSON.stringify((call.body as { json: unknown }).json);

/** The same call with its body as text, so that it can differ from another by that text alone. */
export const asText = (call: ServiceRequest): ServiceRequest => ({
  ...call,
  body: { raw: textOf(call), contentType: JSON_TYPE },
});

const withText = (call: ServiceRequest, raw: string | Uint8Array): ServiceRequest => ({
  ...call,
  body: { raw, contentType: JSON_TYPE },
});

/** The call with a body that breaks off in the middle. */
export const notJson = (call: ServiceRequest): ServiceRequest => withText(call, textOf(call).slice(0, -10));

/** Bodies that cannot be understood: no reading of them holds a list of points. */
export const UNPARSABLE_BODIES: Readonly<Record<string, (call: ServiceRequest) => ServiceRequest>> = {
  'truncated JSON': notJson,
  'words instead of JSON': (call) => withText(call, 'these are the pickup points'),
  'markup instead of JSON': (call) => withText(call, '<pickup_points><id>a</id></pickup_points>'),
};

const raw = (content: string | Uint8Array, contentType: string | null): CallBody => ({ raw: content, contentType });

/** A lone continuation byte, which no UTF-8 text has. */
const NOT_UTF8 = Uint8Array.of(0x22, 0x80, 0x22);

/** Bodies that a service may refuse or make sense of: a response that refuses is judged, one that serves is not. */
export const QUESTIONABLE: Readonly<Record<string, CallBody>> = {
  'an empty body': raw('', JSON_TYPE),
  'a body that is an empty list': { json: [] },
  'a body that is null': { json: null },
  'a body that is a text': { json: 'pickup_points' },
  'a body that is not UTF-8': raw(NOT_UTF8, JSON_TYPE),
  'a list of points that is a text': { json: { pickup_points: 'many' } },
  'points that are numbers': { json: { pickup_points: [1, 2] } },
  'a point that is null': { json: { pickup_points: [null] } },
  'a point whose id is an object': { json: { pickup_points: [{ id: { a: 1 } }] } },
  'a flag that is a word': { json: { pickup_points: [], is_finalization: 'maybe' } },
  'a form instead of JSON': { form: [['pickup_points', 'many']] },
  'JSON labelled as plain text': raw('{"pickup_points":[7]}', 'text/plain'),
  'JSON without a content type': raw('{"pickup_points":[7]}', null),
};
