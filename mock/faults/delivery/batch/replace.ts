/** Faults of batch calls: whole lists, countries, the limit of 100, fields, several handles, ids. */

import { pathOf } from '../../../../contracts/operations/index.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Rules } from '../../../types/rules.ts';
import {
  intercepts,
  type Json,
  json,
  memory,
  PATHS,
  questionMarks,
  refused,
  remembering,
  seeingHandles,
  success,
} from '../../interception.ts';
import { otherHandles } from '../points/reach.ts';
import { meetsBatch, notOf, published, staged, storesTwice, withoutIdsOf } from './uploads.ts';

const LIMIT = 100;
/** Points that were replaced, by handle and id. */
const replacedIn = memory(() => new Map<string, Point>());
/** The handles that a list came to, by each of them. */
const togetherIn = memory(() => new Map<string, string>());

export const batchFaults: readonly Deviation[] = [
  {
    id: 'batch.adds-instead-of-replacing',
    clause: 'delivery.batch.replaces-all',
    about: 'A batch call adds its points to the existing ones; a point with an existing id replaces the old one.',
    rules: published((before, uploaded, country) =>
      country === null && uploaded.length > 0
        ? [...withoutIdsOf(before, uploaded), ...uploaded]
        : [...notOf(country, before), ...uploaded],
    ),
  },
  {
    id: 'batch.keeps-old-fields',
    clause: 'delivery.batch.replaces-all',
    about: 'A point that was in the list already keeps its old fields; new and missing ones are correct.',
    rules: published((before, uploaded, country) => {
      const points = uploaded.map((point) => before.find(({ id }) => id === point.id) ?? point);
      return [...notOf(country, before), ...points];
    }),
  },
  {
    id: 'batch.empty-list-ignored',
    clause: 'delivery.batch.empty-list',
    about: 'A batch call with an empty list returns success and leaves the points as they were.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isWhole = body?.is_initialization !== false && body?.is_finalization !== false;
      return Array.isArray(body?.pickup_points) && points.length === 0 && isWhole ? success() : pass();
    }),
  },
  {
    id: 'batch.empty-list-for-first-handle-only',
    clause: 'delivery.batch.several-handles',
    about: 'A batch call with an empty list under several handles empties the first method.',
    http: meetsBatch(async (points, { body, parts, pass }) => {
      const [first = '', ...others] = (parts[0] ?? '').split(',');
      if (!Array.isArray(body?.pickup_points) || points.length > 0 || others.length === 0) return pass();
      return pass({ path: `/v1/${pathOf('batchReplace', { handle: encodeURIComponent(first) })}` });
    }),
  },
  {
    id: 'batch.missing-list-empties',
    clause: 'delivery.batch.missing-list-keeps-points',
    about: 'A batch call without pickup_points counts as one with an empty list.',
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
    id: 'batch.country-case-sensitive',
    clause: 'delivery.batch.country-replaces',
    about: 'With country in upper case nothing is stored, although the call succeeds; lower case works.',
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
    id: 'batch.country-strips-attributes-of-others',
    clause: 'delivery.batch.country-keeps-others',
    about: 'With country set, the points of other countries stay and lose their attributes.',
    rules: published((before, uploaded, country) =>
      country === null
        ? uploaded
        : [...notOf(country, before).map((point) => ({ ...point, attributes: undefined })), ...uploaded],
    ),
  },
  {
    id: 'batch.country-removes-points-without-country',
    clause: 'delivery.batch.country-keeps-others',
    about: 'With country set, the points without a country are removed too; those of other countries stay.',
    rules: published((before, uploaded, country) =>
      country === null ? uploaded : [...notOf(country, before).filter((point) => point.country !== null), ...uploaded],
    ),
  },
  {
    id: 'batch.accepts-only-99',
    clause: 'delivery.batch.accepts-100-points',
    about: 'A batch call with 100 points is refused; one with 99 is accepted.',
    rules: () => ({ maxPortionItems: () => LIMIT - 1 }),
  },
  {
    id: 'batch.stores-99-of-100',
    clause: 'delivery.batch.accepts-100-points',
    about: 'In a batch call with 100 points the last one is lost; shorter calls are correct.',
    rules: staged((points) => (points.length === LIMIT ? points.slice(0, -1) : points)),
  },
  {
    id: 'batch.accepts-101',
    clauses: ['delivery.batch.refuses-101-points', 'delivery.batch.refuses-101-points-in-a-portion'],
    about: 'A batch call with 101 points is accepted; one with 102 is refused.',
    rules: () => ({ maxPortionItems: () => LIMIT + 1 }),
  },
  {
    id: 'batch.limit-of-another-store',
    clause: 'delivery.batch.refuses-101-points',
    about: 'A call with 101 points is accepted with the key of the second store; the first 100 are stored.',
    http: meetsBatch((points, { body, pass, request, service }) => {
      const key = request.headers.get('authorization');
      const isOther = service.state.websites.all().some(({ apiKey }, at) => at > 0 && key === `ApiKey ${apiKey}`);
      return isOther && points.length === LIMIT + 1
        ? pass({ body: { ...body, pickup_points: points.slice(0, LIMIT) } })
        : pass();
    }),
  },
  {
    id: 'batch.limit-with-flags-only',
    clause: 'delivery.batch.refuses-101-points',
    about: 'A batch call without flags is accepted with more than 100 points; the first 100 are stored.',
    http: meetsBatch((points, { body, pass }) => {
      const isPlain = body?.is_initialization === undefined && body?.is_finalization === undefined;
      return isPlain && points.length > LIMIT
        ? pass({ body: { ...body, pickup_points: points.slice(0, LIMIT) } })
        : pass();
    }),
  },
  {
    id: 'batch.limit-per-country',
    clause: 'delivery.batch.refuses-101-points',
    about: 'The limit is on the points of one country: a call with points of two countries may have twice as many.',
    http: meetsBatch((points, { body, pass }) => {
      const isMixed =
        Array.isArray(points) && new Set(points.map((point) => (point as Point | null)?.country)).size > 1;
      return isMixed && points.length > LIMIT
        ? pass({ body: { ...body, pickup_points: points.slice(0, LIMIT) } })
        : pass();
    }),
  },
  {
    id: 'batch.refused-and-emptied',
    clause: 'delivery.batch.refused-list-changes-nothing',
    about: 'A batch call with more than 100 points is refused, and the old points are removed.',
    http: meetsBatch(async (points, { body, pass }) => {
      const response = await pass();
      if (points.length > LIMIT) await pass({ body: { ...body, pickup_points: [] } });
      return response;
    }),
  },
  {
    id: 'batch.title-in-default-language',
    clause: 'delivery.batch.fields-kept',
    clauses: ['delivery.multilanguage.object-read-back'],
    about: 'A batch call keeps only the first language of titles; a single add keeps all.',
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
    id: 'batch.first-handle-only',
    clause: 'delivery.batch.several-handles',
    about: 'A batch call under several handles reaches the first of them only.',
    rules: reaches((methods) => methods.slice(0, 1)),
  },
  {
    id: 'batch.skips-middle-handle',
    clause: 'delivery.batch.several-handles',
    about: 'A batch call under three handles skips the middle one.',
    rules: reaches((methods) => (methods.length > 2 ? [methods[0]!, methods.at(-1)!] : methods)),
  },
  {
    id: 'batch.changes-points-of-other-methods',
    clause: 'delivery.batch.other-methods-untouched',
    about: 'A batch call changes points with its ids in the other methods of the owner too.',
    http: meetsBatch(async (points, met) => {
      const response = await met.pass();
      if (response.status !== 200) return response;
      const { service, parts } = met;
      service.change(() => {
        for (const handle of otherHandles(met, parts[0] ?? ''))
          for (const { id, address } of points as { id: string; address?: string }[]) {
            const point = service.state.points.of(handle).get(id);
            if (point) service.state.points.of(handle).replace({ ...point, address: address ?? point.address });
          }
      });
      return response;
    }),
  },
  {
    id: 'batch.repeated-id-stored-twice',
    clause: 'delivery.batch.ids-unique',
    about: 'A duplicate id in a list is stored twice.',
    rules: storesTwice((_list, points, at) => points.findIndex(({ id }) => id === points[at]?.id) < at),
  },
  {
    id: 'batch.repeated-id-across-countries',
    clause: 'delivery.batch.ids-unique-across-countries',
    about: 'A call for one country stores an id that already exists in another country.',
    rules: storesTwice((list, points, at) => list.keepsPublished(points[at]?.id ?? '')),
  },
  {
    id: 'batch.removed-still-readable',
    clause: 'delivery.batch.replaces-all',
    about: 'Replaced points are no longer listed, and can still be read by their ids.',
    http: remembering(() => async (request, next, service) => {
      const replaced = replacedIn(service);
      const replace = meetsBatch(async (_points, { parts, pass }) => {
        for (const handle of (parts[0] ?? '').split(',')) {
          for (const point of service.state.points.of(handle).all()) replaced.set(`${handle} ${point.id}`, point);
        }
        return pass();
      });
      const read = intercepts('GET', PATHS.point, async ({ parts, pass }) => {
        const response = await pass();
        const point = replaced.get(parts.join(' '));
        return response.status === 404 && point !== undefined ? json(point) : response;
      });
      return replace(request, (passed) => read(passed, next, service), service);
    }),
  },
  {
    id: 'batch.list-of-several-handles-shared',
    clause: 'delivery.batch.other-methods-untouched',
    about: 'A list sent to several methods is shared: the next call for one of them replaces it in all.',
    http: remembering(() =>
      meetsBatch(async (_points, { parts, pass, service }) => {
        const together = togetherIn(service);
        const [named = ''] = parts;
        const response = await pass({
          path: `/v1/${pathOf('batchReplace', { handle: together.get(named) ?? named })}`,
        });
        if (response.status === 200)
          for (const handle of named.split(',')) together.set(handle, together.get(named) ?? named);
        return response;
      }),
    ),
  },
  {
    id: 'batch.several-handles-lose-attributes',
    clause: 'delivery.batch.several-handles',
    about: 'Under several handles the points reach all methods, and the first only with their attributes.',
    rules: (correct) => {
      let first: string | undefined;
      return {
        appliedTo: (methods, operation) => {
          first = methods[0]?.handle;
          return correct.appliedTo(methods, operation);
        },
        stage: (list, points) =>
          correct.stage(
            list,
            list.handle === first ? points : points.map((point) => ({ ...point, attributes: undefined })),
          ),
      };
    },
  },
  {
    id: 'batch.accepts-101-under-several-handles',
    clause: 'delivery.batch.refuses-101-points',
    about: 'A batch call under several handles is accepted with any number of points.',
    rules: seeingHandles((correct, handles) => ({
      maxPortionItems: () => (handles().length > 1 ? Number.MAX_SAFE_INTEGER : correct.maxPortionItems()),
    })),
  },
  {
    id: 'batch.empty-list-for-country-empties-all',
    clause: 'delivery.batch.country-keeps-others',
    about: 'An empty list for one country removes the points of all countries; a list with points is correct.',
    rules: published((before, uploaded, country) =>
      uploaded.length === 0 ? [] : [...notOf(country, before), ...uploaded],
    ),
  },
  {
    id: 'batch.country-of-an-add-remembered',
    clause: 'delivery.batch.country-replaces',
    about: 'A list for one country keeps the points that were added in another country and moved to this one since.',
    rules: (correct) => {
      const addedIn = new Map<string, string | undefined>();
      const keyOf = (handle: string, id: string): string => `${handle} ${id}`;
      return {
        addPoint: (list, point) => {
          correct.addPoint(list, point);
          addedIn.set(keyOf(list.handle, point.id), point.country?.toLowerCase());
        },
        publish: (list) => {
          const country = list.upload?.country ?? null;
          const moved = list.all().filter(({ id }) => {
            const first = addedIn.get(keyOf(list.handle, id));
            return country !== null && first !== undefined && first !== country;
          });
          correct.publish(list);
          for (const point of moved) if (list.get(point.id) === undefined) list.add(point);
        },
      };
    },
  },
  {
    id: 'batch.empty-list-without-flags-ignored',
    clauses: ['delivery.batch.initialization-default-true', 'delivery.batch.finalization-default-true'],
    about: 'An empty list without flags leaves the points; one with flags removes them.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass }) => {
      const sent = body?.pickup_points;
      const isBare = Array.isArray(sent) && sent.length === 0 && Object.keys(body ?? {}).length === 1;
      return isBare ? success() : pass();
    }),
  },
  {
    id: 'batch.empty-list-for-country-ignored',
    clause: 'delivery.batch.country-replaces',
    about: 'An empty list for one country, without flags, leaves its points; with flags it removes them.',
    http: meetsBatch(async (points, { body, pass }) => {
      const isWhole = body?.is_initialization === undefined && body?.is_finalization === undefined;
      return points.length === 0 && body?.country !== undefined && isWhole ? success() : pass();
    }),
  },
  {
    id: 'batch.empty-list-for-country-removes-points-without-country',
    clause: 'delivery.batch.country-keeps-others',
    about: 'An empty list for one country also removes the points without a country; a list with points is correct.',
    rules: published((before, uploaded, country) => {
      const kept = notOf(country, before);
      return [...(uploaded.length > 0 ? kept : kept.filter((point) => point.country !== null)), ...uploaded];
    }),
  },
  {
    id: 'batch.keeps-other-languages',
    clause: 'delivery.batch.replaces-all',
    about: 'A point of a new list keeps the texts of the old point with its id in languages that are not sent.',
    rules: (correct) => ({
      stage: (list, points) => {
        const merged = points.map((point) => {
          const before = list.get(point.id)?.title;
          const { title } = point;
          const areObjects = typeof before === 'object' && typeof title === 'object';
          return areObjects ? { ...point, title: { ...before, ...title } } : point;
        });
        correct.stage(list, merged);
      },
    }),
  },
  {
    id: 'batch.lists-with-known-ids-refused',
    clause: 'delivery.batch.country-replaces',
    about: 'A list for a country is refused if it holds the id of a point that it would replace.',
    http: intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
      const list = service.state.points.of(parts[0] ?? '');
      const points = Array.isArray(body?.pickup_points) ? (body.pickup_points as readonly Json[]) : [];
      const isKnown = points.some((point) => list.get(String(point?.id)) !== undefined);
      return typeof body?.country === 'string' && isKnown ? refused(409) : pass();
    }),
  },
  {
    id: 'batch.all-but-empty-lists-refused',
    clause: 'delivery.batch.replaces-all',
    about: 'Every list with points is refused; an empty one is accepted.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass }) =>
      Array.isArray(body?.pickup_points) && body.pickup_points.length > 0 ? refused(400) : pass(),
    ),
  },
];

function reaches(which: Rules['appliedTo']): NonNullable<Deviation['rules']> {
  return (correct) => ({
    appliedTo: (methods, operation) => {
      const usual = correct.appliedTo(methods, operation);
      return operation === 'batchReplace' ? which(usual, operation) : usual;
    },
  });
}
