/** Every field that a request or response carries, by record, with the kind of value it holds. */
import { METHOD, POINT } from '../../../contracts/fields/catalogue/delivery.ts';
import { type Fields, writableOf } from '../../../contracts/fields/catalogue/row.ts';
import type { Kind as CatalogueKind } from '../../../contracts/fields/forms.ts';

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

/** The kinds of the catalogue as a mutant distinguishes them; what is not named here is text. */
const KINDS: Readonly<Partial<Record<CatalogueKind, Kind>>> = {
  multilanguage: 'multilanguage',
  country: 'code',
  countries: 'list',
  address: 'code',
  object: 'object',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
};

const inputOf = (catalogue: Fields): Field[] =>
  writableOf(catalogue).map((name) => ({ name, kind: KINDS[catalogue[name]?.kind as CatalogueKind] ?? 'text' }));

const METHOD_INPUT = inputOf(METHOD);
const POINT_INPUT = inputOf(POINT);

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
