export function findBrowser(): Promise<{ path: string; version: string } | undefined>;
/** The environment in which other processes find the same browser, or none, without starting it again. */
export function browserEnvironment(
  found: { path: string; version: string } | undefined,
): Record<'PROOFMARK_BROWSER' | 'PROOFMARK_BROWSER_VERSION', string>;
