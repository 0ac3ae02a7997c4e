/**
 * The module of a user that reaches the parts of a target without an API (store admin, catalog, checkout).
 * Each member takes Playwright's page, in a browser context whose `baseURL` is the origin of the profile's `v1`.
 * What is missing makes its checks inconclusive.
 */

import { nearest as nearestOf } from '../../process/nearest.ts';
import { UsageError } from '../../process/usage-error.ts';
import { guardedDriver } from './guard.ts';
import { loadDriverModule, memberOf, namesOf } from './module.ts';
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
 * Loads a driver module (`.ts`, `.mjs`), looks over its default export and guards its functions (see `guard.ts`).
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
  refuseMisspelt(members, file);
  return guardedDriver(members, DRIVER_MEMBERS, file);
}

/**
 * A function that no check calls, beside a missing one of nearly that name, was meant to be that one: without a word its checks
 * would be inconclusive. Other names are the driver's own affair.
 */
function refuseMisspelt(members: Readonly<Record<string, unknown>>, file: string): void {
  const present = namesOf(members, file);
  const missing = DRIVER_MEMBERS.filter((name) => memberOf(members, name, file) === undefined);
  for (const name of present) {
    if ((DRIVER_MEMBERS as readonly string[]).includes(name)) continue;
    const nearest = nearestOf(name, missing);
    if (nearest !== undefined)
      throw new UsageError(
        `The driver ${file} has "${name}", which no check calls: the nearest known function is "${nearest}", rename it.`,
      );
  }
}
