/** Faults of ownership: objects of another store or provider can be read or changed. */
import { type OperationsOf, pathOf } from '../../../../contracts/operations/index.ts';
import { ownerOf } from '../../../state/state.ts';
import type { Deviation } from '../../../types/deviation.ts';
import {
  type InterceptedRequest,
  intercepts,
  type Json,
  json,
  memory,
  PATHS,
  remembering,
  seeingHandles,
  success,
} from '../../interception.ts';
import { withoutIdsOf } from '../batch/uploads.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** Any key may do this with any method. */
const open = (operation: OperationsOf<'delivery'>): MakesRules => {
  return (correct) => ({
    ownerMayRead: (owner, method, asked) => asked === operation || correct.ownerMayRead(owner, method, asked),
    ownerMayChange: (owner, method, asked) => asked === operation || correct.ownerMayChange(owner, method, asked),
  });
};

/** Whether a call carries a provider's key. */
const isOfProvider = ({ request, service }: InterceptedRequest): boolean => {
  const header = request.headers.get('authorization');
  return service.state.providers.find(({ apiKey }) => header === `ApiKey ${apiKey}`) !== undefined;
};

export const isOfProviderMethod = ({ parts: [handle = ''], service }: InterceptedRequest): boolean =>
  service.state.methods.get(handle)?.owner.startsWith('provider:') === true;

/** Passes a call with the key of a store or provider on with the key of the method's owner. */
export function passAsOwner(met: InterceptedRequest): Promise<Response> {
  const { parts, pass, request, service } = met;
  const { methods, websites } = service.state;
  const isStore = websites.find(({ apiKey }) => request.headers.get('authorization') === `ApiKey ${apiKey}`);
  const method = methods.get((parts[0] ?? '').split(',')[0] ?? '');
  const key = method && ownerOf(service.state, method.owner)?.apiKey;
  if (key === undefined || (isStore === undefined && !isOfProvider(met))) return pass();
  return pass({ headers: { authorization: `ApiKey ${key}` } });
}

/** What its owner has read is kept under its address, and given to the key of any store or provider. */
const keptForAll = (path: (typeof PATHS)[keyof typeof PATHS]): NonNullable<Deviation['http']> =>
  remembering(() => {
    const kept = memory(() => new Set<string>());
    return intercepts('GET', path, async (met) => {
      const { pathname, search } = new URL(met.request.url);
      const response = await met.pass();
      if (response.status === 200) kept(met.service).add(pathname + search);
      return response.status !== 200 && kept(met.service).has(pathname + search) ? passAsOwner(met) : response;
    });
  });

