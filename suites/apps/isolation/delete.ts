/** Deleting one installation leaves the others in place (spec: B. Apps endpoints). */
import { type Check, check } from '../../../harness/check/check.ts';
import { summary } from '../../../harness/check/expect.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { INSTALLS } from '../../install/sequence/sequence.ts';
import { containsMark, deletionOf, readsOf } from '../../install/steps/deletion.ts';

const DELETES = { ...INSTALLS, effects: ['write', 'drive', 'uninstall'] as const };

export const checks: readonly Check[] = [
  check(
    'apps.isolation.delete',
    'MUST keep snippets and data of another installation when one is deleted, and when the app is installed again',
    { ...DELETES, clauses: ['apps.isolation.delete', 'apps.isolation.data', 'apps.isolation.snippets'] },
    async (context) => {
      const { again, other, otherMark, response } = await deletionOf(context);
      // A service may end the older installation: then it shows nothing at all.
      const then = again?.other !== undefined && readsOf(again.other).some(isServed) ? again.other : undefined;
      await context.given.accepted(response, 'apps.delete.uninstalls');
      if (other === undefined) {
        throw new Inconclusive(
          'the service has only one installation of an app at a time, and there was no second website to install on',
          'configuration',
        );
      }
      for (const name of ['data', 'snippet', 'languageSnippet'] as const) {
        const [before, after] = [other.before[name], other.after[name]];
        const clause = name === 'data' ? 'apps.isolation.data' : 'apps.isolation.snippets';
        context.given.holds(
          containsMark(before, otherMark),
          clause,
          'the other installation did not keep its own values',
          {
            response: before,
          },
        );
        context.expect.that(containsMark(after, otherMark), `must leave the ${name} of another installation in place`, {
          expected: summary(before),
          actual: summary(after),
          response: after,
        });
        if (then === undefined) continue;
        const installed = 'of another installation in place when the app is installed again';
        context.expect.that(containsMark(then[name], otherMark), `must leave the ${name} ${installed}`, {
          clauses: [clause],
          expected: summary(before),
          actual: summary(then[name]),
          response: then[name],
        });
      }
      context.expect.that(!other.isUnfinished, 'must leave another installation of the app installed', {
        expected: 'installed',
        actual: 'not installed',
        response,
      });
    },
  ),
];
