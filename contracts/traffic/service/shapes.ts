/** Which resource each operation answers with; the catalogue says what its fields have to be, the schemas of the documents their types. */
import type { InterfaceName } from '../../envelopes/index.ts';
import { LANGUAGES, USER, WEBSITE } from '../../fields/catalogue/apps.ts';
import { METHOD, POINT, PROVIDER_SETTINGS } from '../../fields/catalogue/delivery.ts';
import {
  ACCOUNT_SETTINGS,
  AUTHORIZED,
  BALANCE,
  DOMAIN_RECORD,
  LOGIN_LINK,
  WEBSITE_RECORD,
} from '../../fields/catalogue/reseller.ts';
import type { Fields } from '../../fields/catalogue/row.ts';
import type { OperationsOf, ServiceInterface } from '../../operations/index.ts';

export interface Shape {
  readonly document: InterfaceName;
  readonly schema: string;
  readonly fields: Fields;
}

/** The resource of an operation: alone, or in a list under a name. */
export interface ResponseShape {
  readonly shape: Shape;
  /** Name of the list, or name under which a single resource may be wrapped. */
  readonly name: string;
  readonly isList: boolean;
  /** Broken when the list, or the wrapper that has to be there, is missing. */
  readonly nameClause?: string;
  /** The member that identifies an item, and the clause that says that no two share it. */
  readonly key?: { readonly member: string; readonly clause: string };
  /** The path parameter whose value the resource has to carry under the key. */
  readonly asked?: { readonly param: string; readonly member: string; readonly clause: string };
}

/** An envelope alone, or a value that the caller chose. */
const NO_RESOURCE = undefined;

/** By the ids of operations: one that is missing does not compile. */
export const RESPONSE_SHAPES: Readonly<Record<OperationsOf<ServiceInterface>, ResponseShape | undefined>> = {
  listMethods: {
    shape: { document: 'v1', schema: 'DeliveryMethod', fields: METHOD },
    name: 'delivery_methods',
    isList: true,
    nameClause: 'delivery.method.list-contains-own',
    key: { member: 'handle', clause: 'delivery.method.handle-unique' },
  },
  readMethod: {
    shape: { document: 'v1', schema: 'DeliveryMethod', fields: METHOD },
    name: 'delivery_method',
    isList: false,
    asked: { param: 'handle', member: 'handle', clause: 'delivery.method.read-by-handle' },
  },
  listPoints: {
    shape: { document: 'v1', schema: 'PickupPoint', fields: POINT },
    name: 'pickup_points',
    isList: true,
    nameClause: 'delivery.point.list-contains',
    key: { member: 'id', clause: 'delivery.point.id-unique' },
  },
  readPoint: {
    shape: { document: 'v1', schema: 'PickupPoint', fields: POINT },
    name: 'pickup_point',
    isList: false,
    asked: { param: 'point', member: 'id', clause: 'delivery.point.read-by-id' },
  },
  readProviderSettings: {
    shape: { document: 'v1', schema: 'ProviderSettings', fields: PROVIDER_SETTINGS },
    name: '',
    isList: false,
  },
  getUser: {
    shape: { document: 'v1', schema: 'User', fields: USER },
    name: 'user',
    isList: false,
    nameClause: 'apps.user.wrapped',
  },
  getWebsite: {
    shape: { document: 'v1', schema: 'Website', fields: WEBSITE },
    name: 'website',
    isList: false,
    nameClause: 'apps.website.wrapped',
  },
  getLanguages: {
    shape: { document: 'v1', schema: 'Languages', fields: LANGUAGES },
    name: '',
    isList: false,
  },
  authorize: {
    shape: { document: 'api', schema: 'Authorized', fields: AUTHORIZED },
    name: '',
    isList: false,
  },
  listWebsites: {
    shape: { document: 'api', schema: 'WebsiteRecord', fields: WEBSITE_RECORD },
    name: 'websites',
    isList: true,
    nameClause: 'reseller.website.array',
    key: { member: 'websiteID', clause: 'reseller.website.list-contains-own' },
  },
  createLoginLink: {
    shape: { document: 'api', schema: 'LoginLink', fields: LOGIN_LINK },
    name: '',
    isList: false,
  },
  listDomains: {
    shape: { document: 'api', schema: 'DomainRecord', fields: DOMAIN_RECORD },
    name: 'domains',
    isList: true,
    nameClause: 'reseller.domain.array',
    key: { member: 'domainID', clause: 'reseller.domain.id-unique' },
  },
  readSettings: {
    shape: { document: 'api', schema: 'AccountSettings', fields: ACCOUNT_SETTINGS },
    name: 'settings',
    isList: false,
  },
  readBalance: {
    shape: { document: 'api', schema: 'Balance', fields: BALANCE },
    name: 'balance',
    isList: false,
  },
  addMethod: NO_RESOURCE,
  changeMethod: NO_RESOURCE,
  deleteMethod: NO_RESOURCE,
  addPoint: NO_RESOURCE,
  changePoint: NO_RESOURCE,
  deletePoint: NO_RESOURCE,
  batchReplace: NO_RESOURCE,
  finishInstallation: NO_RESOURCE,
  uninstallApp: NO_RESOURCE,
  setSnippet: NO_RESOURCE,
  getSnippet: NO_RESOURCE,
  getLanguageSnippet: NO_RESOURCE,
  setData: NO_RESOURCE,
  getData: NO_RESOURCE,
  enableWebsite: NO_RESOURCE,
  disableWebsite: NO_RESOURCE,
  enablePremium: NO_RESOURCE,
  disablePremium: NO_RESOURCE,
  addDomain: NO_RESOURCE,
  removeDomain: NO_RESOURCE,
  logOut: NO_RESOURCE,
  changeSettings: NO_RESOURCE,
  changePassword: NO_RESOURCE,
};
