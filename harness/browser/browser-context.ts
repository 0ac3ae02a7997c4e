/** How the browser reaches a target: with the proxy, certificates and headers of the profile, as the client does. */
import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';

import { isLoopbackHost } from '../target/profile/index.ts';
import type { Profile } from '../target/profile/types.ts';
import { areLocalAddresses } from './browser-trust.ts';
import { sendGateHeaders } from './gate-headers.ts';

type Reach = Pick<Profile, 'v1' | 'api' | 'proxy' | 'tls' | 'headers'>;

/** Chromium needs a moment for its first page on a loaded machine; a page that takes longer than this hangs. */
const PAGE_TIMEOUT_MS = 15_000;
/** The harness's own pages are on this machine, where no proxy reaches them. */
const THIS_MACHINE = 'localhost,127.0.0.1,[::1]';

/** A fresh context whose `baseURL` is the origin of the target. Certificates are verified unless the target is on this machine. */
export async function openBrowserContext(browser: Browser, profile: Reach): Promise<BrowserContext> {
  const context = await browser.newContext(contextOptions(profile));
  context.setDefaultTimeout(PAGE_TIMEOUT_MS);
  const extra = profile.headers.map(([name, value]) => [name.toLowerCase(), value.reveal()] as const);
  if (extra.length > 0) await sendGateHeaders(context, { origins: new Set(originsOf(profile)), headers: extra });
  return context;
}

/** What a context is opened with. */
export function contextOptions(profile: Reach): BrowserContextOptions {
  const [origin] = originsOf(profile);
  const { proxy, tls } = profile;
  const onThisMachine = origin !== undefined && isLoopbackHost(new URL(origin).hostname);
  const certificate = tls?.cert === undefined || tls.key === undefined ? undefined : { cert: tls.cert, key: tls.key };
  return {
    ignoreHTTPSErrors: areLocalAddresses(originsOf(profile)),
    ...(origin === undefined ? {} : { baseURL: origin }),
    ...(proxy === undefined
      ? {}
      : { proxy: { ...proxyOf(proxy.reveal()), ...(onThisMachine ? {} : { bypass: THIS_MACHINE }) } }),
    ...(certificate === undefined
      ? {}
      : {
          clientCertificates: originsOf(profile).map((its) => ({
            origin: its,
            cert: Buffer.from(certificate.cert),
            key: Buffer.from(certificate.key.reveal()),
          })),
        }),
  };
}

function proxyOf(address: string): { server: string; username?: string; password?: string } {
  const { protocol, host, username, password } = new URL(address);
  return {
    server: `${protocol}//${host}`,
    ...(username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
}

const originsOf = ({ v1, api }: Reach): string[] => [
  ...new Set([v1, api].filter((base) => base !== undefined).map((base) => new URL(base).origin)),
];
