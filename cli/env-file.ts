/** `--env-file FILE`, which every command takes: variables of a file, where the environment does not have them. */
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { whyUnusable } from '../harness/process/file-error.ts';
import { fileText } from '../harness/process/file-text.ts';
import { UsageError } from '../harness/process/usage-error.ts';

const FLAG = '--env-file';
const given: string[] = [];

/** The files that were read, as they were given, for commands that are printed. */
export const envFilesGiven = (): readonly string[] => given;

/** Reads each file that `argv` names into the environment and returns the other arguments. */
export function readEnvFiles(argv: readonly string[]): string[] {
  const rest: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const arg = argv[at] as string;
    if (arg === FLAG) {
      at += 1;
      load(argv[at]);
    } else if (arg.startsWith(`${FLAG}=`)) load(arg.slice(FLAG.length + 1));
    else rest.push(arg);
  }
  return rest;
}

function load(file: string | undefined): void {
  if (file === undefined || file === '') throw new UsageError(`${FLAG} needs a file: write ${FLAG} .env.`);
  const text = fileText(bytesOf(file), file);
  refuseTruncated(file, text);
  for (const [name, value] of Object.entries(parseEnv(text))) if (value !== undefined) process.env[name] ??= value;
  given.push(file);
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(
      `The env file ${file} can't be read: ${whyUnusable(error)}. Correct ${FLAG}, or copy .env.example to it.`,
    );
  }
}

const NAME = String.raw`^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=[ \t]*`;
/** `#` directly after a letter is meant, and cuts the value off. One after a space begins a comment. */
const CUT_OFF = new RegExp(`${NAME}[^\\s"'\`#][^"'\`#]*[^\\s#]#`);
const OPEN_QUOTE = new RegExp(`${NAME}(["'\`])`);

/** Throws a UsageError for a value of which only a part would be read: the service would seem to refuse a correct password. */
function refuseTruncated(file: string, text: string): void {
  const lines = text.split('\n');
  let closing: string | undefined;
  for (const [at, line] of lines.entries()) {
    if (closing !== undefined) {
      if (line.includes(closing)) closing = undefined;
      continue;
    }
    const place = `${file}:${at + 1}:`;
    const [, name] = CUT_OFF.exec(line) ?? [];
    if (name !== undefined)
      throw new UsageError(
        `${place} the value of ${name} contains #, where it would be cut off: write it in quotes, or a space before # if a comment begins there.`,
      );
    const [start = '', opened, quote] = OPEN_QUOTE.exec(line) ?? [];
    if (quote === undefined || line.includes(quote, start.length)) continue;
    if (!lines.slice(at + 1).some((later) => later.includes(quote)))
      throw new UsageError(
        `${place} the value of ${opened} begins with a quote that is not closed: close or remove it.`,
      );
    closing = quote;
  }
}
