/**
 * Fixtures of the user's own: a JSON file with any of the sections of the default fixtures. A section that is there takes the
 * place of the default one; rows name what matters and get the rest from a template.
 */
import { readFileSync } from 'node:fs';
import { defaultFixtures, type Fixtures, NEW_METHOD, NEW_WEBSITE } from './fixtures.ts';
import { isObject } from './request.ts';
import type { Method, Order, Point } from './state.ts';

/** The file can't be used; the message names file, place and remedy. */
export class FixturesError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FixturesError';
  }
}

type Row = Record<string, unknown>;
type Kind = 'text' | 'number' | 'flag' | 'texts' | 'object' | 'text or null' | 'text or object or null';

/** What a row of each section has to name, and what it may name beside that. */
const SECTIONS: Record<Exclude<keyof Fixtures, 'points'>, { need: Record<string, Kind>; may: Record<string, Kind> }> = {
  websites: {
    need: { id: 'number', alias: 'text', apiKey: 'text' },
    may: {
      brandname: 'text',
      country: 'text',
      currency: 'text',
      languages: 'texts',
      defaultLanguage: 'text',
      seller: 'object',
      user: 'object',
      type: 'number',
      status: 'number',
      premium: 'text or null',
      created: 'text',
      modified: 'text',
      accessed: 'text or null',
      resellerId: 'number',
      enabledMethods: 'texts',
      deliverySettings: 'object',
    },
  },
  providers: {
    need: { id: 'number', apiKey: 'text', manifest: 'object' },
    may: { keyShown: 'flag', status: 'text', languages: 'texts', defaultLanguage: 'text', checkoutUrl: 'text or null' },
  },
  apps: { need: { id: 'text', apiKey: 'text', manifest: 'object' }, may: { keyShown: 'flag', status: 'text' } },
  installations: {
    need: { authCode: 'text', appId: 'text', websiteId: 'number' },
    may: { installed: 'flag', snippets: 'object' },
  },
  methods: {
    need: { handle: 'text', owner: 'text' },
    may: {
      name: 'text',
      title: 'text or object or null',
      reference: 'text or null',
      available_countries_from: 'texts',
      available_countries_to: 'texts',
      print_label_url: 'text or null',
    },
  },
  orders: {
    need: { uuid: 'text', websiteId: 'number', handle: 'text' },
    may: { invoiceId: 'text', pickupPointId: 'text or null', amount: 'text', weightGrams: 'number', language: 'text' },
  },
  dynamicCheckouts: { need: { handle: 'text', checkoutUrl: 'text' }, may: {} },
  resellers: {
    need: { id: 'number', email: 'text', password: 'text' },
    may: {
      approved: 'flag',
      settings: 'object',
      tlds: 'text',
      creditLimit: 'number',
      currentBalance: 'text',
      billingThreshold: 'text',
    },
  },
  domains: { need: { id: 'number', websiteId: 'number', domain: 'text' }, may: {} },
};

const POINT: Record<string, Kind> = {
  title: 'text or object or null',
  address: 'text or null',
  city: 'text or null',
  zip: 'text or null',
  country: 'text or null',
};

/** Reads the file. Throws a FixturesError. */
export function readFixtures(file: string): Fixtures {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    throw new FixturesError(`${file}: ${missing ? 'there is no such file' : 'the file can’t be read'}.`);
  }
  return parseFixtures(text, file);
}

/** Fixtures from the text of a file; `file` is for messages. Throws a FixturesError. */
export function parseFixtures(text: string, file: string): Fixtures {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new FixturesError(`${file} is not valid JSON: ${(error as Error).message}.`);
  }
  const wrong = (where: string, what: string): never => {
    throw new FixturesError(`${file}: ${where} ${what}.`);
  };
  if (!isObject(value)) return wrong('the file', `must hold an object with sections such as ${names(SECTIONS)}`);
  for (const name of Object.keys(value)) {
    if (name !== 'points' && !Object.hasOwn(SECTIONS, name))
      wrong(name, `is no section: use ${names(SECTIONS)}, points`);
  }
  const given = Object.fromEntries(
    Object.entries(SECTIONS)
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, shape]) => [name, rowsOf((value as Row)[name], name, shape, wrong)]),
  ) as Partial<Record<keyof Fixtures, Row[]>>;
  const points = Object.hasOwn(value, 'points') ? pointsOf(value.points, wrong) : undefined;
  return joined(given, points, wrong);
}

type Wrong = (where: string, what: string) => never;

const names = (sections: object): string => Object.keys(sections).join(', ');

