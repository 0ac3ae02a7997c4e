/** Command lines: `parseArgs` of Node with sentences for what it refuses. */
import { randomInt } from 'node:crypto';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { didYouMean } from '../../harness/process/nearest.ts';
import { UsageError } from '../../harness/process/usage-error.ts';

/**
 * Parses `argv`. Throws a UsageError that names the flag at fault and the command whose `--help` lists the right ones.
 */
export function flagsOf<O extends ParseArgsOptionsConfig>(
  command: string,
  argv: readonly string[],
  options: O,
  maxPositionals = 0,
) {
  try {
    refuseMissingValues(command, argv, options);
    const parsed = parseArgs({ args: [...argv], options, strict: true, allowPositionals: true });
    if (parsed.positionals.length > maxPositionals) {
      const word = parsed.positionals[maxPositionals] ?? '';
      const isTarget = 'target' in options && (/\.(?:jsonc?|[mc]?[jt]s)$/.test(word) || /^mock\b/.test(word));
      const hint = isTarget ? `: write --target ${word}` : `: see proofmark ${command} --help`;
      throw new UsageError(`proofmark ${command} does not take "${word}"${hint}.`);
    }
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const isUnknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const short = isUnknown ? /'(-[^'\s=-])/.exec((error as Error).message)?.[1] : undefined;
    if (short !== undefined)
      throw new UsageError(`proofmark ${command} has no option ${short}. See proofmark ${command} --help.`);
    const unknown = isUnknown ? /'--([^'\s=]+)/.exec((error as Error).message)?.[1] : undefined;
    if (unknown !== undefined)
      throw new UsageError(
        `proofmark ${command} has no option --${unknown}.${didYouMean(
          `--${unknown}`,
          Object.keys(options).map((name) => `--${name}`),
        )} See proofmark ${command} --help.`,
      );
    const sentence = (error as Error).message.split(/\.\s/, 1)[0]!.replace(/\.$/, '');
    throw new UsageError(`${sentence}: see proofmark ${command} --help.`);
  }
}

/** A flag without its value, or with two different values: `parseArgs` takes the last one, and a run judges another target. */
function refuseMissingValues(command: string, argv: readonly string[], options: ParseArgsOptionsConfig): void {
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const values = new Map<string, string>();
  for (const token of tokens) {
    const option = token.kind === 'option' ? options[token.name] : undefined;
    if (token.kind !== 'option' || option?.type !== 'string') continue;
    const { name, value, inlineValue } = token;
    if (value === undefined || (inlineValue !== true && value.length > 1 && value.startsWith('-')))
      throw new UsageError(
        `--${name} needs a value${value === undefined ? '' : `, and "${value}" follows it (write --${name}=${value} if that is the value)`}: see proofmark ${command} --help.`,
      );
    const before = values.get(name);
    if (option.multiple !== true && before !== undefined && before !== value)
      throw new UsageError(`--${name} was given as "${before}" and as "${value}": give it once.`);
    values.set(name, value);
  }
}

/** A whole number within bounds, or a UsageError that names the flag. */
export function wholeNumber(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) {
    throw new UsageError(`--${flag} must be a whole number from ${least} to ${most}, not "${text}".`);
  }
  return value;
}

/** Seeds are positive numbers of 31 bits. */
export const MAX_SEED = 0x7fffffff;

/** The value of `--seed`: a number, or one that is drawn for `random`. */
export function seedOf(text: string): number {
  return text === 'random' ? randomInt(1, MAX_SEED) : (wholeNumber('seed', text, 0, MAX_SEED) ?? 1);
}
