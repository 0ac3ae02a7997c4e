/** Finds a Chromium for the browser checks; what it finds is handed to the workers. */
export interface FoundBrowser {
  readonly path: string;
  readonly version: string;
}

/** The browser named by PROOFMARK_BROWSER, Playwright's own, or one installed on this machine; each must run. */
export async function findBrowser(): Promise<FoundBrowser | undefined> {
  // Plain JavaScript, since the set-up scripts use it before anything is installed.
  return (await import('../../scripts/browser/browser.mjs')).findBrowser();
}
