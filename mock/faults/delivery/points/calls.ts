/** Faults of whole pickup points: adding, listing, reading and finding them. */

import { setTimeout } from 'node:timers/promises';
import { pathOf } from '../../../../contracts/operations/index.ts';
import { isObject } from '../../../http/request.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import {
  intercepts,
  type Json,
  json,
  listed,
  MOMENT_MS,
  memory,
  PATHS,
  refused,
  remembering,
  success,
} from '../../interception.ts';
import { otherHandles, pointPath } from './reach.ts';

/** Because ids in a list are unique, a second point with an id has a suffix that is never shown. */
const AGAIN = '~again';

export const pointFaults: readonly Deviation[] = [
  {
    id: 'points.second-add-lost',
    clause: 'delivery.point.create-stores',
    about: 'The second point added to a method is not stored, although the call succeeds; the others are.',
    rules: (correct) => ({
      addPoint: (list, point) => {
        if (list.size !== 1) correct.addPoint(list, point);
      },
    }),
  },
  {
    id: 'points.add-drops-first-of-many',
    clause: 'delivery.point.create-stores',
    about: 'A method keeps 80 points: an add beyond that drops the first one. A batch call may bring more.',
    rules: (correct) => ({
      addPoint: (list, point) => {
        correct.addPoint(list, point);
        const first = list.all()[0];
        if (list.size > 80 && first !== undefined) correct.removePoint(list, first.id);
      },
    }),
  },
  {
    id: 'points.add-replaces-equal-number',
    clause: 'delivery.point.create-stores',
    about: 'An add replaces a point whose id is the same number, like 12 and 0012.',
    rules: (correct) => ({
      addPoint: (list, point) => {
        const isNumber = (id: string): boolean => /^\d+$/.test(id);
        const isSame = ({ id }: Point): boolean => isNumber(id) && id !== point.id && Number(id) === Number(point.id);
        const same = isNumber(point.id) ? list.all().find(isSame) : undefined;
        if (same !== undefined) correct.removePoint(list, same.id);
        correct.addPoint(list, point);
      },
    }),
  },
  {
    id: 'points.add-stores-two',
    clause: 'delivery.point.create-stores',
    about: 'An add stores a second point with an id of the service’s own.',
    rules: (correct) => ({
      addPoint: (list, point) => {
        correct.addPoint(list, point);
        correct.addPoint(list, { ...point, id: `${point.id}-copy` });
      },
    }),
  },
  {
    id: 'points.read-by-prefix',
    clause: 'delivery.point.read-by-id',
    about: 'A read returns the first point whose id begins with the given id.',
    http: intercepts('GET', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', id = ''] = parts;
      const list = service.state.points.of(handle);
      const found = list.get(id) && list.all().find((point) => point.id.startsWith(id));
      return pass({ path: pointPath(handle, found?.id ?? id) });
    }),
  },
  {
    id: 'points.list-omits-without-attributes',
    clause: 'delivery.point.list-contains',
    about: 'Points without attributes are missing from the list.',
    rules: listed('pickup_points', (items) => items.filter(({ attributes }) => Boolean(attributes))),
  },
  {
    id: 'points.list-omits-without-country',
    clause: 'delivery.point.list-contains',
    about: 'Points without a country are missing from the list, as in a join of tables.',
    rules: listed('pickup_points', (items) => items.filter(({ country }) => Boolean(country))),
  },
  {
    id: 'points.list-omits-without-title',
    clause: 'delivery.point.list-contains',
    about: 'Points without a title are missing from the list, as in a join of tables.',
    rules: listed('pickup_points', (items) => items.filter(({ title }) => Boolean(title))),
  },
  {
    id: 'points.list-omits-without-default-language',
    clause: 'delivery.point.list-contains',
    about:
      'Points whose title is not in the default language of the website are missing from the list, as in a join of tables.',
    rules: (correct) => {
      let language = '';
      return {
        renderPoint: (point, site) => {
          language = site.defaultLanguage;
          return correct.renderPoint(point, site);
        },
        ...listed('pickup_points', (items) =>
          items.filter(({ title }) => !isObject(title) || Object.hasOwn(title, language)),
        )(correct),
      };
    },
  },
  {
    id: 'points.list-omits-longest-id',
    clause: 'delivery.point.list-contains',
    about: 'A point whose id begins with that of another is missing from the list.',
    rules: listed('pickup_points', (items) =>
      items.filter(({ id }) => !items.some((other) => other.id !== id && String(id).startsWith(String(other.id)))),
    ),
  },
  {
    id: 'points.list-under-another-name',
    clause: 'delivery.point.list-contains',
    about: 'The list of points is named points instead of pickup_points.',
    rules: (correct) => ({
      finish: (call, response) => {
        const usual = correct.finish(call, response);
        const { pickup_points: points, ...rest } = usual.body;
        return call.operation === 'listPoints' && points ? { ...usual, body: { ...rest, points } } : usual;
      },
    }),
  },
  {
    id: 'points.empty-list-shows-previous-method',
    clause: 'delivery.point.list-of-one-method',
    about: 'A method without points lists those of the previously created method.',
    http: intercepts('GET', PATHS.points, async ({ parts, pass, service }) => {
      const { methods, points } = service.state;
      const method = methods.get(parts[0] ?? '');
      const before = methods.find(
        ({ owner, number }) => owner === method?.owner && number === (method?.number ?? 0) - 1,
      );
      const isEmpty = method !== undefined && points.of(method.handle).size === 0;
      if (!isEmpty || before === undefined) return pass();
      return pass({ path: `/v1/${pathOf('listPoints', { handle: encodeURIComponent(before.handle) })}` });
    }),
  },
  {
    id: 'points.unknown-read-as-empty',
    clause: 'delivery.point.unknown-read-refused',
    about: 'Reading an unknown id returns success with an empty point.',
    http: intercepts('GET', PATHS.point, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? json({ id: '', attributes: '' }) : response;
    }),
  },
  {
    id: 'points.read-case-insensitive',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read finds a point by its id in any letter case.',
    http: intercepts('GET', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', sent = ''] = parts;
      const list = service.state.points.of(handle);
      const found = list.get(sent) ?? list.all().find(({ id }) => id.toLowerCase() === sent.toLowerCase());
      return pass({ path: pointPath(handle, found?.id ?? sent) });
    }),
  },
  {
    id: 'points.read-finds-points-of-other-methods',
    clause: 'delivery.point.unknown-read-refused',
    about: 'A read finds a point of another method of the same owner.',
    http: intercepts('GET', PATHS.point, async (met) => {
      const [handle = '', id = ''] = met.parts;
      const response = await met.pass();
      const { points } = met.service.state;
      const other = otherHandles(met, handle).find((one) => points.of(one).get(id) !== undefined);
      return response.status === 404 && other !== undefined ? met.pass({ path: pointPath(other, id) }) : response;
    }),
  },
  {
    id: 'points.list-of-unknown-method-empty',
    clause: 'delivery.point.unknown-method-refused',
    about: 'The points of an unknown handle are an empty list instead of a refusal.',
    http: intercepts('GET', PATHS.points, async ({ parts, pass, service }) => {
      const response = await pass();
      const unknown = !service.state.methods.has(parts[0] ?? '');
      return response.status === 404 && unknown ? json({ pickup_points: [] }) : response;
    }),
  },
  {
    id: 'points.add-to-unknown-method-served',
    clause: 'delivery.point.unknown-method-refused',
    about: 'An add to an unknown handle returns success and does nothing.',
    http: intercepts('POST', PATHS.newPoint, async ({ parts, pass, service }) => {
      const response = await pass();
      const unknown = (parts[0] ?? '').split(',').every((handle) => !service.state.methods.has(handle));
      return response.status === 404 && unknown ? success() : response;
    }),
  },
  {
    id: 'points.batch-on-unknown-method-served',
    clause: 'delivery.point.unknown-method-refused',
    about: 'A batch call for a handle that no method has returns success and does nothing.',
    http: intercepts('POST', PATHS.batch, async ({ parts, pass, service }) => {
      const response = await pass();
      const unknown = (parts[0] ?? '').split(',').every((handle) => !service.state.methods.has(handle));
      return response.status === 404 && unknown ? success() : response;
    }),
  },
  {
    id: 'points.refusal-cached',
    clauses: ['delivery.point.create-stores', 'delivery.point.read-by-id'],
    about:
      'An id that was once refused cannot be read later, even after a point with it is added; the list contains it.',
    http: remembering(() => {
      const refusedOnce = memory(() => new Set<string>());
      return async (request, next, service) => {
        const { pathname } = new URL(request.url);
        if (request.method !== 'GET' || !PATHS.point.test(pathname)) return next(request);
        if (refusedOnce(service).has(pathname)) return refused(404);
        const response = await next(request);
        if (response.status === 404) refusedOnce(service).add(pathname);
        return response;
      };
    }),
  },
  {
    id: 'points.concurrent-adds-stored-twice',
    clause: 'delivery.point.id-unique',
    about: 'Simultaneous adds with the same id all store a point; in sequence the second is refused.',
    http: remembering(() => {
      const underWay = memory(() => new Set<string>());
      return intercepts('POST', PATHS.newPoint, async ({ body, pass, request, service }) => {
        const point = body?.pickup_point as Json | undefined;
        const key = `${request.url} ${String(point?.id)}`;
        const isSecond = underWay(service).has(key);
        underWay(service).add(key);
        await setTimeout(MOMENT_MS);
        underWay(service).delete(key);
        return isSecond ? pass({ body: { pickup_point: { ...point, id: `${String(point?.id)}${AGAIN}` } } }) : pass();
      });
    }),
    rules: (correct) => ({
      renderPoint: (point, site) =>
        correct.renderPoint(
          { ...point, id: point.id.endsWith(AGAIN) ? point.id.slice(0, -AGAIN.length) : point.id },
          site,
        ),
    }),
  },
];
