/** What later pages show of a method: pages may come from other code than the first one (spec: Endpoints, Common rules for A and B). */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { changedFields, METHOD_FIELDS } from '../steps/fields.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { OWN_METHODS } from '../steps/options.ts';
import { readMethod } from '../steps/reading.ts';
import type { FullReading } from './reading/index.ts';
import { METHOD_LISTS } from './reading/index.ts';
import { readingOf, sharedMethodList, unchangedOf } from './reading/shared.ts';
import { DESCENDING_METHODS, OWN_METHODS_COUNT } from './rules.ts';

/** The entries of a method on all pages but the first one. */
function onLaterPages({ items, pages }: FullReading, handle: string): Json[] {
  return items.slice(pages[0]?.ids.length ?? 0).filter((item) => item.handle === handle);
}

const valuesOf = (item: Json, names: readonly string[]): Json =>
  Object.fromEntries(names.map((name) => [name, item[name]]));

async function readings(context: Context, list: Parameters<typeof readingOf>[1]): Promise<FullReading[]> {
  const read = await inTurn(DESCENDING_METHODS, (spec) => readingOf(context, list, [], spec));
  return read.flatMap((reading) => reading ?? []);
}

export const checks: readonly Check[] = [
  check(
    'delivery.lists.later-pages.method-fields',
    'MUST show a method on later pages of the list with the fields that its handle returns',
    {
      clauses: ['delivery.method.list-agrees-with-read'],
      ...OWN_METHODS,
      alone: true,
      shares: METHOD_LISTS,
      additional: true,
    },
    async (context) => {
      const list = await sharedMethodList(context, OWN_METHODS_COUNT);
      // Why it can't be read is judged by the rules of lists.
      if (list?.own === undefined) throw new Skipped('the list of methods could not be read as a whole');
      const read = await readings(context, list);
      let seen = 0;
      for (const method of unchangedOf(context, list)) {
        const entries = read.flatMap((reading) => onLaterPages(reading, method.handle));
        if (entries.length === 0) continue;
        seen += 1;
        const alone = await readMethod(context, method);
        for (const entry of entries) {
          const differing = changedFields(context, METHOD_FIELDS, alone, entry);
          context.expect.that(
            differing.length === 0,
            `a later page of the list must show ${differing.join(' and ')} as the method itself does`,
            {
              expected: valuesOf(alone, differing),
              actual: valuesOf(entry, differing),
              pointer: `/delivery_methods/…/${differing[0]}`,
            },
          );
        }
      }
      if (seen === 0) throw new Skipped('none of the later pages that were read shows a method of the run');
    },
  ),
];
