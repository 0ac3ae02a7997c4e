export function findBrowser(): Promise<{ path: string; version: string } | undefined>;
/** Playwright's Chromium without a window, of the version of the whole one at this path. */
export function shellsBeside(whole: string): string[];
/** The environment in which other processes find the same browser, or none, without starting it again. */
export function browserEnvironment(
  found: { path: string; version: string } | undefined,
): Record<'PROOFMARK_BROWSER' | 'PROOFMARK_BROWSER_VERSION', string>;
