/** The memory of a mutant: the owners of objects, how they were created, and which calls were refused. */
import type { MockService } from '../../mock/types/service.ts';
import { isSuccess, type MutableRequest, paramOf, type Reply, replyOf, requestOf } from './message.ts';
import { writtenObjects } from './objects.ts';

/** The credentials of the correct service, as the profile names them. */
export interface Credentials {
  readonly privateKey: string;
  readonly otherKey: string;
  readonly publicKey: string;
  readonly appKey: string;
  readonly authCode: string;
  readonly otherAuthCode: string;
}

/** How an object was created. */
export type Origin = 'single' | 'batch' | 'portion';

export class World {
  readonly service: MockService;
  readonly credentials: Credentials;
  /** Calls so far by operation, the one that is being served included. */
  readonly calls = new Map<string, number>();
  /** Whether the last call of an interface was refused. */
  readonly refused = new Map<string, boolean>();
  /** By object key. */
  readonly origins = new Map<string, Origin>();
  /** Point ids by handle, after the successful writes. */
  readonly pointIds = new Map<string, Set<string>>();
  /** Methods that the run created, oldest first, with the key that owns them. */
  readonly methods: { handle: string; key: string }[] = [];
  readonly tokens: string[] = [];
  readonly endedTokens: string[] = [];
  /** The last request of each operation, as text, to recognise a repetition. */
  readonly last = new Map<string, string>();
  isRepeated = false;
  /** How often the mutant has deviated from the correct service. */
  fired = 0;

  constructor(service: MockService, credentials: Credentials) {
    this.service = service;
    this.credentials = credentials;
  }

  /** Sends a request to the correct service. */
  async forward(sent: MutableRequest): Promise<Reply> {
    return replyOf(await this.service.fetch(requestOf(sent, this.service.origin)));
  }

  fire(): void {
    this.fired += 1;
  }

  /** Counts calls from what a whole run has made before this point. */
  startAt(calls: ReadonlyMap<string, number> = new Map()): void {
    this.calls.clear();
    for (const [operation, count] of calls) this.calls.set(operation, count);
  }

  /** Records what is known before a request is served. */
  begin(sent: MutableRequest): void {
    const { id } = sent.operation;
    this.calls.set(id, (this.calls.get(id) ?? 0) + 1);
    const text = JSON.stringify([sent.segments, sent.query, sent.json ?? sent.form ?? sent.raw, keyOf(sent)]);
    this.isRepeated = this.last.get(id) === text;
    this.last.set(id, text);
  }

  /** Records what a request has changed. */
  end(sent: MutableRequest, reply: Reply): void {
    const { id, iface } = sent.operation;
    this.refused.set(iface, !isSuccess(reply));
    if (!isSuccess(reply)) return;
    for (const { key, origin } of writtenObjects(sent, reply)) if (origin !== undefined) this.origins.set(key, origin);
    const handles = (sent.segments.handle ?? '').split(',');
    if (id === 'delivery.method.create') {
      const created = reply.json?.delivery_method ?? reply.json;
      const handle = (created as { handle?: unknown } | undefined)?.handle;
      if (typeof handle === 'string') this.methods.push({ handle, key: keyOf(sent) });
    }
    if (id === 'delivery.method.delete') {
      const at = this.methods.findIndex(({ handle }) => handle === handles[0]);
      if (at >= 0) this.methods.splice(at, 1);
    }
    for (const handle of handles) this.#notePoints(handle, sent);
    if (id === 'reseller.authorize') this.tokens.push(String(reply.json?.apiToken));
    if (id === 'reseller.logout') this.endedTokens.push(paramOf(sent, 'apiToken') ?? '');
  }

  #notePoints(handle: string, { operation: { id }, json, segments }: MutableRequest): void {
    const ids = this.pointIds.get(handle) ?? new Set<string>();
    this.pointIds.set(handle, ids);
    if (id === 'delivery.point.create') ids.add(String((json?.pickup_point as { id?: unknown } | undefined)?.id));
    if (id === 'delivery.point.delete') ids.delete(segments.point ?? '');
    if (id !== 'delivery.points.batch-replace') return;
    if (json?.is_initialization !== false && json?.country === undefined) ids.clear();
    for (const point of (json?.pickup_points ?? []) as { id?: unknown }[]) ids.add(String(point?.id));
  }
}

/** The key or token that a request presents; '' if it has none. */
export function keyOf(sent: MutableRequest): string {
  if (sent.operation.iface === 'reseller') return paramOf(sent, 'apiToken') ?? '';
  const key = (sent.headers.get('authorization') ?? '').replace(/^ApiKey /, '');
  return sent.operation.iface === 'apps' ? `${key} ${paramOf(sent, 'authCode') ?? ''}` : key;
}
