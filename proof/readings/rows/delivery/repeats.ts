/** Silences about calls that repeat what was there, and about points of countries that their method does not serve. */
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../../../contracts/json/object.ts';
import { type InterceptedRequest, intercepts, memory, PATHS, refused } from '../../../../mock/faults/interception.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { inTurn } from '../demands.ts';

const DELIVERY = /^\/v1\/store\/delivery_method/;

/** The last change that was served. */
const latest = memory(() => ({ call: '' }));

const sentTwice: NonNullable<ReadingAnswer['http']> = async (request, next, service) => {
  if (request.method === 'GET' || !DELIVERY.test(new URL(request.url).pathname)) return next(request);
  const key = request.headers.get('authorization');
  const call = [request.method, request.url, key, await request.clone().text()].join('\n');
  if (request.method === 'POST' && latest(service).call === call) return refused(409, 'This was sent a moment ago.');
  const response = await next(request);
  if (response.status === 200) latest(service).call = call;
  return response;
};

/** The last list of each path, as it was sent. */
const lists = memory(() => new Map<string, string>());

const changesNothing = (kept: object | undefined, sent: unknown): boolean =>
  kept !== undefined &&
  isJsonObject(sent) &&
  Object.entries(sent).every(([name, value]) => isDeepStrictEqual(value, kept[name as keyof typeof kept]));

/** Whether one of these methods does not deliver to the country of one of these points. */
function isElsewhere(service: InterceptedRequest['service'], handles: string, points: readonly unknown[]): boolean {
  const countries = points.flatMap((point) =>
    isJsonObject(point) && typeof point.country === 'string' ? [point.country.toLowerCase()] : [],
  );
  return handles.split(',').some((handle) => {
    const to = (service.state.methods.get(handle)?.available_countries_to ?? []).map((code) => code.toLowerCase());
    return to.length > 0 && countries.some((country) => !to.includes(country));
  });
}

export const repeatReadings: readonly Reading[] = [
  {
    id: 'calls.repeated',
    section: 'Endpoints, A. Delivery endpoints',
    silence: 'Whether a call is served that repeats the one before it, or changes nothing.',
    answers: [
      { id: 'sent-twice', about: 'A POST that is the same as the last change is refused.', http: sentTwice },
      {
        id: 'same-list',
        about: 'A list of points that was uploaded already is refused.',
        http: intercepts('POST', PATHS.batch, async ({ body, parts: [handles = ''], pass, service }) => {
          const list = JSON.stringify(body);
          if (lists(service).get(handles) === list && body?.is_initialization !== false)
            return refused(409, 'Nothing changes.');
          const response = await pass();
          if (response.status === 200) lists(service).set(handles, list);
          return response;
        }),
      },
      {
        id: 'no-change',
        about: 'An update that changes no field is refused.',
        http: inTurn(
          intercepts('PUT', PATHS.method, async ({ body, parts: [handle = ''], pass, service }) =>
            changesNothing(service.state.methods.get(handle), body?.delivery_method)
              ? refused(409, 'Nothing changes.')
              : pass(),
          ),
          intercepts('PUT', PATHS.point, async ({ body, parts: [handles = '', id = ''], pass, service }) =>
            handles
              .split(',')
              .every((handle) => changesNothing(service.state.points.of(handle).get(id), body?.pickup_point))
              ? refused(409, 'Nothing changes.')
              : pass(),
          ),
        ),
      },
    ],
  },
  {
    id: 'points.country-of-method',
    section: 'Resources and their fields, Delivery method (A)',
    silence: 'Whether a method can have points in countries to which it does not deliver.',
    answers: [
      {
        id: 'refused',
        about: 'A new point in such a country is refused.',
        http: intercepts('POST', PATHS.newPoint, async ({ body, parts: [handles = ''], pass, service }) =>
          isElsewhere(service, handles, [body?.pickup_point])
            ? refused(422, 'The method does not deliver there.')
            : pass(),
        ),
      },
      {
        id: 'refused-in-lists',
        about: 'A list with a point in such a country is refused.',
        http: intercepts('POST', PATHS.batch, async ({ body, parts: [handles = ''], pass, service }) =>
          Array.isArray(body?.pickup_points) && isElsewhere(service, handles, body.pickup_points)
            ? refused(422, 'The method does not deliver there.')
            : pass(),
        ),
      },
    ],
  },
];
