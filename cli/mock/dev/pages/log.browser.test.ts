/** The development server's pages as a developer's browser shows them: the log as it grows, sending, faults, reset. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { launchQuietly } from '../../../../harness/browser/launch.ts';
import { type RunningServer, serve } from '../../../../mock/http/serve.ts';
import { findBrowser } from '../../../common/browser.ts';
import { attachDevServer } from '../index.ts';

const METHODS = '/v1/store/delivery_methods/';
const found = await findBrowser();

describe('the pages of the development server', { skip: found === undefined && 'there is no browser here' }, () => {
  let browser: Browser;
  let served: RunningServer;
  const posted: string[] = [];
  const integrator = createServer((request, response) => {
    posted.push(request.url ?? '');
    request.resume().on('end', () => response.end('printed'));
  });

  before(async () => {
    browser = await launchQuietly(found?.path ?? '');
    await new Promise<void>((resolve) => integrator.listen(0, '127.0.0.1', resolve));
    served = await serve({ hints: true });
    attachDevServer(served, {});
  });
  after(async () => {
    await browser?.close();
    await served?.close();
    integrator.close();
  });

  /** Opens a page, and fails for whatever it complains of or asks of other hosts. */
  async function opened(path: string, body: (page: Page) => Promise<void>): Promise<void> {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on('request', (request) => {
      if (!request.url().startsWith(served.origin) && !request.url().startsWith('data:'))
        complaints.push(`request: ${request.url()}`);
    });
    await page.goto(served.origin + path);
    await body(page);
    assert.deepEqual(complaints, []);
    await context.close();
  }

  const call = (path: string, authorization: string): Promise<Response> =>
    fetch(served.origin + path, { headers: { authorization } });
  const storeKey = (): string => served.service.state.websites.all()[0]!.apiKey;

  test('requests appear while the page is open, with what is wrong, and can be filtered', async () => {
    await opened('/_dev/', async (page) => {
      await page.locator('#nothing-yet').waitFor();
      await call(METHODS, `ApiKey ${storeKey()}`);
      await call(METHODS, 'Bearer another-service-key-77');
      await call(`${METHODS}?a=<img src=x onerror=alert(1)>`, `ApiKey ${storeKey()}`);
      const rows = page.locator('.log > details');
      await rows.nth(2).waitFor();
      assert.equal(await page.locator('#nothing-yet').count(), 0);
      const wrong = rows.nth(1);
      await wrong.locator('summary').focus();
      await page.keyboard.press('Enter');
      await wrong.getByText('Hint: the scheme is ApiKey, not Bearer', { exact: true }).waitFor();
      await wrong.getByText('Would be judged wrong:').waitFor();
      await page.getByLabel('Only requests that would be judged wrong').check();
      await rows.nth(2).waitFor({ state: 'hidden' });
      assert.ok(await wrong.isVisible());
      assert.ok(!(await page.content()).includes(storeKey()));
    });
  });

  test('a label request is sent and sent again, with the keyboard alone', async () => {
    const { port } = integrator.address() as AddressInfo;
    const { methods } = served.service.state;
    served.service.change(() => {
      for (const method of methods.all().filter(({ print_label_url: url }) => url !== null))
        methods.set(method.handle, { ...method, print_label_url: `http://127.0.0.1:${port}/label` });
    });
    await opened('/_dev/', async (page) => {
      await page.getByLabel('Order').focus();
      await page.keyboard.press('Tab');
      await page.keyboard.press('Enter');
      await page.locator('.sent tbody tr', { hasText: '200' }).first().waitFor();
      assert.deepEqual(posted, ['/label']);
      await page
        .getByRole('button', { name: /^Send request \d+ again$/ })
        .first()
        .press('Enter');
      await page.locator('.sent tbody tr', { hasText: '200' }).nth(1).waitFor();
      assert.deepEqual(posted, ['/label', '/label']);
    });
  });

  test('faults are switched, and reset empties the log', async () => {
    await opened('/_dev/', async (page) => {
      await page.getByLabel('Id').fill('batch.accepts-101');
      await page.getByRole('button', { name: 'On', exact: true }).click();
      await page.getByRole('button', { name: 'Switch off batch.accepts-101' }).click();
      await page.getByText('None: the service conforms to the contract.').waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.locator('#nothing-yet').waitFor();
    });
  });

  for (const path of ['/_dev/', '/_dev/state', '/docs']) {
    test(`${path} has no axe finding, in light and dark`, async () => {
      await call(METHODS, 'Bearer another-service-key-77');
      await opened(path, async (page) => {
        await page
          .locator('details')
          .first()
          .evaluate((details) => details.setAttribute('open', ''));
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const { violations } = await new AxeBuilder({ page }).analyze();
          assert.deepEqual(
            violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`),
            [],
          );
        }
      });
    });
  }
});
