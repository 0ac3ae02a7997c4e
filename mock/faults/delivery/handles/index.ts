/** Faults of calls for the points of several methods at once. */

import type { OperationsOf } from '../../../../contracts/operations/index.ts';
import type { Method } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Rules } from '../../../types/rules.ts';
import { intercepts, type Json, memory, PATHS, remembering } from '../../interception.ts';
import { otherHandles, pointPath } from '../points/reach.ts';

function applies(
  operation: OperationsOf<'delivery'>,
  which: (methods: readonly Method[]) => readonly Method[],
): (correct: Rules) => Partial<Rules> {
  return (correct) => ({
    appliedTo: (methods, asked) => {
      const usual = correct.appliedTo(methods, asked);
      return asked === operation ? which(usual) : usual;
    },
  });
}

/** Calls with this method and path under several handles, which are applied to all methods of the owner. */
const reachesAll = (method: string, path: RegExp): NonNullable<Deviation['http']> =>
  intercepts(method, path, async (met) => {
    const named = (met.parts[0] ?? '').split(',');
    const others = otherHandles(met, named[0] ?? '').filter((handle) => !named.includes(handle));
    const response = await met.pass();
    if (response.status !== 200 || named.length < 2) return response;
    const { pathname } = new URL(met.request.url);
    const [, , , , segment = ''] = pathname.split('/');
    for (const handle of others) await met.pass({ path: pathname.replace(segment, encodeURIComponent(handle)) });
    return response;
  });

/** Calls for a point that a later method lacks: they are refused, and carried out in the methods before it. */
const doneBeforeRefusal = (method: 'PUT' | 'DELETE'): NonNullable<Deviation['http']> =>
  intercepts(method, PATHS.point, async ({ parts, pass, service }) => {
    const response = await pass();
    const [handles = '', id = ''] = parts;
    const named = handles.split(',');
    const { methods, points } = service.state;
    const at = named.findIndex((handle) => methods.has(handle) && points.of(handle).get(id) === undefined);
    if (response.status !== 404 || at < 1) return response;
    for (const handle of named.slice(0, at)) await pass({ path: pointPath(handle, id) });
    return response;
  });

/** The handles under which a point was added, by handle and id. */
const sharedIn = memory(() => new Map<string, readonly string[]>());

/** An update under several handles changes this field under the first of them only. */
const updatesInFirstOnly =
  (field: 'attributes' | 'title'): NonNullable<Deviation['rules']> =>
  (correct) => {
    let updates = 0;
    return {
      appliedTo: (methods, operation) => {
        updates = 0;
        return correct.appliedTo(methods, operation);
      },
      mergePoint: (before, id, input, site) => {
        const merged = correct.mergePoint(before, id, input, site);
        if (before !== null) updates += 1;
        return before !== null && updates > 1 ? { ...merged, [field]: before[field] } : merged;
      },
    };
  };

