/** Every call that the app has made, judged as traffic: the rules are those of recordings. */
import type { CheckTitle } from '../../../harness/check.ts';
import { Skipped } from '../../../harness/failures.ts';
import { once } from '../../../harness/integrator/once.ts';
import { expectKept, judgeReceived, warnOfLuck } from '../../../harness/integrator/traffic.ts';
import { isAppsCall } from './kit/effects.ts';
import { type AppCheck, type AppContext, appCheck } from './session.ts';

const ROWS: readonly (readonly [id: string, clause: string, title: CheckTitle])[] = [
  ['known-operations', 'apps.calls.known-operations', 'MUST call only what the Apps interface has'],
  [
    'authorization-header',
    'apps.calls.authorization-header',
    'MUST send its key after the word ApiKey in the Authorization header of each call',
  ],
  [
    'auth-code-in-query',
    'apps.calls.auth-code-in-query',
    'MUST send the authCode of the installation in the query of each call',
  ],
  ['auth-code-spelling', 'apps.calls.auth-code-spelling', 'SHOULD spell authCode with its capital letter'],
  ['json-bodies', 'payload.requests-are-json', 'MUST send its bodies as JSON'],
  ['snippet-string', 'apps.calls.snippet-string', 'MUST send a snippet as a string, and its language as a code'],
  ['data-string-or-object', 'apps.calls.data-string-or-object', 'MUST send data as a string or an object'],
  ['data-empty-list', 'apps.calls.data-empty-list', 'SHOULD not send an empty list where it means an empty object'],
];
/** Clauses that a call may keep by luck alone. */
const LUCKY = ['apps.calls.known-operations', 'apps.calls.authorization-header', 'payload.requests-are-json'];
const needs = ['browser', 'app'];
const NONE = 'the app made no such call while it was watched';

const verdictsOf = once(async ({ session: { counterpart, app } }: AppContext) =>
  judgeReceived({
    counterpart,
    received: counterpart.received.filter(isAppsCall),
    apiKey: app.apiKey,
    complete: true,
  }),
);

export const checks: readonly AppCheck[] = [
  ...ROWS.map(([id, clause, title]) =>
    appCheck(`app.calls.${id}`, title, { clauses: [clause], needs }, async (context) => {
      const tally = (await verdictsOf(context)).clauses.get(clause);
      if (tally === undefined) throw new Skipped(NONE);
      expectKept(context, tally);
    }),
  ),
  appCheck(
    'app.calls.nothing-by-luck',
    'SHOULD call the service in no way that works by luck',
    { clauses: LUCKY, needs },
    async (context) => {
      warnOfLuck(context, await verdictsOf(context), LUCKY);
    },
  ),
];
