/** `proofmark precheck app`: plays the service for an app, drives an installation in a browser, and judges what the app does. */
import { randomBytes } from 'node:crypto';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { judgeAppManifest } from '../../../contracts/manifests/index.ts';
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
import { defaultFixtures } from '../../../mock/fixtures/fixtures.ts';
import { APP_CHECKS, APP_SUITES, APP_SUITES_AFTER } from '../../../suites/app/index.ts';
import { AppSession, type AppUnderTest } from '../../../suites/app/session.ts';
import { type OpenCounterpart, openCounterpart } from '../counterpart.ts';
import { fetchManifest, isAddress, type Manifest, readManifestFile } from '../manifest.ts';
import type { PrecheckAbout } from '../report.ts';
import { createSink } from '../sink.ts';
import { appCounterpart, registerApp } from './counterpart.ts';

export interface AppPrecheckOptions {
  /** File or address of the manifest. */
  readonly manifest: string;
  readonly apiKey?: string | undefined;
  readonly port?: number;
  readonly https?: boolean;
  readonly publicUrl?: string | undefined;
  /** PEM of the authority behind the app's certificate. */
  readonly ca?: string | undefined;
  /** File of the integrator's driver. */
  readonly driver?: string | undefined;
  readonly waitMs?: number;
  /** Ids of the checks in scope; all when left out. */
  readonly selected?: readonly string[];
  readonly launchBrowser?: LaunchBrowser | undefined;
  /** Told what the integrator has to set, before anything is waited for. */
  readonly announce?: (settings: AppSettings) => void;
  /** Told when the checks are about to run: before it, nothing is emitted. */
  readonly begin?: (about: PrecheckAbout) => Promise<void>;
  readonly emit?: (event: SpooledEvent) => void;
  /** Called between the sequences and the verdict on the traffic; a person may click meanwhile. */
  readonly hold?: (settings: AppSettings) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface AppSettings {
  readonly origin: string;
  /** Base address of Delivery and Apps, ends with `/v1/`. */
  readonly base: string;
  /** The page of the service that a person begins at, with the token of the run. */
  readonly pagesAddress: string;
  readonly apiKey: Secret;
  readonly appId: string;
  /** PEM of the service's self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
}

export interface AppPrecheck {
  readonly results: readonly CheckResult[];
  readonly notices: readonly string[];
}

/** The same in each precheck, so that an integrator sets it once. */
const APP_ID = '9001';
const DEFAULT_WAIT_MS = 120_000;
/** The way of the user is a part of the first check that asks for it: an app that is slow everywhere takes more than a minute. */
const CHECK_TIMEOUT_MS = 150_000;

/**
 * Runs the precheck and closes everything again. Throws a UsageError for what can't be used: manifest, port, driver.
 */
export async function precheckApp(options: AppPrecheckOptions): Promise<AppPrecheck> {
  const fromFile = isAddress(options.manifest) ? undefined : readManifestFile(options.manifest);
  const driver = options.driver === undefined ? undefined : await loadIntegratorDriver(options.driver);
  const redaction = createRedaction();
  const apiKey = new Secret('API_KEY', options.apiKey ?? randomBytes(24).toString('hex'));
  redaction.add({ name: apiKey.name, value: apiKey.reveal() });
  const sink = createSink(options.emit);
  const recorder = createRecorder({ check: () => sink.check, spool: sink.emit, redaction });
  const own = [options.manifest];
  const fetcher = openFetcher({ recorder, own: () => own, ...(options.ca === undefined ? {} : { ca: options.ca }) });
  let counterpart: OpenCounterpart | undefined;
  let session: AppSession | undefined;
  try {
    counterpart = await openCounterpart({
      port: options.port ?? 0,
      https: options.https ?? false,
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
      fixtures: { ...defaultFixtures, apps: [], installations: [] },
      recorder,
    });
    const { origin, base, certificate } = counterpart;
    const pagesAddress = counterpart.pageAddress('/catalog/');
    redaction.add({ name: counterpart.pageCookie.name.toUpperCase(), value: counterpart.pageCookie.value });
    const settings: AppSettings = { origin, base, pagesAddress, apiKey, appId: APP_ID, certificate };
    options.announce?.(settings);
    const waitMs = options.waitMs ?? DEFAULT_WAIT_MS;
    const manifest = fromFile ?? (await fetchManifest(options.manifest, fetcher, waitMs, options.signal));
    const app = appOf(manifest, apiKey);
    own.push(...[app.installUrl, app.settingsUrl].filter((address) => address !== undefined));
    if (app.secret !== undefined) redaction.add({ name: app.secret.name, value: app.secret.reveal() });
    registerApp(counterpart, app);
    const launch = options.launchBrowser;
    session = new AppSession(
      {
        counterpart: appCounterpart(counterpart, app, (name, value) => redaction.add({ name, value })),
        redaction,
        recorder,
        fetcher,
        ...(driver === undefined ? {} : { driver }),
        ...(launch === undefined
          ? {}
          : { launchBrowser: () => launch(certificate === undefined ? [] : [certificate]) }),
        addresses: [app.installUrl, app.settingsUrl].filter((address) => address !== undefined),
        secrets: [apiKey, ...(app.secret === undefined ? [] : [app.secret])],
      },
      app,
    );
    await options.begin?.({ title: titleOf(app), redaction, manifest: JSON.stringify(manifest.value) });
    sink.open();
    const selected = new Set(options.selected ?? APP_CHECKS.map(({ id }) => id));
    await findApp(session, selected, waitMs, options.signal);
    const running = {
      selected,
      begins: (id: string) => sink.begin(id),
      emit: sink.emit,
      checkTimeoutMs: CHECK_TIMEOUT_MS,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    };
    const results = await runIntegratorChecks(APP_SUITES, session, running);
    if (options.signal?.aborted !== true) await options.hold?.(settings);
    results.push(...(await runIntegratorChecks(APP_SUITES_AFTER, session, running)));
    return { results: withEvidence(results, levelsOf(CLAUSES)), notices: noticesOf(session, counterpart) };
  } finally {
    await session?.close();
    await fetcher.close();
    await counterpart?.close();
  }
}

/** The plan of a precheck of an app, for the header of its record. */
export const appPlan = (selected: readonly string[]) => planOf([...APP_SUITES, ...APP_SUITES_AFTER], new Set(selected));

function titleOf({ manifest }: AppUnderTest): string {
  return typeof manifest.app_title === 'string' && manifest.app_title.trim() !== '' ? manifest.app_title : 'app';
}

/** What the manifest offers to work with. */
function appOf({ source, value, lineOf }: Manifest, apiKey: Secret): AppUnderTest {
  const address = (name: string): string | undefined => {
    const text = value[name];
    return typeof text === 'string' && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
      ? text
      : undefined;
  };
  const { app_secret: secret, app_tab_mode: tabMode } = value;
  return {
    manifest: value,
    source,
    lineOf,
    faults: judgeAppManifest(value),
    installUrl: address('app_install_url'),
    settingsUrl: address('app_settings_url'),
    tabMode: tabMode === 'blank' || tabMode === 'self' ? tabMode : undefined,
    secret: typeof secret === 'string' && secret !== '' ? new Secret('APP_SECRET', secret) : undefined,
    apiKey,
    appId: APP_ID,
  };
}

/** Notes what checks that load the app can't do without, and waits for the app where they are wanted. */
async function findApp(
  session: AppSession,
  selected: ReadonlySet<string>,
  waitMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { app, unusable, fetcher } = session;
  const lacking = (clause: string, what: string): void =>
    void unusable.set('app', {
      verdict: 'inconclusive',
      attribution: 'target',
      reason: `the manifest has no usable ${what}, so the app can't be installed (${clause})`,
    });
  if (app.secret === undefined) lacking('app.manifest.secret', 'app_secret');
  if (app.settingsUrl === undefined) lacking('app.manifest.settings-url', 'app_settings_url');
  if (app.installUrl === undefined) lacking('app.manifest.install-url', 'app_install_url');
  const wanted = APP_CHECKS.some(({ id, needs }) => selected.has(id) && needs.includes('app'));
  if (!wanted || unusable.has('app') || app.installUrl === undefined) return;
  const reason = await whyNotReachable(fetcher, app.installUrl, waitMs, signal);
  if (reason === undefined) return session.checkTrust(app.installUrl);
  unusable.set('app', {
    verdict: 'inconclusive',
    attribution: 'network',
    reason: `the app did not answer within ${waitMs / 1000} s at ${app.installUrl}: ${reason}`,
  });
}

function noticesOf(session: AppSession, counterpart: OpenCounterpart): string[] {
  const { unrecorded } = counterpart;
  const app = session.unusable.get('app');
  return [
    ...(app?.attribution === 'network' ? [app.reason] : []),
    ...(unrecorded === 0 ? [] : [`${unrecorded} further requests of the app are not in the record: it sent too many.`]),
  ];
}
