/** Silences about the responses to delivery calls and about what calls on unknown objects do. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import { isOfProviderMethod, passAsOwner } from '../../../../mock/faults/delivery/owners/index.ts';
import { pointPath } from '../../../../mock/faults/delivery/points/reach.ts';
import { intercepts, PATHS, refused, responses, success } from '../../../../mock/faults/interception.ts';
import type { Http } from '../../../../mock/types/deviation.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { inTurn } from '../demands.ts';

const ENDPOINTS = 'Endpoints, A. Delivery endpoints';

/** The answers that hold a single resource, changed. */
const single = (
  id: string,
  about: string,
  change: (name: string, record: Record<string, unknown>) => Record<string, unknown>,
): ReadingAnswer => ({
  id,
  about,
  rules: () => ({ single: change }),
});

/** An update of a point makes it in each of the methods that does not have it. */
const makesPoint = intercepts('PUT', PATHS.point, async ({ parts, body, pass, service }) => {
  const usual = await pass();
  const [handles = '', id = ''] = parts;
  const named = handles.split(',');
  const owners = new Set(named.map((handle) => service.state.methods.get(handle)?.owner));
  const fields = body?.pickup_point;
  if (usual.status !== 404 || owners.size !== 1 || owners.has(undefined) || !isJsonObject(fields)) return usual;
  let last = usual;
  for (const handle of named) {
    const isThere = service.state.points.of(handle).get(id) !== undefined;
    const points = `/v1/store/delivery_method/${encodeURIComponent(handle)}/pickup_point/`;
    last = isThere
      ? await pass({ path: `${points}${encodeURIComponent(id)}/` })
      : await pass({ method: 'POST', path: points, body: { pickup_point: { ...fields, id } } });
  }
  return last;
});

const makesMethod = intercepts('PUT', PATHS.method, async ({ parts: [handle = ''], pass, service }) => {
  const usual = await pass();
  const { methods } = service.state;
  if (usual.status !== 404 || methods.has(handle)) return usual;
  const before = new Set(methods.all().map((method) => method.handle));
  const response = await pass({ method: 'POST', path: '/v1/store/delivery_method/' });
  const made = methods.all().find((method) => !before.has(method.handle));
  if (made === undefined) return response;
  service.change(() => {
    methods.delete(made.handle);
    methods.set(handle, { ...made, handle });
  });
  return Response.json({ error: false });
});

type Form = (id: string) => string;

/** A database that compares texts without case and accents. */
const withoutAccents: Form = (id) => id.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** A new point is refused if another one has an id that is the same in this form. */
const refusesSimilar = (form: Form): Http =>
  intercepts('POST', PATHS.newPoint, async ({ parts, body, pass, service }) => {
    const point = isJsonObject(body?.pickup_point) ? body.pickup_point : {};
    const id = String(point.id);
    const others = (parts[0] ?? '').split(',').flatMap((handle) => service.state.points.of(handle).all());
    const isTaken = others.some((other) => other.id !== id && form(other.id) === form(id));
    return isTaken ? refused(409, 'This id is taken.') : pass();
  });

const refusesSimilarInLists = (form: Form): Http =>
  intercepts('POST', PATHS.batch, async ({ body, pass }) => {
    const points: unknown[] = Array.isArray(body?.pickup_points) ? body.pickup_points : [];
    const ids = points.filter(isJsonObject).map(({ id }) => form(String(id)));
    return new Set(ids).size < ids.length ? refused(409, 'An id is in the list twice.') : pass();
  });

const findsSimilar = (form: Form): Http =>
  intercepts('*', PATHS.point, async ({ parts: [handle = '', sent = ''], pass, service }) => {
    const points = handle.split(',').flatMap((one) => service.state.points.of(one).all());
    const found = points.find(({ id }) => id === sent) ?? points.find(({ id }) => form(id) === form(sent));
    return pass(found === undefined ? undefined : { path: pointPath(handle, found.id) });
  });