function rowsOf(
  value: unknown,
  section: string,
  shape: { need: Record<string, Kind>; may: Record<string, Kind> },
  wrong: Wrong,
): Row[] {
  if (!Array.isArray(value)) return wrong(section, 'must be an array of rows');
  return value.map((row: unknown, at) => checkedRow(row, `${section}[${at}]`, shape.need, shape.may, wrong));
}

function checkedRow(
  row: unknown,
  where: string,
  need: Record<string, Kind>,
  may: Record<string, Kind>,
  wrong: Wrong,
): Row {
  if (!isObject(row)) return wrong(where, 'must be an object');
  for (const name of Object.keys(need)) if (!Object.hasOwn(row, name)) wrong(`${where}.${name}`, 'is missing');
  for (const [name, field] of Object.entries(row)) {
    const kind = Object.hasOwn(need, name) ? need[name] : Object.hasOwn(may, name) ? may[name] : undefined;
    if (kind === undefined) return wrong(`${where}.${name}`, `is no field of it: use ${names({ ...need, ...may })}`);
    if (!isKind(field, kind))
      wrong(`${where}.${name}`, `must be ${kind === 'texts' ? 'an array of texts' : `a ${kind}`}`);
  }
  return row;
}

function isKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '';
    case 'number':
      return Number.isSafeInteger(value);
    case 'flag':
      return typeof value === 'boolean';
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'object':
      return isObject(value);
    case 'text or null':
      return value === null || typeof value === 'string';
    case 'text or object or null':
      return value === null || typeof value === 'string' || isObject(value);
  }
}

function pointsOf(value: unknown, wrong: Wrong): Record<string, Point[]> {
  if (!isObject(value)) return wrong('points', 'must be an object of arrays by method handle');
  return Object.fromEntries(
    Object.entries(value).map(([handle, rows]) => {
      if (!Array.isArray(rows)) return wrong(`points.${handle}`, 'must be an array of rows');
      return [
        handle,
        rows.map((row: unknown, at): Point => {
          const where = `points.${handle}[${at}]`;
          const { attributes, ...fields } = isObject(row) ? row : wrong(where, 'must be an object');
          if (attributes !== undefined && attributes !== '' && !isObject(attributes)) {
            return wrong(`${where}.attributes`, 'must be an object or an empty text');
          }
          checkedRow(fields, where, { id: 'text' }, POINT, wrong);
          return { title: null, address: null, city: null, zip: null, country: null, ...fields, attributes } as Point;
        }),
      ];
    }),
  );
}

/**
 * The default fixtures with the given sections in their places, rows completed, and every reference checked. Default rows that
 * refer to something that is no longer there are left out.
 */
function joined(
  given: Partial<Record<keyof Fixtures, Row[]>>,
  points: Record<string, Point[]> | undefined,
  wrong: Wrong,
): Fixtures {
  /** Given rows over a template, else the default ones that still fit. */
  const section = <Name extends Exclude<keyof Fixtures, 'points' | 'orders'>>(
    name: Name,
    template: (row: Row, at: number) => Row,
    fits: (row: Fixtures[Name][number]) => boolean = () => true,
  ): Fixtures[Name] =>
    (given[name]?.map((row, at) => ({ ...template(row, at), ...row })) ??
      (defaultFixtures[name] as readonly Fixtures[Name][number][]).filter(fits)) as unknown as Fixtures[Name];

  const websites = section('websites', (row) => ({
    ...NEW_WEBSITE,
    brandname: row.alias,
    defaultLanguage: (row.languages as string[] | undefined)?.[0] ?? NEW_WEBSITE.defaultLanguage,
  }));
  const providers = section('providers', () => ({
    keyShown: false,
    status: 'draft',
    languages: ['en'],
    defaultLanguage: 'en',
  }));
  const apps = section('apps', () => ({ keyShown: false, status: 'draft', pending: null }));
  const owners = ownersOf(websites, providers);
  const methods = section(
    'methods',
    (row, at) => ({ ...NEW_METHOD, number: at + 1, name: row.handle }),
    ({ owner }) => owners.has(owner),
  );
  const hasMethod = (handle: string): boolean => methods.some((method) => method.handle === handle);
  const hasWebsite = (id: number): boolean => websites.some((website) => website.id === id);
  const fixtures: Fixtures = {
    websites,
    providers,
    apps,
    methods,
    installations: section(
      'installations',
      () => ({ installed: true, snippets: {} }),
      ({ appId, websiteId }) => hasWebsite(websiteId) && apps.some((app) => app.id === appId),
    ),
    points:
      points ?? Object.fromEntries(Object.entries(defaultFixtures.points).filter(([handle]) => hasMethod(handle))),
    orders:
      given.orders?.map((row, at) => orderOf(row, at, methods, wrong)) ??
      defaultFixtures.orders.filter(({ websiteId, method }) => hasWebsite(websiteId) && hasMethod(method.handle)),
    dynamicCheckouts: section(
      'dynamicCheckouts',
      () => ({}),
      ({ handle }) => hasMethod(handle),
    ),
    resellers: section('resellers', () => ({
      approved: true,
      settings: {},
      tlds: '',
      creditLimit: 0,
      currentBalance: 'EUR 0.00',
      billingThreshold: 'EUR 0.00',
    })),
    domains: section(
      'domains',
      () => ({}),
      ({ websiteId }) => hasWebsite(websiteId),
    ),
  };
  checkReferences(fixtures, wrong);
  return fixtures;
}

