import { type Check, check } from '../../../harness/check/check.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { WRITING } from '../steps/options.ts';

export const checks: readonly Check[] = [
  check(
    'apps.installed.empty-json-body',
    'SHOULD accept an empty body with a JSON content type for installed',
    { clauses: ['apps.installed.empty-json-body'], ...WRITING },
    async ({ apps, send, expect }) => {
      const control = await send(apps.finishInstallation(), 'control');
      if (!isServed(control)) {
        throw new Inconclusive(
          `the installation is finished, and the target refuses a second call of installed (${summary(control)}), which the contract leaves open: give the profile the apps.authCode of an installation that is not finished`,
          'configuration',
        );
      }
      const response = await send(
        { ...apps.finishInstallation(), body: { raw: '', contentType: 'application/json' } },
        'probe',
      );
      expect.accepted(response, 'installed should be served with a JSON content type and an empty body');
    },
  ),
];
