/** Faults that reach another method by what it shares with the named one: its title, its reference, or the call that brought its points. */
import type { Deviation, Http } from '../../../types/deviation.ts';
import type { Method } from '../../../types/method.ts';
import type { MockService } from '../../../types/service.ts';
import { type InterceptedRequest, intercepts, memory, PATHS, remembering } from '../../interception.ts';

/** Other methods of the same owner with an equal value. */
function alike({ parts, service }: InterceptedRequest, shared: (method: Method) => unknown): Method[] {
  const { methods } = service.state;
  const named = methods.get(parts[0] ?? '');
  const value = named === undefined ? undefined : JSON.stringify(shared(named));
  if (named === undefined || value === 'null') return [];
  return methods.filter(
    (other) => other.owner === named.owner && other.handle !== named.handle && JSON.stringify(shared(other)) === value,
  );
}

/** An update also sets the destinations of the methods with an equal value. */
const updates = (shared: (method: Method) => unknown) =>
  intercepts('PUT', PATHS.method, async (met) => {
    const others = alike(met, shared);
    const response = await met.pass();
    const { methods } = met.service.state;
    const changed = methods.get(met.parts[0] ?? '');
    if (response.status !== 200 || changed === undefined) return response;
    const { available_countries_to } = changed;
    met.service.change(() => {
      for (const { handle } of others) methods.patch(handle, { available_countries_to });
    });
    return response;
  });

/** Owners' methods are kept in so many places by when they were made. */
const PLACES = 3;

/** An update also sets the destinations of the methods that are kept in the same place. */
const updatesSamePlace: Http = intercepts('PUT', PATHS.method, async ({ parts, pass, service }) => {
  const { methods } = service.state;
  const handle = parts[0] ?? '';
  const owner = methods.get(handle)?.owner;
  const own = methods.filter((method) => method.owner === owner);
  const at = own.findIndex((method) => method.handle === handle);
  const others = own.filter((_, place) => place !== at && place % PLACES === at % PLACES);
  const response = await pass();
  const changed = methods.get(handle);
  if (response.status !== 200 || changed === undefined) return response;
  service.change(() => {
    for (const other of others) methods.patch(other.handle, { available_countries_to: changed.available_countries_to });
  });
  return response;
});

/** A call for the points of one method also does what it does in those with the same reference. */
const reachesSameReference = (method: string, path: RegExp): NonNullable<Deviation['http']> =>
  intercepts(method, path, async (met) => {
    const others = alike(met, ({ reference }) => reference);
    const response = await met.pass();
    if (response.status !== 200) return response;
    const { pathname } = new URL(met.request.url);
    const [, , , , segment = ''] = pathname.split('/');
    for (const { handle } of others) await met.pass({ path: pathname.replace(segment, encodeURIComponent(handle)) });
    return response;
  });

/** An update of a point under several handles gives something of the first of them to the others. */
const givesOfFirst = (give: (service: MockService, first: string, other: string) => void): Http =>
  intercepts('PUT', PATHS.point, async ({ parts, pass, service }) => {
    const [first = '', ...others] = (parts[0] ?? '').split(',');
    const response = await pass();
    if (response.status === 200)
      service.change(() => {
        for (const other of others) give(service, first, other);
      });
    return response;
  });

/** Ids of points by the method that was named last in the call that brought them. */
const broughtWith = memory(() => new Map<string, { readonly handle: string; readonly id: string }[]>());

/** Points that come to several methods by one call are removed with the first of these methods. */
const leavesWithFirst = (path: RegExp, idsOf: (body: InterceptedRequest['body']) => readonly unknown[]) =>
  remembering(() => async (request, next, service) => {
    const adds = intercepts('POST', path, async ({ body, parts, pass }) => {
      const [first = '', ...others] = (parts[0] ?? '').split(',');
      const response = await pass();
      const ids = idsOf(body).map(String);
      if (response.status === 200 && others.length > 0) {
        broughtWith(service).set(
          first,
          others.flatMap((handle) => ids.map((id) => ({ handle, id }))),
        );
      }
      return response;
    });
    const deletes = intercepts('DELETE', PATHS.method, async ({ parts, pass }) => {
      const response = await pass();
      if (response.status !== 200) return response;
      service.change(() => {
        for (const { handle, id } of broughtWith(service).get(parts[0] ?? '') ?? [])
          service.state.points.of(handle).remove(id);
      });
      return response;
    });
    return request.method === 'DELETE' ? deletes(request, next, service) : adds(request, next, service);
  });

export const kinshipFaults: readonly Deviation[] = [
  {
    id: 'methods.update-changes-same-title',
    clause: 'delivery.method.update-leaves-other-methods',
    about: 'An update also sets the destination countries of every method of the owner with the same title.',
    http: updates(({ title }) => title),
  },
  {
    id: 'methods.update-changes-same-reference',
    clause: 'delivery.method.update-leaves-other-methods',
    about: 'An update also sets the destination countries of every method of the owner with the same reference.',
    http: updates(({ reference }) => reference),
  },
  {
    id: 'methods.update-reaches-same-place',
    clause: 'delivery.method.update-leaves-other-methods',
    about:
      'An update also sets the destination countries of every third other method: those that are kept in the same place.',
    http: updatesSamePlace,
  },
  {
    id: 'batch.replaces-in-same-reference',
    clause: 'delivery.batch.other-methods-untouched',
    about: 'A batch call also replaces the points of every method of the owner with the same reference.',
    http: reachesSameReference('POST', PATHS.batch),
  },
  {
    id: 'points.update-in-same-reference',
    clause: 'delivery.point.same-id-in-two-methods',
    about:
      'An update of a point also changes the one with its id in every method of the owner with the same reference.',
    http: reachesSameReference('PUT', PATHS.point),
  },
  {
    id: 'points.delete-in-same-reference',
    clause: 'delivery.point.same-id-in-two-methods',
    about: 'A delete also removes the point with its id from every method of the owner with the same reference.',
    http: reachesSameReference('DELETE', PATHS.point),
  },
  {
    id: 'handles.update-gives-title-of-first',
    clause: 'delivery.method.title-kept',
    about: 'An update of a point under several handles gives the title of the first method to the others.',
    http: givesOfFirst(({ state: { methods } }, first, other) => {
      const title = methods.get(first)?.title;
      if (title !== undefined && methods.get(other) !== undefined) methods.patch(other, { title });
    }),
  },
  {
    id: 'handles.update-gives-points-of-first',
    clause: 'delivery.point.list-of-one-method',
    about: 'An update of a point under several handles gives the points of the first method to the others as well.',
    http: givesOfFirst(({ state: { points } }, first, other) => {
      for (const point of points.of(first).all())
        if (points.of(other).get(point.id) === undefined) points.of(other).add(point);
    }),
  },
  {
    id: 'methods.delete-removes-points-of-one-list',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete also removes the points that other methods got by the same batch call.',
    http: leavesWithFirst(PATHS.batch, (body) =>
      Array.isArray(body?.pickup_points)
        ? body.pickup_points.map((point) => (point as { id?: unknown } | null)?.id)
        : [],
    ),
  },
  {
    id: 'methods.delete-removes-points-of-one-add',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete also removes the point that other methods got by the same add.',
    http: leavesWithFirst(PATHS.newPoint, (body) => [(body?.pickup_point as { id?: unknown } | null | undefined)?.id]),
  },
];
