/**
 * The shape of a target profile as one table: `index.ts` checks a file against it; `docs/profile.schema.json`,
 * the commented profile in `docs/operator.md` and the one that `proofmark init` writes are made from it. Every field says what it is for.
 */

/** What a run may do beyond reading, by the name in `allow`; without any of them it only reads. */
export const PERMISSION_MEANINGS = {
  write:
    'creates, changes and deletes its own delivery methods and pickup points; sets snippets and data of the test installations and restores them',
  drive: "uses the driver: orders, labels, installations; registers the harness's address as that of the test app",
  settings: 'changes settings of the reseller account and restores them',
  'site-status': 'disables and enables "reseller.website"',
  billing: 'starts and stops the paid subscription of "reseller.website", also where domains need one',
  domains: 'attaches "reseller.domain" to "reseller.website" and removes it',
  password: "changes the reseller account's password and restores it",
  uninstall: 'uninstalls app installations that the run created',
  'plain-http': 'sends keys over unencrypted http to other hosts',
} as const;
export type Permission = keyof typeof PERMISSION_MEANINGS;
export const PERMISSIONS = Object.keys(PERMISSION_MEANINGS) as Permission[];

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

/** A field: what it is for (`about`), and a value that fits (`example`; of a secret the name of its variable). */
export type Shape =
  | {
      readonly type: 'string';
      readonly about: string;
      readonly example: string;
      readonly secret?: true;
      readonly format?: Format;
      readonly oneOf?: readonly string[];
    }
  | {
      readonly type: 'number' | 'integer';
      readonly about: string;
      readonly example: number;
      readonly least: number;
      readonly most: number;
    }
  | { readonly type: 'id'; readonly about: string; readonly example: number }
  | { readonly type: 'object'; readonly about: string; readonly fields: Readonly<Record<string, Shape>> }
  | {
      readonly type: 'map';
      readonly about: string;
      readonly example: Readonly<Record<string, string>>;
      readonly values: Shape;
    }
  | { readonly type: 'list'; readonly about: string; readonly example: readonly string[]; readonly items: Shape };

/** What a profile may hold where the table has this shape; every field is optional. */
export type ValueOf<S> = S extends { readonly type: 'string'; readonly oneOf: ReadonlyArray<infer V> }
  ? V
  : S extends { readonly type: 'string' }
    ? string
    : S extends { readonly type: 'number' | 'integer' }
      ? number
      : S extends { readonly type: 'id' }
        ? number | string
        : S extends { readonly type: 'object'; readonly fields: infer F }
          ? { readonly [K in keyof F]?: ValueOf<F[K]> }
          : S extends { readonly type: 'map'; readonly values: infer V }
            ? Readonly<Record<string, ValueOf<V>>>
            : S extends { readonly type: 'list'; readonly items: infer I }
              ? readonly ValueOf<I>[]
              : never;

/** The schema in the installed package, as a profile beside `node_modules` names it. */
export const SCHEMA_FILE = './node_modules/proofmark/dist/docs/profile.schema.json';

interface Text {
  readonly type: 'string';
  readonly about: string;
  readonly example: string;
  readonly format?: Format;
}

const text = (about: string, example: string, format?: Format): Text => ({
  type: 'string',
  about,
  example,
  ...(format === undefined ? {} : { format }),
});
const variable = (name: string): string => `\${${name}}`;
/** `name` is the one of its environment variable in examples and in what `proofmark init` writes. */
const secret = (about: string, name: string) =>
  ({ type: 'string', about, example: variable(name), secret: true }) as const;
const oneOf = <const V extends readonly string[]>(about: string, values: V) =>
  ({ type: 'string', about, example: values[0] as string, oneOf: values }) as const;
const integer = (about: string, least: number, most: number, example: number) =>
  ({ type: 'integer', about, least, most, example }) as const;
/** An id of a record: an integer of any size. */
const id = (about: string, example: number) => ({ type: 'id', about, example }) as const;
const number = (about: string, least: number, most: number, example: number) =>
  ({ type: 'number', about, least, most, example }) as const;
const object = <const F extends Readonly<Record<string, Shape>>>(about: string, fields: F) =>
  ({ type: 'object', about, fields }) as const;

const delivery = object('Delivery (A).', {
  private: object('A private integration: keys of single stores.', {
    apiKey: secret(
      'The key of a test store, from its settings. Its delivery methods are listed; with "write" the run creates its own.',
      'STORE_KEY',
    ),
    otherApiKey: secret('The key of a second store: proves that owners are kept apart.', 'OTHER_STORE_KEY'),
  }),
  public: object('A public integration: a delivery provider.', {
    apiKey: secret('The global key from the provider setup portal.', 'PROVIDER_KEY'),
    orderUuid: text('An order that was bought with a method of this provider.', '5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a01'),
    foreignOrderUuid: text(
      'An order that was not bought with a method of this provider.',
      '5b0f6f0e-3b1c-4a55-9d0e-2f6f3f6c0a04',
    ),
    expectedFields: {
      type: 'map',
      about:
        "The custom field values that the admin of that order's store entered, by field. Values taken from the environment are kept out of reports.",
      example: { client_id: 'C-77' },
      values: text('The configured value.', 'C-77'),
    },
  }),
});

