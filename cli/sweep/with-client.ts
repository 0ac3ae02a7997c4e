/** What a sweep works with: a client that keeps to the rate of the profile, and the way through the driver. */
import { openBrowserContext } from '../../harness/browser/browser-context.ts';
import { launchQuietly } from '../../harness/browser/launch.ts';
import { createClient } from '../../harness/target/client/index.ts';
import { loadDriver } from '../../harness/target/driver/index.ts';
import type { AppRegistration } from '../../harness/target/driver/target-driver.ts';
import { createRateServer, rateClient } from '../../harness/target/network/rate.ts';
import type { Profile } from '../../harness/target/profile/types.ts';
import { findBrowser } from '../common/browser.ts';

/** The driver's registerApp() in a browser that is started when it is called for. */
export function registerThroughDriver(profile: Profile): ((app: AppRegistration) => Promise<unknown>) | undefined {
  if (profile.driver === undefined || !profile.allow.has('drive')) return undefined;
  const file = profile.driver;
  return async (app) => {
    const driver = await loadDriver(file);
    if (driver.registerApp === undefined) throw new Error('it has no registerApp()');
    const found = await findBrowser();
    if (found === undefined) throw new Error('no browser is available: run `npx playwright install chromium`');
    const browser = await launchQuietly(found.path);
    try {
      const context = await openBrowserContext(browser, profile);
      await driver.registerApp(await context.newPage(), app);
    } finally {
      await browser.close();
    }
  };
}

/** Runs a function with a client that keeps the rate limit of the profile, and closes it afterwards. */
export async function withClient<T>(
  profile: Profile,
  use: (client: ReturnType<typeof createClient>) => Promise<T>,
): Promise<T> {
  const { requestsPerSecond } = profile.limits;
  const server = requestsPerSecond === undefined ? undefined : await createRateServer({ requestsPerSecond });
  const rate = server === undefined ? undefined : rateClient(server.address);
  const client = createClient({ profile, ...(rate === undefined ? {} : { rate }) });
  try {
    return await use(client);
  } finally {
    await client.close();
    rate?.close();
    await server?.close();
  }
}
