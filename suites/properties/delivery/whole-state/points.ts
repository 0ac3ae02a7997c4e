/** The points that a step sends: their fields in the website's languages, and whether a service may refuse any of it. */
import { POINT_FIELDS, type PointField } from '../../../../contracts/fields/catalogue/delivery.ts';
import { isUnset } from '../../../../contracts/fields/unset.ts';
import type { Context } from '../../../../harness/check/context.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { pick, websiteOf } from '../../../delivery/steps/fields.ts';
import { isPlainId, isPlainText } from './alphabets.ts';
import { type PointValues, type Step, without } from './steps.ts';
import { type MethodState, similarIds, type World } from './world.ts';

type ListStep = Extract<Step, { do: 'list' }>;

const MAX_REPEATED_CHARS = 200;
const PLAIN_POINT: Json = { city: 'Tallinn', zip: 'LV-1050', attributes: { terminal: '7' } };
/** In ids of a long list: what a careless path folds or escapes. */
const SIGNS = ' & <SIA>';

/** A text in each language of the website, or in one beside the default; a plain string where its languages are not known. */
export function titleOf(context: Context, text: string, which: 'all' | 'one'): unknown {
  const { languages, defaultLanguage } = websiteOf(context);
  const [first] = languages;
  if (first === undefined) return text;
  const own = defaultLanguage ?? first;
  const others = languages.filter((code) => code !== own);
  if (which === 'one') return { [others.at(-1) ?? own]: text };
  return { [own]: text, ...Object.fromEntries(others.map((code) => [code, `Nosaukums ${code}`])) };
}

/** The fields of a point as they are sent. */
export const pointFields = (context: Context, { title, ...rest }: PointValues): Json => ({
  ...rest,
  ...(title === undefined ? {} : { title: titleOf(context, title, 'all') }),
});

function idsOfList(world: World, { ids, more, country, areSigned }: ListStep): string[] {
  return [
    // Ids of a country's own: one that a point of another country has is open.
    ...ids
      .filter((id, at) => world.canDistinguish || similarIds(ids.slice(0, at), id).length === 0)
      .map((id) => (country === undefined ? id : `${country} ${id}`)),
    ...Array.from(
      { length: more },
      (_, at) => `${country ?? 'of list'}${areSigned === true ? SIGNS : ''} ${String(at + 1).padStart(3, '0')}`,
    ),
  ];
}

/** The points of a list, by id. */
export function pointsOfList(context: Context, world: World, step: ListStep): Map<string, Json> {
  const { country, more, areSigned, areBare } = step;
  const fields = pointFields(context, country === undefined ? step.values : { ...step.values, country });
  // One point has the long texts: a list of a hundred such would be a burden on the target.
  const light = Object.fromEntries(
    Object.entries(fields).filter(([, value]) => JSON.stringify(value).length <= MAX_REPEATED_CHARS),
  );
  const plain = { ...PLAIN_POINT, title: titleOf(context, 'Centrs', 'all') };
  // Each other point has plain values, the odd ones or the even ones: what comes from a neighbour shows at each place.
  const isOdd = more % 2 === 0 && areSigned === true;
  // All points of a list for a country are in it.
  const omitted = POINT_FIELDS.filter((field) => country === undefined || field !== 'country');
  return new Map(
    idsOfList(world, step).map((id, at) => {
      if (at === 0) return [id, fields];
      const values = (at % 2 === 1) === isOdd ? light : pick(light, ['country']);
      const bare: readonly PointField[] = areBare === true ? [omitted[at % omitted.length]!] : [];
      return [id, without({ ...plain, ...values, address: `Street ${at}` }, bare)];
    }),
  );
}

export function inPortions<T>(items: readonly T[], count: number): (readonly T[])[] {
  const size = Math.max(1, Math.ceil(items.length / count));
  const portions: (readonly T[])[] = [];
  for (let at = 0; at < items.length; at += size) portions.push(items.slice(at, at + size));
  return portions.length === 0 ? [[]] : portions;
}

/** Which fields an add or a list may leave out is open. */
export const isWhole = (fields: object): boolean => POINT_FIELDS.every((field) => field in fields);

/** Whether no service has a reason to refuse these values. */
export const isPlainPoint = ({ title, address, city, zip, country, attributes }: PointValues): boolean =>
  country !== 'NO' &&
  [title, address, city, zip].every((text) => text === undefined || isPlainText(text)) &&
  (attributes === undefined || Object.values(attributes).every((value) => /^\w*$/.test(String(value))));

/** The same for a list. */
export const isPlainList = ({ values }: ListStep, points: ReadonlyMap<string, Json>): boolean =>
  isPlainPoint(values) &&
  [...points].every(([id, fields]) => (isPlainId(id) || /^(?:of list|LV|EE) \d+$/.test(id)) && isWhole(fields));

/** Whether methods surely deliver to where their points will be: a service may refuse points of other countries. */
export function deliverTo(methods: readonly MethodState[], points: Iterable<Json>): boolean {
  const countries = [...points].map(({ country }) => country);
  return methods.every(({ fields: { available_countries_to: to } }) => {
    // Which countries a method has that was sent none is not known.
    if (to === undefined) return false;
    if (isUnset(to)) return true;
    return Array.isArray(to) && countries.every((country) => isUnset(country) || to.includes(country));
  });
}
