/** The command line of every precheck: it lists or runs the checks, records them, and writes the reports. */
import { rmSync } from 'node:fs';
import { EXIT } from '../../contracts/run/verdicts.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';
import type { IntegratorSession } from '../../harness/integrator/session.ts';
import { findBrowser } from '../common/browser.ts';
import { argumentsOf, type GivenFlags } from '../common/given/arguments.ts';
import { listLine } from '../common/list-line.ts';
import { envFilesGiven } from '../env-file.ts';
import { selectIds } from '../run/options.ts';
import { certificateFile } from './certificate-file.ts';
import { type Interruption, interruption } from './interruption.ts';
import { type CommonOptions, type CommonValues, commonOptionsOf } from './options.ts';
import { openReport, type PrecheckReport } from './record/report.ts';
import {
  checksOf,
  type PrecheckKind,
  type PrecheckOptions,
  type PrecheckSettings,
  planOfKind,
  runPrecheck,
} from './run.ts';

/** The options that the announcement describes. */
type Announced = Pick<CommonOptions, 'manifest' | 'apiKeyFrom' | 'waitMs'>;

/** What the command line of one kind has of its own: `X` are the options that no other kind has. */
export interface PrecheckCommand<X extends object, U, S extends IntegratorSession> {
  readonly kind: PrecheckKind<PrecheckOptions & X, U, S>;
  readonly help: string;
  /** Reads the options that no other kind has. Throws a UsageError for what can't be used. */
  ownOptions(): X;
  /** The flags that no other kind has, as they were given. */
  readonly ownFlags: GivenFlags;
  /** What the integrator sets besides base address and key, by its name. */
  readonly settings: Readonly<Record<string, string>>;
  /** What a person sees at the start page: `The catalog, to open in a browser: ADDRESS`. */
  startPage(address: string): string;
  /** What is waited for. */
  waitsFor(options: Announced & X): string;
}

/** Runs the command and returns its exit code. */
export async function runPrecheckCommand<X extends object, U, S extends IntegratorSession>(
  command: PrecheckCommand<X, U, S>,
  values: CommonValues,
): Promise<number> {
  if (values.help) {
    console.log(command.help);
    return 0;
  }
  const { kind } = command;
  const name = `precheck ${kind.scope}`;
  const checks = checksOf(kind);
  const selected = selectIds(
    name,
    checks.map(({ id }) => id),
    values.only ?? [],
  );
  if (values.list) {
    const chosen = new Set(selected);
    for (const check of checks) if (chosen.has(check.id)) console.log(listLine(check));
    return 0;
  }
  const { hold, ...common } = commonOptionsOf(values);
  const own = command.ownOptions();
  const browser = await findBrowser();
  const interrupt = interruption();
  let report: PrecheckReport | undefined;
  let caFile: string | undefined;
  try {
    const { notices } = await runPrecheck(kind, {
      ...common,
      ...own,
      selected,
      signal: interrupt.signal,
      ...(common.keepsTraces ? { tracesOutDir: common.out } : {}),
      ...(browser === undefined ? {} : { launchBrowser: (trusted = []) => launchQuietly(browser.path, { trusted }) }),
      announce: (settings) => {
        caFile = certificateFile(settings);
        console.log(announcement(command, settings, { ...common, ...own }, caFile));
      },
      begin: async ({ title, redaction, manifest, addresses }) => {
        report = await openReport({
          scope: kind.scope,
          out: common.out,
          target: title,
          plan: planOfKind(kind, selected),
          only: common.only,
          redaction,
          package: common.package,
          manifest,
          manifestSource: common.manifest,
          addresses,
          arguments: argumentsOf(givenFlags(values, command.ownFlags)),
        });
      },
      emit: (event) => report?.emit(event),
      ...(hold ? { hold: (settings) => held(settings, interrupt) } : {}),
    });
    if (report === undefined) return EXIT.inconclusive;
    const results = await report.finish({
      notices,
      allowInconclusive: common.allowInconclusive,
      ...(interrupt.signal.aborted ? { interrupted: 'the precheck was interrupted' } : {}),
    });
    return results.exitCode;
  } finally {
    interrupt.forget();
    if (caFile !== undefined) rmSync(caFile, { force: true });
  }
}

/** What another precheck of the same integration needs; the key itself is not repeated. */
function givenFlags(values: CommonValues, own: GivenFlags): GivenFlags {
  const { manifest, port, https, ca, driver } = values;
  return {
    manifest,
    ...own,
    'api-key-file': values['api-key-file'],
    port,
    https,
    'public-url': values['public-url'],
    ca,
    driver,
    'env-file': envFilesGiven(),
  };
}

function announcement<X extends object, U, S extends IntegratorSession>(
  { kind, settings: own, startPage, waitsFor }: PrecheckCommand<X, U, S>,
  { base, pagesAddress, apiKey }: PrecheckSettings,
  options: Announced & X,
  caFile: string | undefined,
): string {
  const { apiKeyFrom, waitMs } = options;
  const rows = {
    'base address of the service': base,
    'API key': apiKeyFrom === undefined ? apiKey.reveal() : `(the one of ${apiKeyFrom})`,
    ...own,
    ...(caFile === undefined ? {} : { 'certificate of the service': caFile }),
  };
  return [
    `Set in your ${kind.noun}:`,
    ...Object.entries(rows).map(([what, value]) => `  ${what.padEnd(30)}${value}`),
    '',
    startPage(pagesAddress),
    `Waiting up to ${waitMs / 1000} s for ${waitsFor(options)} to answer …`,
  ].join('\n');
}

async function held({ pagesAddress }: PrecheckSettings, interrupt: Interruption): Promise<void> {
  console.log(
    `\nThe service stays open at ${pagesAddress} for you to click through. Ctrl-C ends it and judges the traffic.`,
  );
  await interrupt.next();
}
