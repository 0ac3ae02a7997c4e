/** Building blocks for faults in which calls for pickup points find or change other points than the named ones. */
import { pathOf } from '../../../../contracts/operations/index.ts';
import type { Deviation } from '../../../types/deviation.ts';
import { type InterceptedRequest, intercepts, PATHS } from '../../interception.ts';

/** A call for one point finds it by a different id. */
export const findsUnderId = (idOf: (sent: string, ids: readonly string[]) => string): NonNullable<Deviation['http']> =>
  intercepts('*', PATHS.point, async ({ parts, pass, service }) => {
    const [handle = '', sent = ''] = parts;
    const ids = handle.split(',').flatMap((one) =>
      service.state.points
        .of(one)
        .all()
        .map(({ id }) => id),
    );
    return pass({ path: pointPath(handle, idOf(sent, ids)) });
  });

export const pointPath = (handle: string, id: string): string =>
  `/v1/${pathOf('readPoint', { handle: handle.split(',').map(encodeURIComponent).join(','), point: encodeURIComponent(id) })}`;

/** Calls with this method for one point that also change other points of the same owner. */
export const alsoReaches = (
  method: 'PUT' | 'DELETE',
  others: (met: InterceptedRequest, handle: string, id: string) => { handle: string; id: string }[],
): NonNullable<Deviation['http']> =>
  intercepts(method, PATHS.point, async (met) => {
    const [handle = '', id = ''] = met.parts;
    const reached = others(met, handle, id);
    const response = await met.pass();
    if (response.status === 200)
      for (const other of reached) await met.pass({ path: pointPath(other.handle, other.id) });
    return response;
  });

/** Ids of the other points of a method. */
const idsBeside = ({ service }: InterceptedRequest, handle: string, id: string): string[] =>
  service.state.points
    .of(handle)
    .all()
    .map((point) => point.id)
    .filter((other) => other !== id);

/** Handles of the other methods of the same owner. */
export const otherHandles = ({ service }: InterceptedRequest, handle: string): string[] => {
  const { methods } = service.state;
  const owner = methods.get(handle)?.owner;
  return methods.filter((method) => method.owner === owner && method.handle !== handle).map((method) => method.handle);
};

/** Other points of the method whose ids begin with the given one. */
export const sameBeginning = (met: InterceptedRequest, handle: string, id: string): { handle: string; id: string }[] =>
  idsBeside(met, handle, id)
    .filter((other) => other.startsWith(id))
    .map((other) => ({ handle, id: other }));
