/** Faults of one form of a call for one kind of owner: the same form is correct with the key of the first store. */
import type { Deviation } from '../../../types/deviation.ts';
import type { MockService } from '../../../types/service.ts';
import { intercepts, PATHS } from '../../interception.ts';

type Kind = 'provider' | 'second store';

/** Whether the first of the handles in a path is that of a method of such an owner. */
function belongsTo(kind: Kind, service: MockService, segment: string): boolean {
  const [handle = ''] = segment.split(',');
  const owner = service.state.methods.get(handle)?.owner;
  if (owner === undefined) return false;
  const [first] = service.state.websites.all();
  return owner.startsWith('provider:')
    ? kind === 'provider'
    : kind === 'second store' && owner !== `website:${first?.id}`;
}

export const formOfOwnerFaults: readonly Deviation[] = [
  {
    id: 'owners.second-store-country-ignored',
    clause: 'delivery.credentials.private-key-accepted',
    about: 'A list for a country replaces all points of a method of a second store.',
    http: intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
      if (body?.country === undefined || !belongsTo('second store', service, parts[0] ?? '')) return pass();
      const { country: _, ...rest } = body;
      return pass({ body: rest });
    }),
  },
  {
    id: 'owners.second-store-middle-portion-lost',
    clause: 'delivery.credentials.private-key-accepted',
    about: 'The middle portion of an upload for a method of a second store is not stored.',
    http: intercepts('POST', PATHS.batch, async ({ body, parts, pass, service }) => {
      const isMiddle = body?.is_initialization === false && body.is_finalization === false;
      if (!isMiddle || !belongsTo('second store', service, parts[0] ?? '')) return pass();
      return pass({ body: { ...body, pickup_points: [] } });
    }),
  },
  {
    id: 'owners.provider-points-never-reversed',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'The points of a method of a delivery provider are listed in one order, with and without desc.',
    http: intercepts('GET', PATHS.points, async ({ parts, pass, request, service }) => {
      if (!belongsTo('provider', service, parts[0] ?? '')) return pass();
      const query = new URL(request.url).searchParams;
      query.delete('desc');
      return pass({ search: query.size === 0 ? '' : `?${query}` });
    }),
  },
];
