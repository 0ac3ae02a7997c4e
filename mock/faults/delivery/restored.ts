/** Faults of services that write more than what a call names, so that something that was deleted is there again. */

import { nextNumber } from '../../state/state.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Method } from '../../types/method.ts';
import type { Point } from '../../types/point.ts';
import type { MockService } from '../../types/service.ts';
import { intercepts, memory, PATHS, remembering } from '../interception.ts';

const DELETED_METHOD = 'delivery.method.delete-removes';

/** The last deleted method of each owner comes back with a call for another method of that owner. */
const methodReturns = (isMeant: (method: string, path: string) => boolean): NonNullable<Deviation['http']> =>
  remembering(() => {
    const deleted = memory(() => new Map<string, Method>());
    return async (request, next, service) => {
      const { methods } = service.state;
      const { pathname } = new URL(request.url);
      const before = request.method === 'DELETE' ? methods.get(PATHS.method.exec(pathname)?.[1] ?? '') : undefined;
      const response = await next(request);
      if (response.status !== 200) return response;
      if (before !== undefined) deleted(service).set(before.owner, before);
      if (isMeant(request.method, pathname)) restore(service, deleted(service));
      return response;
    };
  });

function restore(service: MockService, deleted: Map<string, Method>): void {
  service.change(() => {
    for (const method of deleted.values())
      service.state.methods.set(method.handle, { ...method, number: nextNumber(service.state, 'method') });
  });
  deleted.clear();
}

export const restoredFaults: readonly Deviation[] = [
  {
    id: 'methods.deleted-restored-by-update',
    clause: DELETED_METHOD,
    about: 'An update of a method restores the method that was deleted last.',
    http: methodReturns((method, path) => method === 'PUT' && PATHS.method.test(path)),
  },
  {
    id: 'methods.deleted-restored-by-create',
    clause: DELETED_METHOD,
    about: 'A new method restores the method that was deleted last.',
    http: methodReturns((method, path) => method === 'POST' && PATHS.newMethod.test(path)),
  },
  {
    id: 'points.deleted-restored-by-update-of-method',
    clause: 'delivery.point.delete-removes',
    about: 'An update of a method restores its point that was deleted last.',
    http: remembering(() => {
      const deleted = memory(() => new Map<string, Point>());
      return async (request, next, service) =>
        intercepts('PUT', PATHS.method, async ({ parts: [handle = ''], pass }) => {
          const response = await pass();
          const point = deleted(service).get(handle);
          const list = service.state.points.of(handle);
          if (response.status === 200 && point && !list.get(point.id)) service.change(() => list.add(point));
          return response;
        })(
          request,
          (passed) =>
            intercepts('DELETE', PATHS.point, async ({ parts: [handle = '', id = ''], pass }) => {
              const point = service.state.points.of(handle).get(id);
              const response = await pass();
              if (response.status === 200 && point) deleted(service).set(handle, point);
              return response;
            })(passed, next, service),
          service,
        );
    }),
  },
];
