/** Points of a provider, whose languages are not known, with texts that faulty services change. */

import { type MultilanguageText, readsBack } from '../../../contracts/fields/multilanguage.ts';
import { shortened } from '../../../contracts/json/words.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { MAX_USUAL_CHARACTERS, type TextOfField, wholeTexts } from '../steps/awkward-values/texts.ts';
import { POINT_FIELDS, type PointField, sameReading } from '../steps/fields.ts';
import { plainPoint } from '../steps/owners/index.ts';

/** Ids that change when parsed as numbers, trimmed, escaped or case-folded; they remain different from each other even then. */
const AWKWARD_IDS = [
  ...['0012', '5e3', 'true', 'PM-\u0100bele_7', 'PM 7 ', 'Ri\u0304ga 3', 'x'.repeat(60)],
  ...['a &amp; <b>"q"</b> $1 C:\\new', 'tab\tone\r\ntwo\rthree\nfour'],
];

/** The lists of points, one per call, the most demanding first: a service may refuse texts of our choice. */
export async function awkwardPoints(context: Context): Promise<readonly (readonly Json[])[]> {
  const texts = (await wholeTexts(context)).map(({ textOf }) => textOf);
  const all = texts.map((textOf, at) => ({
    ...pointWith(AWKWARD_IDS[at] ?? `p${at}`, textOf),
    country: at % 2 === 0 ? 'LV' : 'EE',
  }));
  const usual = texts.map((textOf) => textOf(1)).filter(({ length }) => length <= MAX_USUAL_CHARACTERS);
  const inAddress = usual.map((text, at) => ({ ...plainPoint(`p${at}`), address: text }));
  return [all, inAddress, [plainPoint('p1'), plainPoint('p2')]];
}

const pointWith = (id: string, textOf: TextOfField): Json => ({
  ...{ id, title: textOf(0), address: textOf(1), city: textOf(2), zip: textOf(3) },
  attributes: { text: textOf(0), inside: [textOf(0), 7, 2.5, true] },
});

/** The first field that is not listed as it was sent, as the end of a sentence; undefined when all are. */
export function firstLostField(context: Context, sent: readonly Json[], listed: readonly Json[]): string | undefined {
  for (const point of sent) {
    const name = `the point ${JSON.stringify(point.id)} of a batch call`;
    const read = listed.find(({ id }) => id === point.id);
    if (read === undefined) return `${name} is not listed`;
    const field = POINT_FIELDS.find((one) => !isKept(context, one, point[one], read[one]));
    if (field !== undefined)
      return `${name} has ${field} ${shown(point[field])}, but the list shows ${shown(read[field])}`;
  }
  return undefined;
}

/** A title that was sent as a string may be listed under the default language, which is not known. */
const isKept = (context: Context, field: PointField, sent: unknown, read: unknown): boolean =>
  field === 'title'
    ? readsBack(sent as MultilanguageText, read, { languages: [] }).length === 0
    : sameReading(context, field, sent, read);

const MAX_SHOWN_CHARACTERS = 120;
const shown = (value: unknown): string => shortened(JSON.stringify(value) ?? 'nothing', MAX_SHOWN_CHARACTERS);
