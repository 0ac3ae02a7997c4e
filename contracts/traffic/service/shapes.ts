/** Which clause each member of an answered resource belongs to; the schemas of the documents say what it has to be. */
import type { InterfaceName } from '../../envelopes/index.ts';
import { isTimestamp } from '../../fields/scalars.ts';
import { isUnset } from '../../fields/unset.ts';
import type { OperationId } from '../../operations/index.ts';

/** A rule that a schema can't state. */
export interface ValueRule {
  readonly isRight: (value: unknown) => boolean;
  readonly expected: string;
}

export interface Shape {
  readonly document: InterfaceName;
  readonly schema: string;
  /** Clause by member. */
  readonly members: Readonly<Record<string, string>>;
  /** Members that echo what was sent: of these only the JSON type is the service's affair. */
  readonly typeOnly?: readonly string[];
  readonly values?: Readonly<Record<string, ValueRule>>;
}

/** The resource of an operation: alone, or in a list under a name. */
export interface Answered {
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

/** A date that never was, as some databases write it. */
const isDate = (value: unknown): boolean => isUnset(value) || value === '0000-00-00 00:00:00' || isTimestamp(value);
const DATE: ValueRule = { isRight: isDate, expected: 'a date and time that exist, written YYYY-MM-DD HH:MM:SS' };
const TLDS: ValueRule = {
  isRight: (value) =>
    isUnset(value) ||
    (typeof value === 'string' &&
      value
        .replace(/,\s*$/, '')
        .split(',')
        .every((name) => /^\s*\.?[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?\s*$/u.test(name))),
  expected: 'top-level domains in one string, with commas between them',
};

const METHOD: Shape = {
  document: 'v1',
  schema: 'DeliveryMethod',
  members: {
    handle: 'delivery.method.handle-string',
    name: 'delivery.method.name-string',
    title: 'delivery.multilanguage.shape',
    reference: 'delivery.method.reference-kept',
    available_countries_from: 'delivery.method.country-lists-are-codes',
    available_countries_to: 'delivery.method.country-lists-are-codes',
    print_label_url: 'delivery.method.print-label-url-kept',
  },
  typeOnly: ['print_label_url'],
};

const POINT: Shape = {
  document: 'v1',
  schema: 'PickupPoint',
  members: {
    id: 'delivery.point.id-kept',
    title: 'delivery.multilanguage.shape',
    address: 'delivery.point.address-kept',
    city: 'delivery.point.city-kept',
    zip: 'delivery.point.zip-kept',
    country: 'delivery.point.country-is-code',
    attributes: 'delivery.point.attributes-shape',
  },
};

const WEBSITE: Shape = {
  document: 'api',
  schema: 'WebsiteRecord',
  members: {
    websiteID: 'reseller.website.id',
    ...under('reseller.website.strings', ['userName', 'userEmail', 'websiteBrandname', 'websiteAlias']),
    userCountry: 'reseller.website.user-country',
    ...under('reseller.website.timestamps', ['userCreated', 'websiteCreated', 'websiteModified']),
    websiteAccessed: 'reseller.website.accessed',
    ...under('reseller.website.booleans', ['userIsConfirmed', 'userIsUnsubscribed', 'websiteIsPremium']),
    ...under('reseller.website.type-and-status', ['websiteType', 'websiteStatus']),
  },
  values: { userCreated: DATE, websiteCreated: DATE, websiteModified: DATE, websiteAccessed: DATE },
};

const SETTINGS_TEXTS = [
  ...['company', 'contactName', 'contactWebsite', 'contactEmail', 'contactPhone', 'addrAddress', 'addrCity'],
  ...['addrRegion', 'addrPostal', 'supportEmail', 'supportPhone', 'buyLink', 'logoLink', 'faviconLink', 'notifyLink'],
  ...['termsLink', 'privacyLink'],
];

/** By the ids of operations. */
export const ANSWERED: Readonly<Partial<Record<OperationId, Answered>>> = {
  listMethods: {
    shape: METHOD,
    name: 'delivery_methods',
    isList: true,
    nameClause: 'delivery.method.list-contains-own',
    key: { member: 'handle', clause: 'delivery.method.handle-unique' },
  },
  readMethod: {
    shape: METHOD,
    name: 'delivery_method',
    isList: false,
    asked: { param: 'handle', member: 'handle', clause: 'delivery.method.read-by-handle' },
  },
  listPoints: {
    shape: POINT,
    name: 'pickup_points',
    isList: true,
    nameClause: 'delivery.point.list-contains',
    key: { member: 'id', clause: 'delivery.point.id-unique' },
  },
  readPoint: {
    shape: POINT,
    name: 'pickup_point',
    isList: false,
    asked: { param: 'point', member: 'id', clause: 'delivery.point.read-by-id' },
  },
  readProviderSettings: {
    shape: { document: 'v1', schema: 'ProviderSettings', members: { fields: 'delivery.settings.returns-fields' } },
    name: '',
    isList: false,
  },
  getUser: {
    shape: {
      document: 'v1',
      schema: 'User',
      members: { email: 'apps.user.email', email_confirmed: 'apps.user.email-confirmed' },
    },
    name: 'user',
    isList: false,
    nameClause: 'apps.user.wrapped',
  },
  getWebsite: {
    shape: {
      document: 'v1',
      schema: 'Website',
      members: { url: 'apps.website.url', brandname: 'apps.website.brandname' },
    },
    name: 'website',
    isList: false,
    nameClause: 'apps.website.wrapped',
  },
  getLanguages: {
    shape: { document: 'v1', schema: 'Languages', members: { languages: 'apps.languages.array' } },
    name: '',
    isList: false,
  },
  authorize: {
    shape: { document: 'api', schema: 'Authorized', members: { apiToken: 'reseller.authorize.token' } },
    name: '',
    isList: false,
  },
  listWebsites: {
    shape: WEBSITE,
    name: 'websites',
    isList: true,
    nameClause: 'reseller.website.array',
    key: { member: 'websiteID', clause: 'reseller.website.list-contains-own' },
  },
  createLoginLink: {
    shape: {
      document: 'api',
      schema: 'LoginLink',
      members: { loginUrl: 'reseller.login.link' },
      values: {
        loginUrl: {
          isRight: (value) => typeof value === 'string' && /^https?:\/\//i.test(value),
          expected: 'a full http or https address',
        },
      },
    },
    name: '',
    isList: false,
  },
  listDomains: {
    shape: {
      document: 'api',
      schema: 'DomainRecord',
      members: { domainID: 'reseller.domain.id', domain: 'reseller.domain.name' },
    },
    name: 'domains',
    isList: true,
    nameClause: 'reseller.domain.array',
    key: { member: 'domainID', clause: 'reseller.domain.id-unique' },
  },
  readSettings: {
    shape: {
      document: 'api',
      schema: 'AccountSettings',
      members: {
        resellerID: 'reseller.settings.reseller-id',
        ...under('reseller.settings.strings', SETTINGS_TEXTS),
        addrCountry: 'reseller.settings.country',
        tlds: 'reseller.settings.tlds',
        creditLimit: 'reseller.settings.credit-limit',
      },
      values: { tlds: TLDS },
    },
    name: 'settings',
    isList: false,
  },
  readBalance: {
    shape: {
      document: 'api',
      schema: 'Balance',
      members: {
        premiumWebsites: 'reseller.balance.premium-websites',
        currentBalance: 'reseller.balance.current',
        billingThreshold: 'reseller.balance.threshold',
      },
    },
    name: 'balance',
    isList: false,
  },
};

function under(clause: string, members: readonly string[]): Record<string, string> {
  return Object.fromEntries(members.map((member) => [member, clause]));
}
