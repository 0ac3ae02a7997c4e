/** Keeps what Node compiles, so that the next command and the processes of a run start in half the time. */
import { mkdirSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

/** `.ts` in a checkout, `.js` in the package, one folder deeper. */
const ROOT = fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../../' : '../../../', import.meta.url));
const FOLDER = `${ROOT}node_modules/.cache/proofmark-code`;

/**
 * For this process from now on, and for those that it starts. The folder is beside the code: a user who can write there can
 * change the code itself, which does not hold for a temporary folder that all users share. No other user can read it, since a
 * user's driver is compiled as well and may hold a secret. Where nothing can be written, nothing is kept. A user's own
 * NODE_COMPILE_CACHE wins, and NODE_DISABLE_COMPILE_CACHE=1 forbids it.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv = process.env): void {
  if (env.NODE_COMPILE_CACHE !== undefined || env.NODE_DISABLE_COMPILE_CACHE !== undefined) return;
  try {
    mkdirSync(FOLDER, { recursive: true, mode: 0o700 });
  } catch {
    return;
  }
  const { status } = module.enableCompileCache(FOLDER);
  // Already: `proofmark.mjs` took what was there.
  const { ENABLED, ALREADY_ENABLED } = module.constants.compileCacheStatus;
  if (status === ENABLED || status === ALREADY_ENABLED) env.NODE_COMPILE_CACHE = FOLDER;
}
