/** The module of an integrator that knows its own pages: for a precheck, where a page needs a person. */
import { resolve } from 'node:path';
import type { Page } from '@playwright/test';
import { nearest as nearestOf } from '../../process/nearest.ts';
import { UsageError } from '../../process/usage-error.ts';
import { loadDriverModule, memberOf, namesOf } from './module.ts';

export interface IntegratorDriver {
  /** Signs the tester in to the integrator's own service, before the first step in a browser. */
  signIn?(page: Page): Promise<void>;
  /** Fills in and sends the form that the label page shows; missing: required fields are filled, the one submit button is pressed. */
  submitLabelPage?(page: Page): Promise<void>;
  /** Does what the app asks of the user after it was loaded with its authCode. */
  afterInstall?(page: Page): Promise<void>;
}

export const INTEGRATOR_DRIVER_MEMBERS = ['signIn', 'submitLabelPage', 'afterInstall'] as const satisfies ReadonlyArray<
  keyof IntegratorDriver
>;

/** Loads a driver module (`.ts`, `.mjs`). Throws a UsageError that names the file and what is wrong with it. */
export async function loadIntegratorDriver(file: string): Promise<IntegratorDriver> {
  const members = await loadDriverModule(resolve(file), {
    correct: 'correct --driver',
    example: 'export default { submitLabelPage(page) { … } }',
  });
  for (const name of namesOf(members, file)) {
    const member = memberOf(members, name, file);
    if (!(INTEGRATOR_DRIVER_MEMBERS as readonly string[]).includes(name))
      throw new UsageError(
        `The driver ${file} has "${name}": the steps are ${INTEGRATOR_DRIVER_MEMBERS.join(', ')}${nearest(name)}.`,
      );
    if (member !== undefined && typeof member !== 'function')
      throw new UsageError(`The driver ${file} has "${name}", which is not a function.`);
  }
  return members as IntegratorDriver;
}

function nearest(name: string): string {
  const found = nearestOf(name, INTEGRATOR_DRIVER_MEMBERS);
  return found === undefined ? '' : `; the nearest one is "${found}"`;
}
