/**
 * Values that fields have to keep. First those of all fields are tested together, for all checks at once; a check tests those of its
 * own field one by one if the target refuses some or does not return them all.
 */
import type { Context } from '../../../../harness/check/context.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';
import { inOneLanguage } from '../fields.ts';
import { AWKWARD_TEXT, EMOJI_TEXT, NUMERIC_TEXT, UNTIDY_TEXT } from '../values.ts';

export interface Case {
  readonly value: unknown;
  /** A service may refuse it, but has to keep it once accepted. */
  readonly refusable?: boolean;
}

/** Texts that a title has to keep, in one language: `plain` and awkward ones. */
export const titleCases = (context: Context, plain: string): readonly Case[] => [
  { value: inOneLanguage(context, plain) },
  { value: inOneLanguage(context, AWKWARD_TEXT) },
  { value: inOneLanguage(context, NUMERIC_TEXT) },
  { value: inOneLanguage(context, EMOJI_TEXT), refusable: true },
  // A plain string is a text in the default language; a service that has others may require an object for a new text.
  { value: UNTIDY_TEXT, refusable: true },
];

export type CasesByField<Field extends string> = Readonly<
  Partial<Record<Field, (context: Context) => readonly Case[]>>
>;

/** What was sent, and how it reads. */
export interface ReadBack {
  readonly sent: Json;
  readonly read: Json;
}

/** The first values of all fields, then the second ones, and so on; a field with fewer values is omitted in the later ones. */
export function valuesTogether<Field extends string>(context: Context, cases: CasesByField<Field>): Json[] {
  const byField = Object.entries<CasesByField<Field>[Field]>(cases).map(
    ([field, casesOf]) => [field, casesOf?.(context) ?? []] as const,
  );
  const most = Math.max(...byField.map(([, all]) => all.length));
  return Array.from({ length: most }, (_, at) =>
    Object.fromEntries(byField.flatMap(([field, all]) => (at < all.length ? [[field, all[at]?.value]] : []))),
  );
}
