/** Faults of lists sent in portions: when points are listed, and the meaning of the two flags. */

import { setTimeout } from 'node:timers/promises';
import { MAX_PORTION_ITEMS } from '../../../../contracts/lists/portions.ts';
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import {
  intercepts,
  json,
  MOMENT_MS,
  memory,
  PATHS,
  refused,
  remembering,
  seeingHandles,
  success,
} from '../../interception.ts';
import { meetsBatch, notOf, staged, storesTwice, withoutIdsOf } from './uploads.ts';

const EARLY = 'delivery.batch.unlisted-until-final-portion';

/** Lists the points of each portion of such uploads at once, with the old ones. */
const listsAtOnce =
  (isMeant: (list: PointList) => boolean): NonNullable<Deviation['rules']> =>
  (correct) => ({
    stage: (list, points) => {
      correct.stage(list, points);
      if (isMeant(list)) list.rewrite([...withoutIdsOf(list.all(), points), ...points]);
    },
  });

export const portionFaults: readonly Deviation[] = [
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
    id: 'batch.limit-on-first-portion-only',
    clause: 'delivery.batch.refuses-101-points-in-a-portion',
    about: 'A later portion is accepted with any number of points.',
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
    id: 'batch.publishes-each-portion',
    clause: EARLY,
    about:
      'The points of each portion are listed at once with the old ones; after the final portion the list is correct.',
    rules: listsAtOnce(() => true),
  },
  {
    id: 'batch.publishes-middle-portions',
    clause: EARLY,
    about: 'A middle portion publishes the points so far; the first one does not.',
    rules: (correct) => ({
      stage: (list, points) => {
        const isMiddle = list.staged().length > 0;
        correct.stage(list, points);
        if (isMiddle && list.upload?.country === null) list.rewrite(list.staged());
      },
    }),
  },
  {
    id: 'batch.publishes-full-buffer',
    clause: EARLY,
    about:
      'An upload is published when it has 300 points, and goes on; smaller ones are listed after their final portion.',
    rules: (correct) => ({
      stage: (list, points) => {
        correct.stage(list, points);
        if (list.staged().length >= 300 && list.upload?.country === null) list.rewrite(list.staged());
      },
    }),
  },
  {
    id: 'batch.uploads-listed-in-reverse',
    clause: EARLY,
    about: 'With desc=1 the points of an open upload are listed; in the usual order they are not.',
    http: intercepts('GET', PATHS.points, async ({ pass, parts, request, service }) => {
      const response = await pass();
      const uploaded = service.state.points.of(parts[0] ?? '').staged();
      if (response.status !== 200 || !new URL(request.url).searchParams.has('desc')) return response;
      const body = (await response.json()) as { readonly pickup_points: unknown[] };
      const size = Math.max(body.pickup_points.length, uploaded.length);
      return json({ ...body, pickup_points: [...uploaded, ...body.pickup_points].slice(0, size) });
    }),
  },
  {
    id: 'batch.country-uploads-listed-at-once',
    clause: EARLY,
    about: 'The portions of an upload for one country are listed at once; those of a whole list are not.',
    rules: listsAtOnce(({ upload }) => upload?.country !== null),
  },
  {
    id: 'batch.uploads-of-several-listed-at-once',
    clause: EARLY,
    about: 'The portions of an upload under several handles are listed at once; those for one method are not.',
    rules: seeingHandles((correct, handles) => listsAtOnce(() => handles().length > 1)(correct)),
  },
  {
    id: 'batch.publishes-last-portion-only',
    clause: 'delivery.batch.finalization-publishes',
    about: 'Only the final portion of an upload is published.',
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
    id: 'batch.loses-points-after-200',
    clause: 'delivery.batch.finalization-publishes',
    about: 'In a list sent in portions, the points after the 200th are lost.',
    rules: staged((points, list) => points.slice(0, Math.max(0, 200 - list.staged().length))),
  },
  {
    id: 'batch.empty-portion-ends-upload',
    clause: 'delivery.batch.finalization-publishes',
    about: 'An empty middle portion discards the points so far; empty first and final portions are correct.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isMiddle = body?.is_initialization === false && body.is_finalization === false;
      return pass(points.length === 0 && isMiddle ? { body: { ...body, is_initialization: true } } : {});
    }),
  },
  {
    id: 'batch.full-final-portion-unpublished',
    clause: 'delivery.batch.accepts-100-points',
    about:
      'A final portion with exactly 100 points is taken for one of several and publishes nothing; smaller ones do.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isFull = points.length === MAX_PORTION_ITEMS && body?.is_initialization === false;
      return pass(isFull && body.is_finalization === true ? { body: { ...body, is_finalization: false } } : {});
    }),
  },
  {
    id: 'batch.limit-counts-upload',
    clause: 'delivery.batch.accepts-100-points',
    about: 'The limit of 100 points applies to all portions of an upload together; other calls may add more.',
    http: remembering(() => {
      const sent = memory(() => new Map<string, number>());
      return meetsBatch(async (points, { body, parts, pass, service }) => {
        const counts = sent(service);
        const key = parts[0] ?? '';
        const before = body?.is_initialization === false ? (counts.get(key) ?? 0) : 0;
        if (before > 0 && before + points.length > MAX_PORTION_ITEMS) return refused(400);
        counts.set(key, before + points.length);
        return pass();
      });
    }),
  },
  {
    id: 'batch.portions-added-to-old',
    clause: 'delivery.batch.finalization-publishes',
    about: 'A list sent in portions is added to the old points; a single call replaces them.',
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
    about: 'Every second read of a list that was sent in portions shows the old points; the other reads are correct.',
    http: remembering(() => {
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
          const path = `/v1/${pathOf('listPoints', { handle: named })}`;
          const before = ends && !named.includes(',') ? await pass({ method: 'GET', path }) : undefined;
          const response = await pass();
          if (before?.status === 200 && response.status === 200)
            old.set(named, { body: await before.json(), reads: 0 });
          return response;
        })(request, next, service);
      };
    }),
  },
  {
    id: 'batch.initialization-does-not-discard',
    clause: 'delivery.batch.initialization-discards-unfinished',
    about: 'A new first portion continues an unfinished upload instead of discarding it.',
    rules: (correct) => ({
      beginUpload: (list, country) => {
        if (list.upload === null || list.staged().length === 0) correct.beginUpload(list, country);
      },
    }),
  },
  {
    id: 'batch.initialization-default-false',
    clause: 'delivery.batch.initialization-default-true',
    about: 'A call without is_initialization continues an open upload, and begins one only if none is open.',
    http: remembering(() => {
      const open = new Set<string>();
      return meetsBatch(async (_points, { body, parts, pass }) => {
        const key = parts[0] ?? '';
        const goesOn = body?.is_initialization === undefined && open.has(key);
        const response = await pass(goesOn ? { body: { ...body, is_initialization: false } } : {});
        if (response.status === 200) open[body?.is_finalization === false ? 'add' : 'delete'](key);
        return response;
      });
    }),
  },
  {
    id: 'batch.initialization-default-refused',
    clause: 'delivery.batch.initialization-default-true',
    about: 'A call without is_initialization counts as a later portion, and is refused if no upload is open.',
    rules: () => ({ isInitialization: (sent) => sent ?? false }),
  },
  {
    id: 'batch.finalization-default-false',
    clause: 'delivery.batch.finalization-default-true',
    about: 'A call without is_finalization publishes nothing.',
    rules: () => ({ isFinalization: (sent) => sent ?? false }),
  },
  {
    id: 'batch.later-portions-for-first-handle-only',
    clause: 'delivery.batch.several-handles-in-portions',
    about: 'Later portions are stored only for the first of several handles; all handles are published.',
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
    id: 'batch.repeated-id-across-portions',
    clause: 'delivery.batch.ids-unique-across-portions',
    about: 'An id in two portions is stored twice; within one call it is refused.',
    rules: storesTwice((list, points, at) => list.isStaged(points[at]?.id ?? '')),
  },
  {
    id: 'batch.later-portions-lose-attributes',
    clause: 'delivery.batch.fields-kept',
    about: 'Points of the portions after the first lose their attributes.',
    rules: staged((points, list) =>
      list.staged().length === 0 ? points : points.map((point) => ({ ...point, attributes: undefined })),
    ),
  },
  {
    id: 'batch.upload-ended-by-another-method',
    clause: 'delivery.batch.other-methods-untouched',
    about: 'A list for one method publishes the unfinished upload of another method.',
    http: meetsBatch(async (_points, { body, parts, pass, service }) => {
      const response = await pass();
      if (response.status !== 200 || body?.is_finalization === false) return response;
      service.change(() => {
        for (const handle of service.state.points.handles()) {
          const list = service.state.points.of(handle);
          if (list.upload !== null && !(parts[0] ?? '').split(',').includes(handle)) list.publish();
        }
      });
      return response;
    }),
  },
  {
    id: 'batch.empty-first-portion-ignored',
    clause: 'delivery.batch.finalization-publishes',
    about: 'An empty first portion returns success and starts no list.',
    http: meetsBatch(async (points, { body, pass }) =>
      points.length === 0 && body?.is_finalization === false ? success() : pass(),
    ),
  },
  {
    id: 'batch.empty-final-portion-ignored',
    clause: 'delivery.batch.finalization-publishes',
    about: 'An empty final portion returns success and publishes nothing.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isLast = body?.is_initialization === false && body?.is_finalization !== false;
      return isLast && points.length === 0 ? success() : pass();
    }),
  },
  {
    id: 'batch.empty-final-portion-for-country-ignored',
    clause: 'delivery.batch.country-in-portions',
    about:
      'An empty final portion for one country returns success and publishes nothing; one for the whole list is correct.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isLast = body?.is_initialization === false && body?.is_finalization !== false;
      return isLast && points.length === 0 && body?.country !== undefined ? success() : pass();
    }),
  },
  {
    id: 'batch.refused-portion-stored-in-part',
    clause: 'delivery.batch.refused-list-changes-nothing',
    about: 'A later portion with more than 100 points is refused, and its first point is published with the others.',
    http: meetsBatch(async (points, { body, pass }) => {
      const response = await pass();
      const isMiddle = body?.is_initialization === false && body?.is_finalization === false;
      if (isMiddle && points.length > 100) await pass({ body: { ...body, pickup_points: points.slice(0, 1) } });
      return response;
    }),
  },
  {
    id: 'batch.lists-at-once-lost',
    clause: 'delivery.batch.other-methods-untouched',
    about:
      'Of two batch calls of one owner that arrive together, for whichever methods, the second returns success and does nothing.',
    http: remembering(() => {
      const serving = new Set<string | null>();
      return meetsBatch(async (_points, { pass, request }) => {
        const key = request.headers.get('authorization');
        if (serving.has(key)) return success();
        serving.add(key);
        await setTimeout(MOMENT_MS);
        const response = await pass();
        serving.delete(key);
        return response;
      });
    }),
  },
  {
    id: 'batch.takes-101-of-a-provider',
    clause: 'delivery.batch.refuses-101-points-in-a-portion',
    about:
      'A portion with 101 points is accepted with the key of a delivery provider; with that of a store it is refused.',
    http: meetsBatch(async (points, { body, pass, request, service }) => {
      const key = request.headers.get('authorization');
      const isProviders = service.state.providers.all().some(({ apiKey }) => key === `ApiKey ${apiKey}`);
      return pass(
        isProviders && points.length === 101 ? { body: { ...body, pickup_points: points.slice(0, 100) } } : {},
      );
    }),
  },
];