const ownersOf = (websites: Fixtures['websites'], providers: Fixtures['providers']): Set<string> =>
  new Set([...websites.map(({ id }) => `website:${id}`), ...providers.map(({ id }) => `provider:${id}`)]);

function orderOf(row: Row, at: number, methods: readonly Method[], wrong: Wrong): Order {
  const method = methods.find(({ handle }) => handle === row.handle);
  if (!method) return wrong(`orders[${at}].handle`, `names no method: ${JSON.stringify(row.handle)}`);
  const model = defaultFixtures.orders[0]!;
  const { handle: _handle, ...fields } = row;
  return {
    ...model,
    invoiceId: `INV-${at + 1}`,
    pickupPointId: null,
    buyer: null,
    ...fields,
    method,
    owner: method.owner,
  } as Order;
}

function checkReferences(fixtures: Fixtures, wrong: Wrong): void {
  const { websites, apps, methods, providers } = fixtures;
  const owners = ownersOf(websites, providers);
  const handles = new Set(methods.map(({ handle }) => handle));
  const hasWebsite = (id: number): boolean => websites.some((website) => website.id === id);
  for (const [name, rows, key] of UNIQUE) {
    const seen = new Set<unknown>();
    for (const [at, row] of (fixtures[name] as readonly object[]).entries()) {
      const value = (row as Row)[key];
      if (seen.has(value)) wrong(`${rows}[${at}].${key}`, `stands there twice: ${JSON.stringify(value)}`);
      seen.add(value);
    }
  }
  methods.forEach(({ owner, handle }, at) => {
    if (!owners.has(owner)) wrong(`methods[${at}].owner`, 'must be website:ID or provider:ID of a row that is there');
    if (!/^[^,/.]+$/.test(handle)) wrong(`methods[${at}].handle`, 'must have no comma, slash or dot');
  });
  for (const handle of Object.keys(fixtures.points))
    if (!handles.has(handle)) wrong(`points.${handle}`, 'names no method');
  fixtures.orders.forEach(({ websiteId }, at) => {
    if (!hasWebsite(websiteId)) wrong(`orders[${at}].websiteId`, 'names no website');
  });
  fixtures.domains.forEach(({ websiteId }, at) => {
    if (!hasWebsite(websiteId)) wrong(`domains[${at}].websiteId`, 'names no website');
  });
  fixtures.installations.forEach(({ appId, websiteId }, at) => {
    if (!apps.some(({ id }) => id === appId)) wrong(`installations[${at}].appId`, 'names no app');
    if (!hasWebsite(websiteId)) wrong(`installations[${at}].websiteId`, 'names no website');
  });
  fixtures.dynamicCheckouts.forEach(({ handle }, at) => {
    if (!handles.has(handle)) wrong(`dynamicCheckouts[${at}].handle`, 'names no method');
  });
  websites.forEach(({ languages, defaultLanguage }, at) => {
    if (!languages.includes(defaultLanguage)) wrong(`websites[${at}].defaultLanguage`, 'must be one of its languages');
  });
}

const UNIQUE: readonly (readonly [keyof Fixtures, string, string])[] = [
  ['websites', 'websites', 'id'],
  ['websites', 'websites', 'alias'],
  ['websites', 'websites', 'apiKey'],
  ['providers', 'providers', 'id'],
  ['providers', 'providers', 'apiKey'],
  ['apps', 'apps', 'id'],
  ['apps', 'apps', 'apiKey'],
  ['installations', 'installations', 'authCode'],
  ['methods', 'methods', 'handle'],
  ['orders', 'orders', 'uuid'],
  ['resellers', 'resellers', 'id'],
  ['resellers', 'resellers', 'email'],
  ['domains', 'domains', 'id'],
];
