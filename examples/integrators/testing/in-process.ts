/** For tests: an example in TypeScript served in this process, seen through the probes. */
import type { Example } from '../index.ts';
import { serveLocally } from '../support/http.ts';
import { probeApp } from './app-probes.ts';
import { probeLabelPage } from './label-probes.ts';
import { startStub } from './stub.ts';

/** Secrets of the tests: of mixed case, so that comparisons without regard to case show. */
export const API_KEY = 'Key-4f1A9c77e0B2';
export const APP_SECRET = 'Secret-77aE01c9D4b2';

/** What an example does in each situation; `make` may be that of a correct one. */
export async function probe({
  kind,
  make,
  tabMode,
}: Pick<Example, 'kind' | 'make' | 'tabMode'>): Promise<Record<string, string>> {
  const stub = await startStub();
  const base = `${stub.origin}/v1/`;
  const served = await serveLocally(0, (origin) => {
    const example = make({ origin, base, apiKey: API_KEY, appSecret: APP_SECRET, tabMode: tabMode ?? 'blank' });
    return (request) => example.respond(request);
  });
  try {
    const under = { origin: served.origin, apiKey: API_KEY, appSecret: APP_SECRET, stub };
    return await (kind === 'app' ? probeApp(under) : probeLabelPage(under));
  } finally {
    await served.close();
    await stub.close();
  }
}
