/** Envelopes and statuses of Reseller, in the serial group of its one session. */
import type { Suite } from '../../../harness/check/check.ts';
import { subscribedIfNeeded } from '../../reseller/steps/domains-with-subscription.ts';
import { checks as envelope } from './envelope.ts';
import { checks as status } from './status.ts';

export const RESELLER_ENVELOPE_SUITES: readonly Suite[] = [
  { name: 'envelope/reseller', serialGroup: 'reseller', checks: [...envelope, ...status].map(subscribedIfNeeded) },
];
