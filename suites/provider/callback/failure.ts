/** The callback of a label page for a failure, and beside a success. Judged on every report that authentic requests got. */
import { isAuthentic } from '../../../contracts/signing/index.ts';
import { NO_VALUE } from '../../../contracts/traffic/integrator/labels/tracking.ts';
import { type DeliveryCheck, deliveryCheck } from '../session.ts';
import { type Callback, parameterOf } from '../steps/callbacks.ts';
import { expectEach, failures, idFault, MAX_SHOWN, needs, reports } from './reports.ts';
import { receivedSignature } from './signed.ts';

/** Whether two reports name different documents: an address may be signed again for each report, so that its query says nothing. */
function isOfOtherLabel(one: Callback, other: Callback): boolean {
  const [first, second] = [one, other].map(({ pairs }) => URL.parse(parameterOf(pairs, 'label_url') ?? '')?.pathname);
  const codes = [one, other].map(({ pairs }) => parameterOf(pairs, 'tracking_code'));
  return (
    first !== undefined && second !== undefined && first !== second && (codes[0] === undefined || codes[0] !== codes[1])
  );
}

export const checks: readonly DeliveryCheck[] = [
  deliveryCheck(
    'provider.callback.error-same-id',
    'MUST return the received label_request_id in its error callback',
    { clauses: ['provider.callback.error-same-id'], needs },
    async (context) => {
      const all = await failures(context);
      expectEach(context, all, ({ id, callback }) => idFault(id, callback), 'the label_request_id received');
    },
  ),
  deliveryCheck(
    'provider.callback.error-message',
    'MUST describe the failure in error_msg',
    { clauses: ['provider.callback.error-message'], needs },
    async (context) => {
      expectEach(
        context,
        await failures(context),
        ({ callback }) => {
          const message = parameterOf(callback.pairs, 'error_msg')?.trim() ?? '';
          if (message === '') return 'has an empty error_msg';
          return NO_VALUE.test(message) ? `has the error_msg ${message}, which a program made of no text` : undefined;
        },
        "a text for the store's admin",
      );
    },
  ),
  deliveryCheck(
    'provider.callback.one-outcome',
    'SHOULD NOT report a failure beside or after a success that was accepted, nor another label after it',
    { clauses: ['provider.callback.one-outcome'], needs },
    async (context) => {
      const all = await reports(context);
      expectEach(
        context,
        all,
        ({ token, callback }) => {
          const message = parameterOf(callback.pairs, 'error_msg') ?? '';
          if (!callback.isError && message !== '')
            return 'has both label_url and error_msg, so that it is not clear whether there is a label';
          const earlier = all.find(
            ({ token: other, callback: { isError, received } }) =>
              other === token && !isError && received.at < callback.received.at && (received.status ?? 500) < 400,
          );
          if (earlier === undefined) return undefined;
          if (callback.isError)
            return 'reports a failure of a label request whose success the service has already accepted';
          return isOfOtherLabel(earlier.callback, callback)
            ? 'reports another label for a label request whose first label the service has already accepted: the parcel may be booked and paid twice'
            : undefined;
        },
        'label_url for a success, or error_msg for a failure',
      );
    },
  ),
  deliveryCheck(
    'provider.callback.error-observed',
    'OBSERVES whether error callbacks are signed',
    { clauses: [], observations: ['provider.callback.error-signed'], needs },
    async (context) => {
      const all = await failures(context);
      const key = context.session.provider.apiKey.reveal();
      const signed = all.filter(({ callback }) => receivedSignature(callback) !== '');
      context.restOn(all.slice(0, MAX_SHOWN).map(({ callback }) => callback.received.exchange));
      const wrong = signed.filter(({ callback }) => !isAuthentic(callback.pairs, key));
      context.observe(
        'provider.callback.error-signed',
        signed.length === 0 ? 'no' : wrong.length === 0 ? 'yes' : 'wrongly',
      );
      if (wrong.length > 0)
        context.warn(
          "Error callbacks have a wrong signature: a service that verifies it refuses them, and the store's admin does not see the error.",
        );
    },
  ),
];
