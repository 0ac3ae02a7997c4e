/** The rules of pages for the methods of every owner: the list of a second store, and that of a delivery provider. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckOptions, CheckTitle } from '../../../harness/check/facts.ts';
import type { MethodOwner } from '../../../harness/cleanup/ledger.ts';
import { OF_PROVIDER, TWO_STORES } from '../steps/options.ts';
import { methodList } from './method-list.ts';
import { LARGE_PAGE_ITEMS, METHOD_LISTS, type Spec } from './reading/index.ts';
import { LIST_CLAUSES } from './reading/judge.ts';
import { evidenceOf, sentence } from './rules.ts';

/** Enough for two pages of two, in both orders. */
const COUNT = 3;
const FEW_PAGES = 4;

/** Ways that show what each rule of pages is about. In large pages the list is read before and after these. */
export const FEW_WAYS: readonly Spec[] = [
  ...[1, 2].map((pageSize) => ({ pageSize, stopAfter: FEW_PAGES })),
  ...[1, 2, LARGE_PAGE_ITEMS].map((pageSize) => ({ pageSize, stopAfter: FEW_PAGES, desc: true })),
];

const ofOwner = (
  id: string,
  title: CheckTitle,
  owner: MethodOwner,
  options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>,
): Check =>
  check(
    id,
    title,
    { clauses: LIST_CLAUSES, ...options, additional: true, alone: true, shares: METHOD_LISTS },
    async (context: Context) => {
      context.actAs(owner);
      const list = await methodList(context, COUNT);
      const [found] = await list.anomalies(FEW_WAYS, 'delivery.lists.desc-kept-on-later-pages');
      const clauses = found === undefined ? {} : { clauses: [found.clause] };
      context.expect.that(found === undefined, found === undefined ? title : sentence(list, found), {
        ...evidenceOf(found),
        ...clauses,
      });
    },
  );

export const checks: readonly Check[] = [
  ofOwner(
    'delivery.lists.other-store',
    'MUST return the methods of a second store page by page in the same way',
    'other',
    TWO_STORES,
  ),
  ofOwner(
    'delivery.lists.provider',
    'MUST return the methods of a delivery provider page by page in the same way',
    'public',
    OF_PROVIDER,
  ),
];