export const handleFaults: readonly Deviation[] = [
  {
    id: 'handles.add-to-first-only',
    clause: 'delivery.handles.add-to-each',
    about: 'An add under several handles reaches the first of them only.',
    rules: applies('addPoint', (methods) => methods.slice(0, 1)),
  },
  {
    id: 'handles.add-to-last-only',
    clause: 'delivery.handles.add-to-each',
    about: 'An add under several handles reaches the last of them only.',
    rules: applies('addPoint', (methods) => methods.slice(-1)),
  },
  {
    id: 'handles.update-in-first-two-only',
    clause: 'delivery.handles.update-in-each',
    about: 'An update under three handles reaches the first two of them.',
    rules: applies('changePoint', (methods) => methods.slice(0, 2)),
  },
  {
    id: 'handles.add-to-first-five-only',
    clause: 'delivery.handles.add-to-each',
    about: 'An add under many handles reaches the first five of them.',
    rules: applies('addPoint', (methods) => methods.slice(0, 5)),
  },
  {
    id: 'handles.update-in-first-ten-only',
    clause: 'delivery.handles.update-in-each',
    about: 'An update under many handles reaches the first ten of them.',
    rules: applies('changePoint', (methods) => methods.slice(0, 10)),
  },
  {
    id: 'handles.delete-from-first-five-only',
    clause: 'delivery.handles.delete-from-each',
    about: 'A delete under many handles reaches the first five of them.',
    rules: applies('deletePoint', (methods) => methods.slice(0, 5)),
  },
  {
    id: 'handles.list-of-first-five-only',
    clause: 'delivery.batch.several-handles',
    about: 'A list under many handles replaces the points of the first five of them.',
    rules: applies('batchReplace', (methods) => methods.slice(0, 5)),
  },
  {
    id: 'handles.update-of-attributes-in-first-only',
    clause: 'delivery.handles.update-in-each',
    about: 'An update under several handles changes the attributes under the first of them only.',
    rules: updatesInFirstOnly('attributes'),
  },
  {
    id: 'handles.update-of-title-in-first-only',
    clause: 'delivery.handles.update-in-each',
    about: 'An update under several handles changes the title under the first of them only.',
    rules: updatesInFirstOnly('title'),
  },
  {
    id: 'handles.update-copies-whole-point',
    clause: 'delivery.point.update-keeps-omitted-fields',
    about: 'An update under several handles copies the whole point of the first method to the others.',
    rules: (correct) => {
      let whole: Point | undefined;
      return {
        appliedTo: (methods, operation) => {
          whole = undefined;
          return correct.appliedTo(methods, operation);
        },
        mergePoint: (before, id, input, site) => {
          if (before === null) return correct.mergePoint(before, id, input, site);
          whole ??= correct.mergePoint(before, id, input, site);
          return whole;
        },
      };
    },
  },
  {
    id: 'handles.delete-skips-middle',
    clause: 'delivery.handles.delete-from-each',
    about: 'A delete under three handles skips the middle one.',
    rules: applies('deletePoint', (methods) => (methods.length > 2 ? [methods[0]!, methods.at(-1)!] : methods)),
  },
  {
    id: 'handles.several-refused',
    clauses: [
      'delivery.handles.add-to-each',
      'delivery.handles.update-in-each',
      'delivery.handles.delete-from-each',
      'delivery.batch.several-handles',
    ],
    about: 'Several handles joined by commas are treated as one unknown handle.',
    rules: () => ({ handlesOf: (segment) => [segment] }),
  },
  {
    id: 'handles.add-affects-all-methods',
    clause: 'delivery.handles.others-untouched',
    about: 'An add under several handles reaches every method of the owner.',
    http: reachesAll('POST', PATHS.newPoint),
  },
  {
    id: 'handles.update-affects-all-methods',
    clause: 'delivery.handles.others-untouched',
    about: 'An update under several handles reaches every method of the owner.',
    http: reachesAll('PUT', PATHS.point),
  },
  {
    id: 'handles.delete-affects-all-methods',
    clause: 'delivery.handles.others-untouched',
    about: 'A delete under several handles reaches every method of the owner.',
    http: reachesAll('DELETE', PATHS.point),
  },
  {
    id: 'handles.same-twice-adds-twice',
    clause: 'delivery.point.id-unique',
    about: 'A path that names a method twice adds a point to it twice.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, parts, pass }) => {
      const named = (parts[0] ?? '').split(',');
      const point = body?.pickup_point as Json | undefined;
      const response = await pass();
      if (response.status === 200 && new Set(named).size < named.length)
        await pass({ body: { pickup_point: { ...point, id: `${point?.id}~again` } } });
      return response;
    }),
    rules: (correct) => ({
      renderPoint: (point, site) => {
        const shown = correct.renderPoint(point, site);
        return { ...shown, id: point.id.replace(/~again$/, '') };
      },
    }),
  },
  {
    id: 'handles.update-refused-by-second-done-in-first',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'An update of a point that the second of two methods lacks is refused, and carried out in the first.',
    http: doneBeforeRefusal('PUT'),
  },
  {
    id: 'handles.delete-refused-by-second-done-in-first',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A delete of a point that the second of two methods lacks is refused, and carried out in the first.',
    http: doneBeforeRefusal('DELETE'),
  },
  {
    id: 'handles.added-point-shared',
    clause: 'delivery.point.same-id-in-two-methods',
    about: 'A point that was added under several handles is shared: a change in one method shows in all.',
    http: remembering(() => async (request, next, service) => {
      const shared = sharedIn(service);
      const add = intercepts('POST', PATHS.newPoint, async ({ parts, body, pass }) => {
        const response = await pass();
        const named = (parts[0] ?? '').split(',');
        const { id } = (body?.pickup_point ?? {}) as { id?: string };
        if (response.status === 200 && named.length > 1) for (const one of named) shared.set(`${one} ${id}`, named);
        return response;
      });
      const change = intercepts('PUT', PATHS.point, async ({ parts, pass }) => {
        const [handle = '', id = ''] = parts;
        return pass({ path: pointPath((shared.get(`${handle} ${id}`) ?? [handle]).join(','), id) });
      });
      return add(request, (passed) => change(passed, next, service), service);
    }),
  },
];
