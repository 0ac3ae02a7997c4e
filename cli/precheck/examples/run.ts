/** `proofmark precheck` on the example integrators, in this process, in one browser, without reports: for tests and `selftest`. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import type { CheckResult } from '../../../contracts/run/events.ts';
import { clauseVerdict, outcomeOf, type Verdict } from '../../../contracts/run/verdicts.ts';
import type { Example } from '../../../examples/integrators/index.ts';
import { type Language, startExample } from '../../../examples/integrators/start.ts';
import { serveLocally } from '../../../examples/integrators/support/http.ts';
import { freePort } from '../../../harness/process/free-port.ts';
import { precheckApp } from '../app/index.ts';
import { precheckDelivery } from '../provider/index.ts';
import { clausesInScope, type PrecheckScope } from '../scope.ts';

/** Of mixed case, so that comparisons without regard to case show. */
export const API_KEY = 'Key-4f1A9c77e0B2d6';
export const APP_SECRET = 'Secret-77aE01c9D4b2f8';
const WAIT_MS = 20_000;
const MINIMAL = join(import.meta.dirname, '../../../examples/minimal');

/** What a precheck came to. */
export interface PrecheckResult {
  readonly exitCode: number;
  /** Clauses of verdict `fail`, sorted. */
  readonly broken: readonly string[];
  /** Clauses of verdict `warn`, sorted. */
  readonly warned: readonly string[];
  /** MUST clauses that were not decided. */
  readonly undecided: readonly string[];
  /** What is not a pass, in lines to read. */
  readonly findings: readonly string[];
  readonly durationMs: number;
  readonly results: readonly CheckResult[];
}

export interface ExampleRun {
  /** Ids of the checks in scope; all when left out. */
  readonly selected?: readonly string[];
  /** The integrator's own steps. */
  readonly driver?: string;
  /** A label page is judged as that of one store, without a manifest. */
  readonly isPrivate?: true;
}

interface Running {
  readonly origin: string;
  /** A file, where the integrator does not serve its manifest. */
  readonly manifest?: string;
  close(): Promise<void>;
  /** Resolves when what the integrator's software does of itself is done. */
  readonly uploaded?: Promise<void> | undefined;
}

/** Prechecks a correct example, as a process in its language. */
export function precheckCorrect(
  kind: Example['kind'],
  language: Language,
  tabMode: 'blank' | 'self',
  browser: Browser,
): Promise<PrecheckResult> {
  return precheck(kind, browser, {}, (serviceBase) =>
    startExample({ kind, language, settings: { serviceBase, apiKey: API_KEY, appSecret: APP_SECRET, tabMode } }),
  );
}

/** Prechecks the smallest app in a language. */
export function precheckMinimal(language: Language, browser: Browser, run: ExampleRun = {}): Promise<PrecheckResult> {
  return precheck('app', browser, run, (serviceBase) => startMinimal(language, serviceBase));
}

/** Starts the smallest app in a language, as a process, with its manifest in a file. */
export async function startMinimal(
  language: Language,
  serviceBase: string,
): Promise<Running & { readonly manifest: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-minimal-'));
  const settings = { serviceBase, apiKey: API_KEY, appSecret: APP_SECRET };
  const started = await startExample({ kind: 'app', language, isMinimal: true, settings });
  const text = readFileSync(join(MINIMAL, 'manifest.json'), 'utf8').replaceAll('http://127.0.0.1:5001', started.origin);
  const manifest = join(folder, 'manifest.json');
  writeFileSync(manifest, JSON.stringify({ ...JSON.parse(text), app_secret: APP_SECRET }));
  const close = async (): Promise<void> => {
    await started.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { origin: started.origin, manifest, close };
}

/** Prechecks an example in TypeScript, served in this process. Without a browser, checks that need one stay undecided. */
export function precheckExample(
  { kind, make, tabMode }: Pick<Example, 'kind' | 'make' | 'tabMode'>,
  browser: Browser | undefined,
  run: ExampleRun = {},
): Promise<PrecheckResult> {
  return precheck(kind, browser, run, async (base) => {
    let uploaded: Promise<void> | undefined;
    const served = await serveLocally(0, (origin) => {
      const example = make({ origin, base, apiKey: API_KEY, appSecret: APP_SECRET, tabMode: tabMode ?? 'blank' });
      example.start?.();
      uploaded = example.uploaded;
      return (request) => example.respond(request);
    });
    return { ...served, uploaded };
  });
}

async function precheck(
  kind: Example['kind'],
  browser: Browser | undefined,
  { selected, driver, isPrivate }: ExampleRun,
  start: (serviceBase: string) => Promise<Running>,
): Promise<PrecheckResult> {
  const began = performance.now();
  const port = await freePort();
  const integrator = await start(`http://127.0.0.1:${port}/v1/`);
  try {
    const options = {
      manifest: integrator.manifest ?? `${integrator.origin}/manifest.json`,
      apiKey: API_KEY,
      port,
      waitMs: WAIT_MS,
      ...(selected === undefined ? {} : { selected }),
      ...(driver === undefined ? {} : { driver }),
      ...(browser === undefined ? {} : { launchBrowser: async () => lent(browser) }),
    };
    const { results } =
      kind === 'app'
        ? await precheckApp(options)
        : await precheckDelivery({
            ...options,
            ...(isPrivate === true ? { manifest: undefined } : {}),
            labelUrl: `${integrator.origin}/label`,
            checkoutUrl: `${integrator.origin}/checkout`,
            hold: async () => integrator.uploaded,
          });
    return foldOf(kind === 'app' ? 'app' : 'delivery', results, performance.now() - began);
  } finally {
    await integrator.close();
  }
}

function foldOf(scope: PrecheckScope, results: readonly CheckResult[], durationMs: number): PrecheckResult {
  const clauses = clausesInScope(scope).map((row) => {
    const verdicts = results.filter((result) => result.clauses.includes(row.id)).map((result) => result.verdict);
    return { ...row, verdict: clauseVerdict(row.level, row.excluded !== undefined, verdicts) };
  });
  const musts = clauses.filter(({ level }) => level === 'MUST');
  const withVerdict = (verdict: Verdict, among = clauses): string[] =>
    among
      .filter((clause) => clause.verdict === verdict)
      .map(({ id }) => id)
      .sort();
  const { exitCode } = outcomeOf({
    checks: results.map(({ verdict }) => verdict),
    mustClauses: musts.map(({ verdict }) => verdict),
    interrupted: false,
    allowInconclusive: false,
  });
  return {
    exitCode,
    broken: withVerdict('fail'),
    warned: withVerdict('warn'),
    undecided: withVerdict('inconclusive', musts),
    findings: results
      .filter(({ verdict }) => !['pass', 'observed', 'not-applicable'].includes(verdict))
      .map(({ verdict, id, reason }) => `${verdict} ${id}: ${reason ?? ''}`),
    durationMs,
    results,
  };
}

/** The browser, which its borrowers cannot close. */
function lent(browser: Browser): Browser {
  return Object.assign(Object.create(browser) as Browser, { close: async () => {} });
}
