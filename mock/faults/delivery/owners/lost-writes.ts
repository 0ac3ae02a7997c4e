/** Faults of writes that are served and lost, or damaged, for one kind of owner only. */
import { isObject } from '../../../http/request.ts';
import type { Deviation, Http } from '../../../types/deviation.ts';
import { type InterceptedRequest, intercepts, PATHS, questionMarks, success } from '../../interception.ts';

const keyIn = ({ request, service }: InterceptedRequest): string | null =>
  service.rules.apiKeyOf(request.headers.get('authorization'));

/** Whether a call carries the key of a store other than the first one. */
const isOfOtherStore = (met: InterceptedRequest): boolean =>
  met.service.state.websites.all().findIndex(({ apiKey }) => apiKey === keyIn(met)) > 0;

const isOfProvider = (met: InterceptedRequest): boolean =>
  met.service.state.providers.find(({ apiKey }) => apiKey === keyIn(met)) !== undefined;

const lostForOtherStores = (path: RegExp): Http =>
  intercepts('PUT', path, async (met) => (isOfOtherStore(met) ? success() : met.pass()));

const inAscii = (value: unknown): unknown => {
  if (typeof value === 'string') return questionMarks(value);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inAscii(member)]));
};

export const lostWriteFaults: readonly Deviation[] = [
  {
    id: 'owners.other-store-updates-of-methods-lost',
    clause: 'delivery.credentials.private-key-accepted',
    about: 'Updates of methods are served and lost for every store but the first.',
    http: lostForOtherStores(PATHS.method),
  },
  {
    id: 'owners.other-store-updates-of-points-lost',
    clause: 'delivery.credentials.private-key-accepted',
    about: 'Updates of points are served and lost for every store but the first.',
    http: lostForOtherStores(PATHS.point),
  },
  {
    id: 'owners.provider-deletes-of-methods-lost',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'Deletes of methods are served and lost for delivery providers.',
    http: intercepts('DELETE', PATHS.method, async (met) => (isOfProvider(met) ? success() : met.pass())),
  },
  {
    id: 'owners.provider-lists-in-ascii',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'Lists of points that delivery providers send lose their letters outside ASCII.',
    http: intercepts('POST', PATHS.batch, async (met) => {
      const points = met.body?.pickup_points;
      if (!isOfProvider(met) || !Array.isArray(points)) return met.pass();
      return met.pass({ body: { ...met.body, pickup_points: points.map(inAscii) } });
    }),
  },
];
