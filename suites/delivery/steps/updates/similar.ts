/**
 * Updates to values that are like the old ones: a service that compares both to find out what changed may compare as its database or
 * language does, without letter case, accents or spaces at the end, or as numbers, and leave the old value.
 * Countries are in letters of either case, as the contract fixes none.
 */
import type { Context } from '../../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../../harness/target/client/types.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../../harness/target/response/judge-response.ts';
import { inOneLanguage, type MethodField, type PointField, pick, readBackFaults } from '../fields.ts';

/** What fields hold one after the other: each is like itself before, in another way than the other fields. */
export const similarPoints = (context: Context): readonly Json[] => [
  {
    ...{ title: inOneLanguage(context, 'Rīgas Hall'), address: 'Rīgas iela', city: 'Riga ', zip: '0012' },
    ...{ country: 'LV', attributes: { box: '7', open: '1', openHours: '8-18' } },
  },
  {
    ...{ title: inOneLanguage(context, 'RĪGAS hall'), address: 'Rigas iela', city: 'Riga', zip: '12' },
    ...{ country: 'ee', attributes: { box: 7, open: true, openHours: '8-18' } },
  },
  {
    ...{ title: inOneLanguage(context, 'RIGAS hall'), address: 'RIGAS iela', city: 'RIGA', zip: '012' },
    ...{ country: 'lv', attributes: { box: '07', open: 1, OpenHours: '8-20' } },
  },
  // Cyrillic letters that look like the Latin ones, and a wide digit.
  {
    ...{ title: inOneLanguage(context, 'RIGАS hаll'), address: 'RIGАS iela', city: 'RIGА', zip: '012' },
    ...{ country: 'EE', attributes: { box: '０７', open: 1, OpenHours: '8-20' } },
  },
];

/** Both texts have the mark of the run: where one of them is refused, the other still says whose the method is. */
export function similarMethods(context: Context): readonly Json[] {
  const mark = context.resources.newMark();
  const [title, label] = [`kurjers ${mark}`, 'https://labels.example'];
  return [
    { title: inOneLanguage(context, `Rīgas ${title}`), reference: `${mark} hall`, print_label_url: `${label}/Hall` },
    { title: inOneLanguage(context, `Rigas ${title}`), reference: `${mark} HALL`, print_label_url: `${label}/hall` },
    // Cyrillic letters that look like the Latin ones.
    { title: inOneLanguage(context, `Rigаs ${title}`), reference: `${mark} HАLL`, print_label_url: `${label}/hall/` },
  ];
}

type Field = MethodField | PointField;

interface Updated {
  readonly values: readonly Json[];
  change(fields: Json): Promise<ServiceResponse>;
  read(): Promise<Json>;
  /** States that an object which never had other values keeps these. */
  givenKept(values: Json): Promise<void>;
}

/** Asserts that fields read back after each update to a similar value. A service may refuse some of the values. */
export async function appliesSimilar(
  context: Context,
  { values: [first = {}, ...others], change, read, givenKept }: Updated,
): Promise<void> {
  // Plain texts differ in none of these ways.
  if (context.isPlain && context.replaced?.has('texts') !== false) return;
  const fields = Object.keys(first) as Field[];
  if ((await takenOf(first, fields, change)).length === 0) return;
  for (const next of others) {
    // A service that refuses one value of a field may take the next one.
    const taken = await takenOf(next, fields, change);
    if (taken.length === 0) return;
    const now = await read();
    const faultsOf = (field: Field) => readBackFaults(context, field, next[field], now[field]);
    const faults = taken.flatMap(faultsOf);
    // Without the other fields: a service may take some values of theirs in updates only.
    const lost = taken.filter((field) => faultsOf(field).length > 0);
    if (lost.length > 0 && context.explains) await givenKept(pick(next, lost));
    context.expect.noFaults(faults, 'after an update to a value like the old one the new value must be returned');
  }
}

/** The fields that are accepted with these values: all at once, or those that are accepted alone. */
async function takenOf(
  values: Json,
  fields: readonly Field[],
  change: (fields: Json) => Promise<ServiceResponse>,
): Promise<readonly Field[]> {
  if (fields.length === 0 || isServed(await change(pick(values, fields)))) return fields;
  const taken: Field[] = [];
  for (const field of fields) if (isServed(await change(pick(values, [field])))) taken.push(field);
  return taken;
}
