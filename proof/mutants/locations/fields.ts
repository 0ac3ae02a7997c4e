/** Every field that a request or response carries, by record, with the kind of value it holds. */
import { LANGUAGES, USER, WEBSITE } from '../../../contracts/fields/catalogue/apps.ts';
import {
  METHOD,
  METHOD_FIELDS,
  POINT,
  POINT_FIELDS,
  PROVIDER_SETTINGS,
} from '../../../contracts/fields/catalogue/delivery.ts';
import {
  ACCOUNT_SETTINGS,
  BALANCE,
  DOMAIN_RECORD,
  LOGIN_LINK,
  TEXT_SETTINGS,
  WEBSITE_RECORD,
} from '../../../contracts/fields/catalogue/reseller.ts';
import type { Fields } from '../../../contracts/fields/catalogue/row.ts';
import type { Kind as CatalogueKind } from '../../../contracts/fields/forms.ts';

export type Kind =
  | 'text'
  /** A text with a fixed format: an id, a country, an address, a time, an amount. */
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

/**
 * The kinds of the catalogue that mutants distinguish. An `id` is assigned by the service: the id of a point is assigned by the
 * client and is any text.
 */
const KINDS: Readonly<Record<CatalogueKind, Kind>> = {
  id: 'code',
  text: 'text',
  multilanguage: 'multilanguage',
  country: 'code',
  'lower-case country': 'code',
  countries: 'list',
  languages: 'list',
  email: 'code',
  address: 'code',
  'web address': 'code',
  'web link': 'code',
  domain: 'code',
  object: 'object',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  timestamp: 'code',
  money: 'code',
  tlds: 'code',
};

const recordOf = (
  catalogue: Fields,
  names: readonly string[] = Object.keys(catalogue),
  own: Readonly<Record<string, Kind>> = {},
): Field[] => names.map((name) => ({ name, kind: own[name] ?? KINDS[catalogue[name]!.kind] }));

/** Parameters that no record of the contract has. */
const parameter = (name: string, kind: Kind): Field => ({ name, kind });

const RECORDS = {
  'method-input': recordOf(METHOD, METHOD_FIELDS),
  method: recordOf(METHOD),
  'point-input': recordOf(POINT, POINT_FIELDS),
  point: recordOf(POINT, undefined, { id: 'text' }),
  'custom-fields': recordOf(PROVIDER_SETTINGS),
  'snippet-input': [parameter('snippet', 'text'), parameter('language', 'code')],
  snippet: [parameter('snippet', 'text')],
  data: [parameter('data', 'any')],
  user: recordOf(USER),
  website: recordOf(WEBSITE),
  languages: recordOf(LANGUAGES),
  'website-record': recordOf(WEBSITE_RECORD),
  login: recordOf(LOGIN_LINK),
  'domain-record': recordOf(DOMAIN_RECORD),
  'domain-input': recordOf(DOMAIN_RECORD, ['domain']),
  settings: recordOf(ACCOUNT_SETTINGS),
  'settings-input': recordOf(
    ACCOUNT_SETTINGS,
    TEXT_SETTINGS.filter((name) => name !== 'tlds'),
  ),
  balance: recordOf(BALANCE),
  password: [parameter('password', 'text')],
} satisfies Record<string, readonly Field[]>;

/** The fields of a record, in the order of the contract. */
export const fieldsOf = (record: keyof typeof RECORDS): readonly Field[] => RECORDS[record];
