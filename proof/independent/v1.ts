// Authentication for the interfaces under /v1/: the owner of the key, and which of the two interfaces it may use.
import { serveApps } from './apps/apps.ts';
import { serveDelivery } from './delivery/delivery.ts';
import { Refusal, type ServiceRequest, type ServiceResponse, sameSecret } from './server/http.ts';
import type { World } from './state.ts';

/** Answers a call whose path, below `v1`, is `path`. A missing key is a 401, a wrong one a 403. */
export function serveV1(
  world: World,
  call: ServiceRequest,
  path: string[],
): ServiceResponse | Promise<ServiceResponse> {
  const key = /^ApiKey +(\S+)$/i.exec(call.headers.authorization ?? '')?.[1];
  if (key === undefined) throw new Refusal(401, 401, 'Unauthorized', { 'www-authenticate': 'ApiKey' });
  const [area, ...rest] = path;
  const owner = holderOf([...world.stores.map((store) => store.owner), ...world.providers], key);
  const app = holderOf(world.apps, key);
  if (area === 'store' && owner) return serveDelivery({ world, owner }, call, rest);
  if (area === 'apps' && app) return serveApps(world, app, call, rest);
  if (area !== 'store' && area !== 'apps' && (owner || app))
    throw new Refusal(404, 1004, 'Nothing is at this address.');
  throw new Refusal(403, 1007, 'This key does not open this interface.');
}

/** The owner of the key. Every key is compared, so that the duration reveals nothing. */
function holderOf<Holder extends { key: string }>(holders: Holder[], key: string): Holder | null {
  let found: Holder | null = null;
  for (const holder of holders) if (sameSecret(holder.key, key)) found = holder;
  return found;
}
