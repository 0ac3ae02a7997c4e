/** Every authentic load of the whole precheck: a server that fails some of them fails some users. */
import { Skipped } from '../../harness/check/failures.ts';
import { curlOf } from '../../harness/evidence/curl.ts';
import { describePage } from '../../harness/integrator/page/inspection/page-inspection.ts';
import { type AppCheck, appCheck } from './session.ts';
import { attemptsMade, failedAtTimes } from './steps/loads/attempts.ts';

export const checks: readonly AppCheck[] = [
  appCheck(
    'app.attempts.all-served',
    'SHOULD answer each of its users at the first attempt, without an error of its server',
    { clauses: ['app.install.first-attempt'], needs: ['browser', 'app'] },
    async (context) => {
      const { session } = context;
      if (attemptsMade(session) === 0) throw new Skipped('no other check has loaded the app');
      const { failed, tried } = failedAtTimes(session);
      const [first] = failed;
      context.expect.that(
        first === undefined,
        `the server of the app failed ${failed.length} of ${tried} authentic loads, and served the others: some users see an error`,
        {
          expected: 'a page or a redirect for each of them',
          ...(first === undefined
            ? {}
            : {
                actual: describePage(first.snapshot),
                curl: curlOf({ method: 'GET', url: first.address }, session.redaction),
              }),
        },
      );
    },
  ),
];
