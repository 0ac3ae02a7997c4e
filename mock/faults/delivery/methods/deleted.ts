/** Faults of deleting delivery methods. */

import { pathOf } from '../../../../contracts/operations/index.ts';
import { ownerOf } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Method } from '../../../types/method.ts';
import type { Point } from '../../../types/point.ts';
import { intercepts, type Json, json, memory, PATHS, remembering, success } from '../../interception.ts';

/** Points of deleted methods come back with a new method that has this in common with theirs. */
const pointsComeBack = (common: (method: Method) => unknown): NonNullable<Deviation['http']> =>
  remembering(() => {
    const known = memory(() => new Map<string, readonly Point[]>());
    const keyOf = (method: Method): string => `${method.owner} ${JSON.stringify(common(method))}`;
    return async (request, next, service) => {
      const { methods, points } = service.state;
      const before = new Set(methods.all().map(({ handle }) => handle));
      const [, handle = ''] = PATHS.method.exec(new URL(request.url).pathname) ?? [];
      const method = request.method === 'DELETE' ? methods.get(handle) : undefined;
      const left = method === undefined ? [] : points.of(handle).all();
      const response = await next(request);
      if (method !== undefined && response.status === 200) known(service).set(keyOf(method), left);
      for (const made of methods.all().filter((one) => request.method === 'POST' && !before.has(one.handle)))
        service.change(() => {
          for (const point of known(service).get(keyOf(made)) ?? []) points.of(made.handle).add(point);
        });
      return response;
    };
  });

