/** A profile that is a module (`defineProfile`): its default export, as the text of the profile file that it replaces. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { UsageError } from '../process/usage-error.ts';
import { loadErrorOf } from './driver/load-error.ts';

const require = createRequire(import.meta.url);

/** Whether a path names a module and not a JSON file. */
export const isProfileModule = (file: string): boolean => /\.[mc]?[jt]s$/.test(file);

/** Loads the module. Throws a UsageError that names the file and what is wrong with it. */
export function profileModuleText(file: string): string {
  let loaded: unknown;
  try {
    loaded = (require(resolve(file)) as { default?: unknown }).default;
  } catch (error) {
    throw new UsageError(
      `The target profile ${file} can't be loaded: ${loadErrorOf(resolve(file), error)}: correct the module.`,
    );
  }
  if (typeof loaded !== 'object' || loaded === null) {
    throw new UsageError(
      `The target profile ${file} has no default export with a profile: write export default defineProfile({ … }).`,
    );
  }
  return JSON.stringify(loaded, null, 2);
}
