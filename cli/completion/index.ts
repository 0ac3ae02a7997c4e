/** `proofmark completion SHELL`: prints a script that completes commands, options and their values. */
import { UsageError } from '../../harness/process/usage-error.ts';
import { SUITES } from '../../suites/index.ts';
import { COMMANDS } from '../commands.ts';
import { flagsOf } from '../common/flags.ts';
import { INTERFACE_NAMES } from '../run/select/index.ts';
import { bashScript, type CommandWords, fishScript, zshScript } from './scripts.ts';

export const COMPLETION_HELP = `Usage: proofmark completion SHELL

Prints the completion of a shell: commands, options, and the names of suites and interfaces.

  bash   source <(proofmark completion bash)            in ~/.bashrc
  zsh    source <(proofmark completion zsh)             in ~/.zshrc, after compinit
  fish   proofmark completion fish | source             in ~/.config/fish/config.fish

Exit codes: 0 printed, 2 usage.`;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

/** Throws a UsageError for a shell that it does not know. */
export async function completionCommand(argv: string[]): Promise<number> {
  const { values, positionals } = flagsOf('completion', argv, { help: { type: 'boolean', short: 'h' } }, 1);
  if (values.help) {
    console.log(COMPLETION_HELP);
    return 0;
  }
  const shell = positionals[0] ?? '';
  const script = Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell as keyof typeof SCRIPTS] : undefined;
  if (script === undefined)
    throw new UsageError(`proofmark completion takes ${Object.keys(SCRIPTS).join(', ')}, not "${shell}".`);
  const commands: CommandWords[] = [];
  for (const [name, { about }] of Object.entries(COMMANDS))
    commands.push({ name, about, options: optionsIn(await helpOf(name)) });
  commands.push({ name: 'completion', about: 'print the completion of a shell', options: ['--help'] });
  process.stdout.write(script(commands, VALUES));
  return 0;
}

/** What may follow an option, where that is a fixed set. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--suite': SUITES.map(({ name }) => name),
  '--interface': INTERFACE_NAMES,
  '--fail-on': ['warn'],
};

/** What `proofmark COMMAND --help` prints: the one place that lists the options of a command. */
async function helpOf(name: string): Promise<string> {
  const command = await COMMANDS[name]?.load();
  const lines: string[] = [];
  const { log } = console;
  console.log = (...texts: unknown[]) => void lines.push(texts.join(' '));
  try {
    await command?.(['--help']);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

/** The options that a help text lists, each once. */
function optionsIn(help: string): string[] {
  const found = [...help.matchAll(/(?:^|[\s[(`])(--[a-z][a-z-]*[a-z])/gm)].map(([, option = '']) => option);
  return [...new Set([...found, '--help'])].sort();
}
