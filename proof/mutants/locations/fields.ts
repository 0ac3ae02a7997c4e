/** Every field that a request or response carries, by record, with the kind of value it holds. */

export type Kind =
  | 'text'
  /** A text whose form is fixed: an id, a country, an address, a time, an amount. */
  | 'code'
  | 'multilanguage'
  | 'object'
  /** A text or an object. */
  | 'any'
  | 'list'
  | 'number'
  | 'boolean';

export interface Field {
  readonly name: string;
  readonly kind: Kind;
}

const rows = (kind: Kind, ...names: readonly string[]): Field[] => names.map((name) => ({ name, kind }));

const METHOD_INPUT: readonly Field[] = [
  ...rows('multilanguage', 'title'),
  ...rows('text', 'reference'),
  ...rows('list', 'available_countries_from', 'available_countries_to'),
  ...rows('code', 'print_label_url'),
];

const POINT_INPUT: readonly Field[] = [
  ...rows('multilanguage', 'title'),
  ...rows('text', 'address', 'city', 'zip'),
  ...rows('code', 'country'),
  ...rows('object', 'attributes'),
];

const SETTINGS_INPUT: readonly Field[] = [
  ...rows('text', 'company', 'contactName', 'contactWebsite', 'contactEmail', 'contactPhone', 'addrAddress'),
  ...rows('text', 'addrCity', 'addrRegion', 'addrPostal', 'supportEmail', 'supportPhone'),
  ...rows('code', 'addrCountry'),
  ...rows('text', 'buyLink', 'logoLink', 'faviconLink', 'notifyLink', 'termsLink', 'privacyLink'),
];

const RECORDS = {
  'method-input': METHOD_INPUT,
  method: [...rows('code', 'handle'), ...rows('text', 'name'), ...METHOD_INPUT],
  'point-input': POINT_INPUT,
  point: [...rows('text', 'id'), ...POINT_INPUT],
  'custom-fields': rows('object', 'fields'),
  'snippet-input': [...rows('text', 'snippet'), ...rows('code', 'language')],
  snippet: rows('text', 'snippet'),
  data: rows('any', 'data'),
  user: [...rows('code', 'email'), ...rows('boolean', 'email_confirmed')],
  website: [...rows('code', 'url'), ...rows('text', 'brandname')],
  languages: rows('list', 'languages'),
  'website-record': [
    ...rows('text', 'userName', 'userEmail'),
    ...rows('code', 'userCountry', 'userCreated'),
    ...rows('boolean', 'userIsConfirmed', 'userIsUnsubscribed'),
    ...rows('number', 'websiteID', 'websiteType', 'websiteStatus'),
    ...rows('text', 'websiteBrandname', 'websiteAlias'),
    ...rows('code', 'websiteCreated', 'websiteModified', 'websiteAccessed'),
    ...rows('boolean', 'websiteIsPremium'),
  ],
  login: rows('code', 'loginUrl'),
  'domain-record': [...rows('number', 'domainID'), ...rows('code', 'domain')],
  'domain-input': rows('code', 'domain'),
  settings: [...rows('number', 'resellerID', 'creditLimit'), ...SETTINGS_INPUT, ...rows('code', 'tlds')],
  'settings-input': SETTINGS_INPUT,
  balance: [...rows('number', 'premiumWebsites'), ...rows('code', 'currentBalance', 'billingThreshold')],
  password: rows('text', 'password'),
} satisfies Record<string, readonly Field[]>;

/** The fields of a record, in the order of the contract. */
export const fieldsOf = (record: keyof typeof RECORDS): readonly Field[] => RECORDS[record];
