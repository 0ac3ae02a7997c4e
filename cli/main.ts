/** The commands of `proofmark`: one folder each. Every module is loaded when it is needed, so that `--help` answers at once. */
import { guardOutput } from './common/safe-output.ts';

type Command = (argv: string[]) => Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly about: string; readonly load: () => Promise<Command> }>> = {
  run: { about: 'judge a service against the contract', load: async () => (await import('./run/index.ts')).runCommand },
  precheck: {
    about: 'judge an app or a delivery company before it is submitted for approval',
    load: async () => (await import('./precheck/index.ts')).precheckCommand,
  },
  judge: {
    about: 'judge recorded traffic: a HAR file, or the events of a run',
    load: async () => (await import('./judge/index.ts')).judgeCommand,
  },
  verify: {
    about: 'say whether the parts of an approval package fit together',
    load: async () => (await import('./verify/index.ts')).verifyCommand,
  },
  mock: { about: 'start the embedded service', load: async () => (await import('./mock/index.ts')).mockCommand },
  doctor: {
    about: 'say what is here for a run, what is missing, and what would be inconclusive for want of it',
    load: async () => (await import('./doctor/index.ts')).doctorCommand,
  },
  selftest: {
    about: 'run the checks against every fault of the mock, and show that each is found',
    load: async () => (await import('./selftest/index.ts')).selftestCommand,
  },
  sweep: {
    about: 'put right what an interrupted run left on its target',
    load: async () => (await import('./sweep/index.ts')).sweepCommand,
  },
  baseline: {
    about: 'write the failures of a run as known findings, which do not fail later runs',
    load: async () => (await import('./baseline/index.ts')).baselineCommand,
  },
  report: {
    about: 'write the reports of a run again, or compare two runs',
    load: async () => (await import('./report/index.ts')).reportCommand,
  },
};

const HELP = [
  'Usage: proofmark COMMAND [OPTION …]',
  '',
  ...Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
  '',
  '`proofmark COMMAND --help` tells its options. Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration,',
  '3 inconclusive, 4 an error of Proofmark itself.',
].join('\n');

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    console.log(HELP);
    return name === undefined ? (await import('../contracts/run/verdicts.ts')).EXIT.usage : 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const { UsageError } = await import('../harness/process/usage-error.ts');
    throw new UsageError(`There is no command "${name}": use one of ${Object.keys(COMMANDS).join(', ')}, or --help.`);
  }
  return (await command.load())(rest);
}

guardOutput(process.stdout);
guardOutput(process.stderr);
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  async (error: unknown) => {
    const [{ EXIT }, { toldOf }] = await Promise.all([
      import('../contracts/run/verdicts.ts'),
      import('./common/failure.ts'),
    ]);
    const { message, exitCode } = toldOf(error);
    console.error(`proofmark: ${message}`);
    if (exitCode !== EXIT.usage && process.env.PROOFMARK_DEBUG !== undefined) console.error(error);
    process.exitCode = exitCode;
  },
);
