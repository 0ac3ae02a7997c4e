/** The command line of `proofmark precheck delivery`. */
import { UsageError } from '../../../harness/process/usage-error.ts';
import { flagsOf } from '../../common/flags.ts';
import { runPrecheckCommand } from '../command.ts';
import { COMMON_FLAGS, COMMON_HELP } from '../options.ts';
import { DELIVERY, type OwnOptions } from './index.ts';

const FLAGS = { ...COMMON_FLAGS, 'label-url': { type: 'string' }, 'checkout-url': { type: 'string' } } as const;

const HELP = `Usage: proofmark precheck delivery [--manifest FILE|URL] --label-url URL [OPTION …]

Judges a delivery integration: its manifest, its label page, what it calls, what it refuses.

  --manifest FILE|URL    the manifest that would be submitted; leave it out for a private integration, which has none:
                         it is then judged with the key and the orders of one store
  --label-url URL        the label page, as methods name it in print_label_url
  --checkout-url URL     the page of dynamic methods, if the integration has any
${COMMON_HELP}

Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.`;

/** `proofmark precheck delivery`. Returns the exit code; throws a UsageError for wrong options. */
export async function precheckDeliveryCommand(argv: string[]): Promise<number> {
  const { 'label-url': label, 'checkout-url': checkout, ...values } = flagsOf('precheck delivery', argv, FLAGS).values;
  const ownOptions = (): OwnOptions => {
    const labelUrl = addressOf('label-url', label);
    if (labelUrl === undefined) throw new UsageError('proofmark precheck delivery needs --label-url URL.');
    return { labelUrl, checkoutUrl: addressOf('checkout-url', checkout) };
  };
  return runPrecheckCommand(
    {
      kind: DELIVERY,
      help: HELP,
      ownOptions,
      ownFlags: { 'label-url': label, 'checkout-url': checkout },
      settings: {},
      startPage: (address) => `The store’s admin, to open in a browser: ${address} (sign in with the key)`,
      waitsFor: ({ labelUrl }) => `the label page at ${labelUrl}`,
    },
    values,
  );
}

function addressOf(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`--${flag} takes a web address such as https://labels.example/print, not "${text}".`);
  return text;
}
