/** The message for an exception that reached the command line, and its exit code. */
import { EXIT } from '../../contracts/run/verdicts.ts';
import { whyUnusable } from '../../harness/process/file-error.ts';
import { UsageError } from '../../harness/process/usage-error.ts';

export interface ErrorDescription {
  /** For the terminal, without the name of the program. */
  readonly message: string;
  readonly exitCode: number;
}

/** A path that was given, or a setting of the machine. */
const OF_PATHS = new Set([
  'ENOENT',
  'EACCES',
  'EPERM',
  'EISDIR',
  'ENOTDIR',
  'EEXIST',
  'EROFS',
  'ELOOP',
  'ENAMETOOLONG',
  'ERR_STRING_TOO_LONG',
  'ERR_FS_FILE_TOO_LARGE',
]);
/** Node reports these for a file that it has opened, without its name. */
const WITHOUT_PATH = new Set(['ERR_FS_FILE_TOO_LARGE', 'ERR_STRING_TOO_LONG', 'EISDIR']);
/** The machine ran out of something in the middle. */
const OF_MACHINE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full: make room, then run again (after a run: proofmark sweep)',
  EDQUOT: 'the quota of this user is used up: make room, then run again (after a run: proofmark sweep)',
  EFBIG: 'a file may not grow any more: raise the limit (ulimit -f), then run again (after a run: proofmark sweep)',
  EMFILE: 'too many files are open on this machine: raise the limit (ulimit -n), then run again',
  ENFILE: 'too many files are open on this machine: close something, then run again',
  EIO: 'the disk reports an error: check it, then run again',
};

/** What the machine ran out of, in words, where a text of the system names it; undefined for any other text. */
export function machineShortage(text: string): string | undefined {
  const code = text.match(/\bE[A-Z]+\b/g)?.find((word) => Object.hasOwn(OF_MACHINE, word));
  return code === undefined ? undefined : OF_MACHINE[code];
}

/** Never throws, whatever was thrown. */
export function describeError(error: unknown): ErrorDescription {
  if (error instanceof UsageError) return { message: printable(error.message), exitCode: EXIT.usage };
  const { code, path, message } = (error instanceof Error ? error : new Error(textOf(error))) as NodeJS.ErrnoException;
  if (code !== undefined && OF_PATHS.has(code) && (path !== undefined || WITHOUT_PATH.has(code))) {
    const where = path ?? 'A file';
    return {
      message: printable(
        `${where} can't be used, ${whyUnusable(error)} (${code}): correct the path (or TMPDIR or HOME, if it comes from there).`,
      ),
      exitCode: EXIT.usage,
    };
  }
  const ofMachine = code === undefined ? undefined : OF_MACHINE[code];
  if (ofMachine !== undefined) return { message: printable(`${ofMachine}.`), exitCode: EXIT.harnessError };
  return {
    message: `an error of Proofmark itself, please report it: ${printable(message)}`,
    exitCode: EXIT.harnessError,
  };
}

/** What files and targets say may move a terminal's cursor, or turn its text around: such characters are shown as numbers. */
function printable(text: string): string {
  return text.replace(
    /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    return 'an error without a message was thrown';
  }
}
