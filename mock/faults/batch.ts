/** Faults of batch calls: whole lists, countries, portions, the limit of 100, several handles, ids. */
import type { Deviation } from '../deviation.ts';
import type { Rules } from '../rules.ts';
import type { Point } from '../state.ts';
import type { PointList } from '../storage/point-list.ts';
import { type Json, json, meets, PATHS, questionMarks, success } from './kit.ts';
import { handlesBeside } from './reach.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** What a batch call makes of its points; a point that is added alone is stored as it was sent. */
const staged =
  (change: (points: readonly Point[], list: PointList) => readonly Point[]): MakesRules =>
  (correct) => ({ stage: (list, points) => correct.stage(list, change(points, list)) });

/** What is published, made of the points before and the points uploaded. */
const published =
  (
    make: (before: readonly Point[], uploaded: readonly Point[], country: string | null) => readonly Point[],
  ): MakesRules =>
  (correct) => ({
    publish: (list) => {
      const points = make(list.all(), list.staged(), list.upload?.country ?? null);
      correct.publish(list);
      list.rewrite(points);
    },
  });

/** What an upload leaves alone: nothing, or the points of other countries than its own. */
const notOf = (country: string | null, points: readonly Point[]): Point[] =>
  country === null ? [] : points.filter((point) => point.country?.toLowerCase() !== country);
const withoutIdsOf = (points: readonly Point[], others: readonly Point[]): Point[] =>
  points.filter(({ id }) => !others.some((other) => other.id === id));

/** The batch calls, with their points. */
const meetsBatch = (
  serve: (points: readonly unknown[], met: Parameters<Parameters<typeof meets>[2]>[0]) => Promise<Response>,
) => meets('POST', PATHS.batch, async (met) => serve((met.body?.pickup_points as unknown[] | undefined) ?? [], met));

const LIMIT = 100;
const first100 = (body: Json | undefined, points: readonly unknown[]): Json => ({
  ...body,
  pickup_points: points.slice(0, LIMIT),
});

