/**
 * The module of a user that reaches the parts of a target without an API (store admin, catalog, checkout).
 * Each member takes Playwright's page, in a browser context whose `baseURL` is the origin of the profile's `v1`.
 * What is missing makes its checks inconclusive.
 */
import type { Page } from '@playwright/test';
import { UsageError } from '../../process/usage-error.ts';
import { guardedDriver } from './guard.ts';
import { loadDriverModule, memberOf } from './module.ts';

export interface OrderRequest {
  apiKey: string;
  handle: string;
  pickupPointId?: string;
  otherBuyerAddress?: boolean;
}

export interface LabelState {
  labelUrl: string | null;
  trackingCode: string | null;
  errorMessage: string | null;
}

/** Where the catalog's app lives and how it is opened. */
export interface AppRegistration {
  readonly installUrl: string;
  readonly settingsUrl: string;
  readonly tabMode?: 'blank' | 'self';
}

export interface TargetDriver {
  /** Opens (or makes) an order bought with the method and leaves its page open. */
  openOrder?(page: Page, order: OrderRequest): Promise<{ orderUuid: string }>;
  /** Whether the order page now open offers Print Label. */
  hasPrintLabel?(page: Page): Promise<boolean>;
  pressPrintLabel?(page: Page): Promise<void>;
  labelOf?(page: Page, orderUuid: string): Promise<LabelState>;
  /** Missing: methods are taken as enabled. */
  enableMethod?(page: Page, method: { apiKey: string; handle: string }): Promise<void>;
  /** Handles offered at checkout. */
  offeredMethods?(
    page: Page,
    query: { apiKey: string; storeCountry: string; destinationCountry: string },
  ): Promise<string[]>;
  startDynamicCheckout?(page: Page, query: { apiKey: string; handle: string; checkoutUrl: string }): Promise<void>;
  /**
   * Leads the app of the profile to other addresses. A driver that returns the `AppRegistration` of before has it put back
   * at the end of the run; without that the app keeps leading to the harness, and the report says so.
   */
  registerApp?(page: Page, app: AppRegistration): Promise<unknown>;
  /** Presses Install in the catalog; ends on whatever page the service shows. */
  pressInstall?(page: Page): Promise<void>;
  acceptPermissions?(page: Page): Promise<void>;
  pressSettings?(page: Page, authCode: string): Promise<void>;
  installState?(page: Page, authCode: string): Promise<{ known: boolean; installed: boolean }>;
}

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
