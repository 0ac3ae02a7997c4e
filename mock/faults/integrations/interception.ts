/** Building blocks for faults of pages: changed form fields, and the properties that all of these faults have. */

import type { Pairs } from '../../http/call.ts';
import type { LabelContext } from '../../rules/labels.ts';
import type { Deviation } from '../../types/deviation.ts';

type MakesRules = NonNullable<Deviation['rules']>;

/** A deviation that shows in a browser only. */
export const seen = (id: string, clause: string | readonly string[], about: string, rules: MakesRules): Deviation => ({
  id,
  ...(typeof clause === 'string' ? { clause } : { clauses: clause }),
  about,
  surface: 'browser',
  rules,
});

/** Changes the fields of a label request before they are signed. */
export const fields =
  (change: (fields: Pairs, context: LabelContext) => Pairs): MakesRules =>
  (correct) => ({ labelFields: (context) => change(correct.labelFields(context), context) });

/** Changes one value of a label request; null removes the field. */
export const value = (name: string, change: (value: string, context: LabelContext) => string | null): MakesRules =>
  fields((all, context) =>
    all.flatMap(([key, old]) => {
      const now = key === name ? change(old, context) : old;
      return now === null ? [] : [[key, now] as const];
    }),
  );
