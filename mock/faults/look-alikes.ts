/**
 * Faults of services that write Cyrillic letters as the Latin ones which look like them, or take the two for one, as filters against
 * forged names do.
 */
import type { Deviation } from '../types/deviation.ts';
import type { Point } from '../types/point.ts';
import type { Text } from '../types/text.ts';

const CYRILLIC = 'аеорсухАВЕКМНОРСТХ';
const LATIN = 'aeopcyxABEKMHOPCTX';

const inLatin = (text: string): string =>
  text.replaceAll(/[аеорсухАВЕКМНОРСТХ]/g, (letter) => LATIN[CYRILLIC.indexOf(letter)] ?? letter);

/** Each text in a value, and each key of its objects. */
function everyText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => everyText(one, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [change(key), everyText(one, change)]));
}

const alike = (one: unknown, other: unknown): boolean =>
  JSON.stringify(everyText(one, inLatin)) === JSON.stringify(everyText(other, inLatin));

const ofPoint =
  (field: 'title' | 'address' | 'city' | 'attributes'): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site): Point => {
      const point = correct.mergePoint(before, id, input, site);
      return { ...point, [field]: everyText(point[field], inLatin) };
    },
  });

/** An update keeps what it had where the new value only looks like it. */
const keptByUpdate =
  (fields: readonly ('title' | 'address' | 'city')[]): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site): Point => {
      const point = correct.mergePoint(before, id, input, site);
      const same = fields.filter((field) => before !== null && alike(before[field], point[field]));
      return { ...point, ...Object.fromEntries(same.map((field) => [field, before?.[field]])) };
    },
  });

export const lookAlikeFaults: readonly Deviation[] = [
  {
    id: 'points.title-in-latin-letters',
    clause: 'delivery.point.title-kept',
    about: 'Cyrillic letters in the title of a point become the Latin ones that look like them.',
    rules: ofPoint('title'),
  },
  {
    id: 'points.address-in-latin-letters',
    clause: 'delivery.point.address-kept',
    about: 'Cyrillic letters in an address become the Latin ones that look like them.',
    rules: ofPoint('address'),
  },
  {
    id: 'points.attributes-in-latin-letters',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Cyrillic letters in attributes and their keys become the Latin ones that look like them.',
    rules: ofPoint('attributes'),
  },
  {
    id: 'points.update-compares-look-alikes',
    clause: 'delivery.point.update-applies',
    about: 'An update of an address or a city to a text that only looks the same is not stored.',
    rules: keptByUpdate(['address', 'city']),
  },
  {
    id: 'points.title-update-compares-look-alikes',
    clause: 'delivery.point.update-applies',
    about: 'An update of a title to a text that only looks the same is not stored.',
    rules: keptByUpdate(['title']),
  },
  {
    id: 'methods.title-in-latin-letters',
    clause: 'delivery.method.title-kept',
    about: 'Cyrillic letters in the title of a method become the Latin ones that look like them.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        return { ...fields, title: everyText(fields.title, inLatin) as Text | null };
      },
    }),
  },
  {
    id: 'methods.reference-in-latin-letters',
    clauses: ['delivery.method.reference-kept', 'delivery.method.update-applies'],
    about: 'Cyrillic letters in a reference become the Latin ones that look like them.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        return { ...fields, reference: fields.reference === null ? null : inLatin(fields.reference) };
      },
    }),
  },
  {
    id: 'methods.update-compares-look-alikes',
    clause: 'delivery.method.update-applies',
    about: 'An update of a title or a reference to a text that only looks the same is not stored.',
    rules: (correct) => ({
      mergeMethod: (before, input, site) => {
        const fields = correct.mergeMethod(before, input, site);
        if (before === null) return fields;
        return {
          ...fields,
          ...(alike(before.title, fields.title) ? { title: before.title } : {}),
          ...(alike(before.reference, fields.reference) ? { reference: before.reference } : {}),
        };
      },
    }),
  },
  {
    id: 'apps.snippet-in-latin-letters',
    clauses: ['apps.snippet.default-kept', 'apps.snippet.language-kept'],
    about: 'Cyrillic letters in a snippet become the Latin ones that look like them.',
    rules: (correct) => ({ snippetKept: (sent) => inLatin(correct.snippetKept(sent)) }),
  },
  {
    id: 'apps.data-texts-in-latin-letters',
    clauses: ['apps.data.string-kept', 'apps.data.object-kept'],
    about: 'Cyrillic letters in data become the Latin ones that look like them.',
    rules: (correct) => ({ dataKept: (before, sent) => everyText(correct.dataKept(before, sent), inLatin) }),
  },
  {
    id: 'reseller.settings-in-latin-letters',
    clause: 'reseller.settings.set-applies',
    about: 'Cyrillic letters in a setting become the Latin ones that look like them.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(
          reseller,
          Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, inLatin(value)])),
        ),
    }),
  },
];
