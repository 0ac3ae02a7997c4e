/** Loads the module of a user: whatever it is, throws, exports or waits for, the response is an object or one sentence. */

import { accessSync, constants, type Stats, statSync } from 'node:fs';
import { extname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { whyUnusable } from '../../process/file-error.ts';
import { UsageError } from '../../process/usage-error.ts';
import { firstLine } from './first-line.ts';
import { loadErrorOf } from './load-error.ts';
import { refuseExitOf } from './refuse-exit.ts';

/** A module that reads a file or asks a vault is loaded by then, on however busy a machine. */
const LOAD_TIMEOUT_MS = 60_000;

/**
 * The default export of a module (`.ts`, `.mjs`), an object. Throws a UsageError that names the file; `correct` says where its
 * path is named (`correct the profile's "driver"`), `example` what such an export looks like.
 */
export async function loadDriverModule(
  file: string,
  { correct, example }: { readonly correct: string; readonly example: string },
): Promise<Record<string, unknown>> {
  const extension = extname(file);
  if (extension !== '' && !MODULE.test(extension))
    throw new UsageError(`The driver ${file} is not a module (.ts, .mts, .js, .mjs): ${correct}.`);
  const stat = statOfModule(file, correct);
  if (stat === undefined) throw new UsageError(`The driver ${file} does not exist: ${correct}.`);
  if (!stat.isFile()) throw new UsageError(`The driver ${file} is not a file: ${correct}.`);
  refuseExitOf(file);
  let found: unknown;
  try {
    const loaded: { default?: unknown } = await inTime(withoutNotes(() => import(pathToFileURL(file).href)));
    // A CommonJS-like wrapper puts the default export one level deeper.
    found = loaded.default;
    if (typeof found === 'object' && found !== null && 'default' in found) found = found.default;
  } catch (error) {
    throw new UsageError(`The driver ${file} can't be loaded: ${loadErrorOf(file, error)}: correct the module.`);
  }
  if (typeof found !== 'object' || found === null) {
    throw new UsageError(`The driver ${file} has no default export with driver functions: ${example}.`);
  }
  return found as Record<string, unknown>;
}

const MODULE = /^\.[cm]?[jt]s$/i;

function statOfModule(file: string, correct: string): Stats | undefined {
  try {
    accessSync(file, constants.R_OK);
    return statSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`The driver ${file} can't be read, ${whyUnusable(error)}: ${correct}.`);
  }
}

/** A member of what was exported; reading it runs code of the module, too. */
export function memberOf(members: Readonly<Record<string, unknown>>, name: string, file: string): unknown {
  try {
    return members[name];
  } catch (error) {
    throw new UsageError(`The driver ${file} throws when its "${name}" is read: ${firstLine(error)}.`);
  }
}

/** Reading the names runs code of the module, too, where it exports something clever. */
export function namesOf(members: Readonly<Record<string, unknown>>, file: string): readonly string[] {
  try {
    return Object.keys(members);
  } catch (error) {
    throw new UsageError(`The driver ${file} throws when its functions are listed: ${firstLine(error)}.`);
  }
}

/** What Node says of a TypeScript module whose package.json has no "type": it loads all the same, in each worker again. */
const NOTES = ['MODULE_TYPELESS_PACKAGE_JSON', 'ExperimentalWarning'];

/** Loads a module without the notes of Node about how it is loaded; warnings of the module itself are printed. */
async function withoutNotes<T>(load: () => Promise<T>): Promise<T> {
  const { emitWarning } = process;
  process.emitWarning = ((...given: Parameters<typeof emitWarning>) => {
    const [, about] = given as readonly unknown[];
    const { code, type } = typeof about === 'object' && about !== null ? (about as NodeJS.EmitWarningOptions) : {};
    if (![code, type, about].some((name) => NOTES.includes(name as string))) emitWarning.call(process, ...given);
  }) as typeof emitWarning;
  try {
    return await load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function inTime<T>(loading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it was still waiting after ${LOAD_TIMEOUT_MS / 1000} s`)),
      LOAD_TIMEOUT_MS,
    );
    // A process with nothing else to do ends, and Node says then that the module waits for nothing.
    timer.unref();
  });
  try {
    return await Promise.race([loading, late]);
  } finally {
    clearTimeout(timer);
  }
}
