/** Silences about what is read back, and about the answers to writes. */
import { answers, meets, PATHS, refused } from '../../../../mock/faults/interception.ts';
import type { Fixtures } from '../../../../mock/fixtures/fixtures.ts';
import { refuse } from '../../../../mock/http/refusal.ts';
import { textIn } from '../../../../mock/state/state.ts';
import type { Rules } from '../../../../mock/types/rules.ts';
import type { Text } from '../../../../mock/types/text.ts';
import type { Reading, ServiceResponse } from '../../reading.ts';
import { isObject } from '../demands.ts';

const FIELDS = 'Resources and their fields';
const TEXT = 'Resources and their fields, Multilanguage text (A)';
const METHOD = 'Resources and their fields, Delivery method (A)';
const ENDPOINTS = 'Endpoints, A. Delivery endpoints';

const missing = (id: string, about: string, of: (field: string) => unknown): ServiceResponse => ({
  id,
  about,
  rules: () => ({ renderMissing: of }),
});

/** The answers that hold a single resource, changed. */
const single = (
  id: string,
  about: string,
  change: (name: string, record: Record<string, unknown>) => Record<string, unknown>,
): ServiceResponse => ({
  id,
  about,
  rules: () => ({ single: change }),
});

const handlesAs = (id: string, about: string, of: (bytes: Buffer) => string): ServiceResponse => ({
  id,
  about,
  rules: () => ({ newHandle: (random) => of(random(16)) }),
});

const rendered =
  (change: (record: Record<string, unknown>) => Record<string, unknown>): NonNullable<ServiceResponse['rules']> =>
  (correct: Rules) => ({
    renderMethod: (method, site) => change(correct.renderMethod(method, site)),
    renderPoint: (point, site) => change(correct.renderPoint(point, site)),
  });

const CODES = /^(country|available_countries_(from|to))$/;

const inCase = (fold: (text: string) => string): NonNullable<ServiceResponse['rules']> =>
  rendered((record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [
        name,
        CODES.test(name)
          ? Array.isArray(value)
            ? value.map((code) => fold(String(code)))
            : typeof value === 'string'
              ? fold(value)
              : value
          : value,
      ]),
    ),
  );

