/**
 * The bodies of redirects: a browser gives them away to no tool, but anyone who records its traffic has them, and so does every program.
 * They are searched in all plain requests, and in a few that are sent for this.
 */
import { Cookies } from '../../browser/cookies.ts';
import { type Counterpart, isServiceAddress } from '../counterpart.ts';
import type { Fetched, Fetcher } from '../fetch/fetcher.ts';
import type { BrowserWatch } from '../page/browser-watch.ts';

const isRedirect = ({ status }: Fetched): boolean => status >= 300 && status <= 399;

/** The same requests; headers and bodies of the redirects that answer them are searched. */
export const searchingRedirects = (
  fetcher: Fetcher,
  watch: Pick<BrowserWatch, 'snapshot'>,
  service: Pick<Counterpart, 'origin' | 'pagesOrigin'>,
): Fetcher => ({
  ...fetcher,
  fetch: (address, options = {}) =>
    fetcher.fetch(address, {
      ...options,
      seen: (response) => {
        options.seen?.(response);
        const { url, exchange, headers, bytes } = response;
        if (!isRedirect(response) || isServiceAddress(service, url)) return;
        for (const [name, value] of headers) watch.snapshot(`the header ${name} of a redirect`, value, url, exchange);
        watch.snapshot('the body of a redirect', Buffer.from(bytes).toString('utf8'), url, exchange);
      },
    }),
});

/** An app may lead through its own sign-in before it returns. */
const MAX_STEPS = 4;
const TIMEOUT_MS = 5_000;

/**
 * Follows the redirects from addresses whose paths redirected a browser, within the integrator's host, by plain requests with the
 * cookies that they set.
 */
export async function searchRedirects(
  { fetcher, watch }: { readonly fetcher: Fetcher; readonly watch: BrowserWatch },
  addresses: readonly string[],
): Promise<void> {
  await watch.settle();
  const asked = addresses.filter((address) => watch.redirecting.has(new URL(address).pathname));
  await Promise.all(asked.map((address) => follow(fetcher, address)));
}

async function follow(fetcher: Fetcher, address: string): Promise<void> {
  const cookies = new Cookies();
  for (let step = 0, url: string | undefined = address; step < MAX_STEPS && url !== undefined; step += 1) {
    const response: Fetched | undefined = await fetchOne(fetcher, url, cookies);
    const to = response?.header('location');
    const next = response === undefined || to === undefined ? null : URL.parse(to, response.url);
    url = next !== null && next.origin === new URL(address).origin ? next.href : undefined;
  }
}

/** The response itself, a redirect or not. */
async function fetchOne(fetcher: Fetcher, url: string, cookies: Cookies): Promise<Fetched | undefined> {
  const headers: [string, string][] = [['Accept', 'text/html,*/*;q=0.8'], ...(await cookies.headersFor(url))];
  let seen: Fetched | undefined;
  const options = {
    role: 'redirect',
    redirects: 0,
    timeoutMs: TIMEOUT_MS,
    headers,
    seen: (one: Fetched) => (seen = one),
  };
  await fetcher.fetch(url, options).catch(() => undefined);
  await cookies.keep(seen?.headers ?? [], url);
  return seen;
}
