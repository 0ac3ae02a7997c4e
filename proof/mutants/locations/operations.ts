/** Every operation of the three interfaces, and where its values are: the first table of locations. */
import { appRoutes } from '../../../mock/apps/apps.ts';
import { deliveryRoutes } from '../../../mock/delivery/routes.ts';
import { resellerRoutes } from '../../../mock/reseller/reseller.ts';
import { type Field, fieldsOf } from './fields.ts';

export type Interface = 'delivery' | 'apps' | 'reseller';
/** What an operation does to the resource that it names. */
export type Effect = 'read' | 'list' | 'create' | 'update' | 'delete' | 'replace' | 'act';

export interface Operation {
  /** `delivery.points.list`: the interface, then the operation. */
  readonly id: string;
  readonly iface: Interface;
  readonly methods: readonly string[];
  /** `/v1/store/delivery_method/<handle>/`. */
  readonly path: string;
  readonly effect: Effect;
  /** Member that holds the record of the request or response, or its list; without it the record is the body itself. */
  readonly wrapper?: string;
  /** The path takes several handles. */
  readonly severalHandles: boolean;
  /** Of reading operations the response fields, of all others the request fields. */
  readonly fields: readonly Field[];
}

interface Shape {
  readonly effect: Effect;
  readonly wrapper?: string;
  readonly record?: Parameters<typeof fieldsOf>[0];
}

const SHAPES: Readonly<Record<string, Shape>> = {
  'delivery.methods.list': { effect: 'list', wrapper: 'delivery_methods', record: 'method' },
  'delivery.method.read': { effect: 'read', wrapper: 'delivery_method', record: 'method' },
  'delivery.method.create': { effect: 'create', wrapper: 'delivery_method', record: 'method-input' },
  'delivery.method.update': { effect: 'update', wrapper: 'delivery_method', record: 'method-input' },
  'delivery.method.delete': { effect: 'delete' },
  'delivery.settings.read': { effect: 'read', record: 'custom-fields' },
  'delivery.points.list': { effect: 'list', wrapper: 'pickup_points', record: 'point' },
  'delivery.point.read': { effect: 'read', wrapper: 'pickup_point', record: 'point' },
  'delivery.point.create': { effect: 'create', wrapper: 'pickup_point', record: 'point' },
  'delivery.point.update': { effect: 'update', wrapper: 'pickup_point', record: 'point-input' },
  'delivery.point.delete': { effect: 'delete' },
  'delivery.points.batch-replace': { effect: 'replace', wrapper: 'pickup_points', record: 'point' },
  'apps.installed': { effect: 'act' },
  'apps.delete': { effect: 'act' },
  'apps.snippet.set': { effect: 'update', record: 'snippet-input' },
  'apps.snippet.get': { effect: 'read', record: 'snippet' },
  'apps.snippet.get-language': { effect: 'read', record: 'snippet' },
  'apps.data.set': { effect: 'update', record: 'data' },
  'apps.data.get': { effect: 'read', record: 'data' },
  'apps.user': { effect: 'read', wrapper: 'user', record: 'user' },
  'apps.website': { effect: 'read', wrapper: 'website', record: 'website' },
  'apps.languages': { effect: 'read', record: 'languages' },
  'reseller.authorize': { effect: 'act' },
  'reseller.logout': { effect: 'act' },
  'reseller.websites.list': { effect: 'list', wrapper: 'websites', record: 'website-record' },
  'reseller.website.enable': { effect: 'act' },
  'reseller.website.disable': { effect: 'act' },
  'reseller.website.enable-premium': { effect: 'act' },
  'reseller.website.disable-premium': { effect: 'act' },
  'reseller.website.login': { effect: 'read', record: 'login' },
  'reseller.domains.list': { effect: 'list', wrapper: 'domains', record: 'domain-record' },
  'reseller.domain.add': { effect: 'create', record: 'domain-input' },
  'reseller.domain.remove': { effect: 'delete' },
  'reseller.settings.read': { effect: 'read', record: 'settings' },
  'reseller.settings.set': { effect: 'update', record: 'settings-input' },
  'reseller.balance': { effect: 'read', record: 'balance' },
  'reseller.password': { effect: 'update', record: 'password' },
};

const SEVERAL_HANDLES = /^delivery\.(point\.(create|update|delete)|points\.batch-replace)$/;

export const OPERATIONS: readonly Operation[] = [appRoutes, deliveryRoutes, resellerRoutes].flatMap((routes) =>
  routes.operations.map(({ operation, methods, path }): Operation => {
    const id = `${routes.iface}.${operation}`;
    const shape = SHAPES[id];
    if (shape === undefined) throw new Error(`The table of operations has no row "${id}": add its shape.`);
    return {
      id,
      iface: routes.iface,
      methods,
      path: `${routes.base}${path}`,
      effect: shape.effect,
      ...(shape.wrapper === undefined ? {} : { wrapper: shape.wrapper }),
      severalHandles: SEVERAL_HANDLES.test(id),
      fields: shape.record === undefined ? [] : fieldsOf(shape.record),
    };
  }),
);

export const isReading = ({ effect }: Operation): boolean => effect === 'read' || effect === 'list';

/** The operation with this id. Throws when there is none: ids in tables are checked as soon as they are used. */
export function operationOf(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no operation "${id}".`);
  return found;
}
