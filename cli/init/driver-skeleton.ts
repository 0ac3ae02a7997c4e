/** The driver that `proofmark init` writes: every function with its meaning, as comments to be filled in. */
import type { TargetDriver } from '../../harness/target/driver/target-driver.ts';

interface Step {
  readonly about: string;
  readonly parameters: string;
  readonly body: readonly string[];
}

/** One row for each function of a driver; the bodies compile, and are examples of Playwright. */
export const STEPS: Readonly<Record<keyof TargetDriver, Step>> = {
  openOrder: {
    about: 'Opens (or makes) an order bought with the method, and leaves its page in the store admin open.',
    parameters: 'page, { apiKey, handle, pickupPointId, otherBuyerAddress, buyer }',
    body: [
      "await page.goto('/checkout/');",
      "await page.getByLabel('Delivery method').selectOption(handle);",
      "await page.getByLabel('Street').fill(buyer.street);",
      "await page.getByRole('button', { name: 'Order' }).click();",
      "const orderUuid = await page.getByTestId('order-uuid').innerText();",
      '// What label requests for this order have to hold; without it nothing is compared.',
      'return { orderUuid, labelFields: { shipping_street: buyer.street } };',
    ],
  },
  hasPrintLabel: {
    about: 'Whether the order page that is open offers Print Label.',
    parameters: 'page',
    body: ["return page.getByRole('button', { name: 'Print label' }).isVisible();"],
  },
  pressPrintLabel: {
    about: 'Presses Print Label on the order page that is open.',
    parameters: 'page',
    body: ["await page.getByRole('button', { name: 'Print label' }).click();"],
  },
  labelOf: {
    about: 'What the store admin shows of the label of an order; null for what it does not show.',
    parameters: 'page, orderUuid',
    body: [
      "await page.goto(['/admin/orders', orderUuid, ''].join('/'));",
      "const labelUrl = await page.getByRole('link', { name: 'Label' }).getAttribute('href');",
      'return { labelUrl, trackingCode: null, errorMessage: null };',
    ],
  },
  enableMethod: {
    about: 'Enables a delivery method in the store. Missing: methods are taken as enabled.',
    parameters: 'page, { apiKey, handle }',
    body: [
      "await page.goto('/admin/settings/delivery/');",
      "await page.getByRole('checkbox', { name: handle }).check();",
    ],
  },
  offeredMethods: {
    about: 'The handles of the methods that the checkout offers to a buyer.',
    parameters: 'page, { apiKey, storeCountry, destinationCountry }',
    body: [
      "await page.goto('/checkout/');",
      "await page.getByLabel('Country').selectOption(destinationCountry);",
      "return page.getByTestId('delivery-handle').allInnerTexts();",
    ],
  },
  startDynamicCheckout: {
    about: 'Starts the checkout of a dynamic method, whose provider has its checkout page at checkoutUrl.',
    parameters: 'page, { apiKey, handle, checkoutUrl }',
    body: ["await page.goto('/checkout/');", "await page.getByLabel('Delivery method').selectOption(handle);"],
  },
  registerApp: {
    about: 'Leads the test app to other addresses. Return what was registered before, and the run puts it back.',
    parameters: 'page, { installUrl, settingsUrl, tabMode }',
    body: [
      "await page.goto('/portal/apps/');",
      "const before = await page.getByLabel('Install URL').inputValue();",
      "await page.getByLabel('Install URL').fill(installUrl);",
      "await page.getByRole('button', { name: 'Save' }).click();",
      'return { installUrl: before, settingsUrl };',
    ],
  },
  pressInstall: {
    about: 'Presses Install in the catalog; ends on whatever page the service shows.',
    parameters: 'page',
    body: ["await page.goto('/catalog/');", "await page.getByRole('button', { name: 'Install' }).click();"],
  },
  acceptPermissions: {
    about: 'Accepts the permission request of the app.',
    parameters: 'page',
    body: ["await page.getByRole('button', { name: 'Accept' }).click();"],
  },
  pressSettings: {
    about: 'Presses Settings of an installation.',
    parameters: 'page, authCode',
    body: ["await page.goto('/admin/apps/');", "await page.getByRole('link', { name: 'Settings' }).click();"],
  },
  installState: {
    about: 'Whether the service knows an installation, and whether it is finished.',
    parameters: 'page, authCode',
    body: [
      "await page.goto('/admin/apps/');",
      "const installed = await page.getByText('Installed').isVisible();",
      'return { known: installed, installed };',
    ],
  },
};

/** The text of the module. The comments are code: with their `//` taken away they compile. */
export function driverSkeleton(name: string): string {
  const steps = Object.entries(STEPS).flatMap(([step, { about, parameters, body }]) => [
    `  /** ${about} */`,
    `  // async ${step}(${parameters}) {`,
    ...body.map((line) => `  //   ${line}`),
    '  // },',
  ]);
  return `/**
 * Driver of ${name.replaceAll(/[^\w .-]/g, ' ')}: clicks through what has no interface, with Playwright. Addresses are relative to the origin of "v1".
 * Take the // away from the functions that you write; a missing one makes its checks inconclusive.
 */
import type { TargetDriver } from 'proofmark/driver';

export default {
${steps.join('\n')}
} satisfies TargetDriver;
`;
}
