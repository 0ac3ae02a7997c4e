/** Other tools, installed below bench/rivals/ on request: they are no part of the product's lock file. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const RIVALS = join(import.meta.dirname, '../rivals');

let isInstalled: boolean | undefined;

/** Whether the other tools are there; `--rivals` installs them first. */
export function hasRivals(): boolean {
  if (isInstalled === undefined && process.argv.includes('--rivals'))
    spawnSync('npm', ['ci', '--prefix', RIVALS], { stdio: 'inherit' });
  isInstalled ??= existsSync(join(RIVALS, 'node_modules/openapi-backend'));
  return isInstalled;
}
