/** Faults of calls that two owners make at the same time: what belongs to one call is kept in one place for all. */
import { setTimeout } from 'node:timers/promises';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, MOMENT_MS, memory, PATHS, remembering } from '../../interception.ts';

interface LatestCall {
  readonly path: string;
  readonly authorization: string;
}

/** The latest call of these: read again after a moment, it may be another one. */
const asLatest = (method: string, path: (typeof PATHS)[keyof typeof PATHS]): NonNullable<Deviation['http']> =>
  remembering(() => {
    const latest = memory((): { call?: LatestCall } => ({}));
    return intercepts(method, path, async ({ request, pass, service }) => {
      const own = { path: new URL(request.url).pathname, authorization: request.headers.get('authorization') ?? '' };
      latest(service).call = own;
      await setTimeout(MOMENT_MS);
      const call = latest(service).call ?? own;
      return call.authorization === own.authorization
        ? pass()
        : pass({ path: call.path, headers: { authorization: call.authorization } });
    });
  });

export const simultaneousOwnerFaults: readonly Deviation[] = [
  {
    id: 'owners.creates-at-once-mixed-up',
    clause: 'delivery.owner.methods-not-listed',
    about: 'Methods that two owners create at the same time both come to the owner who called last.',
    http: asLatest('POST', PATHS.newMethod),
  },
  {
    id: 'owners.lists-of-points-at-once-mixed-up',
    clause: 'delivery.owner.points-not-readable',
    about: 'Two owners who list points at the same time both get the points of the one who called last.',
    http: asLatest('GET', PATHS.points),
  },
];
