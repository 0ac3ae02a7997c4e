/** Faults of uploads that are lost or ended, because another call came between their portions. */
import type { PointList } from '../../../storage/point-list.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, PATHS } from '../../interception.ts';

const FINAL = 'delivery.batch.finalization-publishes';

/** Forgets what is staged, but not that an upload was begun: the next portion is accepted. */
const forget = (list: PointList): void => list.begin(null);

/** Ends the upload: the next portion is refused. */
const discard = (list: PointList): void => list.discard();

/** Does so to every upload that has begun. */
const endsUploads = (
  method: string,
  path: RegExp,
  end: (list: PointList) => void = forget,
): NonNullable<Deviation['http']> =>
  intercepts(method, path, async ({ pass, service }) => {
    const response = await pass();
    service.change(() => {
      for (const { handle } of service.state.methods.all()) {
        const list = service.state.points.of(handle);
        if (list.staged().length > 0) end(list);
      }
    });
    return response;
  });

export const endedUploadFaults: readonly Deviation[] = [
  {
    id: 'batch.upload-lost-by-read-of-method',
    clause: FINAL,
    about: 'Reading a method discards the portions that were sent so far.',
    http: endsUploads('GET', PATHS.method),
  },
  {
    id: 'batch.upload-ended-by-read-of-method',
    clause: FINAL,
    about: 'Reading a method ends all uploads, so that the next portion of each is refused.',
    http: endsUploads('GET', PATHS.method, discard),
  },
  {
    id: 'batch.upload-lost-by-new-point',
    clause: FINAL,
    about: 'A point that is added to any method discards the portions that were sent so far.',
    http: endsUploads('POST', PATHS.newPoint),
  },
  {
    id: 'batch.upload-lost-by-deleted-method',
    clause: FINAL,
    about: 'Deleting a method discards the portions of the uploads of all others.',
    http: endsUploads('DELETE', PATHS.method),
  },
];
