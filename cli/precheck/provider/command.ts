/** The command line of `proofmark precheck delivery`, and what it prints. */

import { rmSync } from 'node:fs';
import { EXIT } from '../../../contracts/run/verdicts.ts';
import { launchQuietly } from '../../../harness/browser/launch.ts';
import { UsageError } from '../../../harness/process/usage-error.ts';
import { DELIVERY_CHECKS } from '../../../suites/provider/index.ts';
import { findBrowser } from '../../common/browser.ts';
import { flagsOf } from '../../common/flags.ts';
import { listLine } from '../../common/list-line.ts';
import { selectIds } from '../../run/options.ts';
import { certificateFile } from '../certificate-file.ts';
import { type Interruption, interruption } from '../interruption.ts';
import { COMMON_FLAGS, COMMON_HELP, commonOptionsOf } from '../options.ts';
import { openReport, type PrecheckReport } from '../report.ts';
import { type DeliverySettings, deliveryPlan, precheckDelivery } from './index.ts';

const FLAGS = { ...COMMON_FLAGS, 'label-url': { type: 'string' }, 'checkout-url': { type: 'string' } } as const;

const HELP = `Usage: proofmark precheck delivery --manifest FILE|URL --label-url URL [OPTION …]

Judges a delivery integration: its manifest, its label page, what it calls, what it refuses.

  --manifest FILE|URL    the manifest that would be submitted
  --label-url URL        the label page, as methods name it in print_label_url
  --checkout-url URL     the page of dynamic methods, where there are such
${COMMON_HELP}

Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.`;

export async function precheckDeliveryCommand(argv: string[]): Promise<number> {
  const { values } = flagsOf('precheck delivery', argv, FLAGS);
  if (values.help) {
    console.log(HELP);
    return 0;
  }
  const selected = selectIds(
    'precheck delivery',
    DELIVERY_CHECKS.map(({ id }) => id),
    values.only ?? [],
  );
  if (values.list) {
    const chosen = new Set(selected);
    for (const check of DELIVERY_CHECKS) if (chosen.has(check.id)) console.log(listLine(check));
    return 0;
  }
  const { 'label-url': label, 'checkout-url': checkout, ...common } = values;
  const options = commonOptionsOf('precheck delivery', common);
  const labelUrl = addressOf('label-url', label);
  if (labelUrl === undefined) throw new UsageError('proofmark precheck delivery needs --label-url URL.');
  const checkoutUrl = addressOf('checkout-url', checkout);
  const browser = await findBrowser();
  const { hold, ...given } = options;
  const interrupt = interruption();
  let report: PrecheckReport | undefined;
  let caFile: string | undefined;
  try {
    const { notices } = await precheckDelivery({
      ...given,
      labelUrl,
      checkoutUrl,
      selected,
      signal: interrupt.signal,
      ...(browser === undefined ? {} : { launchBrowser: (trusted = []) => launchQuietly(browser.path, { trusted }) }),
      announce: (settings) => {
        caFile = certificateFile(settings);
        console.log(announcement(settings, { ...options, labelUrl }, caFile));
      },
      begin: async ({ title, redaction, manifest }) => {
        report = await openReport({
          scope: 'delivery',
          out: options.out,
          target: title,
          plan: deliveryPlan(selected),
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

function addressOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--${flag} takes a web address such as https://labels.example/print, not "${text}".`);
  return text;
}

function announcement(
  { base, pagesAddress, apiKey }: DeliverySettings,
  options: { readonly apiKeyFrom: string | undefined; readonly waitMs: number; readonly labelUrl: string },
  caFile: string | undefined,
): string {
  return [
    'Set in your integration:',
    `  base address of the service   ${base}`,
    `  API key                       ${options.apiKeyFrom === undefined ? apiKey.reveal() : `(the one of ${options.apiKeyFrom})`}`,
    ...(caFile === undefined ? [] : [`  certificate of the service    ${caFile}`]),
    '',
    `The store’s admin, for people: ${pagesAddress} (sign in with the key)`,
    `Waiting up to ${options.waitMs / 1000} s for the label page at ${options.labelUrl} to answer …`,
  ].join('\n');
}

async function held({ pagesAddress }: DeliverySettings, interrupt: Interruption): Promise<void> {
  console.log(
    `\nThe service stays open at ${pagesAddress} for you to click through. Ctrl-C ends it and judges the traffic.`,
  );
  await interrupt.next();
}
