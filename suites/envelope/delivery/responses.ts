/** The form of the responses of the Delivery interface, as far as a run may only read, and where it may write. */
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { methodWithPoints } from '../../delivery/steps/methods/filled-methods.ts';
import { OWN_METHODS } from '../../delivery/steps/options.ts';
import { besideOthers, expectForm, type FormRule, type FormRuleName, formRule } from '../form.ts';
import { refusalsOf, type SharedSamples, samplesFor, successesOf } from '../samples.ts';
import { refusedReads, refusedWrites, servedReads, servedWrites } from './calls.ts';

const titled = ({ title }: FormRule, calls: string): CheckTitle => title.replace('%', calls) as CheckTitle;

const ofReads = (id: string, rule: FormRule): Check =>
  check(
    id,
    titled(rule, 'Delivery reads'),
    { clauses: [rule.clause], ...besideOthers(rule), ...OWN_METHODS, effects: 'read', shares: READS_SHARED },
    async (context) => expectForm(context, rule, await samplesFor(context, rule, READ_SAMPLES)),
  );

const ofWrites = (id: string, rule: FormRule): Check =>
  check(
    id,
    titled(rule, 'Delivery writes'),
    { clauses: [rule.clause], ...OWN_METHODS, shares: WRITES_SHARED },
    async (context) => expectForm(context, rule, await samplesFor(context, rule, WRITE_SAMPLES)),
  );

const READS_SHARED = 'responses to Delivery reads';
const WRITES_SHARED = 'responses to Delivery writes';

const READ_SAMPLES: SharedSamples = {
  name: READS_SHARED,
  served: async (context) => successesOf(context, await servedReads(context)),
  refused: async (context) => refusalsOf(context, refusedReads(context)),
};

const WRITE_SAMPLES: SharedSamples = {
  name: WRITES_SHARED,
  served: async (context) => {
    const { created, calls } = await servedWrites(context);
    return [created, ...(await successesOf(context, calls))];
  },
  refused: async (context) => {
    const method = await methodWithPoints(context);
    return refusalsOf(context, refusedWrites(context, method));
  },
};

/** Reading calls have something to return whenever they succeed. */
const READS: readonly (readonly [id: string, rule: FormRuleName])[] = [
  ['envelope.delivery.reading.body-is-object', 'body-is-object'],
  ['envelope.delivery.reading.content-type', 'content-type'],
  ['envelope.delivery.reading.success-status', 'success-status'],
  ['envelope.delivery.reading.success-error', 'success-error'],
  ['envelope.delivery.reading.failure-status', 'failure-status'],
  ['envelope.delivery.reading.error-true', 'error-true'],
  ['envelope.delivery.reading.error-code', 'error-code'],
  ['envelope.delivery.reading.error-message', 'error-message'],
];

const WRITES: readonly (readonly [id: string, rule: FormRuleName])[] = [
  ['envelope.delivery.writing.body-is-object', 'body-is-object'],
  ['envelope.delivery.writing.content-type', 'content-type'],
  ['envelope.delivery.writing.success-status', 'success-status'],
  ['envelope.delivery.writing.success-envelope', 'success-envelope'],
  ['envelope.delivery.writing.success-error', 'success-error'],
  ['envelope.delivery.writing.failure-status', 'failure-status'],
  ['envelope.delivery.writing.error-true', 'error-true'],
  ['envelope.delivery.writing.error-code', 'error-code'],
  ['envelope.delivery.writing.error-message', 'error-message'],
];

export const checks: readonly Check[] = [
  ...READS.map(([id, rule]) => ofReads(id, formRule(rule))),
  ...WRITES.map(([id, rule]) => ofWrites(id, formRule(rule))),
];
