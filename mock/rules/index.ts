/**
 * The extension point for faults and variants: every decision of the service is one small function of this object, and the interface
 * files use only these functions to decide. Rules that use others call them through `self`, so that a deviation of the inner
 * one also affects the outer one.
 */

import { hashQuery, signFields } from '../orders/signing.ts';
import type { Deviation } from '../types/deviation.ts';
import type { Rules } from '../types/rules.ts';
import { appRules } from './apps.ts';
import { commonRules } from './common.ts';
import { deliveryRules } from './delivery.ts';
import { labelRules } from './labels.ts';
import { resellerRules } from './reseller.ts';

/** The correct rules, changed by each deviation in turn. */
export function createRules(deviations: readonly Deviation[] = []): Rules {
  const self = (): Rules => rules;
  let rules: Rules = {
    ...commonRules(),
    ...deliveryRules(self),
    ...appRules(self, hashQuery),
    ...labelRules(self, signFields),
    ...resellerRules(self),
  };
  for (const deviation of deviations) rules = { ...rules, ...deviation.rules?.(rules) };
  return rules;
}
