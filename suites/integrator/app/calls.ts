/** Every call that the app has made, judged against the interface. */
import { isJsonObject } from '../../../contracts/fault.ts';
import { pairsOf } from '../../../contracts/install-hash.ts';
import { isLanguageCode } from '../../../contracts/scalars.ts';
import type { CheckTitle } from '../../../harness/check.ts';
import { Skipped } from '../../../harness/failures.ts';
import type { Received } from '../../../harness/integrator/counterpart.ts';
import { authCodeOf, isAppsCall } from './kit/effects.ts';
import { type AppCheck, type AppContext, appCheck } from './session.ts';

interface Rule {
  readonly id: string;
  readonly title: CheckTitle;
  readonly clause: string;
  /** Which calls it is about, in words and by test. */
  readonly about: string;
  readonly concerns: (call: Received) => boolean;
  /** What is wrong with one of them; undefined when nothing is. */
  readonly fault: (call: Received, context: AppContext) => string | undefined;
}

const OPERATIONS: readonly (readonly ['GET' | 'POST', RegExp])[] = [
  ['POST', /^\/installed\/?$/],
  ['POST', /^\/delete\/?$/],
  ['POST', /^\/set_snippet\/?$/],
  ['GET', /^\/get_snippet(?:\/[^/]+)?\/?$/],
  ['POST', /^\/set_data\/?$/],
  ['GET', /^\/get_data\/?$/],
  ['GET', /^\/user\/?$/],
  ['GET', /^\/website\/?$/],
  ['GET', /^\/languages\/?$/],
];

const inApps = ({ path }: Received): string => path.replace(/^\/v1\/+apps/, '');
const isOperation = (call: Received): boolean =>
  OPERATIONS.some(([method, path]) => call.method === method && path.test(inApps(call)));
const calls = (name: string) => (call: Received) => call.method === 'POST' && inApps(call).replace(/\/$/, '') === name;

/** The body as JSON; undefined when it is none. */
function jsonOf({ body }: Received): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

const fieldOf = (call: Received, name: string): unknown => {
  const body = jsonOf(call);
  return isJsonObject(body) ? body[name] : undefined;
};
const hasJson = (call: Received): boolean => isJsonObject(jsonOf(call));

const RULES: readonly Rule[] = [
  {
    id: 'known-operations',
    title: 'MUST call only what the Apps interface has',
    clause: 'apps.calls.known-operations',
    about: 'Apps calls',
    concerns: () => true,
    fault: (call) => (isOperation(call) ? undefined : 'there is no such operation in Apps'),
  },
  {
    id: 'authorization-header',
    title: 'MUST send its key in the Authorization header of each call',
    clause: 'apps.calls.authorization-header',
    about: 'Apps calls',
    concerns: () => true,
    fault: ({ headers }, { session }) => {
      const sent = headers.authorization;
      const [, scheme = '', key = ''] = /^(\S+)\s+(.*)$/.exec(sent ?? '') ?? [];
      if (sent === undefined) return 'it has no Authorization header';
      if (scheme.toLowerCase() !== 'apikey') return 'its Authorization header does not begin with ApiKey';
      return key === session.app.apiKey.reveal() ? undefined : 'its Authorization header carries another key';
    },
  },
  {
    id: 'auth-code-in-query',
    title: 'MUST send the authCode of the installation in the query of each call',
    clause: 'apps.calls.auth-code-in-query',
    about: 'Apps calls',
    concerns: () => true,
    fault: (call) => (authCodeOf(call) ? undefined : 'it has no authCode in its query'),
  },
  {
    id: 'auth-code-spelling',
    title: 'SHOULD spell authCode with its capital letter',
    clause: 'apps.calls.auth-code-spelling',
    about: 'Apps calls with an authCode',
    concerns: (call) => authCodeOf(call) !== undefined,
    fault: ({ query }) =>
      pairsOf(query).some(([name]) => name === 'authCode') ? undefined : 'it spells authCode in another way',
  },
  {
    id: 'json-bodies',
    title: 'MUST send its bodies as JSON',
    clause: 'payload.requests-are-json',
    about: 'calls with a body',
    concerns: ({ body }) => body.trim() !== '',
    fault: (call) => (hasJson(call) ? undefined : 'its body is no JSON object'),
  },
  {
    id: 'snippet-string',
    title: 'MUST send a snippet as a string, and its language as a language code',
    clause: 'apps.calls.snippet-string',
    about: 'calls of set_snippet',
    concerns: (call) => calls('/set_snippet')(call) && hasJson(call),
    fault: (call) => {
      const language = fieldOf(call, 'language');
      if (typeof fieldOf(call, 'snippet') !== 'string') return 'its snippet is no string';
      return language === undefined || language === null || language === '' || isLanguageCode(language)
        ? undefined
        : 'its language is no language code';
    },
  },
  {
    id: 'data-string-or-object',
    title: 'MUST send data as a string or an object',
    clause: 'apps.calls.data-string-or-object',
    about: 'calls of set_data',
    concerns: (call) => calls('/set_data')(call) && hasJson(call),
    fault: (call) => {
      const data = fieldOf(call, 'data');
      const isEmptyList = Array.isArray(data) && data.length === 0;
      return typeof data === 'string' || isJsonObject(data) || isEmptyList
        ? undefined
        : 'its data is neither a string nor an object';
    },
  },
  {
    id: 'data-empty-list',
    title: 'SHOULD not send an empty list where it means an empty object',
    clause: 'apps.calls.data-empty-list',
    about: 'calls of set_data',
    concerns: (call) => calls('/set_data')(call) && hasJson(call),
    fault: (call) => {
      const data = fieldOf(call, 'data');
      return Array.isArray(data) && data.length === 0 ? 'its data is an empty list' : undefined;
    },
  },
];

/** Enough to see which calls are meant. */
const MOST_EXCHANGES = 5;

export const checks: readonly AppCheck[] = RULES.map(({ id, title, clause, about, concerns, fault }) =>
  appCheck(`app.calls.${id}`, title, { clauses: [clause], needs: ['browser', 'app'] }, async (context) => {
    const concerned = context.session.counterpart.received.filter(isAppsCall).filter(concerns);
    if (concerned.length === 0) throw new Skipped(`the app made no ${about} during this precheck`);
    const wrong = concerned.flatMap((call) => {
      const message = fault(call, context);
      return message === undefined ? [] : [{ call, message }];
    });
    const [first] = wrong;
    context.restOn(
      (first === undefined ? concerned : wrong.map(({ call }) => call))
        .slice(0, MOST_EXCHANGES)
        .map(({ exchange }) => exchange),
    );
    context.expect.that(
      first === undefined,
      `${first?.call.method} ${first?.call.path}: ${first?.message}${wrong.length > 1 ? ` (and ${wrong.length - 1} more calls)` : ''}`,
      { exchange: first?.call.exchange },
    );
  }),
);
