/** `proofmark precheck delivery`: plays the service for a delivery provider, prints labels in a browser, and judges its pages. */
import { randomBytes } from 'node:crypto';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { levelsOf, withEvidence } from '../../../contracts/run/evidence.ts';
import type { LaunchBrowser } from '../../../harness/browser/launch.ts';
import type { SpooledEvent } from '../../../harness/evidence/events/spool.ts';
import { createRecorder } from '../../../harness/evidence/recorder.ts';
import { createRedaction } from '../../../harness/evidence/redaction/index.ts';
import { openFetcher } from '../../../harness/integrator/fetch/fetcher.ts';
import { whyNotReachable } from '../../../harness/integrator/fetch/reachable.ts';
import { planOf, runIntegratorChecks } from '../../../harness/integrator/run.ts';
import { loadIntegratorDriver } from '../../../harness/target/driver/integrator-driver.ts';
import { Secret } from '../../../harness/target/secrets/secret.ts';
import { DELIVERY_CHECKS, DELIVERY_SUITES, DELIVERY_SUITES_AFTER } from '../../../suites/provider/index.ts';
import { DeliverySession, type ProviderUnderTest } from '../../../suites/provider/session.ts';
import { type OpenCounterpart, openCounterpart } from '../counterpart.ts';
import { fetchManifest, isAddress, type Manifest, readManifestFile } from '../manifest.ts';
import type { PrecheckAbout } from '../report.ts';
import { createSink } from '../sink.ts';
import { deliveryCounterpart, deliveryFixtures, registerProvider } from './counterpart.ts';

