/**
 * The module of a user that reaches the parts of a target without an API (store admin, catalog, checkout).
 * Each member takes Playwright's page, in a browser context whose `baseURL` is the origin of the profile's `v1`.
 * What is missing makes its checks inconclusive.
 */

import { UsageError } from '../../process/usage-error.ts';
import { guardedDriver } from './guard.ts';
import { loadDriverModule, memberOf } from './module.ts';
import type { TargetDriver } from './target-driver.ts';

export const DRIVER_MEMBERS = [
  'openOrder',
  'hasPrintLabel',
  'pressPrintLabel',
  'labelOf',
  'enableMethod',
  'offeredMethods',
  'startDynamicCheckout',
  'registerApp',
  'pressInstall',
  'acceptPermissions',
  'pressSettings',
  'installState',
] as const satisfies ReadonlyArray<keyof TargetDriver>;

/**
 * Loads a driver module (`.ts`, `.mjs`), looks over its default export and guards its functions (see `driver-guard.ts`).
 * Throws a UsageError that names the file and what is wrong with it.
 */
export async function loadDriver(file: string): Promise<TargetDriver> {
  const members = await loadDriverModule(file, {
    correct: 'correct the profile\'s "driver"',
    example: 'export default { openOrder(page, order) { … } }',
  });
  for (const name of DRIVER_MEMBERS) {
    const member = memberOf(members, name, file);
    if (member !== undefined && typeof member !== 'function') {
      throw new UsageError(`The driver ${file} has "${name}", which is not a function.`);
    }
  }
  return guardedDriver(members, DRIVER_MEMBERS, file);
}
