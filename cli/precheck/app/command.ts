/** The command line of `proofmark precheck app`, and what it prints. */

import { rmSync } from 'node:fs';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { APP_CHECKS } from '../../../suites/app/index.ts';
import { findBrowser } from '../../common/browser.ts';
import { flagsOf } from '../../common/flags.ts';
import { listLine } from '../../common/list-line.ts';
import { selectIds } from '../../run/options.ts';
import { certificateFile } from '../certificate-file.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { COMMON_FLAGS, COMMON_HELP, commonOptionsOf } from '../options.ts';
import { openReport, type PrecheckReport } from '../report.ts';
import { type AppSettings, appPlan, precheckApp } from './index.ts';

const HELP = `Usage: proofmark precheck app --manifest FILE|URL [OPTION …]

Judges an app: its manifest, how it is installed and opened, what it calls, what it refuses.

  --manifest FILE|URL    the manifest that would be submitted
${COMMON_HELP}

Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.`;

export async function precheckAppCommand(argv: string[]): Promise<number> {
  const { values } = flagsOf('precheck app', argv, COMMON_FLAGS);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const selected = selectIds(
    'precheck app',
    APP_CHECKS.map(({ id }) => id),
    values.only ?? [],
  );
  if (values.list) {
    const chosen = new Set(selected);
    for (const check of APP_CHECKS) if (chosen.has(check.id)) console.log(listLine(check));
    return 0;
  }
  const options = commonOptionsOf('precheck app', values);
  const browser = await findBrowser();
  const { hold, ...given } = options;
  const interrupt = interruption();
  let report: PrecheckReport | undefined;
  let caFile: string | undefined;
  try {
    const { notices } = await precheckApp({
      ...given,
      selected,
      signal: interrupt.signal,
      ...(browser === undefined ? {} : { launchBrowser: (trusted = []) => launchQuietly(browser.path, { trusted }) }),
      announce: (settings) => {
        caFile = certificateFile(settings);
        console.log(announcement(settings, options, caFile));
      },
      begin: async ({ title, redaction, manifest }) => {
        report = await openReport({
          scope: 'app',
          out: options.out,
          target: title,
          plan: appPlan(selected),
          only: options.only,
          redaction,
          package: options.package,
          manifest,
        });
      },
      emit: (event) => report?.emit(event),
      ...(hold ? { hold: (settings) => held(settings, interrupt) } : {}),
    });
    if (report === undefined) return EXIT.inconclusive;
    const results = await report.finish({
      notices,
      allowInconclusive: options.allowInconclusive,
      ...(interrupt.signal.aborted ? { interrupted: 'the precheck was interrupted' } : {}),
    });
    return results.exitCode;
  } finally {
    interrupt.forget();
    if (caFile !== undefined) rmSync(caFile, { force: true });
  }
}

function announcement(
  { base, pagesAddress, apiKey, appId }: AppSettings,
  options: { readonly apiKeyFrom: string | undefined; readonly waitMs: number; readonly manifest: string },
  caFile: string | undefined,
): string {
  return [
    'Set in your app:',
    `  base address of the service   ${base}`,
    `  API key                       ${options.apiKeyFrom === undefined ? apiKey.reveal() : `(the one of ${options.apiKeyFrom})`}`,
    `  app id                        ${appId}`,
    ...(caFile === undefined ? [] : [`  certificate of the service    ${caFile}`]),
    '',
    `The catalog, for people: ${pagesAddress}`,
    `Waiting up to ${options.waitMs / 1000} s for the app of ${options.manifest} to answer …`,
  ].join('\n');
}

async function held({ pagesAddress }: AppSettings, interrupt: Interruption): Promise<void> {
  console.log(
    `\nThe service stays open at ${pagesAddress} for you to click through. Ctrl-C ends it and judges the traffic.`,
  );
  await interrupt.next();
}
