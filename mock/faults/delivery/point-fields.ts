/** Faults of the fields of pickup points: kept, shown and updated. */

import { refuse } from '../../http/refusal.ts';
import { isObject } from '../../http/request.ts';
import type { Deviation } from '../../types/deviation.ts';
import type { Point, PointInput } from '../../types/point.ts';
import type { Text } from '../../types/text.ts';
import { isAscii, type Json, listed, questionMarks } from '../interception.ts';
import { eachText } from './method-fields.ts';
import { alsoReaches, beginningAlike } from './reach.ts';

/** What an add, alone or in a batch, makes of a point. */
const created =
  (change: (point: Point, input: PointInput) => Partial<Point>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null ? { ...point, ...change(point, input) } : point;
    },
  });

/** What an update makes of a point. */
const updated =
  (change: (point: Point, input: PointInput, before: Point) => Partial<Point>): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null ? point : { ...point, ...change(point, input, before) };
    },
  });

/** How points are shown, alone and in the list. */
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

const mapped = (value: Json, change: (member: unknown, key: string) => [string, unknown] | null): Json =>
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
    id: 'points.address-trimmed',
    clause: 'delivery.point.address-kept',
    about: 'Spaces at both ends of an address are taken off.',
    rules: created(({ address }) => ({ address: address?.trim() ?? null })),
  },
  {
    id: 'points.city-ascii-only',
    clause: 'delivery.point.city-kept',
    about: 'Letters of a city outside ASCII are written without their marks: Riga for Rīga.',
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
    about: 'A zip of digits loses its leading zeros, and stays a text.',
    rules: created(({ zip }) => ({ zip: zip && /^\d+$/.test(zip) ? String(Number(zip)) : zip })),
  },
  {
    id: 'points.zip-without-spaces',
    clause: 'delivery.point.zip-kept',
    about: 'Spaces are taken out of a zip.',
    rules: created(({ zip }) => ({ zip: zip?.replaceAll(' ', '') ?? null })),
  },
  {
    id: 'points.country-norway-lost',
    clause: 'delivery.point.country-kept',
    about: 'Norway, whose code NO reads as no in some formats, is lost.',
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
    about: 'Attributes that are false, 0 or empty are left out.',
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
    about: 'An empty string for attributes is refused; an object and null are taken.',
    rules: (correct) => ({
      mergePoint: (before, id, input, site) =>
        input.attributes === ''
          ? refuse('invalid', 'attributes must be an object.')
          : correct.mergePoint(before, id, input, site),
    }),
  },
  {
    id: 'points.attributes-empty-string-keeps-old',
    clause: 'delivery.point.attributes-empty-string',
    about: 'An update with an empty string for attributes answers success and leaves them as they were.',
    rules: updated((point, input, before) => ({
      attributes: input.attributes === '' ? before.attributes : point.attributes,
    })),
  },
  {
    id: 'points.attributes-as-text',
    clause: 'delivery.point.attributes-shape',
    about: 'Attributes are shown as a text that holds their JSON.',
    rules: shown(({ attributes: sent }) => ({
      attributes: typeof sent === 'object' && sent !== null ? JSON.stringify(sent) : sent,
    })),
  },
  {
    id: 'points.attributes-as-pairs',
    clause: 'delivery.point.attributes-shape',
    about: 'Attributes are shown as a list of keys with their values.',
    rules: shown(({ attributes: sent }) => ({
      attributes:
        typeof sent === 'object' && sent !== null ? Object.entries(sent).map(([key, value]) => ({ key, value })) : sent,
    })),
  },
  {
    id: 'points.list-without-attributes',
    clause: 'delivery.point.list-agrees-with-read',
    about: 'The list shows points without their attributes.',
    rules: listed('pickup_points', (items) => items.map(({ attributes: _, ...item }) => item)),
  },
  {
    id: 'points.list-shows-shorter-zip',
    clause: 'delivery.point.list-agrees-with-read',
    about: 'The list shows the zip of a point without its leading zeros; the point alone is right.',
    rules: listed('pickup_points', (items) =>
      items.map((item) => ({ ...item, zip: String(item.zip ?? '').replace(/^0+/, '') })),
    ),
  },
  {
    id: 'points.update-of-two-loses-one',
    clause: 'delivery.point.update-applies',
    about: 'An update that names both city and zip loses the zip; alone it is taken.',
    rules: updated((point, input, before) => ({
      zip: input.city !== undefined && input.zip !== undefined ? before.zip : point.zip,
    })),
  },
  {
    id: 'points.update-merges-attributes',
    clause: 'delivery.point.update-applies',
    about: 'An update of the attributes adds its members to the old ones instead of taking their place.',
    rules: updated((point, input, before) => ({
      attributes:
        typeof input.attributes === 'object' && input.attributes !== null && typeof before.attributes === 'object'
          ? { ...before.attributes, ...input.attributes }
          : point.attributes,
    })),
  },
  {
    id: 'points.update-loses-non-ascii',
    clause: 'delivery.point.update-applies',
    about: 'An update of the city to a text with letters outside ASCII does nothing.',
    rules: updated((point, input, before) => ({ city: isAscii(input.city ?? '') ? point.city : before.city })),
  },
  {
    id: 'points.update-to-empty-ignored',
    clause: 'delivery.point.update-applies',
    about: 'An update to an empty text answers success and changes nothing.',
    rules: updated((point, input, before) => ({
      address: input.address === '' ? before.address : point.address,
      city: input.city === '' ? before.city : point.city,
      zip: input.zip === '' ? before.zip : point.zip,
    })),
  },
  {
    id: 'points.update-loses-attributes',
    clause: 'delivery.point.update-keeps-unnamed',
    about: 'An update that does not name the attributes takes them away.',
    rules: updated((point, input) => ({ attributes: input.attributes === undefined ? undefined : point.attributes })),
  },
  {
    id: 'points.update-of-address-clears-zip',
    clause: 'delivery.point.update-keeps-unnamed',
    about: 'An update of the address without a zip takes the zip away.',
    rules: updated((point, input) => ({
      zip: input.address !== undefined && input.zip === undefined ? null : point.zip,
    })),
  },
  {
    id: 'points.update-by-prefix',
    clause: 'delivery.point.update-leaves-other-points',
    about: 'An update reaches every point of the method whose id begins with the one that was named.',
    http: alsoReaches('PUT', beginningAlike),
  },
  {
    id: 'points.city-zero-is-empty',
    clause: 'delivery.point.city-kept',
    about: 'A city that is the text 0 is taken for none.',
    rules: created(({ city }) => (city === '0' ? { city: '' } : {})),
  },
  {
    id: 'points.address-loses-invisible-signs',
    clause: 'delivery.point.address-kept',
    about: 'Signs without a shape are taken out of an address: spaces of no width, soft hyphens.',
    rules: created(({ address }) => (address === null ? {} : { address: address.replace(/[\u200b\u00ad]/gu, '') })),
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
    id: 'points.attributes-take-place-of-fields',
    clause: 'delivery.point.attributes-object-kept',
    about: 'An attribute with the name of a field is shown in its place.',
    rules: shown(({ attributes }) =>
      isObject(attributes) && typeof attributes.city === 'string' ? { city: attributes.city } : {},
    ),
  },
  {
    id: 'points.attributes-keys-split-at-dots',
    clause: 'delivery.point.attributes-object-kept',
    about: 'An attribute whose key has a dot becomes an object in an object.',
    rules: shown(({ attributes }) => (isObject(attributes) ? { attributes: splitAtDots(attributes) } : {})),
  },
  {
    id: 'points.attributes-rounded',
    clause: 'delivery.point.attributes-object-kept',
    about: 'Numbers among the attributes have three decimals.',
    rules: shown(({ attributes }) => (isObject(attributes) ? { attributes: rounded(attributes) } : {})),
  },
];

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
