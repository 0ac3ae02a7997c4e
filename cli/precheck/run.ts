/** What every precheck does: plays the service, finds the integrator, runs the checks, judges the traffic, closes everything. */
import { randomBytes } from 'node:crypto';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { attributed } from '../../contracts/run/attribution.ts';
import type { CheckResult, PlannedCheck } from '../../contracts/run/events.ts';
import { optional } from '../../contracts/run/optional.ts';
import type { LaunchBrowser } from '../../harness/browser/launch.ts';
import { StepRecorder } from '../../harness/browser/steps/step-recorder.ts';
import { planOf } from '../../harness/check/plan.ts';
import type { SpooledEvent } from '../../harness/evidence/events/spool.ts';
import { createRecorder, type Recorder } from '../../harness/evidence/recorder.ts';
import { createRedaction, type Redaction } from '../../harness/evidence/redaction/index.ts';
import type { Redacted } from '../../harness/evidence/redaction/redacted.ts';
import type { IntegratorSuite } from '../../harness/integrator/check.ts';
import type { IntegratorContext } from '../../harness/integrator/context.ts';
import { type Fetcher, openFetcher } from '../../harness/integrator/fetch/fetcher.ts';
import { runIntegratorChecks } from '../../harness/integrator/run.ts';
import type { IntegratorSession, SessionOptions } from '../../harness/integrator/session.ts';
import { learnEncodedParts } from '../../harness/integrator/traffic/leaks.ts';
import { loadIntegratorDriver } from '../../harness/target/driver/integrator-driver.ts';
import { Secret } from '../../harness/target/secrets/secret.ts';
import type { Fixtures } from '../../mock/fixtures/fixtures.ts';
import { type OpenCounterpart, openCounterpart } from './counterpart/index.ts';
import { fetchManifest, isAddress, type Manifest, readManifestFile } from './manifest.ts';
import type { PrecheckAbout } from './record/report.ts';
import { createSink, type Sink } from './record/sink.ts';
import type { PrecheckScope } from './scope.ts';

export interface PrecheckOptions {
  /** File or address of the manifest; undefined for a private integration, which has none. */
  readonly manifest?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly port?: number;
  readonly https?: boolean;
  readonly publicUrl?: string | undefined;
  /** PEM of the authority behind the integrator's certificate. */
  readonly ca?: string | undefined;
  /** File of the integrator's driver. */
  readonly driver?: string | undefined;
  readonly waitMs?: number;
  /** Ids of the checks in scope; all when left out. */
  readonly selected?: readonly string[];
  readonly launchBrowser?: LaunchBrowser | undefined;
  /** The folder of the reports, for traces of browser steps; without it none are recorded. */
  readonly tracesOutDir?: string;
  /** Called with what the integrator has to set, before anything is awaited. */
  readonly announce?: (settings: PrecheckSettings) => void;
  /** Called just before the checks run: nothing is emitted earlier. */
  readonly begin?: (about: PrecheckAbout) => Promise<void>;
  readonly emit?: (event: Redacted<SpooledEvent>) => void;
  /** Called between the checks and the verdict on the traffic; a person may click meanwhile. */
  readonly hold?: (settings: PrecheckSettings) => Promise<void>;
  readonly signal?: AbortSignal;
}

