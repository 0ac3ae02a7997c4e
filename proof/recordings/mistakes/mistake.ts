/** A mistake of a client: what it sends in place of the right calls, and the clause that it breaks by that. */
import { isJsonObject } from '../../../contracts/json/object.ts';
import type { Json, OutgoingCall } from '../client.ts';

/** The members to send in place of those of the call; undefined where the mistake does not concern it. */
export type Change = (call: OutgoingCall) => Partial<OutgoingCall> | undefined;

export interface Mistake {
  readonly id: string;
  /** What the client does, as a sentence. */
  readonly about: string;
  /** The clause to be blamed, or advised against; undefined for what the contract allows, which must not be blamed. */
  readonly clause?: string;
  /** Why nothing can be said of it, though it is not what the contract shows; then nothing is expected. */
  readonly unseen?: string;
  readonly change: Change;
}

const IS_OF = {
  methods: /^\/v1\/store\/delivery_methods\//,
  method: /\/delivery_method\/(?:[^/]+\/)?$/,
  point: /\/pickup_point\/(?:[^/]+\/)?$/,
  upload: /\/batch_replace\/$/,
  settings: /\/delivery_provider_settings\/$/,
  delivery: /^\/v1\/store\//,
  apps: /^\/v1\/apps\//,
  reseller: /^\/api\//,
} as const;
export type Place = keyof typeof IS_OF | RegExp;

const isAt = (place: Place, { path }: OutgoingCall): boolean =>
  (place instanceof RegExp ? place : IS_OF[place]).test(path.replace(/\?.*$/s, ''));

/** Changes every call of a place, or those with one HTTP method. */
export const at =
  (place: Place, change: Change, method?: string): Change =>
  (call) =>
    isAt(place, call) && (method === undefined || call.method === method) ? change(call) : undefined;

/** Changes the JSON bodies of a place. */
export const inBody = (place: Place, change: (body: Json) => unknown): Change =>
  at(place, ({ body }) => (isJsonObject(body) ? { body: change(body) } : undefined));

/** Changes the methods that a client sends. */
export const inMethod = (change: (fields: Json) => unknown): Change =>
  inBody('method', (body) => ({ delivery_method: change(body.delivery_method as Json) }));

/** Changes the points that a client sends, one by one and in lists. */
export const inPoint = (change: (fields: Json) => unknown): Change => {
  const alone = inBody('point', (body) => ({ pickup_point: change(body.pickup_point as Json) }));
  const listed = inList((points) => points.map(change));
  return (call) => alone(call) ?? listed(call);
};

/** Changes the lists of points that a client uploads. */
export const inList = (change: (points: readonly Json[], body: Json) => unknown): Change =>
  inBody('upload', (body) => ({ ...body, pickup_points: change(body.pickup_points as readonly Json[], body) }));

/** Changes the forms of Reseller calls. */
export const inForm = (place: Place, change: (form: Readonly<Record<string, string>>) => Record<string, string>) =>
  at(place, ({ form }) => (form === undefined ? undefined : { form: change(form) }));

/** Changes the path, query included. */
export const inPath = (place: Place, change: (path: string) => string): Change =>
  at(place, ({ path }) => ({ path: change(path) }));
