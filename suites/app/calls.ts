/** Every call that the app has made, judged as traffic: the rules are those of recordings. */
import type { CheckTitle } from '../../harness/check/facts.ts';
import { Skipped } from '../../harness/check/failures.ts';
import { lacksVersion } from '../../harness/integrator/counterpart.ts';
import { once } from '../../harness/integrator/once.ts';
import { expectKept, judgeReceived, warnOfLeniency } from '../../harness/integrator/traffic/traffic.ts';
import { type AppCheck, type AppContext, appCheck } from './session.ts';
import { isAppsCall } from './steps/effects.ts';
import { expectEncodedCode } from './steps/encoded-code.ts';
import { isWithoutSession } from './steps/sessions/without-session.ts';

const ROWS: readonly (readonly [id: string, clause: string, title: CheckTitle])[] = [
  ['app.calls.known-operations', 'app.calls.known-operations', 'MUST call only operations of the Apps interface'],
  [
    'app.calls.authorization-header',
    'app.calls.authorization-header',
    'MUST send its key with the scheme ApiKey in the Authorization header',
  ],
  [
    'app.calls.auth-code-in-query',
    'app.calls.auth-code-in-query',
    'MUST send the authCode of the installation in the query of each call',
  ],
  ['app.calls.auth-code-spelling', 'app.calls.auth-code-spelling', 'SHOULD spell authCode with a capital C'],
  ['app.calls.json-bodies', 'envelope.v1.request-bodies-are-json', 'MUST send JSON bodies'],
  [
    'app.calls.snippet-string',
    'app.calls.snippet-string',
    'MUST send a snippet as a string, and its language as a code',
  ],
  ['app.calls.data-string-or-object', 'app.calls.data-string-or-object', 'MUST send data as a string or an object'],
  [
    'app.calls.data-empty-list',
    'app.calls.data-empty-list',
    'SHOULD NOT send an empty list instead of an empty object',
  ],
];
/** Clauses that a call may keep only because the service is lenient. */
const LUCKY = [
  'app.calls.known-operations',
  'app.calls.authorization-header',
  'app.calls.snippet-string',
  'envelope.v1.request-bodies-are-json',
];
const needs = ['browser', 'app'];
const NONE = 'the app made no such call during the precheck';

const verdictsOf = once(async ({ session }: AppContext) => {
  const { counterpart, app } = session;
  const received = counterpart.received.filter(
    (request) => (isAppsCall(request) || lacksVersion(request.path)) && !isWithoutSession(session, request),
  );
  return judgeReceived({ counterpart, received, apiKey: app.apiKey, complete: true });
});

export const checks: readonly AppCheck[] = [
  ...ROWS.map(([id, clause, title]) =>
    appCheck(id, title, { clauses: [clause], needs }, async (context) => {
      const tally = (await verdictsOf(context)).clauses.get(clause);
      if (tally === undefined) throw new Skipped(NONE);
      expectKept(context, tally);
    }),
  ),
  appCheck(
    'app.calls.undocumented-leniency',
    'SHOULD NOT rely on undocumented leniency of the service',
    { clauses: LUCKY, needs },
    async (context) => {
      warnOfLeniency(context, await verdictsOf(context), LUCKY);
    },
  ),
  appCheck(
    'app.calls.auth-code-encoded',
    'SHOULD percent-encode an authCode that has other signs than letters and digits',
    { clauses: ['app.calls.auth-code-encoded'], needs },
    expectEncodedCode,
  ),
];
