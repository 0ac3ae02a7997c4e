/** The command line of `proofmark precheck app`. */
import { UsageError } from '../../../harness/process/usage-error.ts';
import { flagsOf } from '../../common/flags.ts';
import { runPrecheckCommand } from '../command.ts';
import { COMMON_FLAGS, COMMON_HELP } from '../options.ts';
import { APP, APP_ID } from './index.ts';

const HELP = `Usage: proofmark precheck app --manifest FILE|URL [OPTION …]

Judges an app: its manifest, how it is installed and opened, what it calls, what it refuses.

  --manifest FILE|URL    the manifest that would be submitted
${COMMON_HELP}

Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.`;

/** `proofmark precheck app`. Returns the exit code; throws a UsageError for wrong options. */
export async function precheckAppCommand(argv: string[]): Promise<number> {
  const { values } = flagsOf('precheck app', argv, COMMON_FLAGS);
  return runPrecheckCommand(
    {
      kind: APP,
      help: HELP,
      ownOptions: () => {
        if (values.manifest === undefined)
          throw new UsageError('proofmark precheck app needs --manifest FILE or --manifest URL.');
        return {};
      },
      ownFlags: {},
      settings: { 'app id': APP_ID },
      startPage: (address) => `The catalog, to open in a browser: ${address}`,
      waitsFor: ({ manifest }) => `the app of ${manifest}`,
    },
    values,
  );
}
