/** The envelopes and statuses of the Delivery and Apps interfaces, and what their responses announce. */
import type { Check } from '../../harness/check/check.ts';
import { checks as apps } from './apps.ts';
import { checks as badInput } from './delivery/bad-input.ts';
import { checks as bodies } from './delivery/long-and-labelled.ts';
import { checks as owners } from './delivery/owners.ts';
import { checks as refusals } from './delivery/refusals.ts';
import { checks as delivery } from './delivery/responses.ts';
import { checks as headers } from './headers.ts';
import { appsChecks as appsReads, deliveryChecks as deliveryReads } from './labelled-reads.ts';

export const deliveryChecks: readonly Check[] = [
  ...delivery,
  ...badInput,
  ...refusals,
  ...headers,
  ...owners,
  ...bodies,
  ...deliveryReads,
];

export const appsChecks: readonly Check[] = [...apps, ...appsReads];
