/** Faults of deleting pickup points, and of what was deleted. */

import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Rules } from '../../../types/rules.ts';
import { intercepts, type Json, json, PATHS, refused, remembering } from '../../interception.ts';
import { alsoReaches, otherHandles } from './reach.ts';

export const deletedPointFaults: readonly Deviation[] = [
  {
    id: 'points.delete-affects-other-methods',
    clause: 'delivery.point.same-id-in-two-methods',
    about: 'A delete of a point removes the points with its id from all methods of the owner.',
    http: alsoReaches('DELETE', (met, handle, id) => otherHandles(met, handle).map((other) => ({ handle: other, id }))),
  },
  {
    id: 'points.deleted-still-readable',
    clause: 'delivery.point.delete-removes',
    about: 'A deleted point is not listed, but can still be read by its id.',
    http: remembering(() => {
      const deleted = new Map<string, Json>();
      return intercepts('*', PATHS.point, async ({ request, parts, pass }) => {
        const key = parts.join('/');
        const shown = request.method === 'DELETE' ? await pass({ method: 'GET' }) : undefined;
        const response = await pass();
        if (shown?.status === 200 && response.status === 200) deleted.set(key, (await shown.json()) as Json);
        return request.method === 'GET' && response.status === 404 && deleted.has(key)
          ? json(deleted.get(key))
          : response;
      });
    }),
  },
  {
    id: 'points.last-point-not-deleted',
    clause: 'delivery.point.delete-removes',
    about: 'The last remaining point of a method is not deleted, although the call succeeds.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        if (list.size > 1) correct.removePoint(list, id);
      },
    }),
  },
  {
    id: 'points.delete-with-parts',
    clause: 'delivery.point.delete-leaves-other-points',
    about:
      'A delete removes the points whose ids begin with the given one and a hyphen as well, as if they were parts of it.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        for (const other of list.all()) if (other.id.startsWith(`${id}-`)) correct.removePoint(list, other.id);
        correct.removePoint(list, id);
      },
    }),
  },
  {
    id: 'points.delete-of-a-tree',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete removes the points whose ids begin with the given one and a slash, as a store of trees does.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        for (const other of list.all()) if (other.id.startsWith(`${id}/`)) correct.removePoint(list, other.id);
        correct.removePoint(list, id);
      },
    }),
  },
  {
    id: 'points.delete-drops-first-of-many',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete from a list of more than 80 points removes the first one as well.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        const first = list.size > 80 ? list.all()[0] : undefined;
        correct.removePoint(list, id);
        if (first !== undefined) correct.removePoint(list, first.id);
      },
    }),
  },
  {
    id: 'points.delete-by-prefix',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete removes every point of the method whose id begins with the given one.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        for (const other of list.all()) if (other.id.startsWith(id)) correct.removePoint(list, other.id);
      },
    }),
  },
  {
    id: 'points.delete-also-removes-oldest',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete of the newest point also removes the oldest.',
    rules: (correct) => ({
      removePoint: (list, id) => {
        const [first] = list.all();
        const isLast = list.all().at(-1)?.id === id;
        correct.removePoint(list, id);
        if (isLast && first && first.id !== id) correct.removePoint(list, first.id);
      },
    }),
  },
  {
    id: 'points.deleted-fields-restored',
    clause: 'delivery.point.create-stores',
    about: 'A new point with the id of a deleted one has the fields of the deleted one.',
    rules: (correct) => rememberingDeleted(correct, (_, former) => former),
  },
  {
    id: 'points.deleted-fields-complete-new-point',
    clause: 'delivery.point.create-stores',
    about: 'A new point with the id of a deleted one has the fields of the deleted one that it is not given.',
    rules: (correct) =>
      rememberingDeleted(correct, (point, former) => {
        const given = Object.entries(point).filter(([, value]) => value !== undefined && value !== null);
        return { ...former, ...(Object.fromEntries(given) as unknown as Point) };
      }),
  },
  {
    id: 'points.delete-limited-to-first-200',
    clause: 'delivery.point.delete-removes',
    about: 'Only the first 200 points of a method can be deleted.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', id = ''] = parts;
      const at = service.state.points
        .of(handle)
        .all()
        .findIndex((point) => point.id === id);
      return at >= 200 ? refused(404) : pass();
    }),
  },
  {
    id: 'points.delete-removes-equal-numbers',
    clause: 'delivery.point.delete-leaves-other-points',
    about: 'A delete of the id 7 also removes the point 007.',
    http: alsoReaches('DELETE', ({ service }, handle, id) =>
      service.state.points
        .of(handle)
        .all()
        .filter((point) => point.id !== id && /^\d+$/.test(point.id) && Number(point.id) === Number(id))
        .map((point) => ({ handle, id: point.id })),
    ),
  },
  {
    id: 'points.deleted-id-unlisted',
    clause: 'delivery.point.create-stores',
    about: 'A point that is added with the id of a deleted one can be read, but is not listed.',
    rules: (correct) => {
      const gone = new Set<string>();
      return {
        finish: (call, response) => {
          const usual = correct.finish(call, response);
          if (call.operation === 'deletePoint' && usual.status === 200)
            for (const handle of (call.segments.handle ?? '').split(',')) gone.add(`${handle} ${call.segments.point}`);
          if (call.iface !== 'delivery' || call.operation !== 'listPoints' || usual.status !== 200) return usual;
          const points = usual.body.pickup_points as Json[];
          const left = points.filter(({ id }) => !gone.has(`${call.segments.handle} ${String(id)}`));
          return { ...usual, body: { ...usual.body, pickup_points: left } };
        },
      };
    },
  },
  {
    id: 'points.recreated-keeps-other-languages',
    clause: 'delivery.point.create-stores',
    about: 'A point added with the id of a deleted one keeps its texts in languages that are not sent.',
    rules: (correct) =>
      rememberingDeleted(correct, (point, { title: former }) =>
        typeof former === 'object' && typeof point.title === 'object'
          ? { ...point, title: { ...former, ...point.title } }
          : point,
      ),
  },
];

/** Rules under which a new point with the id of a deleted one becomes what `mixed` makes of the two. */
function rememberingDeleted(
  correct: Rules,
  mixed: (point: Point, former: Point) => Point,
): Pick<Rules, 'addPoint' | 'removePoint'> {
  const gone = new Map<string, Point>();
  return {
    removePoint: (list, id) => {
      const point = list.get(id);
      if (point !== undefined) gone.set(`${list.handle} ${id}`, point);
      correct.removePoint(list, id);
    },
    addPoint: (list, point) => {
      const former = gone.get(`${list.handle} ${point.id}`);
      correct.addPoint(list, former === undefined ? point : mixed(point, former));
    },
  };
}