export const responseReadings: readonly Reading[] = [
  {
    id: 'resources.form',
    section: ENDPOINTS,
    silence: 'Whether a single resource comes bare, beside error, or under its name.',
    answers: [
      single('error-false', 'Beside error: false.', (_name, record) => ({ error: false, ...record })),
      single('error-null', 'Beside error: null, which is missing.', (_name, record) => ({ error: null, ...record })),
      single('wrapped', 'Under its name.', (name, record) => ({ [name]: record })),
      single('wrapped-error-false', 'Under its name, beside error: false.', (name, record) => ({
        error: false,
        [name]: record,
      })),
      single('wrapped-with-others', 'Under its name, beside members of the service.', (name, record) => ({
        error: false,
        [name]: record,
        languages: ['en'],
        links: { self: '/x' },
      })),
      single(
        'fields-like-wrappers',
        'Bare, with fields of the service that are called like wrappers.',
        (_, record) => ({
          ...record,
          delivery_method: { type: 'courier' },
          pickup_point: null,
        }),
      ),
    ],
  },
  {
    id: 'methods.create-response',
    section: ENDPOINTS,
    silence: 'What the answer to a create holds.',
    answers: [
      {
        id: 'envelope',
        about: 'The success envelope alone.',
        rules: () => ({ methodCreated: () => ({ error: false }) }),
      },
      { id: 'resource', about: 'The whole method.', rules: () => ({ methodCreated: (_method, record) => record }) },
      {
        id: 'wrapped',
        about: 'The whole method under its name.',
        rules: () => ({ methodCreated: (_method, record) => ({ error: false, delivery_method: record }) }),
      },
      {
        id: 'handle-text',
        about: 'The handle under the name of the resource.',
        rules: () => ({ methodCreated: (method) => ({ error: false, delivery_method: method.handle }) }),
      },
      {
        id: 'other-name',
        about: 'The handle under another name.',
        rules: () => ({ methodCreated: (method) => ({ error: false, id: method.handle, created: true }) }),
      },
      { id: 'empty-object', about: 'An object without members.', rules: () => ({ methodCreated: () => ({}) }) },
    ],
  },
  {
    id: 'methods.update-response',
    section: ENDPOINTS,
    silence: 'What the answer to an update holds.',
    answers: [
      { id: 'resource', about: 'The whole method.', rules: () => ({ methodUpdated: (_method, record) => record }) },
      {
        id: 'wrapped',
        about: 'The whole method under its name.',
        rules: () => ({ methodUpdated: (_method, record) => ({ error: false, delivery_method: record }) }),
      },
      { id: 'empty-object', about: 'An object without members.', rules: () => ({ methodUpdated: () => ({}) }) },
    ],
  },
  {
    id: 'points.repeated-id',
    section: ENDPOINTS,
    silence: 'Whether a second point with an id is refused or replaces the first.',
    answers: [
      { id: 'replaces', about: 'It replaces the first.', rules: () => ({ duplicatePoint: () => 'replace' }) },
      {
        id: 'ignored',
        about: 'An add of it is a success and changes nothing.',
        http: intercepts('POST', PATHS.newPoint, async ({ body, parts: [handles = ''], pass, service }) => {
          const id = isJsonObject(body?.pickup_point) ? body.pickup_point.id : undefined;
          const isThere = handles.split(',').some((handle) => service.state.points.of(handle).get(String(id)));
          return isThere ? success() : pass();
        }),
      },
      {
        id: 'list-ignored',
        about: 'A list that repeats an id is a success and changes nothing.',
        http: intercepts('POST', PATHS.batch, async ({ body, pass }) => {
          const points = Array.isArray(body?.pickup_points) ? body.pickup_points : [];
          const ids = points.map((point) => (isJsonObject(point) ? point.id : undefined));
          return new Set(ids).size < ids.length ? success() : pass();
        }),
      },
      {
        id: 'ids-without-case',
        about: 'Ids that differ in case only count as one, and the second is refused.',
        http: refusesSimilar((id) => id.toLowerCase()),
      },
      {
        id: 'ids-without-accents',
        about: 'Ids that differ in case or accents only are one: the second is refused, and either finds the point.',
        http: inTurn(
          refusesSimilar(withoutAccents),
          refusesSimilarInLists(withoutAccents),
          findsSimilar(withoutAccents),
        ),
      },
    ],
  },
  {
    id: 'handles.unknown-beside-known',
    section: ENDPOINTS,
    silence: 'What a call on several handles does when one of them does not exist.',
    answers: [
      { id: 'partial', about: 'The others are served.', rules: () => ({ unknownHandleRefusesAll: () => false }) },
    ],
  },
  {
    id: 'updates.unknown',
    section: 'Endpoints, Common rules for A and B',
    silence: 'Whether an update makes what does not exist, or is refused.',
    answers: [
      { id: 'makes-point', about: 'It makes a point with the id.', http: makesPoint },
      { id: 'makes-method', about: 'It makes a method with the handle.', http: makesMethod },
    ],
  },
  {
    id: 'points.of-providers',
    section: 'What the service does, A. Delivery interface',
    silence: 'Whether a store may read the pickup points of the methods that providers offer in every store.',
    answers: [
      {
        id: 'readable-by-stores',
        about: 'It lists them.',
        http: intercepts('GET', PATHS.points, (met) => (isOfProviderMethod(met) ? passAsOwner(met) : met.pass())),
      },
    ],
  },
  {
    id: 'deletes.unknown',
    section: 'Endpoints, Common rules for A and B',
    silence: 'Whether deleting what does not exist is refused.',
    answers: [
      {
        id: 'success',
        // A wrong key would be another reason for 404, and its call a success.
        without: ['credentials.refusal/status-404', 'refusals.status/always-404'],
        about: 'It is a success.',
        rules: responses(['deleteMethod', 'deletePoint'], (response) =>
          response.status === 404 ? { ...response, status: 200, body: { error: false } } : response,
        ),
      },
    ],
  },
  {
    id: 'deletes.with-points',
    section: 'Endpoints, A. Delivery endpoints',
    silence: 'Whether a method that has points can be deleted.',
    answers: [
      {
        id: 'refused',
        about: 'Its points have to be deleted first.',
        http: intercepts('DELETE', PATHS.method, async ({ parts: [handle = ''], pass, service }) =>
          service.state.points.of(handle).size > 0 ? refused(409, 'Delete its points first.') : pass(),
        ),
      },
    ],
  },
  {
    id: 'uploads.old-list',
    section: 'Endpoints, A. Delivery endpoints, Batch replace rules',
    silence: 'Whether the old list stays readable during an upload.',
    answers: [{ id: 'hidden', about: 'It is hidden.', rules: () => ({ listedDuringUpload: () => false }) }],
  },
  {
    id: 'settings.unknown-order',
    section: ENDPOINTS,
    silence: 'How an unknown or foreign order is answered.',
    answers: [
      {
        id: 'no-fields',
        // As for deletes: a wrong key would be another reason for 404.
        without: ['credentials.refusal/status-404', 'refusals.status/always-404'],
        about: 'With no fields.',
        rules: responses(['readProviderSettings'], (response) =>
          response.status === 404 ? { ...response, status: 200, body: { fields: {} } } : response,
        ),
      },
    ],
  },
];
