/** The form of the answers of the Delivery interface, as far as a run may only read, and where it may write. */
import { type Check, type CheckTitle, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { expectForm, FORM_RULES, type FormRule } from '../form.ts';
import { refusalsOf, type Sample, successesOf } from '../samples.ts';
import { readsRefused, readsServed, writesRefused, writesServed } from './calls.ts';

const titled = ({ title }: FormRule, calls: string): CheckTitle => title.replace('%', calls) as CheckTitle;

const ofReads = (rule: FormRule): Check =>
  check(
    `envelope.delivery.reading.${rule.name}`,
    titled(rule, 'reading Delivery calls'),
    { clauses: [rule.clause], ...OWN_METHODS, effects: 'read' },
    async (context) => {
      const served = needsServed(rule) ? await successesOf(context, await readsServed(context)) : [];
      const refused = needsRefused(rule) ? await refusalsOf(context, readsRefused(context)) : [];
      expectForm(context, rule, [...served, ...refused]);
    },
  );

const ofWrites = (rule: FormRule): Check =>
  check(
    `envelope.delivery.writing.${rule.name}`,
    titled(rule, 'writing Delivery calls'),
    { clauses: [rule.clause], ...OWN_METHODS },
    async (context) => expectForm(context, rule, await writtenSamples(context, rule)),
  );

async function writtenSamples(context: Context, rule: FormRule): Promise<Sample[]> {
  const samples: Sample[] = [];
  if (needsServed(rule)) {
    const { created, calls } = await writesServed(context);
    const wanted = rule.of === 'empty successes' ? calls.filter(({ call }) => call.method !== 'GET') : calls;
    samples.push(created, ...(await successesOf(context, wanted)));
  }
  if (needsRefused(rule)) {
    const method = await context.given.newMethod(context.delivery);
    samples.push(...(await refusalsOf(context, writesRefused(context, method))));
  }
  return samples;
}

const needsServed = ({ of }: FormRule): boolean => of !== 'refusals';
const needsRefused = ({ of }: FormRule): boolean => of === 'refusals' || of === 'all';

export const checks: readonly Check[] = [
  // Reading calls have something to return whenever they succeed.
  ...FORM_RULES.filter(({ of }) => of !== 'empty successes').map(ofReads),
  ...FORM_RULES.map(ofWrites),
];
