/** Texts that filters, templates and readers of other formats change: scripts, placeholders, quoted texts, dates and lists. */
import type { Deviation } from '../../../types/deviation.ts';
import type { Point } from '../../../types/point.ts';
import type { Text } from '../../../types/text.ts';
import { eachText } from '../methods/fields.ts';

type MakesRules = NonNullable<Deviation['rules']>;
type TextField = 'title' | 'address' | 'city' | 'zip';

/** A text of every point that is added or updated. */
const pointText =
  (field: TextField, change: (text: string) => string): MakesRules =>
  (correct) => ({
    mergePoint: (before, id, input, site): Point => {
      const point = correct.mergePoint(before, id, input, site);
      return { ...point, [field]: eachText(point[field] as Text | null, change) };
    },
  });

function withoutEmptyParts(text: string): string {
  const parts = text.split(',');
  return parts.slice(0, parts.findLastIndex((part) => part !== '') + 1).join(',');
}

const DAY = /^\d{4}-\d\d-\d\d$/;

export const filteredTextFaults: readonly Deviation[] = [
  {
    id: 'points.address-scripts-stripped',
    clause: 'delivery.point.address-kept',
    about: 'A filter removes elements of scripts from an address, and leaves other markup.',
    rules: pointText('address', (text) => text.replaceAll(/<script\b[^<]*<\/script>/gi, '')),
  },
  {
    id: 'points.city-unquoted',
    clause: 'delivery.point.city-kept',
    about: 'A city in double quotes loses them, as in a file of values separated by commas.',
    rules: pointText('city', (text) => text.replace(/^"([^"]*)"$/, '$1')),
  },
  {
    id: 'points.address-formula-quoted',
    clause: 'delivery.point.address-kept',
    about: 'An address that a spreadsheet would take for a formula gets an apostrophe in front of it.',
    rules: pointText('address', (text) => text.replace(/^[=+@-]/, "'$&")),
  },
  {
    id: 'points.city-day-as-moment',
    clause: 'delivery.point.city-kept',
    about: 'A city that reads as a day is shown as a moment.',
    rules: pointText('city', (text) => (DAY.test(text) ? `${text}T00:00:00Z` : text)),
  },
  {
    id: 'points.zip-loses-trailing-zeros',
    clause: 'delivery.point.zip-kept',
    about: 'A zip that reads as a decimal number loses the zeros at its end.',
    rules: pointText('zip', (text) => (/^\d+\.\d+$/.test(text) ? String(Number(text)) : text)),
  },
  {
    id: 'points.address-without-inline-scripts',
    clause: 'delivery.point.address-kept',
    about: 'A filter removes handlers of events from an address, and leaves other markup.',
    rules: pointText('address', (text) => text.replaceAll(/\son\w+="[^"]*"/g, '')),
  },
  {
    id: 'points.address-without-keywords',
    clause: 'delivery.point.address-kept',
    about: 'A filter removes keywords of SQL from an address.',
    rules: pointText('address', (text) => text.replaceAll(/\b(select|drop|union)\s/g, '')),
  },
  {
    id: 'points.city-placeholders-resolved',
    clause: 'delivery.point.city-kept',
    about: 'Placeholders in a city are replaced by properties of the service, which do not exist.',
    rules: pointText('city', (text) => text.replaceAll(/\$\{\w+\}/g, '')),
  },
  {
    id: 'points.address-loses-commas-at-end',
    clause: 'delivery.point.address-kept',
    about: 'An address is split at commas and joined again, without empty parts at the end.',
    rules: pointText('address', withoutEmptyParts),
  },
  {
    id: 'points.address-loses-selectors',
    clause: 'delivery.point.address-kept',
    about: 'Selectors of pictures and tones of skin are removed from an address; the pictures stay.',
    rules: pointText('address', (text) => text.replaceAll(/[\ufe0f\u{1f3fb}-\u{1f3ff}]/gu, '')),
  },
  {
    id: 'points.address-hyphen-breaks',
    clause: 'delivery.point.address-kept',
    about: 'A hyphen of an address that does not break becomes one that does.',
    rules: pointText('address', (text) => text.replaceAll('\u2011', '-')),
  },
  {
    id: 'points.address-loses-last-period',
    clause: 'delivery.point.address-kept',
    about: 'An address loses the period at its end.',
    rules: pointText('address', (text) => text.replace(/\.$/, '')),
  },
  {
    id: 'points.address-ends-at-null-character',
    clause: 'delivery.point.address-kept',
    about: 'An address ends at the character with the code 0, as a text of C does.',
    rules: pointText('address', (text) => text.split('\0', 1)[0]!),
  },
  {
    id: 'points.title-no-as-false',
    clause: 'delivery.point.title-kept',
    about: 'A title that is the word no becomes false.',
    rules: pointText('title', (text) => (text.toLowerCase() === 'no' ? 'false' : text)),
  },
];
