/**
 * `proofmark/driver`: types for the modules that a user writes for Proofmark. The functions return what they are given; an editor
 * completes it and the compiler checks it.
 *
 * @module proofmark/driver
 */

import type { IntegratorDriver } from './driver/integrator-driver.ts';
import type { TargetDriver } from './driver/target-driver.ts';
import type { TargetProfile } from './profile/shape/index.ts';

export type { IntegratorDriver } from './driver/integrator-driver.ts';
export type { AppRegistration, LabelState, OrderRequest, TargetDriver } from './driver/target-driver.ts';
export type { Part, Permission, TargetProfile } from './profile/shape/index.ts';

/**
 * The driver of a target or of an integrator, for the default export of a driver module.
 *
 * @example
 * export default defineDriver({
 *   async pressPrintLabel(page) {
 *     await page.getByRole('button', { name: 'Print label' }).click();
 *   },
 * });
 */
export function defineDriver<const D extends TargetDriver | IntegratorDriver>(driver: D): D {
  return driver;
}

/**
 * A target profile, for the default export of a profile module: `proofmark run --target staging.ts`.
 *
 * @example
 * export default defineProfile({
 *   name: 'staging',
 *   v1: 'https://staging.example/v1/',
 *   delivery: { private: { apiKey: '${STORE_KEY}' } },
 * });
 */
export function defineProfile(profile: TargetProfile): TargetProfile {
  return profile;
}