export interface DeliveryPrecheckOptions {
  /** File or address of the manifest. */
  readonly manifest: string;
  readonly labelUrl: string;
  readonly checkoutUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly port?: number;
  readonly https?: boolean;
  readonly publicUrl?: string | undefined;
  /** PEM of the authority behind the integration's certificate. */
  readonly ca?: string | undefined;
  /** File of the integrator's driver. */
  readonly driver?: string | undefined;
  readonly waitMs?: number;
  /** Ids of the checks in scope; all when left out. */
  readonly selected?: readonly string[];
  readonly launchBrowser?: LaunchBrowser | undefined;
  /** Told what the integrator has to set, before anything is waited for. */
  readonly announce?: (settings: DeliverySettings) => void;
  /** Told when the checks are about to run: before it, nothing is emitted. */
  readonly begin?: (about: PrecheckAbout) => Promise<void>;
  readonly emit?: (event: SpooledEvent) => void;
  /** Called between the pages and the verdict on the traffic; a person may click meanwhile. */
  readonly hold?: (settings: DeliverySettings) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface DeliverySettings {
  readonly origin: string;
  /** Base address of Delivery and Apps, ends with `/v1/`. */
  readonly base: string;
  /** The page of the service that a person begins at, with the token of the run. */
  readonly pagesAddress: string;
  readonly apiKey: Secret;
  /** PEM of the service's self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
}

export interface DeliveryPrecheck {
  readonly results: readonly CheckResult[];
  readonly notices: readonly string[];
}

const DEFAULT_WAIT_MS = 120_000;
/** A check prints two dozen orders, or posts some hundred forged requests: longer than the usual one. */
const CHECK_TIMEOUT_MS = 150_000;

/** Runs the precheck and closes everything again. Throws a UsageError for what can't be used: manifest, port, driver. */
export async function precheckDelivery(options: DeliveryPrecheckOptions): Promise<DeliveryPrecheck> {
  const fromFile = isAddress(options.manifest) ? undefined : readManifestFile(options.manifest);
  const driver = options.driver === undefined ? undefined : await loadIntegratorDriver(options.driver);
  const redaction = createRedaction();
  const apiKey = new Secret('API_KEY', options.apiKey ?? randomBytes(24).toString('hex'));
  redaction.add({ name: apiKey.name, value: apiKey.reveal() });
  const sink = createSink(options.emit);
  const recorder = createRecorder({ check: () => sink.check, spool: sink.emit, redaction });
  const fetcher = openFetcher({
    recorder,
    own: () => [
      options.manifest,
      options.labelUrl,
      ...(options.checkoutUrl === undefined ? [] : [options.checkoutUrl]),
    ],
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
  let counterpart: OpenCounterpart | undefined;
  let session: DeliverySession | undefined;
  try {
    counterpart = await openCounterpart({
      port: options.port ?? 0,
      https: options.https ?? false,
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
      fixtures: deliveryFixtures({ labelUrl: options.labelUrl, apiKey }),
      recorder,
    });
    const { origin, base, certificate } = counterpart;
    const pagesAddress = counterpart.pageAddress('/admin/');
    redaction.add({ name: counterpart.pageCookie.name.toUpperCase(), value: counterpart.pageCookie.value });
    const settings: DeliverySettings = { origin, base, pagesAddress, apiKey, certificate };
    options.announce?.(settings);
    const manifest = fromFile ?? (await fetchManifest(options.manifest, fetcher, waitMs, options.signal));
    const provider = providerOf(manifest, options, apiKey);
    registerProvider(counterpart, provider);
    const launch = options.launchBrowser;
    session = new DeliverySession(
      {
        counterpart: deliveryCounterpart(counterpart, provider),
        redaction,
        recorder,
        fetcher,
        ...(driver === undefined ? {} : { driver }),
        ...(launch === undefined
          ? {}
          : { launchBrowser: () => launch(certificate === undefined ? [] : [certificate]) }),
        addresses: [options.labelUrl, ...(options.checkoutUrl === undefined ? [] : [options.checkoutUrl])],
        secrets: [apiKey],
      },
      provider,
    );
    await options.begin?.({ title: titleOf(provider), redaction, manifest: JSON.stringify(provider.manifest) });
    sink.open();
    const selected = new Set(options.selected ?? DELIVERY_CHECKS.map(({ id }) => id));
    await findPages(session, selected, waitMs, options.signal);
    const running = {
      selected,
      checkTimeoutMs: CHECK_TIMEOUT_MS,
      begins: (id: string) => sink.begin(id),
      emit: sink.emit,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const results = await runIntegratorChecks(DELIVERY_SUITES, session, running);
    if (options.signal?.aborted !== true) await options.hold?.(settings);
    results.push(...(await runIntegratorChecks(DELIVERY_SUITES_AFTER, session, running)));
    return { results: withEvidence(results, levelsOf(CLAUSES)), notices: noticesOf(session, counterpart, results) };
  } finally {
    await session?.close();
    await fetcher.close();
    await counterpart?.close();
  }
}

/** The plan of a precheck of an integration, for the header of its record. */
export const deliveryPlan = (selected: readonly string[]) =>
  planOf([...DELIVERY_SUITES, ...DELIVERY_SUITES_AFTER], new Set(selected));

function titleOf({ manifest }: ProviderUnderTest): string {
  return typeof manifest.app_title === 'string' && manifest.app_title.trim() !== ''
    ? manifest.app_title
    : 'integration';
}

function providerOf(
  { source, value, lineOf }: Manifest,
  { labelUrl, checkoutUrl }: DeliveryPrecheckOptions,
  apiKey: Secret,
): ProviderUnderTest {
  return { manifest: value, source, lineOf, faults: judgeDeliveryManifest(value), labelUrl, checkoutUrl, apiKey };
}

/** Notes what checks of pages can't do without, and waits for the pages where they are wanted. */
async function findPages(
  session: DeliverySession,
  selected: ReadonlySet<string>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { provider, unusable, fetcher } = session;
  const isWanted = (need: string): boolean =>
    DELIVERY_CHECKS.some(({ id, needs }) => selected.has(id) && needs.includes(need));
  const find = async (need: string, what: string, url: string): Promise<void> => {
    const reason = isWanted(need) ? await whyNotReachable(fetcher, url, waitMs, signal) : undefined;
    if (reason === undefined) return isWanted(need) ? session.checkTrust(url) : undefined;
    unusable.set(need, {
      verdict: 'inconclusive',
      attribution: 'network',
      reason: `the ${what} did not answer within ${waitMs / 1000} s at ${url}: ${reason}`,
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

function noticesOf(
  session: DeliverySession,
  { unrecorded }: OpenCounterpart,
  results: readonly CheckResult[],
): string[] {
  const page = session.unusable.get('label-page');
  const refusals = results.some(({ id, verdict }) => id.startsWith('provider.refusals.') && verdict === 'pass');
  return [
    ...(page?.attribution === 'network' ? [page.reason] : []),
    ...(unrecorded === 0
      ? []
      : [`${unrecorded} further requests of the integration are not in the record: it sent too many.`]),
    ...(refusals
      ? [
          'The signature of a label request does not grow old and does not part one value from the next: a repeated request, and one where bytes have moved between neighbouring values, are authentic to everybody. Remember which label_request_id was printed, and check the form of values that matter.',
        ]
      : []),
  ];
}
