/** Faults of uploads that share something with uploads of other methods, or with what was deleted before. */

import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { MockService } from '../../../types/service.ts';
import { type InterceptedRequest, intercepts, PATHS, refused } from '../../interception.ts';

const FINAL = 'delivery.batch.finalization-publishes';

/** The lists of methods that a call does not name, of the same owner or of others. */
function otherLists(service: MockService, handles: readonly string[], whose: 'own' | 'foreign'): PointList[] {
  const { methods, points } = service.state;
  const owner = methods.get(handles[0] ?? '')?.owner;
  return methods
    .filter((method) => !handles.includes(method.handle) && (method.owner === owner) === (whose === 'own'))
    .map(({ handle }) => points.of(handle));
}

/** Changes other lists after a batch call that was served. */
const afterBatch = (
  isMeant: (body: InterceptedRequest['body']) => boolean,
  whose: 'own' | 'foreign',
  change: (others: readonly PointList[], removed: readonly string[]) => void,
): NonNullable<Deviation['http']> =>
  intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
    const handles = (parts[0] ?? '').split(',');
    const idsNow = (): string[] =>
      handles.flatMap((handle) =>
        service.state.points
          .of(handle)
          .all()
          .map(({ id }) => id),
      );
    const before = idsNow();
    const response = await pass();
    if (response.status !== 200 || !isMeant(body)) return response;
    const after = new Set(idsNow());
    service.change(() =>
      change(
        otherLists(service, handles, whose),
        before.filter((id) => !after.has(id)),
      ),
    );
    return response;
  });

export const otherUploadFaults: readonly Deviation[] = [
  {
    id: 'batch.last-portion-for-several-refused',
    clause: 'delivery.batch.several-handles-in-portions',
    about: 'The final portion of an upload under several handles is refused, because the first of them has ended it.',
    http: intercepts('POST', PATHS.batch, async ({ body, parts: [handles = ''], pass }) =>
      handles.includes(',') && body?.is_initialization === false && body.is_finalization !== false
        ? refused(409, 'No list was started.')
        : pass(),
    ),
  },
  {
    id: 'batch.upload-removes-ids-of-other-owners',
    clause: 'delivery.owner.points-not-replaceable',
    about: 'A list also removes the points that it replaces, by their ids, from methods of other owners.',
    http: afterBatch(
      (body) => body?.is_finalization !== false,
      'foreign',
      (others, removed) => {
        for (const list of others) for (const id of removed) list.remove(id);
      },
    ),
  },
  {
    id: 'batch.upload-ended-by-another-owner',
    clause: FINAL,
    about: 'A first portion of one owner discards the unfinished uploads of others, whose next portions are refused.',
    http: afterBatch(
      (body) => body?.is_finalization === false && body.is_initialization !== false,
      'foreign',
      (others) => {
        for (const list of others) list.discard();
      },
    ),
  },
  {
    id: 'batch.upload-emptied-by-another-method',
    clause: 'delivery.batch.other-methods-untouched',
    about:
      'A first portion for one method empties the unfinished uploads of others, which go on with their next portions.',
    http: afterBatch(
      (body) => body?.is_finalization === false && body.is_initialization !== false,
      'own',
      (others) => {
        for (const list of others) if (list.upload !== null) list.begin(list.upload.country);
      },
    ),
  },
  {
    id: 'batch.upload-loses-deleted-ids',
    clause: FINAL,
    about: 'Portions lose points whose ids were deleted before; a whole list keeps them.',
    rules: (correct) => {
      const deleted = new WeakMap<PointList, Set<string>>();
      let isWhole = false;
      return {
        removePoint: (list, id) => {
          deleted.set(list, (deleted.get(list) ?? new Set()).add(id));
          correct.removePoint(list, id);
        },
        isInitialization: (sent) => {
          isWhole = correct.isInitialization(sent);
          return isWhole;
        },
        isFinalization: (sent) => {
          isWhole &&= correct.isFinalization(sent);
          return correct.isFinalization(sent);
        },
        stage: (list, points) =>
          correct.stage(list, isWhole ? points : points.filter(({ id }) => deleted.get(list)?.has(id) !== true)),
      };
    },
  },
];
