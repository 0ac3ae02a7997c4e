/** `proofmark completion SHELL`: prints a script that completes commands, options and their values. */
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { APP_CHECKS } from '../../suites/app/index.ts';
import { CHECKS, SUITES } from '../../suites/index.ts';
import { DELIVERY_CHECKS } from '../../suites/provider/index.ts';
import { COMMANDS } from '../commands.ts';
import { flagsOf } from '../common/flags.ts';
import { INTERFACE_NAMES } from '../run/select/index.ts';
import { bashScript, type CommandWords, fishScript, type OptionWords, zshScript } from './scripts.ts';

const COMPLETION_HELP = `Usage: proofmark completion SHELL

Prints the completion of a shell: commands, options, the ids of checks and clauses, and the names of suites.

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
    throw new UsageError(`proofmark completion supports ${Object.keys(SCRIPTS).join(', ')}, not "${shell}".`);
  const commands: CommandWords[] = [];
  for (const [name, { about }] of Object.entries(COMMANDS))
    commands.push({ name, about, options: optionsIn(await helpOf(name)), words: WORDS[name] ?? [] });
  const about = 'print the completion of a shell';
  commands.push({ name: 'completion', about, options: optionsIn(''), words: Object.keys(SCRIPTS) });
  process.stdout.write(script(commands, VALUES));
  return 0;
}

const CHECK_IDS = [...CHECKS, ...APP_CHECKS, ...DELIVERY_CHECKS].map(({ id }) => id).sort();
const CLAUSE_IDS = CLAUSES.map(({ id }) => id).sort();

/** What may follow an option, where that is a fixed set. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  '--only': CHECK_IDS,
  '--clause': CLAUSE_IDS,
  '--suite': SUITES.map(({ name }) => name),
  '--interface': INTERFACE_NAMES,
  '--fail-on': ['warn'],
  '--format': ['text', 'json', 'markdown'],
};

/** What may follow a command, where that is a fixed set. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  precheck: ['app', 'delivery'],
  explain: [...new Set([...CHECK_IDS, ...CLAUSE_IDS])],
};

/** Words after a command whose help is another. */
const PARTS: Readonly<Record<string, readonly (readonly string[])[]>> = { precheck: [['app'], ['delivery']] };

/** What `proofmark COMMAND --help` prints: the one place that lists the options of a command. */
async function helpOf(name: string): Promise<string> {
  const command = await COMMANDS[name]?.load();
  const lines: string[] = [];
  const { log } = console;
  console.log = (...texts: unknown[]) => void lines.push(texts.join(' '));
  try {
    for (const words of [[], ...(PARTS[name] ?? [])]) await command?.([...words, '--help']);
  } finally {
    console.log = log;
  }
  return lines.join('\n');
}

/** The options in the usage and in the left column of a help text, each once; its sentences may name those of another command. */
function optionsIn(help: string): OptionWords[] {
  const columns = help
    .split('\n')
    .flatMap((line) => /^(?:(?:Usage:| {6}) proofmark .*| +-.*?(?= {2}|$))/.exec(line) ?? []);
  const found = new Map([
    ['--help', false],
    ['--env-file', true],
  ]);
  for (const [, name = '', value] of columns.join('\n').matchAll(/(--[a-z][a-z0-9-]*)( [A-Za-z])?/g))
    found.set(name, value !== undefined || found.get(name) === true);
  return [...found].map(([name, takesValue]) => ({ name, takesValue })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
