/** Starting the browser of the browser checks. */
import { join } from 'node:path';
import type { Browser } from '@playwright/test';
import { openBrowserHome } from './browser-home.ts';
import { publicKeyDigest } from './browser-trust.ts';

export interface LaunchOptions {
  /** Whether this process is root, for whom Chromium has no sandbox; found out by default. */
  readonly isRoot?: boolean;
  /** Certificates in PEM that were made for this run, of servers on this machine. */
  readonly trusted?: readonly string[];
  /** Called with one sentence when the browser runs without its sandbox; stderr by default. */
  readonly notice?: (sentence: string) => void;
}

/** Keeps Chromium from asking hosts of its maker at every start. */
const QUIET_BROWSER = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts a browser that also takes these certificates of the run's own servers (PEM). */
export type LaunchBrowser = (trusted?: readonly string[]) => Promise<Browser>;

/** What Chromium says, and Playwright repeats, on a machine whose kernel or container forbids the sandbox. */
const NO_SANDBOX =
  /No usable sandbox|SUID sandbox helper|sandbox_host_linux|Failed to move to new namespace|setuid_sandbox_client/i;

/**
 * Starts the Chromium at this path, in its sandbox, with a home folder of its own and no secret in its environment. Playwright
 * is loaded only now: what needs no browser does not pay for it. An interruption is the caller's affair, who has a report to
 * finish: by itself Playwright would close the browser and end the process.
 */
export async function launchQuietly(executablePath: string, options: LaunchOptions = {}): Promise<Browser> {
  const { isRoot = process.getuid?.() === 0, notice = noticeOnce, trusted = [] } = options;
  const keys = trusted.map(publicKeyDigest).join(',');
  const { chromium } = await import('@playwright/test');
  const home = openBrowserHome(executablePath);
  // Raw traces hold secrets: they go with the home folder, however the process ends.
  const tracesDir = join(home.folder, 'traces');
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath,
      args: [...QUIET_BROWSER, ...(keys === '' ? [] : [`--ignore-certificate-errors-spki-list=${keys}`])],
      env: home.environment,
      chromiumSandbox,
      tracesDir,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  try {
    const browser = isRoot
      ? await withoutSandbox('Proofmark runs as root: run it as another user')
      : await launch(true).catch((error: unknown) => {
          if (!NO_SANDBOX.test(String(error))) throw error;
          return withoutSandbox('this machine forbids it: allow unprivileged user namespaces');
        });
    browser.on('disconnected', home.remove);
    tracesFolders.set(browser, tracesDir);
    return browser;
  } catch (error) {
    home.remove();
    throw error;
  }

  async function withoutSandbox(why: string): Promise<Browser> {
    notice(`proofmark: the browser opens pages without its sandbox, because ${why}.`);
    return launch(false);
  }
}

const tracesFolders = new WeakMap<Browser, string>();

/** Where a browser that was launched here writes what it records; undefined for another one. */
export const tracesFolderOf = (browser: Browser): string | undefined => tracesFolders.get(browser);

let isNoticed = false;

function noticeOnce(sentence: string): void {
  if (!isNoticed) console.error(sentence);
  isNoticed = true;
}