export const deletedMethodFaults: readonly Deviation[] = [
  {
    id: 'methods.points-kept-by-reference',
    clause: 'delivery.method.delete-removes',
    about: 'A new method with the reference of a deleted one has the points of that one.',
    http: pointsComeBack(({ reference }) => reference),
  },
  {
    id: 'methods.points-kept-by-title',
    clause: 'delivery.method.delete-removes',
    about: 'A new method with the title of a deleted one has the points of that one.',
    http: pointsComeBack(({ title }) => title),
  },
  {
    id: 'methods.deleted-still-readable',
    clause: 'delivery.method.delete-removes',
    about: 'A deleted method is not listed, but can still be read by its handle.',
    http: remembering(() => {
      const deleted = new Map<string, Json>();
      return async (request, next, service) => {
        const [, handle = ''] = PATHS.method.exec(new URL(request.url).pathname) ?? [];
        const method = service.state.methods.get(handle);
        const owner = method && ownerOf(service.state, method.owner);
        const shown = method && owner && service.rules.renderMethod(method, owner);
        const response = await next(request);
        if (request.method === 'DELETE' && response.status === 200 && shown) deleted.set(handle, shown);
        return request.method === 'GET' && deleted.has(handle) ? json(deleted.get(handle)) : response;
      };
    }),
  },
  {
    id: 'methods.deleted-on-later-pages',
    clause: 'delivery.lists.every-item-once',
    about: 'The last page of the list of methods ends with one that was deleted, if a link leads to it.',
    http: remembering(() => {
      const deleted = memory(() => new Map<string, Json>());
      return async (request, next, service) => {
        const url = new URL(request.url);
        const [, handle = ''] = (request.method === 'DELETE' && PATHS.method.exec(url.pathname)) || [];
        const method = service.state.methods.get(handle);
        const owner = method && ownerOf(service.state, method.owner);
        const shown = method && owner && service.rules.renderMethod(method, owner);
        const response = await next(request);
        const key = String(request.headers.get('authorization'));
        if (shown !== undefined && response.status === 200) deleted(service).set(key, shown);
        const isLater =
          request.method === 'GET' && PATHS.methods.test(url.pathname) && url.searchParams.has('page_start');
        const body = isLater && response.status === 200 ? ((await response.clone().json()) as Json) : {};
        const items = body.delivery_methods;
        const last = deleted(service).get(key);
        if (!Array.isArray(items) || last === undefined || typeof body.next_page_uri === 'string') return response;
        const isFull = items.length >= Number(url.searchParams.get('page_size') ?? items.length);
        return isFull ? response : json({ ...body, delivery_methods: [...items, last] });
      };
    }),
  },
  {
    id: 'methods.second-delete-does-nothing',
    clause: 'delivery.method.delete-removes',
    about: 'Every second delete of a method returns success and does nothing.',
    http: remembering(() => {
      let deletes = 0;
      return intercepts('DELETE', PATHS.method, async ({ pass }) => {
        const seen = await pass({ method: 'GET' });
        return seen.status === 200 && ++deletes % 2 === 0 ? success() : pass();
      });
    }),
  },
  {
    id: 'methods.second-delete-restores',
    clauses: ['delivery.method.delete-removes', 'delivery.lists.every-item-once'],
    about: 'A delete of a deleted method returns success and restores it.',
    http: remembering(() => {
      const deleted = memory(() => new Map<string, Method>());
      return intercepts('DELETE', PATHS.method, async ({ parts: [handle = ''], pass, service }) => {
        const { methods } = service.state;
        const method = methods.get(handle);
        const response = await pass();
        const former = deleted(service).get(handle);
        if (response.status === 200 && method) deleted(service).set(handle, method);
        if (method || former === undefined) return response;
        service.change(() => methods.set(handle, former));
        return success();
      });
    }),
  },
  {
    id: 'methods.delete-removes-same-title',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete removes every method of the owner with the same title.',
    http: intercepts('DELETE', PATHS.method, async ({ pass, parts, service }) => {
      const { methods } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const response = await pass();
      if (response.status !== 200 || gone === undefined) return response;
      const title = JSON.stringify(gone.title);
      const alike = methods.filter((other) => other.owner === gone.owner && JSON.stringify(other.title) === title);
      service.change(() => {
        for (const { handle } of alike) methods.delete(handle);
      });
      return response;
    }),
  },
  {
    id: 'methods.delete-removes-points-of-others',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete also removes points with the same ids from the owner’s other methods.',
    http: intercepts('DELETE', PATHS.method, async ({ pass, parts, service }) => {
      const { methods, points } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const ids =
        gone === undefined
          ? []
          : points
              .of(gone.handle)
              .all()
              .map(({ id }) => id);
      const response = await pass();
      if (response.status !== 200 || gone === undefined) return response;
      service.change(() => {
        for (const { handle } of methods.filter(({ owner }) => owner === gone.owner))
          for (const id of ids) points.of(handle).remove(id);
      });
      return response;
    }),
  },
  {
    id: 'methods.delete-with-suffix-accepted',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete accepts a longer text that begins with a handle.',
    http: intercepts('DELETE', PATHS.method, async ({ parts, pass, service }) => {
      const meant = service.state.methods.find(({ handle }) => (parts[0] ?? '').startsWith(handle));
      return pass(meant === undefined ? {} : { path: `/v1/${pathOf('deleteMethod', { handle: meant.handle })}` });
    }),
  },
  {
    id: 'methods.points-outlive-method',
    clause: 'delivery.method.delete-removes',
    about: 'The points of a deleted method can still be listed.',
    http: remembering(() => async (request, next, service) => {
      const { pathname } = new URL(request.url);
      const [, handle = ''] = (request.method === 'GET' && PATHS.points.exec(pathname)) || [];
      const left = service.state.methods.has(handle) ? undefined : leftOf(service).get(handle);
      if (left !== undefined) return json({ pickup_points: left });
      return intercepts('DELETE', PATHS.method, async ({ parts, pass }) => {
        const [deleted = ''] = parts;
        const points = service.state.points.of(deleted).all();
        const response = await pass();
        if (response.status === 200) leftOf(service).set(deleted, points);
        return response;
      })(request, next, service);
    }),
  },
  {
    id: 'methods.delete-removes-same-reference',
    clause: 'delivery.method.delete-leaves-other-methods',
    about: 'A delete removes every method of the owner with the same reference.',
    http: intercepts('DELETE', PATHS.method, async ({ parts, pass, service }) => {
      const { methods } = service.state;
      const gone = methods.get(parts[0] ?? '');
      const response = await pass();
      if (response.status !== 200 || !gone?.reference) return response;
      const alike = methods.filter(({ owner, reference }) => owner === gone.owner && reference === gone.reference);
      service.change(() => {
        for (const { handle } of alike) methods.delete(handle);
      });
      return response;
    }),
  },
];

/** Points of deleted methods, by handle. */
const leftOf = memory(() => new Map<string, readonly Point[]>());
