/** What a service does about callbacks where the contract shows nothing. */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused } from '../../../harness/target/response/judge-response.ts';
import {
  deliver,
  newLabelRequest,
  sendCallback,
  signedBy,
  successFields,
  waitForLabelState,
} from '../steps/callbacks.ts';
import { fieldOf } from '../steps/orders.ts';
import { proofOf } from '../steps/proof.ts';
import { CALLBACKS } from './accepted.ts';

const sentence = (response: ServiceResponse): string => `${isRefused(response)}, status ${response.status}`;

export const checks: readonly Check[] = [
  check(
    'labels.callback.observed',
    'OBSERVES the responses to callbacks and how cases outside the contract are handled',
    {
      ...CALLBACKS,
      clauses: [],
      observations: [
        'labels.callback-response',
        'labels.replay-handling',
        'labels.error-callback-signature-required',
        'labels.callback-parameter-order',
        'labels.additional-signed-field',
      ],
    },
    async (context) => {
      const { control } = await proofOf(context, 'plain');
      const clause = 'labels.callback.success-stored';
      context.given.holds(control.isStored, clause, 'the store does not accept a success callback');
      const { response } = control;
      const envelope = isJsonObject(response.json) && 'error' in response.json ? ', the envelope' : '';
      context.observe(
        'labels.callback-response',
        `status ${response.status}, ${response.contentType || 'no type'}${envelope}`,
      );

      const again = signedBy(control.request, successFields(control.request, control.labelUrl));
      context.observe(
        'labels.replay-handling',
        sentence(await sendCallback(context, control.request, again, 'replay')),
      );

      const request = await newLabelRequest(context);
      const message = context.resources.newMark();
      const failed = await sendCallback(context, request, [
        ['label_request_id', fieldOf(request, 'label_request_id') ?? ''],
        ['error_msg', message],
      ]);
      const { errorMessage } = await waitForLabelState(context, request.order, () => true);
      const shown = errorMessage === message ? 'accepted, shown in the order' : sentence(failed);
      context.observe('labels.error-callback-signature-required', `without a signature: ${shown}`);

      const turned = await deliver(context, (of, url) => [...successFields(of, url)].reverse());
      context.observe(
        'labels.callback-parameter-order',
        `${turned.isStored ? 'stored' : 'not stored'}, ${sentence(turned.response)}`,
      );
      const more = await deliver(context, (of, url) => successFields(of, url, [['pm_note', 'signed too']]));
      context.observe(
        'labels.additional-signed-field',
        `${more.isStored ? 'stored' : 'not stored'}, ${sentence(more.response)}`,
      );
    },
  ),
];