const website = object('The website that belongs to the private key and to the installation.', {
  languages: {
    type: 'list',
    about: 'The codes of its languages.',
    example: ['en', 'lv'],
    items: text('A language code.', 'en'),
  },
  defaultLanguage: text('One of its languages: the one in which a plain string is stored.', 'en'),
  country: text('Its country, 2 letters.', 'LV', 'country'),
  pages: {
    type: 'map',
    about:
      'The address of a public page for each language: shows whether snippets appear there, and on two pages that it links to.',
    example: { en: 'https://shop.example/', lv: 'https://shop.example/lv/' },
    values: text('Its address.', 'https://shop.example/', 'web-address'),
  },
});

const apps = object('Apps (B): a test app with one or two installations.', {
  apiKey: secret('The key of the app, from the app setup portal.', 'APP_KEY'),
  appId: text('The id of the app in the catalog.', '3001'),
  appSecret: secret('The secret that the developer chose for the manifest (app_secret).', 'APP_SECRET'),
  tabMode: oneOf('How the app is opened: app_tab_mode of its manifest.', ['blank', 'self']),
  authCode: secret('The code of an installation of the app.', 'AUTH_CODE'),
  otherAuthCode: secret(
    'The code of a second installation: proves that installations are kept apart.',
    'OTHER_AUTH_CODE',
  ),
});

const reseller = object('Reseller (C): a test account.', {
  email: secret('E-mail of the account.', 'RESELLER_EMAIL'),
  password: secret('Password of the account.', 'RESELLER_PASSWORD'),
  website: id(
    'The websiteID of a website of the account that the run may use: enabled and without a subscription; the run restores this state. A module writes one of more than 15 digits as a string.',
    55_003,
  ),
  domain: text(
    'A domain name, without www, not attached to any website, that the run may attach and remove.',
    'check.example',
    'domain',
  ),
});

const limits = object('Limits of the run on the target.', {
  requestsPerSecond: number('For all workers together. Default: 5, or no limit on this machine.', 0.01, 100_000, 5),
  timeoutMs: integer('Milliseconds for one complete response. Default: 15000.', 1, 600_000, 15_000),
  maxPages: integer('Pages followed in one walk over a list. Default: 200.', 1, 1_000_000, 200),
  maxMinutes: number('For the whole run. Default: 30.', 0.01, 10_000, 30),
});

/** The whole profile. */
export const PROFILE_SHAPE = object(
  'A target for `proofmark run --target FILE`. Secrets come from the environment; every part is optional.',
  {
    $schema: text('Address of the schema: completion and hints in editors.', SCHEMA_FILE),
    name: text('What reports call the target. Default: the name of the file.', 'staging'),
    v1: text('Base address of Delivery and Apps; ends with /v1/.', 'https://staging.example/v1/', 'base-v1'),
    api: text('Base address of Reseller; ends with /api/.', 'https://resellers.staging.example/api/', 'base-api'),
    delivery,
    website,
    apps,
    reseller,
    absent: {
      type: 'list',
      about: 'Parts that the target does not have: their checks are not applicable.',
      example: ['portals'],
      items: oneOf('A part.', PARTS),
    },
    listen: object('Where the harness listens for label and app requests, and how the target reaches it.', {
      host: text('Default: 127.0.0.1.', '127.0.0.1'),
      port: integer('Default: 0, any free port.', 0, 65_535, 8443),
      publicUrl: text(
        'The address under which the target and browsers reach it, a tunnel for instance.',
        'https://tunnel.example/',
        'web-address',
      ),
    }),
    driver: text(
      'A module that clicks through your store admin, catalog and checkout; its path is relative to this file.',
      './staging.driver.ts',
    ),
    allow: {
      type: 'list',
      about: 'What the run may do beyond reading.',
      example: ['write'],
      items: oneOf('A permission.', PERMISSIONS),
    },
    limits,
    headers: {
      type: 'map',
      about: 'Headers for every request to the target, for a gate in front of it. They are secrets.',
      example: { 'x-staging-gate': variable('GATE') },
      values: secret('The value.', 'GATE'),
    },
    proxy: text(
      'Address of an HTTP proxy. With a password in it, take it from the environment.',
      'http://proxy.example:3128/',
      'proxy',
    ),
    tls: object('Certificates: files in PEM, relative to this file.', {
      ca: text('Authorities to trust in addition to the usual ones.', './staging-ca.pem'),
      cert: text("The client's certificate.", './client.pem'),
      key: text("The client's key.", './client-key.pem'),
    }),
  },
);

/** A target profile as a value: what a profile file holds. Secrets are written as `${ENV_NAME}`. */
export type TargetProfile = ValueOf<typeof PROFILE_SHAPE>;
