/** Every operation of the three interfaces, and the places of its values: the first table of locations. */
import { type OperationsOf, type ServiceInterface, OPERATIONS as TABLE } from '../../../contracts/operations/index.ts';
import { type Field, fieldsOf } from './fields.ts';

export type Interface = ServiceInterface;
/** The effect of an operation on the resource that it names. */
export type Effect = 'read' | 'list' | 'create' | 'update' | 'delete' | 'replace' | 'act';

export interface Operation {
  /** First part of the ids of its mutants: `delivery.points.list`. */
  readonly id: string;
  readonly iface: Interface;
  readonly methods: readonly string[];
  /** `/v1/store/delivery_method/{handle}/`. */
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
  readonly id: string;
  readonly effect: Effect;
  readonly wrapper?: string;
  readonly record?: Parameters<typeof fieldsOf>[0];
}

/** In the order in which mutants are numbered: another order would give another sample. */
const SHAPES: Readonly<Record<OperationsOf<Interface>, Shape>> = {
  finishInstallation: { id: 'apps.installed', effect: 'act' },
  uninstallApp: { id: 'apps.delete', effect: 'act' },
  setSnippet: { id: 'apps.snippet.set', effect: 'update', record: 'snippet-input' },
  getSnippet: { id: 'apps.snippet.get', effect: 'read', record: 'snippet' },
  getLanguageSnippet: { id: 'apps.snippet.get-language', effect: 'read', record: 'snippet' },
  setData: { id: 'apps.data.set', effect: 'update', record: 'data' },
  getData: { id: 'apps.data.get', effect: 'read', record: 'data' },
  getUser: { id: 'apps.user', effect: 'read', wrapper: 'user', record: 'user' },
  getWebsite: { id: 'apps.website', effect: 'read', wrapper: 'website', record: 'website' },
  getLanguages: { id: 'apps.languages', effect: 'read', record: 'languages' },
  listMethods: { id: 'delivery.methods.list', effect: 'list', wrapper: 'delivery_methods', record: 'method' },
  readMethod: { id: 'delivery.method.read', effect: 'read', wrapper: 'delivery_method', record: 'method' },
  addMethod: { id: 'delivery.method.create', effect: 'create', wrapper: 'delivery_method', record: 'method-input' },
  changeMethod: { id: 'delivery.method.update', effect: 'update', wrapper: 'delivery_method', record: 'method-input' },
  deleteMethod: { id: 'delivery.method.delete', effect: 'delete' },
  readProviderSettings: { id: 'delivery.settings.read', effect: 'read', record: 'custom-fields' },
  listPoints: { id: 'delivery.points.list', effect: 'list', wrapper: 'pickup_points', record: 'point' },
  readPoint: { id: 'delivery.point.read', effect: 'read', wrapper: 'pickup_point', record: 'point' },
  addPoint: { id: 'delivery.point.create', effect: 'create', wrapper: 'pickup_point', record: 'point' },
  changePoint: { id: 'delivery.point.update', effect: 'update', wrapper: 'pickup_point', record: 'point-input' },
  deletePoint: { id: 'delivery.point.delete', effect: 'delete' },
  batchReplace: { id: 'delivery.points.batch-replace', effect: 'replace', wrapper: 'pickup_points', record: 'point' },
  authorize: { id: 'reseller.authorize', effect: 'act' },
  listWebsites: { id: 'reseller.websites.list', effect: 'list', wrapper: 'websites', record: 'website-record' },
  enableWebsite: { id: 'reseller.website.enable', effect: 'act' },
  disableWebsite: { id: 'reseller.website.disable', effect: 'act' },
  enablePremium: { id: 'reseller.website.enable-premium', effect: 'act' },
  disablePremium: { id: 'reseller.website.disable-premium', effect: 'act' },
  createLoginLink: { id: 'reseller.website.login', effect: 'read', record: 'login' },
  listDomains: { id: 'reseller.domains.list', effect: 'list', wrapper: 'domains', record: 'domain-record' },
  addDomain: { id: 'reseller.domain.add', effect: 'create', record: 'domain-input' },
  removeDomain: { id: 'reseller.domain.remove', effect: 'delete' },
  logOut: { id: 'reseller.logout', effect: 'act' },
  readSettings: { id: 'reseller.settings.read', effect: 'read', record: 'settings' },
  changeSettings: { id: 'reseller.settings.set', effect: 'update', record: 'settings-input' },
  readBalance: { id: 'reseller.balance', effect: 'read', record: 'balance' },
  changePassword: { id: 'reseller.password', effect: 'update', record: 'password' },
};

const SEVERAL_HANDLES = /^delivery\.(point\.(create|update|delete)|points\.batch-replace)$/;

const BASES = { delivery: '/v1', apps: '/v1', reseller: '/api' } as const;

export const OPERATIONS: readonly Operation[] = Object.entries(SHAPES).map(([name, shape]): Operation => {
  const { iface, methods, template } = TABLE[name as OperationsOf<Interface>];
  return {
    id: shape.id,
    iface,
    methods,
    path: `${BASES[iface]}${template}`,
    effect: shape.effect,
    ...(shape.wrapper === undefined ? {} : { wrapper: shape.wrapper }),
    severalHandles: SEVERAL_HANDLES.test(shape.id),
    fields: shape.record === undefined ? [] : fieldsOf(shape.record),
  };
});

export const isReading = ({ effect }: Operation): boolean => effect === 'read' || effect === 'list';

/** The operation with this id. Throws for an unknown id, so that ids in tables are checked on use. */
export function operationOf(id: string): Operation {
  const found = OPERATIONS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no operation "${id}".`);
  return found;
}
