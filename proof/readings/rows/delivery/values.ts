/** Silences about the values of fields that are read back. */

import { isJsonObject } from '../../../../contracts/json/object.ts';
import type { Rules } from '../../../../mock/types/rules.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';

const FIELDS = 'Resources and their fields';
const METHOD = 'Resources and their fields, Delivery method (A)';

const missing = (id: string, about: string, of: (field: string) => unknown): ReadingAnswer => ({
  id,
  about,
  rules: () => ({ renderMissing: of }),
});

const handlesAs = (id: string, about: string, of: (bytes: Buffer) => string): ReadingAnswer => ({
  id,
  about,
  rules: () => ({ newHandle: (random) => of(random(16)) }),
});

const rendered =
  (change: (record: Record<string, unknown>) => Record<string, unknown>): NonNullable<ReadingAnswer['rules']> =>
  (correct: Rules) => ({
    renderMethod: (method, site) => change(correct.renderMethod(method, site)),
    renderPoint: (point, site) => change(correct.renderPoint(point, site)),
  });

const CODES = /^(country|available_countries_(from|to))$/;

const inCase = (fold: (text: string) => string): NonNullable<ReadingAnswer['rules']> =>
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
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, one]) => [name, turned(one)]),
  );
}

export const valueReadings: readonly Reading[] = [
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
    id: 'values.label-address-letters',
    section: FIELDS,
    silence: 'How letters of a label address are written that are not part of a URL.',
    answers: [
      {
        id: 'escaped',
        about: 'As percent escapes; other addresses stay as they were sent.',
        rules: (correct) => ({
          mergeMethod: (before, input, site) => {
            const fields = correct.mergeMethod(before, input, site);
            const address = fields.print_label_url;
            const isEscaped = address !== null && /[^\0-\x7f]/.test(address) && URL.canParse(address);
            return isEscaped ? { ...fields, print_label_url: new URL(address).href } : fields;
          },
        }),
      },
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
];
