/**
 * Status and envelope of the responses to every owner: a second store, and a delivery provider. Most services build them with the same
 * code for all keys; some have another one for each kind.
 */
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckOptions, CheckTitle } from '../../../harness/check/facts.ts';
import type { MethodOwner } from '../../../harness/cleanup/ledger.ts';
import { OF_PROVIDER, TWO_STORES } from '../../delivery/steps/options.ts';
import { expectEveryForm, MUST_CLAUSES } from '../form.ts';
import { alternately } from '../samples.ts';
import { refusedReads, refusedWrites, servedReads, servedWrites } from './calls.ts';

const ofOwner = (
  id: string,
  title: CheckTitle,
  owner: MethodOwner,
  options: Pick<CheckOptions, 'needs' | 'effects' | 'part'>,
): Check =>
  check(id, title, { clauses: MUST_CLAUSES, additional: true, ...options }, async (context) => {
    context.actAs(owner);
    const { created, handle, calls } = await servedWrites(context, 'Smith & Sons');
    // Of the owner that the check acts as.
    const method = await context.given.newMethod(context.delivery);
    const refused = [...refusedReads(context), ...refusedWrites(context, method)];
    const samples = await alternately(
      context,
      // The reads after the writes: they show what those left as well.
      [...calls, ...(await servedReads(context, handle))],
      // A call without a valid key has no owner.
      refused.filter(({ clause }) => !clause.startsWith('delivery.credentials')),
    );
    expectEveryForm(context, { ...samples, served: [created, ...samples.served] });
  });

export const checks: readonly Check[] = [
  ofOwner('envelope.delivery.other-store', 'MUST respond to a second store in the same form', 'other', TWO_STORES),
  ofOwner(
    'envelope.delivery.provider',
    'MUST respond to a delivery provider in the same form as to a store',
    'public',
    OF_PROVIDER,
  ),
];