export interface PrecheckSettings {
  readonly origin: string;
  /** Base address of Delivery and Apps, ends with `/v1/`. */
  readonly base: string;
  /** The page of the service that a person begins at, with the token of the run. */
  readonly pagesAddress: string;
  readonly apiKey: Secret;
  /** PEM of the service's self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
}

export interface Precheck {
  readonly results: readonly CheckResult[];
  readonly notices: readonly string[];
}

/** How long the integrator is waited for. */
export interface Wait {
  readonly ms: number;
  readonly signal: AbortSignal | undefined;
}

/** What the precheck of one kind of integrator has of its own: `U` is what it judges, `S` the session of its checks. */
export interface PrecheckKind<O extends PrecheckOptions, U, S extends IntegratorSession> {
  readonly scope: PrecheckScope;
  /** What the integrator's software is called: `app`. */
  readonly noun: string;
  /** The page of the service that a person begins at. */
  readonly startPage: string;
  readonly suites: readonly IntegratorSuite<IntegratorContext<S>>[];
  /** Those that look back at all the traffic. */
  readonly suitesAfter: readonly IntegratorSuite<IntegratorContext<S>>[];
  /** What the service begins with. */
  fixtures(options: O, apiKey: Secret): Fixtures;
  /** The integrator as its manifest and the options show it. Throws a UsageError where it has to have a manifest. */
  underTest(manifest: Manifest | undefined, options: O, apiKey: Secret): U;
  /** The integrator's own addresses, as far as they are known: before its manifest has been read, `underTest` is undefined. */
  addresses(options: O, underTest: U | undefined): readonly string[];
  /** The same by what they lead to, for the report. */
  named(underTest: U): Readonly<Record<string, string | undefined>>;
  /** Secrets of the manifest. */
  secrets(underTest: U): readonly Secret[];
  /** Makes the integrator known to the service, whatever its manifest is worth. */
  register(counterpart: OpenCounterpart, underTest: U): void;
  session(options: Omit<SessionOptions, 'counterpart'>, counterpart: OpenCounterpart, underTest: U): S;
  /** Notes in the session what its checks have to do without, and waits for the integrator where it is wanted. */
  find(session: S, selected: ReadonlySet<string>, wait: Wait): Promise<void>;
  /** What people should know besides the results. */
  notices(session: S, results: readonly CheckResult[]): readonly string[];
}

const DEFAULT_WAIT_MS = 120_000;
/**
 * The user flow of an app is a part of the first check that asks for it, and a check of a label page prints two dozen orders:
 * an integrator that is slow everywhere takes more than a minute.
 */
const CHECK_TIMEOUT_MS = 150_000;

/** What records a precheck: its exchanges, without the secrets. */
interface Recording {
  readonly apiKey: Secret;
  readonly redaction: Redaction;
  readonly sink: Sink;
  readonly recorder: Recorder;
  /** Fetches what the integrator hosts. */
  readonly fetcher: Fetcher;
  /** The integrator's own addresses, as far as they are known so far. */
  readonly own: string[];
  /** The redaction knows a value from now on. */
  know(secret: { name: string; value: string }): void;
  /** The redaction knows these secrets from now on, and what responses encode of them. */
  protect(secrets: readonly Secret[]): void;
}

function openRecording({ apiKey: given, ca, emit }: PrecheckOptions, addresses: readonly string[]): Recording {
  const redaction = createRedaction();
  const know = ({ name, value }: { name: string; value: string }): void => void redaction.add({ name, value });
  const apiKey = new Secret('API_KEY', given ?? randomBytes(24).toString('hex'));
  know({ name: apiKey.name, value: apiKey.reveal() });
  const sink = createSink(emit);
  let prepare: ReturnType<typeof learnEncodedParts> | undefined;
  const recorder = createRecorder({
    check: () => sink.check,
    spool: sink.emit,
    redaction,
    prepare: (exchange) => prepare?.(exchange),
  });
  const own = [...addresses];
  const fetcher = openFetcher({ recorder, own: () => own, ...optional('ca', ca) });
  const protect = (secrets: readonly Secret[]): void => {
    for (const secret of secrets) know({ name: secret.name, value: secret.reveal() });
    prepare = learnEncodedParts([apiKey, ...secrets], redaction);
  };
  return { apiKey, redaction, sink, recorder, fetcher, own, know, protect };
}

/** Runs a precheck and closes everything again. Throws a UsageError for what can't be used: manifest, port, driver. */
export async function runPrecheck<O extends PrecheckOptions, U, S extends IntegratorSession>(
  kind: PrecheckKind<O, U, S>,
  options: O,
): Promise<Precheck> {
  const { manifest: source, signal } = options;
  const address = source !== undefined && isAddress(source) ? source : undefined;
  const fromFile = source === undefined || address !== undefined ? undefined : readManifestFile(source);
  const driver = options.driver === undefined ? undefined : await loadIntegratorDriver(options.driver);
  const addresses = [...(address === undefined ? [] : [address]), ...kind.addresses(options, undefined)];
  const recording = openRecording(options, addresses);
  const { apiKey, fetcher } = recording;
  const wait = { ms: options.waitMs ?? DEFAULT_WAIT_MS, signal };
  let counterpart: OpenCounterpart | undefined;
  let session: S | undefined;
  try {
    counterpart = await openCounterpart({
      port: options.port ?? 0,
      https: options.https ?? false,
      ...optional('publicUrl', options.publicUrl),
      fixtures: kind.fixtures(options, apiKey),
      recorder: recording.recorder,
    });
    const { origin, base, certificate, pageCookie } = counterpart;
    recording.know({ name: pageCookie.name.toUpperCase(), value: pageCookie.value });
    const settings = { origin, base, pagesAddress: counterpart.pageAddress(kind.startPage), apiKey, certificate };
    options.announce?.(settings);
    const manifest = address === undefined ? fromFile : await fetchManifest(address, fetcher, wait.ms, signal);
    const underTest = kind.underTest(manifest, options, apiKey);
    const opened = sessionOptions(kind, options, { recording, underTest, certificate });
    kind.register(counterpart, underTest);
    session = kind.session({ ...opened, ...optional('driver', driver) }, counterpart, underTest);
    await options.begin?.({
      title: titleOf(manifest, kind.noun),
      redaction: recording.redaction,
      manifest: manifest === undefined ? undefined : JSON.stringify(manifest.value),
      addresses: { ...kind.named(underTest), 'embedded service': base },
    });
    const results = await judge(kind, session, { sink: recording.sink, options, wait, settings });
    return {
      results: attributed(results, CLAUSES),
      notices: [...kind.notices(session, results), ...noticesOf(counterpart, kind.noun)],
    };
  } finally {
    await session?.close();
    await fetcher.close();
    await counterpart?.close();
  }
}

interface Opened<U> {
  readonly recording: Recording;
  readonly underTest: U;
  /** PEM of the service's certificate, which the browser has to trust. */
  readonly certificate: string | undefined;
}

/** What the session of a precheck works with. From here on the recording knows the integrator's addresses and secrets. */
function sessionOptions<O extends PrecheckOptions, U, S extends IntegratorSession>(
  kind: PrecheckKind<O, U, S>,
  options: O,
  { recording, underTest, certificate }: Opened<U>,
): Omit<SessionOptions, 'counterpart'> {
  const { apiKey, redaction, recorder, fetcher } = recording;
  const addresses = kind.addresses(options, underTest);
  recording.own.push(...addresses);
  const secrets = kind.secrets(underTest);
  recording.protect(secrets);
  const { launchBrowser: launch, tracesOutDir: outDir } = options;
  return {
    redaction,
    recorder,
    fetcher,
    steps: outDir === undefined ? undefined : new StepRecorder({ redaction, showPersonalData: false, outDir }),
    ...(launch === undefined ? {} : { launchBrowser: () => launch(certificate === undefined ? [] : [certificate]) }),
    addresses,
    secrets: [apiKey, ...secrets],
  };
}

interface Judging {
  readonly sink: Sink;
  readonly options: PrecheckOptions;
  readonly wait: Wait;
  readonly settings: PrecheckSettings;
}

/** Runs the checks of the integrator, lets a person click meanwhile where that is wanted, and then judges the traffic. */
async function judge<O extends PrecheckOptions, U, S extends IntegratorSession>(
  kind: PrecheckKind<O, U, S>,
  session: S,
  { sink, options, wait, settings }: Judging,
): Promise<CheckResult[]> {
  sink.open();
  const selected = new Set(options.selected ?? checkIdsOf(kind));
  await kind.find(session, selected, wait);
  const running = {
    selected,
    begins: (id: string) => sink.begin(id),
    emit: sink.emit,
    checkTimeoutMs: CHECK_TIMEOUT_MS,
    ...optional('signal', options.signal),
  };
  const results = await runIntegratorChecks(kind.suites, session, running);
  if (options.signal?.aborted !== true) await options.hold?.(settings);
  return [...results, ...(await runIntegratorChecks(kind.suitesAfter, session, running))];
}

type Suites<S extends IntegratorSession> = Pick<PrecheckKind<PrecheckOptions, unknown, S>, 'suites' | 'suitesAfter'>;

/** The checks of a kind, in the order of the report. */
export const checksOf = <S extends IntegratorSession>({ suites, suitesAfter }: Suites<S>) =>
  [...suites, ...suitesAfter].flatMap(({ checks }) => checks);

const checkIdsOf = <S extends IntegratorSession>(kind: Suites<S>): readonly string[] =>
  checksOf(kind).map(({ id }) => id);

/** The plan of a precheck, for the header of its record. */
export const planOfKind = <S extends IntegratorSession>(
  { suites, suitesAfter }: Suites<S>,
  selected: readonly string[],
): readonly PlannedCheck[] => planOf([...suites, ...suitesAfter], selected);

function titleOf(manifest: Manifest | undefined, noun: string): string {
  const title = manifest?.value.app_title;
  return typeof title === 'string' && title.trim() !== '' ? title : noun;
}

/** A notice where the integrator sent more than the record holds. */
const noticesOf = ({ unrecorded }: OpenCounterpart, noun: string): string[] =>
  unrecorded === 0 ? [] : [`${unrecorded} further requests of the ${noun} are not in the record: it sent too many.`];
