/**
 * The shape of a target profile as one table: `profile.ts` checks a file against it, `docs/profile.schema.json` is made
 * from it. Every field says what it is for.
 */

/** What a run may do beyond reading; without any of them it only reads. */
export const PERMISSIONS = [
  'write',
  'drive',
  'settings',
  'site-status',
  'billing',
  'domains',
  'password',
  'uninstall',
  'plain-http',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The parts that a target may do without; a whole takes its parts with it (see `isAbsent`). */
export const PARTS = [
  'delivery',
  'delivery.private',
  'delivery.public',
  'labels',
  'checkout',
  'apps',
  'install',
  'website',
  'reseller',
  'portals',
] as const;
export type Part = (typeof PARTS)[number];

/** How the text of a string field is checked beyond being a string. */
export type Format = 'base-v1' | 'base-api' | 'web-address' | 'country' | 'domain' | 'proxy';

export type Shape =
  | {
      readonly type: 'string';
      readonly about: string;
      readonly secret?: true;
      readonly format?: Format;
      readonly oneOf?: readonly string[];
    }
  | { readonly type: 'number' | 'integer'; readonly about: string; readonly least: number; readonly most: number }
  | { readonly type: 'object'; readonly about: string; readonly fields: Readonly<Record<string, Shape>> }
  | { readonly type: 'map'; readonly about: string; readonly values: Shape }
  | { readonly type: 'list'; readonly about: string; readonly items: Shape };

/** What a profile may hold where the table has this shape; every field is optional. */
export type ValueOf<S> = S extends { readonly type: 'string'; readonly oneOf: ReadonlyArray<infer V> }
  ? V
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'number' | 'integer' }
      ? number
      : S extends { readonly type: 'object'; readonly fields: infer F }
        ? { readonly [K in keyof F]?: ValueOf<F[K]> }
        : S extends { readonly type: 'map'; readonly values: infer V }
          ? Readonly<Record<string, ValueOf<V>>>
          : S extends { readonly type: 'list'; readonly items: infer I }
            ? ReadonlyArray<ValueOf<I>>
            : never;

interface Text {
  readonly type: 'string';
  readonly about: string;
  readonly format?: Format;
}

const text = (about: string, format?: Format): Text => ({
  type: 'string',
  about,
  ...(format === undefined ? {} : { format }),
});
const secret = (about: string) => ({ type: 'string', about, secret: true }) as const;
const oneOf = <const V extends readonly string[]>(about: string, values: V) =>
  ({ type: 'string', about, oneOf: values }) as const;
const integer = (about: string, least: number, most: number) => ({ type: 'integer', about, least, most }) as const;
const object = <const F extends Readonly<Record<string, Shape>>>(about: string, fields: F) =>
  ({ type: 'object', about, fields }) as const;

const delivery = object('Delivery (A): keys and orders.', {
  private: object('Private integration: the keys of single stores.', {
    apiKey: secret('The key of a store, from its settings.'),
    otherApiKey: secret('The key of a second store; proves that owners are kept apart.'),
  }),
  public: object('Public integration: a delivery provider.', {
    apiKey: secret('The global key from the provider setup portal.'),
    orderUuid: text('An order of a store that uses this provider.'),
    foreignOrderUuid: text('An order that has nothing to do with this provider.'),
    expectedFields: {
      type: 'map',
      about:
        'The custom field values of that order’s store, as its admin entered them. Values taken from the environment are kept out of reports.',
      values: text('The configured value.'),
    },
  }),
});

const website = object('The website that belongs to the private key and to the installation.', {
  languages: { type: 'list', about: 'Its language codes.', items: text('A language code.') },
  defaultLanguage: text('One of its languages.'),
  country: text('Its country, 2 letters.', 'country'),
  pages: { type: 'map', about: 'A public page for each language.', values: text('Its address.', 'web-address') },
});

const apps = object('Apps (B): an app with one or two installations.', {
  apiKey: secret('The key from the app setup portal.'),
  appId: text('The id of the app in the catalog.'),
  appSecret: secret('The secret that the developer chose for the manifest.'),
  tabMode: oneOf('How the app is opened.', ['blank', 'self']),
  authCode: secret('The code of an installation.'),
  otherAuthCode: secret('The code of a second installation; proves that installations are kept apart.'),
});

const reseller = object('Reseller (C).', {
  email: secret('E-mail of the reseller account.'),
  password: secret('Password of the reseller account.'),
  website: integer('The id of a website that the run may use.', 1, Number.MAX_SAFE_INTEGER),
  domain: text('A domain name, without www, that the run may attach and remove.', 'domain'),
});

const limits = object('What the run asks of the target. The defaults and their reasons are in profile.ts.', {
  requestsPerSecond: {
    type: 'number',
    about: 'For all workers together. Default: 5, and no limit on loopback.',
    least: 0.01,
    most: 100_000,
  },
  timeoutMs: integer('For one whole answer. Default: 15000.', 1, 600_000),
  maxPages: integer('Pages followed in one walk over a list. Default: 200.', 1, 1_000_000),
  maxMinutes: { type: 'number', about: 'For the whole run. Default: 30.', least: 0.01, most: 10_000 },
});

/** The whole profile. */
export const PROFILE_SHAPE = object(
  'A target for `proofmark run --target FILE`. Secrets come from the environment; every part is optional.',
  {
    $schema: text('Address of this schema, for editors.'),
    name: text('What reports call the target. Default: the file’s name.'),
    v1: text('Base address of Delivery and Apps; ends with /v1/.', 'base-v1'),
    api: text('Base address of Reseller; ends with /api/.', 'base-api'),
    delivery,
    website,
    apps,
    reseller,
    absent: {
      type: 'list',
      about: 'Parts that the target does not have: their checks are not applicable.',
      items: oneOf('A part.', PARTS),
    },
    listen: object('Where the harness listens for label and app requests, and how the target reaches it.', {
      host: text('Default: 127.0.0.1.'),
      port: integer('Default: 0, any free port.', 0, 65_535),
      publicUrl: text(
        'The address under which the target and browsers reach it, a tunnel for instance.',
        'web-address',
      ),
    }),
    driver: text('A driver module, relative to this file.'),
    allow: { type: 'list', about: 'What the run may do beyond reading.', items: oneOf('A permission.', PERMISSIONS) },
    limits,
    headers: { type: 'map', about: 'Headers for every request to the target.', values: secret('The value.') },
    proxy: text('Address of an HTTP proxy.', 'proxy'),
    tls: object('Certificates; files in PEM, relative to this file.', {
      ca: text('Authorities to trust beside the usual ones.'),
      cert: text('The client’s certificate.'),
      key: text('The client’s key.'),
    }),
  },
);

/** A target profile as a value: what a profile file holds. Secrets are written as `${ENV_NAME}`. */
export type TargetProfile = ValueOf<typeof PROFILE_SHAPE>;
