/** `--env-file FILE`, which every command takes: variables of a file, where the environment does not have them. */
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
  try {
    process.loadEnvFile(file);
    given.push(file);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = missing ? 'it does not exist' : (error as Error).message;
    throw new UsageError(`The env file ${file} can't be read: ${why}. Correct ${FLAG}, or copy .env.example to it.`);
  }
}
