/** A profile that is a module (`defineProfile`): its default export, as the text of the profile file that it replaces. */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { UsageError } from '../process/usage-error.ts';

const CHILD = fileURLToPath(new URL('./profile-module-child.ts', import.meta.url));
/** What Node says of how a module is loaded; warnings of the module itself are printed. */
const WITHOUT_NOTES = ['MODULE_TYPELESS_PACKAGE_JSON', 'ExperimentalWarning'].map(
  (note) => `--disable-warning=${note}`,
);
/** A module that asks a vault has its answer by then, on however busy a machine. */
const LOAD_TIMEOUT_MS = 60_000;

/** What the process of the module says; nothing if the module ended it. */
export interface ProfileModuleReply {
  readonly text?: string;
  /** Why the module can't be loaded. */
  readonly problem?: string;
}

/** Whether a path names a module and not a JSON file. */
export const isProfileModule = (file: string): boolean => /\.[mc]?[jt]s$/.test(file);

/**
 * Loads the module in a process of its own: one that calls `process.exit` would end ours with its code, as if that were the verdict.
 * Throws a UsageError that names the file and what is wrong with it.
 */
export function profileModuleText(file: string, timeoutMs: number = LOAD_TIMEOUT_MS): string {
  const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const { status, signal, error, output } = spawnSync(process.execPath, [...WITHOUT_NOTES, CHILD, resolve(file)], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
    encoding: 'utf8',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const said = output?.[3] ?? '';
  const { text, problem = endOf(status, signal, error, timeoutMs) } =
    said === '' ? {} : (JSON.parse(said) as ProfileModuleReply);
  if (text === undefined)
    throw new UsageError(`The target profile ${file} can't be loaded: ${problem}: correct the module.`);
  if (text === '')
    throw new UsageError(
      `The target profile ${file} has no default export with a profile: write export default defineProfile({ … }).`,
    );
  return text;
}

function endOf(status: number | null, signal: string | null, error: Error | undefined, timeoutMs: number): string {
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT')
    return `it was still loading after ${timeoutMs / 1000} s`;
  return error?.message ?? `it ended the process with ${signal ?? `code ${status}`}`;
}
