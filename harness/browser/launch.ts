/** Starting the browser of the browser checks. */
import type { Browser } from '@playwright/test';

/** Keeps Chromium from asking hosts of its maker at every start. */
const QUIET_BROWSER = [
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Starts the Chromium at this path. Playwright is loaded only now: what needs no browser does not pay for it. An interruption
 * is the caller's affair, who has a report to finish: by itself Playwright would close the browser and end the process.
 */
export async function launchQuietly(executablePath: string): Promise<Browser> {
  const { chromium } = await import('@playwright/test');
  return chromium.launch({ executablePath, args: QUIET_BROWSER, handleSIGINT: false, handleSIGTERM: false });
}
