/** Faults of batch calls that show after other calls, such as wrong caches of points, lists and uploads, and limits of long lists. */

import { isObject } from '../../../http/request.ts';
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import { intercepts, type Json, memory, PATHS, refused, remembering, success } from '../../interception.ts';
import { meetsBatch, published, staged } from './uploads.ts';

const REPLACES = 'delivery.batch.replaces-all';
const FINAL = 'delivery.batch.finalization-publishes';

/** The memory of a fault for each list of one service. */
const byList = <Value>(begin: () => Value): ((list: PointList) => Value) => {
  const known = new WeakMap<PointList, Value>();
  return (list) => {
    const value = known.get(list) ?? begin();
    known.set(list, value);
    return value;
  };
};

export const batchMemoryFaults: readonly Deviation[] = [
  {
    id: 'batch.initialization-remembered',
    clause: 'delivery.batch.initialization-default-true',
    about: 'A call without is_initialization has the flag of the call before it.',
    http: remembering(() => {
      const flag = memory(() => ({ sent: true as unknown }));
      return intercepts('POST', PATHS.batch, async ({ body, pass, service }) => {
        const kept = flag(service);
        const { is_initialization = kept.sent } = body ?? {};
        kept.sent = is_initialization;
        return pass(body === undefined ? undefined : { body: { ...body, is_initialization } });
      });
    }),
  },
  {
    id: 'batch.equal-points-merged',
    clause: REPLACES,
    about: 'Of points in a batch call that differ only in their ids the first is kept.',
    rules: staged((points) => {
      const fields = points.map(({ id: _, ...rest }) => JSON.stringify(rest));
      return points.filter((_, at) => fields.indexOf(fields[at]!) === at);
    }),
  },
  {
    id: 'batch.country-remembered',
    clause: REPLACES,
    about:
      'A list without a country replaces the points of the country of the call before it, if all of its points are there.',
    http: remembering(() => {
      const former = memory(() => ({ country: undefined as unknown }));
      return intercepts('POST', PATHS.batch, async ({ body, pass, service }) => {
        const kept = former(service);
        const points = Array.isArray(body?.pickup_points) ? (body.pickup_points as unknown[]) : [];
        const areThere = points.every((point) => isObject(point) && point.country === kept.country);
        if (body?.country !== undefined || points.length === 0 || !areThere) {
          kept.country = body?.country;
          return pass();
        }
        return pass({ body: { ...body, country: kept.country } });
      });
    }),
  },
  {
    id: 'batch.same-list-skipped',
    clause: REPLACES,
    about:
      'A call that is equal to the last one for a method returns success and does nothing, whatever was added since.',
    http: remembering(() => {
      const last = memory(() => new Map<string, string>());
      return intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
        if (body === undefined) return pass();
        const [calls, list, call] = [last(service), parts.join(), JSON.stringify(body)];
        if (calls.get(list) === call) return success();
        const response = await pass();
        if (response.status === 200) calls.set(list, call);
        return response;
      });
    }),
  },
  {
    id: 'batch.second-empty-list-skipped',
    clause: 'delivery.batch.empty-list',
    about: 'An empty list that a method got once before returns success and does nothing, whatever was added since.',
    http: remembering(() => {
      const emptied = memory(() => new Set<string>());
      return intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
        if (!Array.isArray(body?.pickup_points) || body.pickup_points.length > 0) return pass();
        const call = `${parts.join()} ${JSON.stringify(body)}`;
        if (emptied(service).has(call)) return success();
        const response = await pass();
        if (response.status === 200) emptied(service).add(call);
        return response;
      });
    }),
  },
  {
    id: 'batch.read-cached',
    clauses: [REPLACES, 'delivery.point.list-agrees-with-read'],
    about: 'A single read of a point is stale after a batch call; after every other write it is current.',
    http: remembering(() => {
      const kept = memory(() => new Map<string, { status: number; body: string }>());
      return async (request, next, service) => {
        const { pathname } = new URL(request.url);
        const responses = kept(service);
        const address = `${request.headers.get('authorization')} ${pathname}`;
        const isRead = request.method === 'GET' && PATHS.point.test(pathname);
        const known = isRead ? responses.get(address) : undefined;
        if (known !== undefined)
          return new Response(known.body, { status: known.status, headers: { 'content-type': 'application/json' } });
        const response = await next(request);
        if (isRead && response.status === 200)
          responses.set(address, { status: 200, body: await response.clone().text() });
        if (request.method !== 'GET' && !PATHS.batch.test(pathname)) responses.clear();
        return response;
      };
    }),
  },
  {
    id: 'batch.removed-id-not-added-again',
    clause: REPLACES,
    about: 'Adding an id that a batch call has removed returns success and stores nothing.',
    rules: (correct) => {
      const left = byList(() => new Set<string>());
      return {
        publish: (list) => {
          const before = list.all();
          correct.publish(list);
          for (const { id } of before) if (list.get(id) === undefined) left(list).add(id);
        },
        addPoint: (list, point) => {
          if (!left(list).has(point.id)) correct.addPoint(list, point);
        },
      };
    },
  },
  {
    id: 'batch.keeps-old-attributes',
    clause: REPLACES,
    about: 'A point without attributes keeps those of the old point with its id; its other fields are new.',
    rules: published((before, uploaded, country) => {
      const old = new Map(before.map((point) => [point.id, point]));
      const rest = country === null ? [] : before.filter((point) => point.country?.toLowerCase() !== country);
      return [
        ...rest,
        ...uploaded.map((point) => ({ ...point, attributes: point.attributes ?? old.get(point.id)?.attributes })),
      ];
    }),
  },
  {
    id: 'batch.country-of-update-ignored',
    clause: 'delivery.batch.country-replaces',
    about: 'A list for a country does not replace the points that an update has moved there.',
    rules: (correct) => {
      const cameFrom = byList(() => new Map<string, string | null>());
      const isMoved = (list: PointList, { id, country }: Point): boolean =>
        cameFrom(list).has(id) && cameFrom(list).get(id) !== country;
      return {
        stage: (list, points) => {
          for (const { id, country } of points) cameFrom(list).set(id, country);
          correct.stage(list, points);
        },
        publish: (list) => {
          const moved = list.upload?.country == null ? [] : list.all().filter((point) => isMoved(list, point));
          correct.publish(list);
          const left = moved.filter(({ id }) => list.get(id) === undefined);
          if (left.length > 0) list.rewrite([...list.all(), ...left]);
        },
      };
    },
  },
  {
    id: 'batch.reading-ends-upload',
    clause: FINAL,
    about: 'Reading the list ends its upload: the next portion is refused.',
    http: intercepts('GET', PATHS.points, ({ parts, pass, service }) => {
      const list = service.state.points.of(parts[0] ?? '');
      if (list.upload !== null) service.change(() => list.discard());
      return pass();
    }),
  },
  {
    id: 'batch.publishes-full-portions',
    clause: 'delivery.batch.unlisted-until-final-portion',
    about: 'A portion of 100 points is published at once; shorter ones wait for the final portion.',
    rules: (correct) => ({
      stage: (list, points) => {
        correct.stage(list, points);
        if (points.length === correct.maxPortionItems() && list.upload?.country === null) list.rewrite(list.staged());
      },
    }),
  },
  {
    id: 'batch.loses-points-after-1000',
    clause: FINAL,
    about: 'In a list sent in portions, the points after the 1,000th are lost.',
    rules: staged((points, list) => points.slice(0, Math.max(0, 1_000 - list.staged().length))),
  },
  {
    id: 'batch.mistaken-portion-stored-in-part',
    clause: 'delivery.batch.refused-list-changes-nothing',
    about: 'A later portion with a mistake is refused, and the point before the mistake is published with the others.',
    http: meetsBatch(async (points, { body, pass }) => {
      const response = await pass();
      const isMiddle = body?.is_initialization === false && body.is_finalization === false;
      if (isMiddle && response.status !== 200 && points.length === 2)
        await pass({ body: { ...body, pickup_points: points.slice(0, 1) } });
      return response;
    }),
  },
  {
    id: 'batch.limit-counts-ids',
    clause: 'delivery.batch.refuses-101-points',
    about: 'The limit is on different ids: of 101 points with one id twice, the last 100 are stored.',
    http: meetsBatch((points, { body, pass }) => {
      if (!Array.isArray(points)) return pass();
      const byId = new Map(points.map((point) => [(point as Json | null)?.id, point]));
      return byId.size < points.length ? pass({ body: { ...body, pickup_points: [...byId.values()] } }) : pass();
    }),
  },
  {
    id: 'batch.limit-counts-handles',
    clause: 'delivery.batch.accepts-100-points',
    about: 'The limit is on points times handles: 100 points under two handles are refused.',
    http: meetsBatch((points, { parts, pass }) =>
      points.length * (parts[0] ?? '').split(',').length > 100 ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  {
    id: 'batch.accepts-only-99-in-later-portions',
    clause: 'delivery.batch.accepts-100-points',
    about: 'A later portion with 100 points is refused; a first one is accepted.',
    http: meetsBatch((points, { body, pass }) =>
      body?.is_initialization === false && points.length === 100 ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  {
    id: 'batch.accepts-only-99-in-first-portions',
    clause: 'delivery.batch.accepts-100-points',
    about: 'A first portion with 100 points is refused; a whole list and a later portion are accepted.',
    http: meetsBatch((points, { body, pass }) =>
      body?.is_finalization === false && body.is_initialization !== false && points.length === 100
        ? Promise.resolve(refused(400))
        : pass(),
    ),
  },
];
