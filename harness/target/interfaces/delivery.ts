/** The Delivery interface as calls (section "A. Delivery endpoints"), made for one owner's key. */
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

const listQuery = ({ pageSize, desc }: ListOptions): Pairs => [
  ...(pageSize === undefined ? [] : [['page_size', String(pageSize)] as const]),
  ...(desc === undefined ? [] : [['desc', desc ? '1' : '0'] as const]),
];

export class Delivery {
  readonly owner: MethodOwner;
  readonly key: Secret;

  constructor(owner: MethodOwner, key: Secret) {
    this.owner = owner;
    this.key = key;
  }

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
    return this.call('GET', 'store/delivery_methods/', undefined, listQuery(options));
  }
  readMethod(handle: string): ServiceRequest {
    return this.call('GET', `store/delivery_method/${segment(handle)}/`);
  }
  addMethod(fields: Json): ServiceRequest {
    return this.call('POST', 'store/delivery_method/', { delivery_method: fields });
  }
  changeMethod(handle: string, fields: Json): ServiceRequest {
    return this.call('PUT', `store/delivery_method/${segment(handle)}/`, { delivery_method: fields });
  }
  deleteMethod(handle: string): ServiceRequest {
    return this.call('DELETE', `store/delivery_method/${segment(handle)}/`);
  }

  listPoints(handle: string, options: ListOptions = {}): ServiceRequest {
    return this.call('GET', `store/delivery_method/${segment(handle)}/pickup_points/`, undefined, listQuery(options));
  }
  readPoint(handle: string, id: string): ServiceRequest {
    return this.call('GET', `store/delivery_method/${segment(handle)}/pickup_point/${segment(id)}/`);
  }
  addPoint(handles: Handles, point: Json): ServiceRequest {
    return this.call('POST', `store/delivery_method/${handlesSegment(handles)}/pickup_point/`, { pickup_point: point });
  }
  changePoint(handles: Handles, id: string, fields: Json): ServiceRequest {
    const path = `store/delivery_method/${handlesSegment(handles)}/pickup_point/${segment(id)}/`;
    return this.call('PUT', path, { pickup_point: fields });
  }
  deletePoint(handles: Handles, id: string): ServiceRequest {
    return this.call('DELETE', `store/delivery_method/${handlesSegment(handles)}/pickup_point/${segment(id)}/`);
  }
  batchReplace(handles: Handles, body: Json): ServiceRequest {
    return this.call('POST', `store/delivery_method/${handlesSegment(handles)}/pickup_points/batch_replace/`, body);
  }
  providerSettings(orderUuid: string): ServiceRequest {
    return this.call('POST', 'store/delivery_provider_settings/', { order_uuid: orderUuid });
  }
}
