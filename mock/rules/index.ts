/**
 * The seam for faults and variants: every decision of the service is one small function of this object, and the interface
 * files call nothing else to decide. Rules that build on others call them through `self`, so that a deviation of the inner
 * one is felt in the outer one.
 */

import { hashQuery, signFields, signingMessage } from '../orders/signing.ts';
import type { Deviation } from '../types/deviation.ts';
import type { Rules } from '../types/rules.ts';
import { appRules } from './apps.ts';
import { commonRules } from './common.ts';
import { deliveryRules } from './delivery.ts';
import { labelRules } from './labels.ts';
import { resellerRules } from './reseller.ts';

/** The correct rules, then each deviation's over what the ones before it made of them. */
export function createRules(deviations: readonly Deviation[] = []): Rules {
  const self = (): Rules => rules;
  let rules: Rules = {
    ...commonRules(),
    ...deliveryRules(self),
    ...appRules(self, hashQuery),
    ...labelRules(self, { message: signingMessage, sign: signFields }),
    ...resellerRules(self),
  };
  for (const deviation of deviations) rules = { ...rules, ...deviation.rules?.(rules) };
  return rules;
}
