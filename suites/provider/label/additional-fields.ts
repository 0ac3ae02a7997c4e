/** Fields that the label page does not know, and those of the settings form: they are part of the signed message. */

import type { Fields } from '../../../contracts/signing/index.ts';
import { once } from '../../../harness/integrator/once.ts';
import { steady } from '../../../harness/integrator/page/inspection/page-inspection.ts';
import { nearMissOf } from '../../../harness/target/near-miss.ts';
import { type DeliveryCheck, type DeliveryContext, deliveryCheck, type LabelRequest } from '../session.ts';
import { type Callback, callbacksOf, parameterOf, successesOf } from '../steps/callbacks.ts';
import { freshRequest } from '../steps/forged/forgery.ts';
import {
  givenResponse,
  givenSuccess,
  longPaceOf,
  paceOf,
  printed,
  throwIfStuck,
  withAdditionalFields,
} from '../steps/user-flow.ts';
import { visit } from '../steps/visit/index.ts';
import { signedBy, type WaitLimits } from '../steps/visit/open-form.ts';

const UNKNOWN: Fields = [
  ['precheck_extra', 'R&D=50%+1/2?#ü€'],
  ['precheck_more', 'one more'],
];

const needs = ['browser', 'label-page'];
/** What became of an authentic request with unknown fields, where a request without them is reported as printed. */
type Outcome = 'printed' | 'reported as a failure' | 'treated as forged' | 'another order' | 'no report';

const outcomeOf = once(async (context: DeliveryContext): Promise<Outcome> => {
  await givenSuccess(context);
  const pace = await paceOf(context);
  const first = { ...pace, callbackMs: Math.max(2_000, pace.callbackMs) };
  let isAnother = false;
  for (const waits of [first, await longPaceOf(context)]) {
    const { callbacks, request, visit } = await report(context, 'an order with unknown fields', UNKNOWN, waits);
    if (successesOf(context.session, request).length > 0) return 'printed';
    const said = callbacks[0] === undefined ? undefined : wordsOf(callbacks[0]);
    if (said !== undefined)
      return said === (await wordsOfForged(context)) ? 'treated as forged' : 'reported as a failure';
    isAnother = visit.instead !== undefined;
  }
  return isAnother ? 'another order' : 'no report';
});

/** A page that takes this request for another one does not refuse it for its fields. */
function givenNoOtherReported({ given }: DeliveryContext, outcome: Outcome): void {
  given.holds(
    outcome !== 'another order',
    'provider.label.sends-callback',
    'the page reports an earlier request once more, or shows its label, in place of an authentic one with unknown fields',
  );
}

/** Whether an authentic request with unknown fields is reported as printed like one without. Given that one is. */
export const acceptsUnknownFields = async (context: DeliveryContext): Promise<boolean> =>
  (await outcomeOf(context)) === 'printed';

/** Prints an authentic order with further fields. */
async function report(context: DeliveryContext, name: string, more: Fields, waits: WaitLimits) {
  const { session } = context;
  const made = await freshRequest(context);
  const request: LabelRequest = { ...made, fields: withAdditionalFields(made.fields, more) };
  const visit = await printed(session, request, waits);
  const callbacks = callbacksOf(session, request);
  // After its report a page may show with any status that the service has refused it.
  if (callbacks.length === 0) throwIfStuck({ name, kind: '', visit });
  return { request, visit, callbacks };
}

/** What a callback says in error_msg, without what differs from request to request. */
const wordsOf = ({ pairs }: Callback): string => steady(parameterOf(pairs, 'error_msg') ?? '');

/** What the page reports for a forged request of the same kind, where it reports anything. */
async function wordsOfForged(context: DeliveryContext): Promise<string | undefined> {
  const { session } = context;
  const request = await freshRequest(context);
  const key = nearMissOf(session.provider.apiKey.reveal());
  const pace = await longPaceOf(context);
  await session.pages.use((page) => visit(session, page, request, signedBy(session, request.fields, key), pace));
  const [callback] = callbacksOf(session, request);
  return callback === undefined ? undefined : wordsOf(callback);
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.unknown-fields',
    'MUST accept an authentic request with unknown fields',
    { clauses: ['provider.label.additional-fields-signed'], needs },
    async (context) => {
      const outcome = await outcomeOf(context);
      givenNoOtherReported(context, outcome);
      context.expect.that(
        outcome === 'printed' || outcome === 'reported as a failure',
        'the label page refuses an authentic request with additional fields: all received fields are part of the signed message',
        {
          expected: 'a report for the authentic order, as for the same order without these fields',
          actual: { fields: Object.fromEntries(UNKNOWN), outcome },
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.settings-fields',
    'MUST accept a label request with the values of the settings form',
    { clauses: ['provider.label.additional-fields-signed'], needs },
    async (context) => {
      const { session, given } = context;
      await givenResponse(context);
      const { settings } = session.counterpart;
      const values: Fields = settings.length > 0 ? settings : [['precheck_client', 'C-77']];
      await givenSuccess(context);
      const outcome = await outcomeOf(context);
      givenNoOtherReported(context, outcome);
      given.holds(
        !['treated as forged', 'no report'].includes(outcome),
        'provider.label.additional-fields-signed',
        'the page refuses every request with additional fields',
      );
      const name = 'an order with the values of the settings form';
      const { callbacks } = await report(context, name, values, await longPaceOf(context));
      const [callback] = callbacks;
      context.restOn([callback?.received.exchange]);
      context.expect.that(
        callback !== undefined,
        'the label page does not report on a request with the values of the settings form',
        { expected: 'a report of success or failure', actual: values.map(([name]) => name) },
      );
    },
  ),
];
