/** The module of an integrator that knows its own pages: for a precheck, where a page needs a person. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { UsageError } from '../usage-error.ts';

export interface IntegratorDriver {
  /** Signs the tester in to the integrator's own service, before the first step in a browser. */
  signIn?(page: Page): Promise<void>;
  /** Fills in and sends the form that the label page shows; missing: required fields are filled, the one submit button is pressed. */
  submitLabelPage?(page: Page): Promise<void>;
  /** Whatever the app asks of the user after it was loaded with its authCode. */
  afterInstall?(page: Page): Promise<void>;
}

export const INTEGRATOR_DRIVER_MEMBERS = ['signIn', 'submitLabelPage', 'afterInstall'] as const satisfies ReadonlyArray<
  keyof IntegratorDriver
>;

/** Loads a driver module (`.ts`, `.mjs`). Throws a UsageError that names the file and what is wrong with it. */
export async function loadIntegratorDriver(file: string): Promise<IntegratorDriver> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`The driver ${file} does not exist: correct --driver.`);
  let loaded: { default?: unknown };
  try {
    loaded = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(`The driver ${file} can't be loaded: ${(error as Error).message.split('\n', 1)[0]}`);
  }
  let found: unknown = loaded.default;
  if (typeof found === 'object' && found !== null && 'default' in found) found = found.default;
  if (typeof found !== 'object' || found === null)
    throw new UsageError(`The driver ${file} has no default export: export default { submitLabelPage(page) { … } }.`);
  const members = found as Record<string, unknown>;
  for (const [name, member] of Object.entries(members)) {
    if (!(INTEGRATOR_DRIVER_MEMBERS as readonly string[]).includes(name))
      throw new UsageError(`The driver ${file} has "${name}": the steps are ${INTEGRATOR_DRIVER_MEMBERS.join(', ')}.`);
    if (member !== undefined && typeof member !== 'function')
      throw new UsageError(`The driver ${file} has "${name}", which is not a function.`);
  }
  return members as IntegratorDriver;
}
