/** Demands of services on requests: the building blocks of rows about demands. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { intercepts, type Json, memory, PATHS, refused } from '../../../mock/faults/interception.ts';
import { API, parametersOf, refused as refusedByReseller } from '../../../mock/faults/reseller/interception.ts';
import type { ReadingAnswer } from '../reading.ts';

type Http = NonNullable<ReadingAnswer['http']>;

/** Whether the call creates or updates a method or point. */
export type Kind = 'create' | 'update';

/** Why a service does not take these fields; `undefined` when it does. */
export type Demand = (fields: Json, kind: Kind) => string | undefined;

/** Chains middlewares. The chain handles every call that one of them handles. */
export function inTurn(...all: readonly Http[]): Http {
  const http = all.reduce(
    (inner, outer) => (request, next, service) => outer(request, (passed) => inner(passed, next, service), service),
  );
  if (!all.every(({ isAbout }) => isAbout !== undefined)) return http;
  const isAbout = (method: string, path: string): boolean => all.some((one) => one.isAbout?.(method, path));
  // A copy, because `isAbout` must not be set on a single middleware.
  return Object.assign<Http, Pick<Http, 'isAbout'>>((...args) => http(...args), { isAbout });
}

/** Serves so many calls of a Reseller operation, and refuses all others with this message. */
export function servedAtMost(path: RegExp, most: number, message: string): Http {
  const servedBy = memory(() => ({ count: 0 }));
  return intercepts('*', path, async ({ pass, service }) => {
    const served = servedBy(service);
    if (served.count >= most) return refusedByReseller(400, message);
    const response = await pass();
    if (response.status === 200) served.count += 1;
    return response;
  });
}

const refuses = (method: string, path: RegExp, why: (body: Json) => string | undefined): Http =>
  intercepts(method, path, async ({ body, pass }) => {
    const reason = body === undefined ? undefined : why(body);
    return reason === undefined ? pass() : refused(422, reason);
  });

const ofField = (name: string, kind: Kind, demand: Demand) => (body: Json) => {
  const fields = body[name];
  return isJsonObject(fields) ? demand(fields, kind) : undefined;
};

/** Refuses methods that do not meet a demand. */
export const ofMethods = (demand: Demand): Http =>
  inTurn(
    refuses('POST', PATHS.newMethod, ofField('delivery_method', 'create', demand)),
    refuses('PUT', PATHS.method, ofField('delivery_method', 'update', demand)),
  );

/** Refuses points that do not meet a demand: by themselves, or in a batch. */
export const ofPoints = (demand: Demand): Http =>
  inTurn(
    refuses('POST', PATHS.newPoint, ofField('pickup_point', 'create', demand)),
    refuses('PUT', PATHS.point, ofField('pickup_point', 'update', demand)),
    refuses('POST', PATHS.batch, ({ pickup_points: points }) =>
      Array.isArray(points)
        ? points
            .map((point) => (isJsonObject(point) ? demand(point, 'create') : undefined))
            .find((why) => why !== undefined)
        : undefined,
    ),
  );

/** Refuses calls of Apps whose body does not meet a demand. */
export const ofApps = (path: RegExp, demand: (body: Json) => string | undefined): Http => refuses('POST', path, demand);

/** Refuses calls of the Reseller interface whose parameters do not meet a demand. */
export const ofReseller = (
  path: RegExp,
  demand: (parameters: URLSearchParams, request: Request) => string | undefined,
): Http =>
  intercepts('*', path, async (met) => {
    const reason = demand(await parametersOf(met), met.request);
    return reason === undefined ? met.pass() : refusedByReseller(422, reason);
  });

/** What an answer leaves undecided, where it leaves anything. */
export const leaving = (undecides: ReadingAnswer['undecides']): Pick<ReadingAnswer, 'undecides'> =>
  undecides === undefined ? {} : { undecides };

/** All texts in a value, those of languages and of attributes among them. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, one]) => [name, ...textsIn(one)]) : [];
}

const TEXT_FIELDS = ['title', 'reference', 'address', 'city', 'zip'];

/** Refuses texts of methods and points that do not meet a demand; ids and attributes have rows of their own. */
export const ofTexts = (why: (text: string, field: string) => string | undefined): Http => {
  const demand: Demand = (fields) =>
    TEXT_FIELDS.flatMap((field) => languageTexts(fields[field]).map((text) => why(text, field))).find(
      (reason) => reason !== undefined,
    );
  return inTurn(ofMethods(demand), ofPoints(demand));
};

const languageTexts = (value: unknown): string[] =>
  isJsonObject(value) ? Object.values(value).flatMap(textsIn) : textsIn(value);

export { API };
