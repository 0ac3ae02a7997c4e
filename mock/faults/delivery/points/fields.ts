/** Faults of the fields of pickup points: kept and shown. */

import { refuse } from '../../../http/refusal.ts';
import { isObject } from '../../../http/request.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Point, PointInput } from '../../../types/point.ts';
import type { Text } from '../../../types/text.ts';
import { type Json, listed, questionMarks } from '../../interception.ts';
import { eachText } from '../methods/fields.ts';

/** Changes a point that is added, alone or in a batch. */
const created =
  (change: (point: Point, input: PointInput) => Partial<Point>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null ? { ...point, ...change(point, input) } : point;
    },
  });

/** Changes how points are shown, alone and in the list. */
const shown =
  (change: (record: Json, point: Point) => Json): NonNullable<Deviation['rules']> =>
  (correct) => ({
    renderPoint: (point, site) => ({
      ...correct.renderPoint(point, site),
      ...change(correct.renderPoint(point, site), point),
    }),
  });

/** The attributes of a new point, when they are an object. */
const attributes = (change: (attributes: Json) => unknown): NonNullable<Deviation['rules']> =>
  created(({ attributes: sent }) => ({
    attributes: typeof sent === 'object' ? (change(sent as Json) as Json) : sent,
  }));

const flattened = (value: Json, prefix = ''): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) =>
      typeof member === 'object' && member !== null && !Array.isArray(member)
        ? Object.entries(flattened(member as Json, `${prefix}${key}.`))
        : [[`${prefix}${key}`, member]],
    ),
  );

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const mapped = (value: Json, change: (member: unknown, key: string) => [string, unknown] | null): Json =>
  Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => [change(member, key)].filter((one) => one !== null)),
  );

