/** The objects that a request writes and that a response shows, each with its key in the memory of a mutant. */
import { isObject, isSuccess, type Json, type MutableRequest, paramOf, type Reply, recordsIn } from './message.ts';

export interface ShownObject {
  readonly key: string;
  /** The record in the response: editing it edits the response. */
  readonly record: Json;
  readonly index: number;
  readonly length: number;
}

export interface WrittenObject {
  readonly key: string;
  /** The fields that were sent. */
  readonly record: Readonly<Json>;
  /** Place in a batch, from 0. */
  readonly index: number;
  readonly length: number;
  /** Place of the method among the handles of the path, from 0. */
  readonly handleIndex: number;
  readonly origin?: 'single' | 'batch' | 'portion';
}

/** What a reading response shows. */
export function shownObjects(sent: MutableRequest, reply: Reply): ShownObject[] {
  if (!isSuccess(reply)) return [];
  const records = recordsIn(sent.operation, reply.json);
  return records.map((record, index) => ({ key: keyOfShown(sent, record), record, index, length: records.length }));
}

function keyOfShown({ operation: { id }, segments, query }: MutableRequest, record: Json): string {
  const code = query.find(([name]) => name === 'authCode')?.[1] ?? '';
  switch (id) {
    case 'delivery.methods.list':
    case 'delivery.method.read':
      return `method:${record.handle}`;
    case 'delivery.points.list':
    case 'delivery.point.read':
      return `point:${segments.handle}/${record.id}`;
    case 'apps.snippet.get':
    case 'apps.snippet.get-language':
      return `snippet:${code}/${segments.language ?? ''}`;
    case 'apps.data.get':
      return `data:${code}`;
    case 'reseller.websites.list':
      return `website:${record.websiteID}`;
    case 'reseller.domains.list':
      return `domain:${record.domain}`;
    default:
      return id.startsWith('reseller.settings') ? 'settings' : id;
  }
}

/** What a successful writing request stored. */
export function writtenObjects(sent: MutableRequest, reply: Reply): WrittenObject[] {
  if (!isSuccess(reply)) return [];
  const { operation, segments, json = {} } = sent;
  const one = (key: string, record: Json, origin?: 'single'): WrittenObject => ({
    key,
    record,
    index: 0,
    length: 1,
    handleIndex: 0,
    ...(origin === undefined ? {} : { origin }),
  });
  const code = paramOf(sent, 'authCode') ?? '';
  const body = (operation.wrapper === undefined ? json : json[operation.wrapper]) as Json | undefined;
  switch (operation.id) {
    case 'delivery.method.create': {
      const created = (isObject(reply.json?.delivery_method) ? reply.json.delivery_method : reply.json) as Json;
      return [one(`method:${created?.handle}`, body ?? {}, 'single')];
    }
    case 'delivery.method.update':
      return [one(`method:${segments.handle}`, body ?? {})];
    case 'delivery.point.create':
    case 'delivery.point.update':
      return segments.handle!.split(',').map((handle, handleIndex) => ({
        ...one(`point:${handle}/${body?.id ?? segments.point}`, body ?? {}),
        handleIndex,
        ...(operation.effect === 'create' ? { origin: 'single' as const } : {}),
      }));
    case 'delivery.points.batch-replace':
      return writtenByBatch(sent);
    case 'apps.snippet.set':
      return [one(`snippet:${code}/${json.language ?? ''}`, json)];
    case 'apps.data.set':
      return [one(`data:${code}`, json)];
    case 'reseller.domain.add':
      return [one(`domain:${paramOf(sent, 'domain')}`, { domain: paramOf(sent, 'domain') })];
    case 'reseller.settings.set':
      return [one('settings', Object.fromEntries([...sent.query, ...(sent.form ?? [])]))];
    default:
      return [];
  }
}

function writtenByBatch({ segments, json = {} }: MutableRequest): WrittenObject[] {
  const points = Array.isArray(json.pickup_points) ? json.pickup_points.filter(isObject) : [];
  const isPortion = json.is_initialization === false || json.is_finalization === false;
  return segments.handle!.split(',').flatMap((handle, handleIndex) =>
    points.map(
      (record, index): WrittenObject => ({
        key: `point:${handle}/${record.id}`,
        record,
        index,
        length: points.length,
        handleIndex,
        origin: isPortion ? 'portion' : 'batch',
      }),
    ),
  );
}
