/** Faults of the members of attributes: long keys, keys of four-byte characters, and what is nested far down. */
import { isObject } from '../../../http/request.ts';
import type { Deviation } from '../../../types/deviation.ts';
import type { Json } from '../../interception.ts';

const KEPT = 'delivery.point.attributes-object-kept';
const MAX_KEY_CHARS = 64;
const MAX_DEPTH = 5;
/** What some languages keep of a number when they write it as JSON. */
const MAX_DIGITS = 14;
const OF_ERRORS: readonly string[] = ['error_code', 'error_message'];

/** A new point with its attributes changed, at every level. */
const keptAs =
  (change: (value: unknown, depth: number) => unknown): NonNullable<Deviation['rules']> =>
  (correct) => ({
    mergePoint: (before, id, input, site) => {
      const point = correct.mergePoint(before, id, input, site);
      return before === null && isObject(point.attributes)
        ? { ...point, attributes: changed(point.attributes, 0, change) as Json }
        : point;
    },
  });

function changed(value: unknown, depth: number, change: (value: unknown, depth: number) => unknown): unknown {
  const now = change(value, depth);
  if (Array.isArray(now)) return now.map((item) => changed(item, depth + 1, change));
  if (!isObject(now)) return now;
  return Object.fromEntries(Object.entries(now).map(([key, member]) => [key, changed(member, depth + 1, change)]));
}

const withKeys =
  (rename: (key: string) => string) =>
  (value: unknown): unknown =>
    isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, member]) => [rename(key), member])) : value;

export const attributeMemberFaults: readonly Deviation[] = [
  {
    id: 'points.attributes-long-keys-cut',
    clause: KEPT,
    about: 'Keys of attributes are cut after 64 characters.',
    rules: keptAs(withKeys((key) => key.slice(0, MAX_KEY_CHARS))),
  },
  {
    id: 'points.attributes-tiny-numbers-lost',
    clause: KEPT,
    about: 'Numbers in attributes keep six digits behind the point, so that smaller ones become zero.',
    rules: keptAs((value) => (typeof value === 'number' && Math.abs(value) < 1e-6 ? 0 : value)),
  },
  {
    id: 'points.attributes-keys-without-pictures',
    clause: KEPT,
    about: 'Four-byte characters in keys of attributes become question marks.',
    rules: keptAs(withKeys((key) => key.replace(/[\u{10000}-\u{10ffff}]/gu, '?'))),
  },
  {
    id: 'points.attributes-keys-escaped',
    clause: KEPT,
    about: 'Markup in keys of attributes is escaped.',
    rules: keptAs(withKeys((key) => key.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))),
  },
  {
    id: 'points.attributes-keys-cut-at-colons',
    clause: KEPT,
    about: 'Keys of attributes are cut at their first colon.',
    rules: keptAs(withKeys((key) => key.split(':')[0] || key)),
  },
  {
    id: 'points.attributes-lists-without-nulls',
    clause: KEPT,
    about: 'Items of lists within attributes that are null are left out.',
    rules: keptAs((value) => (Array.isArray(value) ? value.filter((item) => item !== null) : value)),
  },
  {
    id: 'points.attributes-named-as-envelope-lost',
    clause: KEPT,
    about: 'Members of attributes that are named like those of an error are taken out.',
    rules: keptAs((value) =>
      isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !OF_ERRORS.includes(key))) : value,
    ),
  },
  {
    id: 'points.attributes-cut-deep-down',
    clause: KEPT,
    about: 'Objects below the fifth level of attributes are replaced by null.',
    rules: keptAs((value, depth) => (depth >= MAX_DEPTH && typeof value === 'object' ? null : value)),
  },
  {
    id: 'points.attributes-cut-below-ten-levels',
    clause: KEPT,
    about: 'Objects below the tenth level of attributes are replaced by null.',
    rules: keptAs((value, depth) => (depth > MAX_DEPTH * 2 && typeof value === 'object' ? null : value)),
  },
  {
    id: 'points.attributes-numbers-of-14-digits',
    clause: KEPT,
    about: 'Fractions within attributes keep 14 significant digits.',
    rules: keptAs((value) =>
      typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(MAX_DIGITS)) : value,
    ),
  },
  {
    id: 'points.attributes-moments-with-milliseconds',
    clause: KEPT,
    about: 'Times in UTC within attributes are read as times and written with milliseconds.',
    rules: keptAs((value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/.test(value) ? new Date(value).toISOString() : value,
    ),
  },
];
