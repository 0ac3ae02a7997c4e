/** What the browser received in the whole precheck: neither the key nor the secret may be in it, in whatever encoding. */
import type { CheckTitle } from '../../harness/check/facts.ts';
import { Inconclusive } from '../../harness/check/failures.ts';
import { type AppCheck, appCheck } from './session.ts';

const ROWS = [
  { id: 'app.leaks.key', name: 'API_KEY', what: 'API key' },
  { id: 'app.leaks.secret', name: 'APP_SECRET', what: 'app_secret' },
] as const;

export const checks: readonly AppCheck[] = ROWS.map(({ id, name, what }) =>
  appCheck(
    id,
    `MUST NOT send the ${what} to a browser` satisfies CheckTitle,
    { clauses: [id], needs: ['browser', 'app'] },
    async (context) => {
      const { watch } = context.session;
      await watch.settle();
      if (watch.searched === 0)
        throw new Inconclusive(
          'the browser has received nothing from the app: run the other checks too',
          'configuration',
        );
      const leak = watch.leaks.find(({ secret }) => secret.name === name);
      context.restOn([leak?.exchange]);
      context.expect.that(leak === undefined, `the ${what} reaches the browser in ${leak?.where}`, {
        ...(leak === undefined ? {} : { actual: leak.url, exchange: leak.exchange }),
      });
    },
  ),
);
