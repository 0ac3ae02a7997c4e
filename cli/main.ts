/** The command line of `proofmark`: finds the command, runs it, and turns what it throws into a sentence and an exit code. */
import { type Command, COMMANDS as OTHERS } from './commands.ts';
import { guardOutput } from './common/safe-output.ts';

/** The completion is made from the other commands, so that it is not among them. */
const COMMANDS: typeof OTHERS = {
  ...OTHERS,
  completion: {
    about: 'print the completion of a shell: bash, zsh or fish',
    load: async () => (await import('./completion/index.ts')).completionCommand,
  },
};

const HELP = [
  'Usage: proofmark COMMAND [OPTION …]',
  '',
  ...Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(10)} ${about}`),
  '',
  '`proofmark help COMMAND` prints its options, `proofmark --version` the version. Each command takes --env-file FILE,',
  'which reads variables that the environment does not have. If FILE does not exist, Node itself ends with code 9.',
  'Exit codes: 0 conformant, 1 a check failed, 2 usage or configuration, 3 inconclusive, 4 an error of Proofmark itself.',
].join('\n');

async function main(argv: readonly string[]): Promise<number> {
  const [name, ...rest] = argv.some((arg) => arg.startsWith('--env-file'))
    ? (await import('./env-file.ts')).readEnvFiles(argv)
    : argv;
  if (name === '--version' || name === '-V' || name === 'version') {
    console.log((await import('../harness/process/version.ts')).PROOFMARK_VERSION);
    return 0;
  }
  const isHelp = name === undefined || name === '--help' || name === '-h' || name === 'help';
  if (isHelp && (name !== 'help' || rest.length === 0)) {
    console.log(HELP);
    return name === undefined ? (await import('../contracts/run/verdicts.ts')).EXIT.usage : 0;
  }
  if (isHelp) return (await commandOf(rest[0] ?? '')).run([...rest.slice(1), '--help']);
  return (await commandOf(name)).run(rest);
}

/** Throws a UsageError that names the nearest command. */
async function commandOf(name: string): Promise<{ readonly run: Command }> {
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    await requireFolder();
    (await import('./common/compiled-code.ts')).keepCompiledCode();
    // Registers itself, for what the command loads.
    await import('./common/own-modules.ts');
    return { run: await command.load() };
  }
  const [{ UsageError }, { didYouMean }] = await Promise.all([
    import('../harness/process/usage-error.ts'),
    import('../harness/process/nearest.ts'),
  ]);
  const names = Object.keys(COMMANDS);
  throw new UsageError(
    `There is no command "${name}".${didYouMean(name, names)} Use one of ${names.join(', ')}, or --help.`,
  );
}

/** Throws a UsageError in a folder that was removed: every path would be refused with an error of the system, also in the runner. */
async function requireFolder(): Promise<void> {
  try {
    process.cwd();
  } catch {
    const { UsageError } = await import('../harness/process/usage-error.ts');
    throw new UsageError('The current folder was removed: change to a folder that exists, then run again.');
  }
}

let lost: Error | undefined;
guardOutput(process.stdout, (error) => {
  lost ??= error;
});
guardOutput(process.stderr);

/** A reader must not take a file that lacks its end for a whole one. */
async function end(code: number): Promise<void> {
  process.exitCode = code;
  // A pipe reports what it could not take a moment later.
  await new Promise((written) => process.stdout.write('', written));
  if (lost === undefined) return;
  console.error(
    `proofmark: the output is not complete: ${(await import('./common/failure.ts')).describeError(lost).message}`,
  );
  if (code === 0) process.exitCode = (await import('../contracts/run/verdicts.ts')).EXIT.harnessError;
}

// A module of the user's may throw after its function has ended: Node would report that with a trace, and with the code of a failed check.
process.on('uncaughtException', (error) => void fail(error).then(() => process.exit()));

main(process.argv.slice(2)).then(end, fail);

async function fail(error: unknown): Promise<void> {
  const [{ EXIT }, { describeError }] = await Promise.all([
    import('../contracts/run/verdicts.ts'),
    import('./common/failure.ts'),
  ]);
  const { message, exitCode } = describeError(error);
  console.error(`proofmark: ${message}`);
  if (exitCode !== EXIT.usage && process.env.PROOFMARK_DEBUG !== undefined) console.error(error);
  process.exitCode = exitCode;
}