export const ownerFaults: readonly Deviation[] = [
  {
    id: 'owners.method-cached-for-all',
    clause: 'delivery.owner.methods-not-readable',
    about: 'A method that its owner has read is returned from a cache to any store or provider.',
    http: keptForAll(PATHS.method),
  },
  {
    id: 'owners.points-cached-for-all',
    clause: 'delivery.owner.points-not-readable',
    about: 'A list of points that the owner has read is returned from a cache to any store or provider.',
    http: keptForAll(PATHS.points),
  },
  {
    id: 'owners.point-cached-for-all',
    clause: 'delivery.owner.points-not-readable',
    about: 'A point that the owner has read is returned from a cache to any store or provider.',
    http: keptForAll(PATHS.point),
  },
  {
    id: 'owners.all-methods-listed',
    clause: 'delivery.owner.methods-not-listed',
    about: 'The list of methods holds those of all stores and providers.',
    rules: () => ({ ownerMayList: () => true }),
  },
  {
    id: 'owners.store-methods-listed-for-providers',
    clause: 'delivery.owner.methods-not-listed',
    about: 'A delivery provider lists the methods of stores too; stores list their own.',
    rules: (correct) => ({
      ownerMayList: (owner, method) =>
        (owner.provider !== null && method.owner.startsWith('website:')) || correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'owners.new-provider-methods-listed-for-stores',
    clause: 'delivery.owner.methods-not-listed',
    about: 'The list of a store holds the methods that a delivery provider has added since the service started.',
    rules: (correct) => {
      const added = new Set<string>();
      return {
        newHandle: (random) => {
          const handle = correct.newHandle(random);
          added.add(handle);
          return handle;
        },
        ownerMayList: (owner, method) =>
          (method.owner.startsWith('provider:') && added.has(method.handle)) || correct.ownerMayList(owner, method),
      };
    },
  },
  {
    id: 'owners.any-method-read',
    clause: 'delivery.owner.methods-not-readable',
    about: 'A method is read with the key of any store or provider.',
    rules: open('readMethod'),
  },
  {
    id: 'owners.later-pages-listed',
    clause: 'delivery.owner.points-not-readable',
    about: 'The link to a later page of points works with the key of any store or provider.',
    http: intercepts('GET', PATHS.points, (met) =>
      new URL(met.request.url).searchParams.has('page_start') ? passAsOwner(met) : met.pass(),
    ),
  },
  {
    id: 'owners.later-methods-listed',
    clause: 'delivery.owner.methods-not-listed',
    about:
      'The link to a later page of methods shows those of the store that received it, with the key of any other store.',
    http: remembering(() => {
      const keys = memory(() => new Map<string, string>());
      return intercepts('GET', PATHS.methods, async ({ pass, request, service }) => {
        const receivers = keys(service);
        const receiver = receivers.get(new URL(request.url).search);
        const response = await pass();
        if (response.status !== 200) return response;
        if (receiver !== undefined) return pass({ headers: { authorization: receiver } });
        const { next_page_uri: link } = (await response.clone().json()) as { next_page_uri?: string };
        if (link) receivers.set(new URL(link, request.url).search, request.headers.get('authorization') ?? '');
        return response;
      });
    }),
  },
  {
    id: 'owners.create-takes-a-known-handle',
    clause: 'delivery.owner.methods-not-changeable',
    about:
      'A create whose method has the handle of a known one overwrites that, also another owner’s; the contract has no such member.',
    http: intercepts('POST', PATHS.newMethod, async ({ body, pass, service }) => {
      const { handle, ...fields } = (body?.delivery_method ?? {}) as Json;
      const known = typeof handle === 'string' ? service.state.methods.get(handle) : undefined;
      if (known === undefined) return pass();
      service.change(() => service.state.methods.set(known.handle, { ...known, ...fields }));
      return json({ error: false, handle });
    }),
  },
  {
    id: 'owners.emptied-by-any-key',
    clause: 'delivery.owner.points-not-replaceable',
    about: 'A batch call with an empty list is served with the key of any store or provider.',
    http: intercepts('POST', PATHS.batch, (met) =>
      Array.isArray(met.body?.pickup_points) && met.body.pickup_points.length === 0 ? passAsOwner(met) : met.pass(),
    ),
  },
  {
    id: 'owners.uploads-continued-by-any-key',
    clause: 'delivery.owner.points-not-replaceable',
    about: 'The later portions of an upload are served with the key of any store or provider.',
    http: intercepts('POST', PATHS.batch, (met) =>
      met.body?.is_initialization === false ? passAsOwner(met) : met.pass(),
    ),
  },
  {
    id: 'owners.provider-methods-updated-by-stores',
    clause: 'delivery.owner.methods-not-changeable',
    about: 'A store updates the methods of delivery providers.',
    http: intercepts('PUT', PATHS.method, (met) => (isOfProviderMethod(met) ? passAsOwner(met) : met.pass())),
  },
  {
    id: 'owners.provider-methods-deleted-by-stores',
    clause: 'delivery.owner.methods-not-deletable',
    about: 'A store deletes the methods of delivery providers.',
    http: intercepts('DELETE', PATHS.method, (met) => (isOfProviderMethod(met) ? passAsOwner(met) : met.pass())),
  },
  {
    id: 'owners.provider-points-updated-by-stores',
    clause: 'delivery.owner.points-not-changeable',
    about: 'A store updates the points of the methods of delivery providers.',
    http: intercepts('PUT', PATHS.point, (met) => (isOfProviderMethod(met) ? passAsOwner(met) : met.pass())),
  },
  {
    id: 'owners.provider-points-replaced-by-stores',
    clause: 'delivery.owner.points-not-replaceable',
    about: 'A store replaces the points of the methods of delivery providers.',
    http: intercepts('POST', PATHS.batch, (met) => (isOfProviderMethod(met) ? passAsOwner(met) : met.pass())),
  },
  {
    id: 'owners.update-refused-and-done',
    clause: 'delivery.owner.methods-not-changeable',
    about: 'An update of another store’s method is refused, and carried out.',
    http: intercepts('PUT', PATHS.method, async ({ body, parts, pass, service }) => {
      const response = await pass();
      const method = service.state.methods.get(parts[0] ?? '');
      const sent = body?.delivery_method as { print_label_url?: string } | undefined;
      if (response.status !== 404 || method === undefined || sent?.print_label_url === undefined) return response;
      service.change(() =>
        service.state.methods.patch(method.handle, { print_label_url: sent.print_label_url ?? null }),
      );
      return response;
    }),
  },
  {
    id: 'owners.any-method-deleted',
    clause: 'delivery.owner.methods-not-deletable',
    about: 'A method is deleted with the key of any store or provider.',
    rules: open('deleteMethod'),
  },
  {
    id: 'owners.points-read-beside-own',
    clause: 'delivery.owner.points-not-readable',
    about: 'A point of any store is read under a list of handles that begins with one of the caller.',
    http: intercepts('GET', PATHS.point, async ({ parts: [handles = '', id = ''], pass, service }) => {
      const [own = '', other = ''] = handles.split(',');
      const method = service.state.methods.get(other);
      const key = method && ownerOf(service.state, method.owner)?.apiKey;
      const isOwn = (await pass({ path: `/v1/${pathOf('readMethod', { handle: own })}` })).status === 200;
      if (key === undefined || !isOwn) return pass();
      const path = `/v1/${pathOf('readPoint', { handle: other, point: encodeURIComponent(id) })}`;
      return pass({ path, headers: { authorization: `ApiKey ${key}` } });
    }),
  },
  {
    id: 'owners.points-listed-in-reverse',
    clause: 'delivery.owner.points-not-readable',
    about: 'The points of a method are listed in reverse with the key of any store; in the usual order they are not.',
    http: intercepts('GET', PATHS.points, async ({ parts, pass, request, service: { state } }) => {
      const response = await pass();
      const method = state.methods.get(parts[0] ?? '');
      if (response.status === 200 || method === undefined || !/[?&]desc=1(&|$)/.test(request.url)) return response;
      const isStore = state.websites.all().some(({ apiKey }) => request.headers.get('authorization')?.endsWith(apiKey));
      const key = ownerOf(state, method.owner)?.apiKey;
      return isStore ? pass({ headers: { authorization: `ApiKey ${key}` } }) : response;
    }),
  },
  {
    id: 'owners.points-added-anywhere',
    clause: 'delivery.owner.points-not-addable',
    about: 'A point is added to a single method with the key of any store or provider.',
    rules: openToOne('addPoint'),
  },
  {
    id: 'owners.any-point-updated',
    clause: 'delivery.owner.points-not-changeable',
    about: 'A point is updated with the key of any store or provider.',
    rules: openToOne('changePoint'),
  },
  {
    id: 'owners.any-points-replaced',
    clause: 'delivery.owner.points-not-replaceable',
    about: 'The points of a method are batch-replaced with the key of any store or provider.',
    rules: openToOne('batchReplace'),
  },
  {
    id: 'owners.checked-for-first-handle-only',
    clause: 'delivery.owner.foreign-handle-beside-own',
    about: 'Only the first of several handles must belong to the caller.',
    rules: seeingHandles((correct, handles) => ({
      ownerMayChange: (owner, method, operation) =>
        (/Points?$|^batchReplace$/.test(operation) && handles().length > 1 && handles()[0] !== method.handle) ||
        correct.ownerMayChange(owner, method, operation),
    })),
  },
  {
    id: 'owners.foreign-handle-refused-and-own-done',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about:
      "A call for points under the caller's own handle and a foreign one is refused, and carried out for the own one.",
    http: intercepts(
      '*',
      /^\/v1\/store\/delivery_method\/([^/]+)\/pickup_point/,
      async ({ parts, pass, request, service }) => {
        const response = await pass();
        const { pathname } = new URL(request.url);
        const { methods } = service.state;
        const named = (parts[0] ?? '').split(',');
        if (response.status !== 404 || named.length < 2 || !named.every((handle) => methods.has(handle)))
          return response;
        // The owner of each is known by the key: under a foreign handle alone the call is refused.
        for (const handle of named)
          await pass({ path: pathname.split('/').with(4, encodeURIComponent(handle)).join('/') });
        return response;
      },
    ),
  },
  {
    id: 'owners.checked-for-any-handle',
    clause: 'delivery.owner.foreign-handle-beside-own',
    about: 'Only one of several handles in a batch call must belong to the caller.',
    rules: seeingHandles((correct, handles) => ({
      ownerMayChange: (owner, method, operation) =>
        (handles().length > 1 && operation === 'batchReplace') || correct.ownerMayChange(owner, method, operation),
    })),
  },
  {
    id: 'owners.point-delete-refused-and-done',
    clause: 'delivery.owner.points-not-deletable',
    about: 'A delete of another store’s point is refused as unknown, and carried out.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass, service }) => {
      const [handle = '', id = ''] = parts;
      const response = await pass();
      if (response.status !== 404 || service.state.points.of(handle).get(id) === undefined) return response;
      service.change(() => service.state.points.of(handle).remove(id));
      return response;
    }),
  },
  {
    id: 'owners.nothing-listed-for-providers',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'The list of methods is empty for delivery providers; stores list theirs.',
    rules: (correct) => ({
      ownerMayList: (owner, method) => owner.provider === null && correct.ownerMayList(owner, method),
    }),
  },
  {
    id: 'owners.provider-updates-lost',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'An update of a method with a provider’s key returns success and does nothing.',
    http: intercepts('PUT', PATHS.method, async (met) => (isOfProvider(met) ? success() : met.pass())),
  },
  {
    id: 'owners.provider-points-lost',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'A point that is added with a provider’s key is accepted and lost.',
    http: intercepts('POST', PATHS.newPoint, async (met) => (isOfProvider(met) ? success() : met.pass())),
  },
  {
    id: 'owners.provider-lists-added',
    clause: 'delivery.credentials.public-key-accepted',
    about: 'A batch call with a provider’s key adds its points to the existing ones; one with a store’s replaces them.',
    http: intercepts('POST', PATHS.batch, async (met) => {
      const list = met.service.state.points.of(met.parts[0] ?? '');
      const before = list.all();
      const response = await met.pass();
      if (response.status === 200 && isOfProvider(met)) {
        met.service.change(() => list.rewrite([...withoutIdsOf(before, list.all()), ...list.all()]));
      }
      return response;
    }),
  },
];

/** Like `open`, for calls with one handle: several handles have a clause of their own. */
function openToOne(operation: OperationsOf<'delivery'>): MakesRules {
  return seeingHandles((correct, handles) => ({
    ownerMayChange: (owner, method, asked) =>
      (asked === operation && handles().length <= 1) || correct.ownerMayChange(owner, method, asked),
  }));
}
