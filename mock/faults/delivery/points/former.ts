/** Faults of services that only mark points as deleted: a point that takes their id gets what it is not given from them. */
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Rules } from '../../../types/rules.ts';
import { intercepts, memory, PATHS, success } from '../../interception.ts';

/** Rules with the points that a list has left out. */
const remembering = (
  rules: (correct: Rules, formerOf: (list: PointList, id: string) => Point | undefined) => Partial<Rules>,
): NonNullable<Deviation['rules']> => {
  return (correct) => {
    const gone = new Map<string, Point>();
    return {
      publish: (list) => {
        const before = list.all();
        correct.publish(list);
        for (const point of before) if (list.get(point.id) === undefined) gone.set(`${list.handle} ${point.id}`, point);
      },
      ...rules(correct, (list, id) => gone.get(`${list.handle} ${id}`)),
    };
  };
};

/** What a point is not given, from the former one. */
const completed = (point: Point, former: Point | undefined): Point =>
  former === undefined ? point : { ...point, attributes: point.attributes ?? former.attributes };

const REPLACES = 'delivery.batch.replaces-all';

/** The adds that were served, as they were sent. */
const served = memory(() => new Set<string>());

export const formerPointFaults: readonly Deviation[] = [
  {
    id: 'points.repeated-add-taken-for-first',
    clause: 'delivery.point.create-stores',
    about: 'An add that repeats an earlier one is a success and stores nothing, also after the point was deleted.',
    http: intercepts('POST', PATHS.newPoint, async ({ body, parts: [handles = ''], pass, service }) => {
      const call = `${handles} ${JSON.stringify(body)}`;
      if (served(service).has(call)) return success();
      const response = await pass();
      if (response.status === 200) served(service).add(call);
      return response;
    }),
  },
  {
    id: 'points.update-restores-deleted-attributes',
    clause: 'delivery.point.create-stores',
    about: 'The first update of a point with the id of a deleted one brings back the attributes of the deleted one.',
    rules: (correct) => {
      const gone = new Map<string, Point>();
      return {
        removePoint: (list, id) => {
          const point = list.get(id);
          if (point !== undefined) gone.set(id, point);
          correct.removePoint(list, id);
        },
        mergePoint: (before, id, input, site) => {
          const point = correct.mergePoint(before, id, input, site);
          return before === null ? point : completed(point, gone.get(id));
        },
      };
    },
  },
  {
    id: 'points.add-restores-attributes-left-out-of-list',
    clause: REPLACES,
    about: 'A new point with the id of one that a list has left out gets its attributes.',
    rules: remembering((correct, formerOf) => ({
      addPoint: (list, point) => correct.addPoint(list, completed(point, formerOf(list, point.id))),
    })),
  },
  {
    id: 'batch.restores-attributes-left-out-of-list',
    clause: REPLACES,
    about: 'A point of a list gets the attributes of the point with its id that an earlier list has left out.',
    rules: remembering((correct, formerOf) => ({
      stage: (list, points) =>
        correct.stage(
          list,
          points.map((point) => completed(point, formerOf(list, point.id))),
        ),
    })),
  },
  {
    id: 'batch.country-keeps-old-attributes',
    clause: 'delivery.batch.country-replaces',
    about: 'A point of a list for a country without attributes keeps those of the old point with its id.',
    rules: (correct) => ({
      publish: (list) => {
        const isForCountry = list.upload?.country != null;
        const old = new Map(list.all().map((point) => [point.id, point]));
        correct.publish(list);
        if (!isForCountry) return;
        for (const point of list.all()) {
          const whole = completed(point, old.get(point.id));
          if (whole.attributes !== point.attributes) list.replace(whole);
        }
      },
    }),
  },
  {
    id: 'batch.keeps-old-address',
    clause: REPLACES,
    about:
      'A point of a list without an address keeps the one of the present point with its id, as an upsert of what is named does.',
    rules: (correct) => ({
      publish: (list) => {
        const old = new Map(list.all().map((point) => [point.id, point]));
        correct.publish(list);
        for (const point of list.all()) {
          const { address = '' } = old.get(point.id) ?? {};
          if ((point.address ?? '') === '' && address !== '') list.replace({ ...point, address });
        }
      },
    }),
  },
];
