/** Fields that the label page does not know, and those of the settings form: they are part of the signed message. */

import type { Fields } from '../../../contracts/signing.ts';
import { callbacksOf, successesOf } from './kit/callbacks.ts';
import { freshRequest } from './kit/forged.ts';
import { givenAnswered, givenSuccess, paceOf, printed, throwIfStuck, withMore } from './kit/journey.ts';
import {
  type DeliveryCheck,
  type DeliveryContext,
  type DeliverySession,
  deliveryCheck,
  type LabelRequest,
} from './session.ts';

const UNKNOWN: Fields = [
  ['precheck_extra', 'R&D=50%+1/2?#ü€'],
  ['precheck_more', 'one more'],
];

/** After an answer that did not come, the page is given the time of a first one. */
const AGAIN_MS = 10_000;

const needs = ['browser', 'label-page'];
const accepted = new WeakMap<DeliverySession, Promise<boolean>>();

/** Whether an authentic request with unknown fields is reported as printed like one without. Given that one is. */
export function isAdditionalAccepted(context: DeliveryContext): Promise<boolean> {
  const known = accepted.get(context.session) ?? findOut(context);
  accepted.set(context.session, known);
  return known;
}

async function findOut(context: DeliveryContext): Promise<boolean> {
  await givenSuccess(context);
  const { session } = context;
  const pace = await paceOf(context);
  for (const callbackMs of [Math.max(2_000, pace.callbackMs), AGAIN_MS]) {
    const made = await freshRequest(context);
    const request: LabelRequest = { ...made, fields: withMore(made.fields, UNKNOWN) };
    const visit = await printed(session, request, { ...pace, callbackMs });
    throwIfStuck({ name: 'an order with unknown fields', kind: '', visit });
    if (successesOf(session, request).length > 0) return true;
  }
  return false;
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.label.unknown-fields',
    'MUST take an authentic request that has fields it does not know',
    { clauses: ['labels.page.additional-fields-signed'], needs },
    async (context) => {
      context.expect.that(
        await isAdditionalAccepted(context),
        'the label page refuses an authentic request with further fields: all received fields are part of the signed message',
        {
          expected: 'a report of success, as for the same order without these fields',
          actual: Object.fromEntries(UNKNOWN),
        },
      );
    },
  ),
  deliveryCheck(
    'provider.label.settings-fields',
    'MUST answer a label request that carries the values of the settings form',
    { clauses: ['labels.page.additional-fields-signed'], needs },
    async (context) => {
      const { session, given } = context;
      await givenAnswered(context);
      const { settings } = session.counterpart;
      const values: Fields = settings.length > 0 ? settings : [['precheck_client', 'C-77']];
      await givenSuccess(context);
      given.holds(
        await isAdditionalAccepted(context),
        'labels.page.additional-fields-signed',
        'the page refuses every request with further fields',
      );
      const made = await freshRequest(context);
      const request: LabelRequest = { ...made, fields: withMore(made.fields, values) };
      const pace = await paceOf(context);
      const visit = await printed(session, request, { ...pace, callbackMs: AGAIN_MS });
      throwIfStuck({ name: 'an order with the values of the settings form', kind: '', visit });
      const [callback] = callbacksOf(session, request);
      context.restOn([callback?.received.exchange]);
      context.expect.that(
        callback !== undefined,
        'the label page does not answer a request that carries the values of the settings form',
        { expected: 'a report of success or failure', actual: values.map(([name]) => name) },
      );
    },
  ),
];
