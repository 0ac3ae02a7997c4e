/** `proofmark precheck delivery`: plays the service for a delivery provider, prints labels in a browser, and judges its pages. */
import { judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { whyNotReachable } from '../../../harness/integrator/fetch/reachable.ts';
import { whyPortRefused } from '../../../harness/integrator/fetch/refused-ports.ts';
import { DELIVERY_CHECKS, DELIVERY_SUITES, DELIVERY_SUITES_AFTER } from '../../../suites/provider/index.ts';
import { DeliverySession, type ProviderUnderTest } from '../../../suites/provider/session.ts';
import { type Precheck, type PrecheckKind, type PrecheckOptions, runPrecheck, type Wait } from '../run.ts';
import { deliveryCounterpart, deliveryFixtures, registerProvider } from './counterpart.ts';

/** The addresses that the manifest does not hold. */
export interface OwnOptions {
  readonly labelUrl: string;
  readonly checkoutUrl?: string | undefined;
}

export type DeliveryPrecheckOptions = PrecheckOptions & OwnOptions;

/** What the precheck of a delivery provider has of its own. */
export const DELIVERY: PrecheckKind<DeliveryPrecheckOptions, ProviderUnderTest, DeliverySession> = {
  scope: 'delivery',
  noun: 'integration',
  startPage: '/admin/',
  suites: DELIVERY_SUITES,
  suitesAfter: DELIVERY_SUITES_AFTER,
  fixtures: ({ manifest, labelUrl }, apiKey) =>
    deliveryFixtures({ isPrivate: manifest === undefined, labelUrl, apiKey }),
  underTest: (manifest, { labelUrl, checkoutUrl }, apiKey) => ({
    manifest: manifest && { ...manifest, faults: judgeDeliveryManifest(manifest.value) },
    labelUrl,
    checkoutUrl,
    apiKey,
  }),
  addresses: ({ labelUrl, checkoutUrl }) => [labelUrl, checkoutUrl].filter((address) => address !== undefined),
  named: ({ labelUrl, checkoutUrl }) => ({ 'label page': labelUrl, 'checkout page': checkoutUrl }),
  secrets: () => [],
  register: registerProvider,
  session: (options, counterpart, provider) =>
    new DeliverySession({ ...options, counterpart: deliveryCounterpart(counterpart, provider) }, provider),
  find: findPages,
  notices: noticesOf,
};

/** Prechecks a delivery provider. Throws a UsageError for what can't be used: manifest, port, driver. */
export const precheckDelivery = (options: DeliveryPrecheckOptions): Promise<Precheck> => runPrecheck(DELIVERY, options);

/** Notes what checks of pages can't do without, and waits for the pages where they are wanted. */
async function findPages(session: DeliverySession, selected: ReadonlySet<string>, { ms, signal }: Wait): Promise<void> {
  const { provider, unusable, fetcher } = session;
  const isWanted = (need: string): boolean =>
    DELIVERY_CHECKS.some(({ id, needs }) => selected.has(id) && needs.includes(need));
  const find = async (need: string, what: string, url: string): Promise<void> => {
    if (!isWanted(need)) return;
    const refusal = whyPortRefused(what, url);
    if (refusal !== undefined)
      return void unusable.set(need, { verdict: 'inconclusive', attribution: 'configuration', reason: refusal });
    const reason = await whyNotReachable(fetcher, url, ms, signal);
    if (reason === undefined) return session.checkTrust(url);
    unusable.set(need, {
      verdict: 'inconclusive',
      attribution: 'network',
      reason: `the ${what} did not answer within ${ms / 1000} s at ${url}: ${reason}`,
    });
  };
  await find('label-page', 'label page', provider.labelUrl);
  if (provider.checkoutUrl !== undefined) await find('checkout-page', 'checkout page', provider.checkoutUrl);
  else {
    for (const need of ['checkout-page', 'checkout-address'])
      unusable.set(need, {
        verdict: 'not-applicable',
        attribution: 'configuration',
        reason: 'no checkout page was named: give --checkout-url where the integration has dynamic methods',
      });
  }
}

function noticesOf(session: DeliverySession, results: readonly CheckResult[]): string[] {
  const page = session.unusable.get('label-page');
  const refusals = results.some(({ id, verdict }) => id.startsWith('provider.refusals.') && verdict === 'pass');
  return [
    ...(page?.attribution === 'network' ? [page.reason] : []),
    ...(refusals
      ? [
          'The signature of a label request does not expire and does not separate values: a repeated request, and one whose bytes moved between neighbouring values, are authentic. Store which label_request_id was printed, and validate the format of important values.',
        ]
      : []),
  ];
}
