/**
 * What the browser received in the whole precheck, what the app has put on the pages of websites, and what its host gives to anyone:
 * neither the key nor the secret may be in it, in whatever encoding.
 */
import type { Page } from '@playwright/test';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { once } from '../../harness/integrator/once.ts';
import {
  READING_MS,
  searchMadeByScripts,
  searchSourceMaps,
} from '../../harness/integrator/page/inspection/late-leaks.ts';
import { placesOf } from '../../harness/integrator/traffic/leaks.ts';
import { searchRedirects } from '../../harness/integrator/traffic/redirects.ts';
import { searchUnnamedFiles } from '../../harness/integrator/traffic/unnamed-files.ts';
import { type AppCheck, type AppContext, appCheck } from './session.ts';
import { withHash } from './steps/address.ts';
import { hasInstallation, isSetSnippetCall } from './steps/effects.ts';
import { secondLoads, settingsLoads, UNALTERED } from './steps/loads/index.ts';
import { journeyOf } from './steps/user-flow/index.ts';

const ROWS = [
  { id: 'app.leaks.key', name: 'API_KEY', what: 'API key' },
  { id: 'app.leaks.secret', name: 'APP_SECRET', what: 'app_secret' },
] as const;

/** Both pages once more, for as long as a user reads them: a script may fetch something late. */
const readPages = once(async (context: AppContext): Promise<void> => {
  const { session } = context;
  const { second, settings } = await journeyOf(context);
  const read = (page: Page): Promise<void> => searchMadeByScripts(session, page);
  const reading = { waitMs: 0, lateMs: READING_MS, read };
  await Promise.all([
    second && secondLoads(context, [UNALTERED], { ...reading, until: () => false }, 'alone'),
    settings &&
      hasInstallation(session, settings.authCode) &&
      settingsLoads(context, settings.authCode, [UNALTERED], reading, 'alone'),
  ]);
  await searchSourceMaps(session);
  await searchRedirects(session, redirectingLoads(context, settings?.authCode));
  for (const { body, path, exchange } of session.counterpart.received.filter(isSetSnippetCall))
    session.watch.snapshot('a snippet, which the service puts on the pages of the website', body, path, exchange);
  // At the end of the precheck: a host may lock out a client that asks for them.
  const { installUrl, settingsUrl, source } = session.app;
  await searchUnnamedFiles(session, [installUrl, settingsUrl], source);
});

/** Loads that may be answered by redirects, each authentic and with a wrong hash: an app may refuse a user by leading them elsewhere. */
function redirectingLoads({ session }: AppContext, authCode: string | undefined): string[] {
  const { counterpart } = session;
  const isOpen = authCode !== undefined && hasInstallation(session, authCode);
  const loads = [counterpart.beginInstall().url, ...(isOpen ? [counterpart.beginSettings(authCode).url] : [])];
  return loads.flatMap((url) => [url, withHash(url, WRONG_HASH)]);
}

const WRONG_HASH = '0a'.repeat(32);

export const checks: readonly AppCheck[] = ROWS.map(({ id, name, what }) =>
  appCheck(
    id,
    `MUST NOT send the ${what} to a browser` satisfies CheckTitle,
    { clauses: [id], needs: ['browser', 'app'] },
    async (context) => {
      const { watch } = context.session;
      await readPages(context);
      await watch.settle();
      if (watch.searched === 0)
        throw new Inconclusive(
          'the browser has received nothing from the app: run the other checks too',
          'configuration',
        );
      const leaks = watch.leaks.filter(({ secret }) => secret.name === name);
      const [leak] = leaks;
      context.restOn([leak?.exchange]);
      context.expect.that(leak === undefined, `the ${what} reaches the browser in ${placesOf(leaks)}`, {
        ...(leak === undefined ? {} : { actual: leak.url, exchange: leak.exchange }),
      });
    },
  ),
);