export const pointFieldFaults: readonly Deviation[] = [
  {
    id: 'points.title-ascii-only',
    clause: 'delivery.point.title-kept',
    about: 'Letters outside ASCII in the title of a point become question marks.',
    rules: created(({ title }) => ({ title: eachText(title as Text | null, questionMarks) })),
  },
  {
    id: 'points.address-escaped',
    clause: 'delivery.point.address-kept',
    about: 'Quotes in an address are kept with a backslash before them.',
    rules: created(({ address }) => ({ address: address?.replaceAll('"', '\\"') ?? null })),
  },
  {
    id: 'points.address-is-number',
    clause: 'delivery.point.address-kept',
    about: 'An address of digits is shown as a number.',
    rules: shown(({ address }) => ({ address: /^\d+$/.test(String(address)) ? Number(address) : address })),
  },
  {
    id: 'points.address-decoded',
    clause: 'delivery.point.address-kept',
    about: 'An address is decoded where all of its percent signs begin an escape.',
    rules: created(({ address }) => ({ address: address === null ? null : decoded(address) })),
  },
  {
    id: 'points.address-single-apostrophes',
    clause: 'delivery.point.address-kept',
    about: 'Two apostrophes in a row become one, as in a text of SQL.',
    rules: created(({ address }) => ({ address: address?.replaceAll("''", "'") ?? null })),
  },
  {
    id: 'points.address-trimmed',
    clause: 'delivery.point.address-kept',
    about: 'Spaces at both ends of an address are removed.',
    rules: created(({ address }) => ({ address: address?.trim() ?? null })),
  },
  {
    id: 'points.city-ascii-only',
    clause: 'delivery.point.city-kept',
    about: 'Letters of a city lose their diacritics: Riga instead of Rīga.',
    rules: created(({ city }) => ({ city: city?.normalize('NFD').replaceAll(/\p{M}/gu, '') ?? null })),
  },
  {
    id: 'points.zip-is-number',
    clause: 'delivery.point.zip-kept',
    about: 'A zip of digits is shown as a number.',
    rules: shown(({ zip }) => ({ zip: /^\d+$/.test(String(zip)) ? Number(zip) : zip })),
  },
  {
    id: 'points.zip-loses-leading-zeros',
    clause: 'delivery.point.zip-kept',
    about: 'A zip of digits loses its leading zeros and remains a text.',
    rules: created(({ zip }) => ({ zip: zip && /^\d+$/.test(zip) ? String(Number(zip)) : zip })),
  },
  {
    id: 'points.zip-without-spaces',
    clause: 'delivery.point.zip-kept',
    about: 'Spaces are removed from a zip.',
    rules: created(({ zip }) => ({ zip: zip?.replaceAll(' ', '') ?? null })),
  },
  {
    id: 'points.country-norway-lost',
    clause: 'delivery.point.country-kept',
    about: 'The country code NO of Norway is lost, because some formats read it as no.',
    rules: created(({ country }) => ({ country: country === 'NO' ? null : country })),
  },
  {
    id: 'points.country-by-name',
    clause: 'delivery.point.country-is-code',
    about: 'The country of a point is shown by its name.',
    rules: shown(({ country }) => ({
      country:
        typeof country === 'string'
          ? new Intl.DisplayNames('en', { type: 'region' }).of(country.toUpperCase())
          : country,
    })),
  },
  {
    id: 'points.attributes-flattened',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Objects within attributes are flattened to keys with dots.',
    rules: attributes((sent) => flattened(sent)),
  },
  {
    id: 'points.attributes-as-strings',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Numbers within attributes become texts.',
    rules: attributes((sent) =>
      mapped(sent, (member, key) => [key, typeof member === 'number' ? String(member) : member]),
    ),
  },
  {
    id: 'points.attributes-lose-empty',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Attributes that are false, 0 or empty are omitted.',
    rules: attributes((sent) => mapped(sent, (member, key) => (member ? [key, member] : null))),
  },
  {
    id: 'points.attributes-keys-lower-case',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Keys of attributes are kept in lower case.',
    rules: attributes((sent) => mapped(sent, (member, key) => [key.toLowerCase(), member])),
  },
  {
    id: 'points.attributes-empty-string-refused',
    clause: 'delivery.point.attributes-empty-string',
    about: 'An empty string for attributes is refused; an object and null are accepted.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) =>
        input.attributes === ''
          ? refuse('invalid', 'attributes must be an object.')
          : correct.mergePoint(before, id, input, site),
    }),
  },
  {
    id: 'points.attributes-as-json-string',
    clause: 'delivery.point.attributes-shape',
    about: 'Attributes are returned as a string of JSON.',
    rules: shown(({ attributes: sent }) => ({
      attributes: typeof sent === 'object' && sent !== null ? JSON.stringify(sent) : sent,
    })),
  },
  {
    id: 'points.attributes-as-pairs',
    clause: 'delivery.point.attributes-shape',
    about: 'Attributes are returned as a list of keys and values.',
    rules: shown(({ attributes: sent }) => ({
      attributes:
        typeof sent === 'object' && sent !== null ? Object.entries(sent).map(([key, value]) => ({ key, value })) : sent,
    })),
  },
  {
    id: 'points.list-shows-shorter-zip',
    clause: 'delivery.point.list-agrees-with-read',
    about: 'The list shows the zip of a point without its leading zeros; a single point is correct.',
    rules: listed('pickup_points', (items) =>
      items.map((item) => ({ ...item, zip: String(item.zip ?? '').replace(/^0+/, '') })),
    ),
  },
  {
    id: 'points.city-zero-is-empty',
    clause: 'delivery.point.city-kept',
    about: 'The city "0" counts as none.',
    rules: created(({ city }) => (city === '0' ? { city: '' } : {})),
  },
  {
    id: 'points.address-loses-invisible-characters',
    clause: 'delivery.point.address-kept',
    about: 'Invisible characters are removed from an address: zero-width spaces, soft hyphens.',
    rules: created(({ address }) => (address === null ? {} : { address: address.replace(/[\u200b\u00ad]/gu, '') })),
  },
  {
    id: 'points.address-loses-marks-of-direction',
    clause: 'delivery.point.address-kept',
    about: 'Embeddings, overrides and isolates of the writing direction are removed from an address.',
    rules: created(({ address }) =>
      address === null ? {} : { address: address.replace(/[\u202a-\u202e\u2066-\u2069]/gu, '') },
    ),
  },
  {
    id: 'points.address-loses-control-characters',
    clause: 'delivery.point.address-kept',
    about: 'Control characters of ASCII are removed from an address; line breaks and tabs stay.',
    rules: created(({ address }) =>
      address === null ? {} : { address: address.replace(/[^\t\n\r\u0020-\u007e\u0080-\u{10ffff}]/gu, '') },
    ),
  },
  {
    id: 'points.attributes-counted-as-list',
    clause: 'delivery.point.attributes-shape',
    about: 'Attributes whose keys count from 0 are shown as a list.',
    rules: shown(({ attributes }) => {
      const keys = Object.keys(isObject(attributes) ? attributes : {});
      const isCounted = keys.length > 0 && keys.every((key, at) => key === String(at));
      return isCounted ? { attributes: Object.values(attributes as Json) } : {};
    }),
  },
  {
    id: 'points.attributes-override-fields',
    clause: 'delivery.point.attributes-object-kept',
    about: 'An attribute with the name of a field replaces that field.',
    rules: shown(({ attributes }) =>
      isObject(attributes) && typeof attributes.city === 'string' ? { city: attributes.city } : {},
    ),
  },
  {
    id: 'points.attributes-keys-split-at-dots',
    clause: 'delivery.point.attributes-object-kept',
    about: 'An attribute whose key has a dot becomes a nested object.',
    rules: shown(({ attributes }) => (isObject(attributes) ? { attributes: splitAtDots(attributes) } : {})),
  },
  {
    id: 'points.attributes-rounded',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Numbers among the attributes have three decimals.',
    rules: shown(({ attributes }) => (isObject(attributes) ? { attributes: rounded(attributes) } : {})),
  },
  {
    id: 'points.deleted-attributes-return-in-lists',
    clause: 'delivery.point.create-stores',
    about:
      'A point of a batch call without attributes has those of a deleted point with its id; an added one has none.',
    rules: (correct) => {
      const deleted = new Map<string, Point['attributes']>();
      return {
        removePoint: (list, id) => {
          deleted.set(`${list.handle} ${id}`, list.get(id)?.attributes);
          correct.removePoint(list, id);
        },
        stage: (list, points) =>
          correct.stage(
            list,
            points.map((point) => ({
              ...point,
              attributes: point.attributes ?? deleted.get(`${list.handle} ${point.id}`),
            })),
          ),
      };
    },
  },
  {
    id: 'points.address-as-float',
    clause: 'delivery.point.address-kept',
    about: 'An address of digits is stored as a float; up to 15 digits are correct.',
    rules: created(({ address }) => (/^\d{16,}$/.test(address ?? '') ? { address: String(Number(address)) } : {})),
  },
  {
    id: 'points.zip-loses-plus',
    clause: 'delivery.point.zip-kept',
    about: 'The zip of a new point loses a plus sign at its beginning, as where it is read as a number.',
    rules: created(({ zip }) => ({ zip: zip?.replace(/^\+/, '') ?? null })),
  },
  {
    id: 'points.zip-completed-for-country',
    clause: 'delivery.point.zip-kept',
    about: 'The postal code of a new point gets what is usual in its country: a prefix, a space, or a hyphen.',
    rules: created(({ country, zip }) => {
      const usual = USUAL_CODES[country?.toUpperCase() ?? ''];
      return usual === undefined || typeof zip !== 'string' ? {} : { zip: zip.replace(...usual) };
    }),
  },
  {
    id: 'points.country-greece-renamed',
    clause: 'delivery.point.country-kept',
    about: 'Greece has the code that the European Union uses.',
    rules: created(({ country }) => (country === 'GR' ? { country: 'EL' } : {})),
  },
  {
    id: 'points.attributes-empty-key-dropped',
    clause: 'delivery.point.attributes-object-kept',
    about: 'A key of attributes that is the empty text is dropped.',
    rules: created(({ attributes }) =>
      isObject(attributes)
        ? { attributes: Object.fromEntries(Object.entries(attributes).filter(([key]) => key !== '')) }
        : {},
    ),
  },
  {
    id: 'points.attributes-keys-cut',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Of the keys of attributes the first 32 are kept.',
    rules: created(({ attributes }) =>
      isObject(attributes) ? { attributes: Object.fromEntries(Object.entries(attributes).slice(0, 32)) } : {},
    ),
  },
];

/** By country, what is changed in a postal code. */
const USUAL_CODES: Readonly<Record<string, readonly [RegExp, string]>> = {
  LV: [/^(\d{4})$/, 'LV-$1'],
  PL: [/^(\d\d)(\d{3})$/, '$1-$2'],
  SE: [/^(\d{3})(\d\d)$/, '$1 $2'],
};

const splitAtDots = (attributes: Json): Json =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => {
      const [first = '', ...rest] = key.split('.');
      return rest.length === 0 ? [key, value] : [first, { [rest.join('.')]: value }];
    }),
  );

const rounded = (attributes: Json): Json =>
  Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [
      key,
      typeof value === 'number' ? Math.round(value * 1_000) / 1_000 : value,
    ]),
  );
