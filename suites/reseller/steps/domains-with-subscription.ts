/**
 * Services that attach domains only to a website with a subscription: what a website needs for a domain is not stated. There, a check of
 * domains starts a subscription first, if the run may do that, and stops it when it ends.
 */
import type { Check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { GivenFailure } from '../../../harness/check/failures.ts';
import { unlessUndecided } from '../../../harness/resources/once.ts';
import type { Resources } from '../../../harness/resources/resources.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { isRefused, isServed, NOT_OFFERED } from '../../../harness/target/response/judge-response.ts';
import { givenSubscription, hasStarted } from './website/subscription.ts';

/** `suspected` until a domain is added to the website with a subscription. */
type Need = 'suspected' | 'needed' | 'none';

const needs = new WeakMap<Resources, Need>();

/** Whether this service attaches domains only to a website with a subscription. */
export const needsSubscription = ({ resources }: Context): boolean => needs.get(resources) === 'needed';

/** Notes how adding a domain was answered. After the first refusal the check runs once more, with a subscription. */
export function noteAttached(context: Context, response: ServiceResponse): void {
  const { profile, resources } = context;
  const known = needs.get(resources);
  if (known === 'needed' || known === 'none') return;
  if (isServed(response)) {
    if (!hasStarted(context)) needs.set(resources, 'none');
    else if (known === 'suspected') needs.set(resources, 'needed');
  } else if (isRefused(response) !== 'refused' || NOT_OFFERED.has(response.status)) return;
  else if (hasStarted(context)) {
    needs.set(resources, 'none');
  } else if (profile.allow.has('billing')) {
    needs.set(resources, 'suspected');
    context.isBrief = true;
  }
}

/** The address of a call that adds a domain. */
const ADDS_DOMAIN = /\/domain\/add\/(?:\?|$)/;

/** A check of domains that starts a subscription first where the service wants one. Checks of subscriptions start their own. */
export function subscribedIfNeeded(one: Check): Check {
  if (!one.effectList.includes('domains') || one.effectList.includes('billing')) return one;
  return {
    ...one,
    body: async (context) => {
      const need = needs.get(context.resources);
      if (need === 'suspected' || need === 'needed') await unlessUndecided(() => givenSubscription(context));
      // Without one, its refusal is what there is to say.
      if (need === 'suspected' && !hasStarted(context)) needs.set(context.resources, 'none');
      try {
        await one.body(context);
      } catch (thrown) {
        // Checks of credentials and of methods of HTTP add a domain in ways of their own.
        const response = thrown instanceof GivenFailure ? thrown.evidence.response : undefined;
        if (response !== undefined && ADDS_DOMAIN.test(response.request.url)) noteAttached(context, response);
        throw thrown;
      }
    },
  };
}
