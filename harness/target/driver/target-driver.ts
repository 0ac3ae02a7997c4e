/** The functions of a user's module that reach the parts of a target without an API. */
import type { Page } from '@playwright/test';
import type { KnownLabelField } from '../../../contracts/fields/label-values.ts';

/** What a buyer may enter: texts that careless software changes. */
export interface BuyerEntries {
  readonly firstName: string;
  readonly lastName: string;
  readonly company: string;
  readonly email: string;
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  /** Missing where no postal code of the store's country is known. */
  readonly zip?: string;
}

export interface OrderRequest {
  apiKey: string;
  handle: string;
  pickupPointId?: string;
  otherBuyerAddress?: boolean;
  /** Enter these where the checkout lets you, and return what you entered as `labelFields`. */
  buyer: BuyerEntries;
}

export interface OpenedOrder {
  orderUuid: string;
  /**
   * What label requests for this order have to hold, as far as you know it: `{ shipping_street: 'Main street 7', weight: '1500' }`.
   * Without it nothing is compared.
   */
  labelFields?: Readonly<Partial<Record<KnownLabelField, string>>>;
}

export interface LabelState {
  labelUrl: string | null;
  trackingCode: string | null;
  errorMessage: string | null;
  /** Not compared where the driver leaves it out, because the store does not show it. */
  trackingUrl?: string | null;
}

/** Where the catalog's app lives and how it is opened. */
export interface AppRegistration {
  readonly installUrl: string;
  readonly settingsUrl: string;
  readonly tabMode?: 'blank' | 'self';
}

export interface TargetDriver {
  /** Opens (or makes) an order bought with the method and leaves its page open. */
  openOrder?(page: Page, order: OrderRequest): Promise<OpenedOrder>;
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
   * Registers other addresses for the app of the profile. A driver that returns the `AppRegistration` of before has it put back
   * at the end of the run; otherwise the app keeps leading to the harness, and the report says so.
   */
  registerApp?(page: Page, app: AppRegistration): Promise<unknown>;
  /** Presses Install in the catalog; ends on whatever page the service shows. */
  pressInstall?(page: Page): Promise<void>;
  /** Accepts the permission request on the page to which the app sent the user back, which may be in a tab that Install opened. */
  acceptPermissions?(page: Page): Promise<void>;
  pressSettings?(page: Page, authCode: string): Promise<void>;
  installState?(page: Page, authCode: string): Promise<{ known: boolean; installed: boolean }>;
}
