/** The Delivery interface as calls (section "A. Delivery endpoints"), made for one owner's key. */
import { OPERATIONS, type OperationsOf, type ParametersOf, pathOf } from '../../../contracts/operations/index.ts';
import type { MethodOwner } from '../../cleanup/ledger.ts';
import type { Pairs, ServiceRequest } from '../client/request.ts';
import { headersOf, segment } from '../network/wire.ts';
import type { Secret } from '../secrets/secret.ts';

export type Json = Record<string, unknown>;

export interface ListOptions {
  readonly pageSize?: number;
  readonly desc?: boolean;
}

/** Handles in a pickup point path: one, or several that are joined by commas. */
export type Handles = string | readonly string[];

const handlesSegment = (handles: Handles): string =>
  (typeof handles === 'string' ? [handles] : handles).map(segment).join(',');

/**
 * Parameters have no order, so a service has to serve either: an even `page_size` comes before `desc`, an odd one after it. Lists are
 * read in pages of several sizes, which sends both orders without further calls.
 */
function listQuery({ pageSize, desc }: ListOptions): Pairs {
  const order = desc === undefined ? [] : [['desc', desc ? '1' : '0'] as const];
  if (pageSize === undefined) return order;
  const size = ['page_size', String(pageSize)] as const;
  return pageSize % 2 === 0 ? [size, ...order] : [...order, size];
}

/** One method for each operation: one that is missing does not compile. */
export class Delivery implements Record<OperationsOf<'delivery'>, (...args: never[]) => ServiceRequest> {
  readonly owner: MethodOwner;
  readonly key: Secret;

  constructor(owner: MethodOwner, key: Secret) {
    this.owner = owner;
    this.key = key;
  }

  /** An operation by its name in the documents; values of its path are encoded already. */
  operation<Id extends OperationsOf<'delivery'>>(
    id: Id,
    values: Readonly<Record<ParametersOf<Id>, string>>,
    { json, query = [] }: { readonly json?: unknown; readonly query?: Pairs } = {},
  ): ServiceRequest {
    return this.call(OPERATIONS[id].methods[0], pathOf(id, values), json, query);
  }

  /** Any request with this key, also one that the contract does not list. */
  call(method: string, path: string, json?: unknown, query: Pairs = []): ServiceRequest {
    return {
      api: 'v1',
      method,
      path,
      query,
      headers: headersOf(this.key),
      ...(json === undefined ? {} : { body: { json } }),
    };
  }

  listMethods(options: ListOptions = {}): ServiceRequest {
    return this.operation('listMethods', {}, { query: listQuery(options) });
  }
  readMethod(handle: string): ServiceRequest {
    return this.operation('readMethod', { handle: segment(handle) });
  }
  addMethod(fields: Json): ServiceRequest {
    return this.operation('addMethod', {}, { json: { delivery_method: fields } });
  }
  changeMethod(handle: string, fields: Json): ServiceRequest {
    return this.operation('changeMethod', { handle: segment(handle) }, { json: { delivery_method: fields } });
  }
  deleteMethod(handle: string): ServiceRequest {
    return this.operation('deleteMethod', { handle: segment(handle) });
  }

  listPoints(handle: string, options: ListOptions = {}): ServiceRequest {
    return this.operation('listPoints', { handle: segment(handle) }, { query: listQuery(options) });
  }
  readPoint(handle: string, id: string): ServiceRequest {
    return this.operation('readPoint', { handle: segment(handle), point: segment(id) });
  }
  addPoint(handles: Handles, point: Json): ServiceRequest {
    return this.operation('addPoint', { handle: handlesSegment(handles) }, { json: { pickup_point: point } });
  }
  changePoint(handles: Handles, id: string, fields: Json): ServiceRequest {
    const values = { handle: handlesSegment(handles), point: segment(id) };
    return this.operation('changePoint', values, { json: { pickup_point: fields } });
  }
  deletePoint(handles: Handles, id: string): ServiceRequest {
    return this.operation('deletePoint', { handle: handlesSegment(handles), point: segment(id) });
  }
  batchReplace(handles: Handles, body: Json): ServiceRequest {
    return this.operation('batchReplace', { handle: handlesSegment(handles) }, { json: body });
  }
  readProviderSettings(orderUuid: string): ServiceRequest {
    return this.operation('readProviderSettings', {}, { json: { order_uuid: orderUuid } });
  }
}