/** Keys of objects in another order, at every level: the same JSON values. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, turned(one)]),
  );
}

function oneLanguage(fixtures: Fixtures): Fixtures {
  const language = fixtures.websites[0]?.defaultLanguage ?? 'en';
  const site = { languages: [language], defaultLanguage: language };
  const flat = (text: Text | null): Text | null => (text === null ? null : textIn(text, language, site));
  return {
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...site })),
    providers: fixtures.providers.map((provider) => ({ ...provider, ...site })),
    methods: fixtures.methods.map((method) => ({ ...method, title: flat(method.title) })),
    points: Object.fromEntries(
      Object.entries(fixtures.points).map(([handle, points]) => [
        handle,
        points.map((point) => ({ ...point, title: flat(point.title) })),
      ]),
    ),
    orders: fixtures.orders.map((order) => ({
      ...order,
      language,
      method: { ...order.method, title: flat(order.method.title) },
    })),
  };
}

export const valueReadings: readonly Reading[] = [
  {
    id: 'site.languages',
    section: TEXT,
    silence: 'How many languages a website has.',
    answers: [{ id: 'one', about: 'One language.', fixtures: oneLanguage }],
  },
  {
    id: 'values.missing',
    section: FIELDS,
    silence: 'How an optional value that was never set comes back.',
    answers: [
      missing('omitted', 'Left out.', () => undefined),
      missing('empty-string', 'The empty string.', () => ''),
      missing('empty-list', 'Lists and objects as [], texts as null.', (field) =>
        /countries|attributes/.test(field) ? [] : null,
      ),
      missing(
        'mixed',
        'Each field in another way.',
        (field) =>
          ({ title: '', reference: undefined, attributes: '', country: null, zip: undefined, city: '' })[field] ?? null,
      ),
    ],
  },
  {
    id: 'values.key-order',
    section: FIELDS,
    silence: 'The order of the members of an object.',
    answers: [
      {
        id: 'turned',
        about: 'The members of every object come in another order.',
        rules: rendered((record) => turned(record) as Record<string, unknown>),
      },
    ],
  },
  {
    id: 'values.country-case',
    section: FIELDS,
    silence: 'The case of the letters in country codes.',
    answers: [
      { id: 'lower', about: 'Lower case.', rules: inCase((text) => text.toLowerCase()) },
      { id: 'upper', about: 'Capital letters.', rules: inCase((text) => text.toUpperCase()) },
    ],
  },
  {
    id: 'values.further-fields',
    section: FIELDS,
    silence: 'Which further fields a resource carries.',
    answers: [
      {
        id: 'own',
        about: 'Fields of the service, with values of every type.',
        rules: rendered((record) => ({
          ...record,
          updated: '2026-01-01',
          internal: { n: 1 },
          tags: [],
          enabled: false,
        })),
      },
    ],
  },
  {
    id: 'resources.form',
    section: ENDPOINTS,
    silence: 'Whether a single resource comes bare, beside error, or under its name.',
    answers: [
      single('error-false', 'Beside error: false.', (_name, record) => ({ error: false, ...record })),
      single('wrapped', 'Under its name.', (name, record) => ({ [name]: record })),
      single('wrapped-error-false', 'Under its name, beside error: false.', (name, record) => ({
        error: false,
        [name]: record,
      })),
      single('wrapped-with-others', 'Under its name, beside members of the service.', (name, record) => ({
        error: false,
        [name]: record,
        languages: ['en'],
        links: { self: '/x' },
      })),
    ],
  },
  {
    id: 'methods.create-answer',
    section: ENDPOINTS,
    silence: 'What the answer to a create holds.',
    answers: [
      {
        id: 'envelope',
        about: 'The success envelope alone.',
        rules: () => ({ methodCreated: () => ({ error: false }) }),
      },
      { id: 'resource', about: 'The whole method.', rules: () => ({ methodCreated: (_method, record) => record }) },
      {
        id: 'wrapped',
        about: 'The whole method under its name.',
        rules: () => ({ methodCreated: (_method, record) => ({ error: false, delivery_method: record }) }),
      },
      {
        id: 'handle-text',
        about: 'The handle under the name of the resource.',
        rules: () => ({ methodCreated: (method) => ({ error: false, delivery_method: method.handle }) }),
      },
      {
        id: 'other-name',
        about: 'The handle under another name.',
        rules: () => ({ methodCreated: (method) => ({ error: false, id: method.handle, created: true }) }),
      },
      { id: 'empty-object', about: 'An object without members.', rules: () => ({ methodCreated: () => ({}) }) },
    ],
  },
  {
    id: 'methods.update-answer',
    section: ENDPOINTS,
    silence: 'What the answer to an update holds.',
    answers: [
      { id: 'resource', about: 'The whole method.', rules: () => ({ methodUpdated: (_method, record) => record }) },
      {
        id: 'wrapped',
        about: 'The whole method under its name.',
        rules: () => ({ methodUpdated: (_method, record) => ({ error: false, delivery_method: record }) }),
      },
      { id: 'empty-object', about: 'An object without members.', rules: () => ({ methodUpdated: () => ({}) }) },
    ],
  },
  {
    id: 'methods.handle-form',
    section: METHOD,
    silence: 'What a handle looks like.',
    answers: [
      handlesAs(
        'uuid',
        'A UUID in capitals.',
        (bytes) =>
          `${bytes
            .toString('hex')
            .toUpperCase()
            .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`,
      ),
      handlesAs('digits', 'Digits.', (bytes) => String(bytes.readUInt32BE(0))),
      handlesAs('long', 'Two hundred characters.', (bytes) => bytes.toString('hex').repeat(7).slice(0, 200)),
      handlesAs(
        'signs',
        'Letters of both cases, dots, tildes and underscores.',
        (bytes) => `a.${bytes.toString('base64url')}~B`,
      ),
      handlesAs('short', 'Five letters.', (bytes) => bytes.readUIntBE(0, 6).toString(36).slice(-5).padStart(5, 'q')),
    ],
  },
  {
    id: 'methods.name-source',
    section: METHOD,
    silence: 'Where the read-only name comes from.',
    answers: [
      { id: 'handle', about: 'It is the handle.', rules: () => ({ methodName: (handle) => handle }) },
      { id: 'constant', about: 'All methods have one name.', rules: () => ({ methodName: () => 'courier' }) },
      { id: 'empty', about: 'It is empty.', rules: () => ({ methodName: () => '' }) },
    ],
  },
  {
    id: 'texts.read-form',
    section: TEXT,
    silence: 'Whether a text reads back as a string or as an object.',
    answers: [
      {
        id: 'objects',
        about: 'Always an object.',
        rules: () => ({
          renderText: (text, site) => (typeof text === 'string' ? { [site.defaultLanguage]: text } : text),
        }),
      },
      {
        id: 'string-for-one-language',
        about: 'A string where the website has one language.',
        rules: () => ({
          renderText: (text, site) => (site.languages.length === 1 ? textIn(text, site.defaultLanguage, site) : text),
        }),
      },
      {
        id: 'every-language',
        about: 'An object with every language of the website, empty where none was given.',
        rules: () => ({
          renderText: (text, site) => {
            const given = typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
            return Object.fromEntries(site.languages.map((code) => [code, given[code] ?? '']));
          },
        }),
      },
      {
        id: 'filled',
        about: 'An object with every language, where none was given the text of the default one.',
        rules: () => ({
          renderText: (text, site) => {
            const given = typeof text === 'string' ? { [site.defaultLanguage]: text } : text;
            return Object.fromEntries(
              site.languages.map((code) => [code, given[code] ?? given[site.defaultLanguage] ?? '']),
            );
          },
        }),
      },
    ],
  },
  {
    id: 'texts.unnamed-languages',
    section: TEXT,
    silence: 'Whether languages that an update does not name keep their texts.',
    answers: [
      {
        id: 'dropped',
        about: 'An object replaces the whole text.',
        rules: (correct) => ({
          mergeText: (before, sent, site) => (typeof sent === 'object' ? sent : correct.mergeText(before, sent, site)),
        }),
      },
      {
        id: 'default-needed',
        about: 'An object has to hold the default language.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'object' && sent !== null && (sent[site.defaultLanguage] ?? '') === ''
              ? refuse('invalid', 'The default language is missing.')
              : correct.mergeText(before, sent, site),
        }),
      },
      {
        id: 'all-needed',
        about: 'An object has to hold every language of the website.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'object' && sent !== null && site.languages.some((code) => (sent[code] ?? '') === '')
              ? refuse('invalid', 'A language is missing.')
              : correct.mergeText(before, sent, site),
        }),
      },
      {
        id: 'string-refused',
        about: 'A string is refused where the website has several languages and the method is new.',
        rules: (correct) => ({
          mergeText: (before, sent, site) =>
            typeof sent === 'string' && before === null && site.languages.length > 1
              ? refuse('invalid', 'Send an object of languages.')
              : correct.mergeText(before, sent, site),
        }),
      },
    ],
  },
  {
    id: 'points.repeated-id',
    section: ENDPOINTS,
    silence: 'Whether a second point with an id is refused or replaces the first.',
    answers: [
      { id: 'replaces', about: 'It replaces the first.', rules: () => ({ duplicatePoint: () => 'replace' }) },
      {
        id: 'ids-without-case',
        about: 'Ids that differ in case only count as one, and the second is refused.',
        http: meets('POST', PATHS.newPoint, async ({ parts, body, pass, service }) => {
          const point = isObject(body?.pickup_point) ? body.pickup_point : {};
          const id = String(point.id);
          const others = (parts[0] ?? '').split(',').flatMap((handle) => service.state.points.of(handle).all());
          const isTaken = others.some((other) => other.id !== id && other.id.toLowerCase() === id.toLowerCase());
          return isTaken ? refused(409, 'This id is taken.') : pass();
        }),
      },
    ],
  },
  {
    id: 'handles.unknown-among-known',
    section: ENDPOINTS,
    silence: 'What a call on several handles does when one of them does not exist.',
    answers: [
      { id: 'partial', about: 'The others are served.', rules: () => ({ unknownHandleRefusesAll: () => false }) },
    ],
  },
  {
    id: 'deletes.unknown',
    section: 'Endpoints, Common rules for A and B',
    silence: 'Whether deleting what does not exist is refused.',
    answers: [
      {
        id: 'success',
        about: 'It is a success.',
        rules: answers(['deleteMethod', 'deletePoint'], (answer) =>
          answer.status === 404 ? { ...answer, status: 200, body: { error: false } } : answer,
        ),
      },
    ],
  },
  {
    id: 'uploads.old-list',
    section: 'Endpoints, A. Delivery endpoints, Batch replace rules',
    silence: 'Whether the old list stays readable during an upload.',
    answers: [{ id: 'hidden', about: 'It is hidden.', rules: () => ({ listedDuringUpload: () => false }) }],
  },
  {
    id: 'settings.unknown-order',
    section: ENDPOINTS,
    silence: 'How an unknown or foreign order is answered.',
    answers: [
      {
        id: 'no-fields',
        about: 'With no fields.',
        rules: answers(['readProviderSettings'], (answer) =>
          answer.status === 404 ? { ...answer, status: 200, body: { fields: {} } } : answer,
        ),
      },
    ],
  },
];
