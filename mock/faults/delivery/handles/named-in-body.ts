/** Faults of updates whose body names another handle or id than the path. */

import { isObject } from '../../../http/request.ts';
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import { intercepts, PATHS, success } from '../../interception.ts';
import { pointPath } from '../points/reach.ts';

/** Updates whose body names an id that no point of the method has. `change` gets the point after its other fields were updated. */
const namingFreeId = (change: (list: PointList, point: Point, id: string) => void): NonNullable<Deviation['http']> =>
  intercepts('PUT', PATHS.point, async ({ parts: [handle = '', id = ''], body, pass, service }) => {
    const { id: sent, ...fields } = isObject(body?.pickup_point) ? body.pickup_point : {};
    if (typeof sent !== 'string' || sent === id) return pass();
    const response = await pass({ body: { pickup_point: fields } });
    const list = service.state.points.of(handle);
    const point = list.get(id);
    if (response.status === 200 && point && !list.get(sent)) service.change(() => change(list, point, sent));
    return response;
  });

/** An update that also sends a field which can only be read is served, and nothing of it is stored. */
const ignoredWith = (path: RegExp, name: string, field: string): NonNullable<Deviation['http']> =>
  intercepts('PUT', path, async ({ body, pass }) => {
    const sent = body?.[name];
    return isObject(sent) && sent[field] !== undefined ? success() : pass();
  });

export const namedInBodyFaults: readonly Deviation[] = [
  {
    id: 'methods.update-with-name-ignored',
    clause: 'delivery.method.update-applies',
    about: 'An update that also sends the name of the method is served, and nothing of it is stored.',
    http: ignoredWith(PATHS.method, 'delivery_method', 'name'),
  },
  {
    id: 'points.update-with-id-ignored',
    clause: 'delivery.point.update-applies',
    about: 'An update that also sends the id of the point is served, and nothing of it is stored.',
    http: ignoredWith(PATHS.point, 'pickup_point', 'id'),
  },
  {
    id: 'methods.update-of-handle-makes-second',
    clause: 'delivery.method.create-stores',
    about: 'An update whose body names a handle that no method has makes a second method with that handle.',
    http: intercepts('PUT', PATHS.method, async ({ parts: [handle = ''], body, pass, service }) => {
      const sent = isObject(body?.delivery_method) ? body.delivery_method.handle : undefined;
      const response = await pass();
      const { methods } = service.state;
      const method = methods.get(handle);
      if (response.status !== 200 || method === undefined || typeof sent !== 'string' || methods.get(sent))
        return response;
      service.change(() => methods.set(sent, { ...method, handle: sent, number: method.number + 100_000 }));
      return response;
    }),
  },
  {
    id: 'points.update-of-id-makes-second',
    clause: 'delivery.point.update-applies',
    about: 'An update whose body names an id that no point has makes a second point with that id.',
    http: namingFreeId((list, point, id) => list.add({ ...point, id })),
  },
  {
    id: 'points.update-of-id-loses-attributes',
    clause: 'delivery.point.update-keeps-omitted-fields',
    about: 'An update whose body names an id that no point has moves the point to that id, without its attributes.',
    http: namingFreeId((list, point, id) => {
      list.remove(point.id);
      list.add({ ...point, id, attributes: '' });
    }),
  },
  {
    id: 'points.update-of-id-changes-named',
    clause: 'delivery.point.update-leaves-other-points',
    about: 'An update whose body names the id of another point changes that one.',
    http: intercepts('PUT', PATHS.point, async ({ parts: [handle = '', id = ''], body, pass, service }) => {
      const sent = isObject(body?.pickup_point) ? body.pickup_point.id : undefined;
      const isOther =
        typeof sent === 'string' && sent !== id && service.state.points.of(handle).get(sent) !== undefined;
      return pass(isOther ? { path: pointPath(handle, sent) } : undefined);
    }),
  },
];