export const batchFaults: readonly Deviation[] = [
  {
    id: 'batch.adds-instead-of-replacing',
    clause: 'delivery.batch.replaces-all',
    about:
      'A batch call adds its points to those that are there; a point with an id of the list takes the old one’s place.',
    rules: published((before, uploaded, country) =>
      country === null && uploaded.length > 0
        ? [...withoutIdsOf(before, uploaded), ...uploaded]
        : [...notOf(country, before), ...uploaded],
    ),
  },
  {
    id: 'batch.keeps-old-fields',
    clause: 'delivery.batch.replaces-all',
    about: 'A point that was in the list already keeps its old fields; new and missing ones are right.',
    rules: published((before, uploaded, country) => {
      const points = uploaded.map((point) => before.find(({ id }) => id === point.id) ?? point);
      return [...notOf(country, before), ...points];
    }),
  },
  {
    id: 'batch.empty-list-ignored',
    clause: 'delivery.batch.empty-list',
    about: 'A batch call with an empty list answers success and leaves the points as they were.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isWhole = body?.is_initialization !== false && body?.is_finalization !== false;
      return Array.isArray(body?.pickup_points) && points.length === 0 && isWhole ? success() : pass();
    }),
  },
  {
    id: 'batch.missing-list-empties',
    clause: 'delivery.batch.missing-list-keeps-points',
    about: 'A batch call without pickup_points is taken for one with an empty list.',
    http: meetsBatch(async (_points, { body, pass }) =>
      body !== undefined && body.pickup_points === undefined ? pass({ body: { ...body, pickup_points: [] } }) : pass(),
    ),
  },
  {
    id: 'batch.country-adds',
    clause: 'delivery.batch.country-replaces',
    about: 'With country set, the old points of that country stay beside the new ones.',
    rules: published((before, uploaded, country) =>
      country === null ? uploaded : [...withoutIdsOf(before, uploaded), ...uploaded],
    ),
  },
  {
    id: 'batch.country-compared-with-case',
    clause: 'delivery.batch.country-replaces',
    about:
      'With country in capital letters nothing is stored, though the answer is success; in small letters it works.',
    http: meetsBatch(async (_points, { body, pass }) => {
      const { country } = body ?? {};
      const isWhole = body?.is_initialization !== false && body?.is_finalization !== false;
      return typeof country === 'string' && country === country.toUpperCase() && isWhole ? success() : pass();
    }),
  },
  {
    id: 'batch.country-ignored',
    clause: 'delivery.batch.country-keeps-others',
    about: 'With country set, the points of all countries are replaced.',
    rules: published((_before, uploaded) => uploaded),
  },
  {
    id: 'batch.country-strips-others',
    clause: 'delivery.batch.country-keeps-others',
    about: 'With country set, the points of other countries stay and lose their attributes.',
    rules: published((before, uploaded, country) =>
      country === null
        ? uploaded
        : [...notOf(country, before).map((point) => ({ ...point, attributes: undefined })), ...uploaded],
    ),
  },
  {
    id: 'batch.country-forgotten-between-portions',
    clause: 'delivery.batch.country-in-portions',
    about:
      'An upload for one country in portions replaces the points of all countries; one call replaces those of its own.',
    rules: (correct) => {
      let several = false;
      return {
        isFinalization: (sent) => {
          const last = correct.isFinalization(sent);
          several ||= !last;
          return last;
        },
        publish: (list) => {
          const points = list.staged();
          correct.publish(list);
          if (several) list.rewrite(points);
          several = false;
        },
      };
    },
  },
  {
    id: 'batch.takes-99',
    clause: 'delivery.batch.takes-100',
    about: 'A batch call with 100 points is refused; one with 99 is taken.',
    rules: () => ({ maxPortionItems: () => LIMIT - 1 }),
  },
  {
    id: 'batch.stores-99-of-100',
    clause: 'delivery.batch.takes-100',
    about: 'Of a batch call with 100 points the last is lost; shorter ones are stored as they are.',
    rules: staged((points) => (points.length === LIMIT ? points.slice(0, -1) : points)),
  },
  {
    id: 'batch.takes-101',
    clauses: ['delivery.batch.at-most-100', 'delivery.batch.at-most-100-each-portion'],
    about: 'A batch call with 101 points is taken; one with 102 is refused.',
    rules: () => ({ maxPortionItems: () => LIMIT + 1 }),
  },
  {
    id: 'batch.takes-any-number',
    clauses: ['delivery.batch.at-most-100', 'delivery.batch.at-most-100-each-portion'],
    about: 'Batch calls are taken however many points they hold.',
    rules: () => ({ maxPortionItems: () => Number.MAX_SAFE_INTEGER }),
  },
  {
    id: 'batch.cuts-at-100',
    clauses: ['delivery.batch.at-most-100', 'delivery.batch.at-most-100-each-portion'],
    about: 'Of a batch call with more than 100 points the first 100 are stored, and the answer is success.',
    http: meetsBatch(async (points, { body, pass }) =>
      points.length > LIMIT ? pass({ body: first100(body, points) }) : pass(),
    ),
  },
  {
    id: 'batch.limit-on-first-portion-only',
    clause: 'delivery.batch.at-most-100-each-portion',
    about: 'A portion that goes on with an upload is taken however many points it holds.',
    rules: (correct) => {
      let goesOn = false;
      return {
        isInitialization: (sent) => {
          goesOn = !correct.isInitialization(sent);
          return !goesOn;
        },
        maxPortionItems: () => (goesOn ? Number.MAX_SAFE_INTEGER : correct.maxPortionItems()),
      };
    },
  },
  {
    id: 'batch.refused-and-stored',
    clause: 'delivery.batch.refused-list-changes-nothing',
    about: 'A batch call with more than 100 points is refused, and its first 100 are stored.',
    http: meetsBatch(async (points, { body, pass }) => {
      const answer = await pass();
      if (points.length > LIMIT) await pass({ body: first100(body, points) });
      return answer;
    }),
  },
  {
    id: 'batch.refused-and-emptied',
    clause: 'delivery.batch.refused-list-changes-nothing',
    about: 'A batch call with more than 100 points is refused, and the old points are gone.',
    http: meetsBatch(async (points, { body, pass }) => {
      const answer = await pass();
      if (points.length > LIMIT) await pass({ body: { ...body, pickup_points: [] } });
      return answer;
    }),
  },
  {
    id: 'batch.publishes-each-portion',
    clause: 'delivery.batch.unlisted-until-final',
    about: 'The points of each portion are listed at once beside the old ones; after the last the list is right.',
    rules: (correct) => ({
      stage: (list, points) => {
        correct.stage(list, points);
        list.rewrite([...withoutIdsOf(list.all(), points), ...points]);
      },
    }),
  },
  {
    id: 'batch.publishes-middle-portions',
    clause: 'delivery.batch.unlisted-until-final',
    about: 'A portion in the middle of an upload publishes what has come so far; the first one does not.',
    rules: (correct) => ({
      stage: (list, points) => {
        const isMiddle = list.staged().length > 0;
        correct.stage(list, points);
        if (isMiddle && list.upload?.country === null) list.rewrite(list.staged());
      },
    }),
  },
  {
    id: 'batch.publishes-last-portion-only',
    clause: 'delivery.batch.finalization-publishes',
    about: 'Of an upload in portions only the last is published.',
    rules: (correct) => {
      let last: readonly Point[] = [];
      return {
        stage: (list, points) => {
          last = points;
          correct.stage(list, points);
        },
        publish: (list) => {
          const kept = notOf(list.upload?.country ?? null, list.all());
          correct.publish(list);
          list.rewrite([...kept, ...last]);
        },
      };
    },
  },
  {
    id: 'batch.loses-last-of-each-portion',
    clause: 'delivery.batch.finalization-publishes',
    about: 'The last point of each portion but the final one is lost.',
    rules: (correct) => {
      let last = true;
      return {
        isFinalization: (sent) => {
          last = correct.isFinalization(sent);
          return last;
        },
        stage: (list, points) => correct.stage(list, last || points.length < 2 ? points : points.slice(0, -1)),
      };
    },
  },
  {
    id: 'batch.loses-after-200',
    clause: 'delivery.batch.finalization-publishes',
    about: 'Of a list in portions the points after the 200th are lost.',
    rules: staged((points, list) => points.slice(0, Math.max(0, 200 - list.staged().length))),
  },
  {
    id: 'batch.keeps-old-when-in-portions',
    clause: 'delivery.batch.finalization-publishes',
    about: 'A list in portions is added to the old points; one in a single call replaces them.',
    rules: (correct) => {
      let several = false;
      return {
        isInitialization: (sent) => {
          several = !correct.isInitialization(sent);
          return !several;
        },
        publish: (list) => {
          const before = several && list.upload?.country === null ? withoutIdsOf(list.all(), list.staged()) : [];
          correct.publish(list);
          if (before.length > 0) list.rewrite([...before, ...list.all()]);
        },
      };
    },
  },
  {
    id: 'batch.publish-flickers',
    clause: 'delivery.batch.finalization-publishes',
    about: 'Every second read of a list that was published in portions shows the old points; all others are right.',
    http: (() => {
      const old = new Map<string, { body: unknown; reads: number }>();
      return async (request, next, service) => {
        const { pathname, search } = new URL(request.url);
        const [, handle] = PATHS.points.exec(pathname) ?? [];
        if (request.method === 'GET' && handle !== undefined && !search.includes('page_start')) {
          const before = old.get(handle);
          if (before !== undefined && ++before.reads % 2 === 0) return json(before.body);
          return next(request);
        }
        return meetsBatch(async (_points, { body, parts, pass }) => {
          const [named = ''] = parts;
          const ends = body?.is_initialization === false && body?.is_finalization !== false;
          const path = `/v1/store/delivery_method/${named}/pickup_points/`;
          const before = ends && !named.includes(',') ? await pass({ method: 'GET', path }) : undefined;
          const answer = await pass();
          if (before?.status === 200 && answer.status === 200) old.set(named, { body: await before.json(), reads: 0 });
          return answer;
        })(request, next, service);
      };
    })(),
  },
  {
    id: 'batch.initialization-does-not-discard',
    clause: 'delivery.batch.initialization-discards-unfinished',
    about: 'A new first portion goes on with an unfinished upload instead of discarding it.',
    rules: (correct) => ({
      beginUpload: (list, country) => {
        if (list.upload === null || list.staged().length === 0) correct.beginUpload(list, country);
      },
    }),
  },
  {
    id: 'batch.initialization-default-false',
    clause: 'delivery.batch.initialization-default-true',
    about: 'A call without is_initialization goes on with an upload, and begins one only where there is none.',
    http: (() => {
      const open = new Set<string>();
      return meetsBatch(async (_points, { body, parts, pass }) => {
        const key = parts[0] ?? '';
        const goesOn = body?.is_initialization === undefined && open.has(key);
        const answer = await pass(goesOn ? { body: { ...body, is_initialization: false } } : {});
        if (answer.status === 200) open[body?.is_finalization === false ? 'add' : 'delete'](key);
        return answer;
      });
    })(),
  },
  {
    id: 'batch.initialization-default-refused',
    clause: 'delivery.batch.initialization-default-true',
    about: 'A call without is_initialization counts as one that goes on, and is refused where no upload is open.',
    rules: () => ({ isInitialization: (sent) => sent ?? false }),
  },
  {
    id: 'batch.finalization-default-false',
    clause: 'delivery.batch.finalization-default-true',
    about: 'A call without is_finalization publishes nothing.',
    rules: () => ({ isFinalization: (sent) => sent ?? false }),
  },
  {
    id: 'batch.loses-attributes',
    clause: 'delivery.batch.fields-kept',
    about: 'Points of a batch call lose their attributes; a point that is added alone keeps them.',
    rules: staged((points) => points.map((point) => ({ ...point, attributes: undefined }))),
  },
  {
    id: 'batch.title-in-default-language',
    clause: 'delivery.batch.fields-kept',
    about: 'Of the titles of a batch call the first language is kept; a point that is added alone keeps all.',
    rules: staged((points) =>
      points.map((point) =>
        typeof point.title === 'object' && point.title !== null
          ? { ...point, title: Object.fromEntries(Object.entries(point.title).slice(0, 1)) }
          : point,
      ),
    ),
  },
  {
    id: 'batch.ascii-only',
    clause: 'delivery.batch.fields-kept',
    about: 'Letters outside ASCII in addresses of a batch call become question marks.',
    rules: staged((points) =>
      points.map((point) => ({ ...point, address: point.address && questionMarks(point.address) })),
    ),
  },
  {
    id: 'batch.reaches-first-handle-only',
    clause: 'delivery.batch.several-handles',
    about: 'A batch call under several handles reaches the first of them only.',
    rules: reaches((methods) => methods.slice(0, 1)),
  },
  {
    id: 'batch.reaches-ends-only',
    clause: 'delivery.batch.several-handles',
    about: 'A batch call under three handles leaves out the one in the middle.',
    rules: reaches((methods) => (methods.length > 2 ? [methods[0]!, methods.at(-1)!] : methods)),
  },
  {
    id: 'batch.portions-reach-first-handle-only',
    clause: 'delivery.batch.several-handles-in-portions',
    about: 'Portions after the first are stored for the first of several handles only; all of them are published.',
    rules: (correct) => {
      let [first, goesOn]: [string | undefined, boolean] = [undefined, false];
      return {
        appliedTo: (methods, operation) => {
          first = methods[0]?.handle;
          return correct.appliedTo(methods, operation);
        },
        isInitialization: (sent) => {
          goesOn = !correct.isInitialization(sent);
          return !goesOn;
        },
        stage: (list, points) => correct.stage(list, goesOn && list.handle !== first ? [] : points),
      };
    },
  },
  {
    id: 'batch.reaches-points-of-others',
    clause: 'delivery.batch.other-methods-untouched',
    about: 'A batch call changes points with its ids in the other methods of the owner too.',
    http: meetsBatch(async (points, met) => {
      const answer = await met.pass();
      if (answer.status !== 200) return answer;
      const { service, parts } = met;
      service.change(() => {
        for (const handle of handlesBeside(met, parts[0] ?? ''))
          for (const { id, address } of points as { id: string; address?: string }[]) {
            const point = service.state.points.of(handle).get(id);
            if (point) service.state.points.of(handle).replace({ ...point, address: address ?? point.address });
          }
      });
      return answer;
    }),
  },
  {
    id: 'batch.repeated-id-stored-twice',
    clause: 'delivery.batch.ids-unique',
    about: 'An id that a list repeats is stored as often.',
    rules: storesTwice((_list, points, at) => points.findIndex(({ id }) => id === points[at]?.id) < at),
  },
  {
    id: 'batch.repeated-id-across-portions',
    clause: 'delivery.batch.ids-unique-across-portions',
    about: 'An id that two portions share is stored twice; within one call it is refused.',
    rules: storesTwice((list, points, at) => list.isStaged(points[at]?.id ?? '')),
  },
  {
    id: 'batch.repeated-id-across-countries',
    clause: 'delivery.batch.ids-unique-across-countries',
    about: 'A call for one country stores an id that a point of another country has already.',
    rules: storesTwice((list, points, at) => list.keepsPublished(points[at]?.id ?? '')),
  },
];

function reaches(which: Rules['appliedTo']): MakesRules {
  return (correct) => ({
    appliedTo: (methods, operation) => {
      const usual = correct.appliedTo(methods, operation);
      return operation === 'points.batch-replace' ? which(usual, operation) : usual;
    },
  });
}

/** Stores some points a second time. A list holds an id once, so that the second has an ending that is never shown. */
function storesTwice(isAgain: (list: PointList, points: readonly Point[], at: number) => boolean): MakesRules {
  const ending = '~again';
  return (correct) => ({
    repeatedId: (list, points) =>
      correct.repeatedId(
        list,
        points.filter((_, at) => !isAgain(list, points, at)),
      ),
    stage: (list, points) => {
      const marked = points.map((point, at) =>
        isAgain(list, points, at) ? { ...point, id: `${point.id}${ending}` } : point,
      );
      correct.stage(list, marked);
    },
    renderPoint: (point, site) =>
      correct.renderPoint(
        { ...point, id: point.id.endsWith(ending) ? point.id.slice(0, -ending.length) : point.id },
        site,
      ),
  });
}
