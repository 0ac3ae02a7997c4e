/** Only authorize is served without a valid token (spec: Endpoints, C. Reseller endpoints). */

import { isJsonObject } from '../../../contracts/json/object.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { type Probe, summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { Skipped } from '../../../harness/check/failures.ts';
import { haveOneOrigin } from '../../../harness/check/foreign-credentials.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { type ServiceRequest, withPair } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { authorizeCall } from '../../../harness/target/interfaces/reseller.ts';
import { type Secret, sealed } from '../../../harness/target/secrets/secret.ts';
import {
  foreignTokens,
  logOutOneToken,
  nearMissTokens,
  nullTokens,
  operatorForToken,
  refusesBadTokens,
  withoutToken,
  wrongTokens,
} from '../steps/login/bad-tokens.ts';
import { account, TOKEN_WORKS, website, withOwnSessions } from '../steps/login/session.ts';
import { OWN_WEBSITE, READING } from '../steps/options.ts';

/** A refusal of a harmless request, with its control request. */
const refusal = (id: string, title: CheckTitle, probes: (context: Context) => Promise<readonly Probe[]>): Check =>
  check(id, title, { clauses: [id], ...READING }, async (context) => {
    const reseller = await context.reseller();
    await context.expect.refusesEach(reseller.listWebsites(), await probes(context), {
      clause: TOKEN_WORKS,
      control: 'beside',
    });
  });

const saysUnauthorized = (response: ServiceResponse): boolean =>
  response.status === 401 || (isJsonObject(response.json) && Number(response.json.errorCode) === 401);

/** Calls without a valid token, each with the clause that requires the refusal. */
async function badCalls(context: Context) {
  // None of the calls carries its token.
  const reseller = await context.resellerUnchecked();
  const { email } = account(context);
  const wrongPassword = context.secret('WRONG_PASSWORD', `Pm-${context.resources.newMark()}`);
  const [wrong] = await wrongTokens(context);
  return [
    {
      what: 'no token',
      call: withoutToken[0]!.mutate(reseller.listWebsites()),
      clause: 'reseller.token.missing-refused',
    },
    { what: 'a wrong token', call: wrong!.mutate(reseller.listWebsites()), clause: 'reseller.token.wrong-refused' },
    {
      what: 'a wrong password',
      call: authorizeCall(email, wrongPassword),
      clause: 'reseller.authorize.wrong-password-refused',
    },
  ];
}

const asKey = (token: Secret) => (call: ServiceRequest) =>
  withPair(call, 'headers', 'Authorization', sealed`ApiKey ${token}`);
const asCode = (token: Secret) => (call: ServiceRequest) => withPair(call, 'query', 'authCode', token);

interface Elsewhere {
  readonly clause: string;
  readonly needs: readonly string[];
  /** The clause of the same call with the credential that belongs there, and the call. */
  readonly accepted: string;
  readonly call: (context: Context) => ServiceRequest;
  readonly instead: typeof asKey;
}

/** The token of a session in the place of a credential of another interface: it is not one of theirs. */
const elsewhere = (id: string, place: string, { clause, needs, accepted, call, instead }: Elsewhere): Check =>
  check(
    id,
    `MUST NOT accept the token of a Reseller session as ${place}`,
    { clauses: [clause], additional: true, ...READING, needs: [...READING.needs, ...needs] },
    async (context) => {
      if (!haveOneOrigin(context))
        throw new Skipped('the interfaces have different origins, and a token is not sent to another one');
      const { token } = await context.reseller();
      const probe: Probe = { change: `the apiToken of a Reseller session as ${place}`, mutate: instead(token) };
      await context.expect.refusesEach(call(context), [probe], { clause: accepted, control: 'beside' });
    },
  );

const APPS = { needs: ['apps.apiKey', 'apps.authCode'], accepted: 'apps.credentials.accepted' } as const;

const elsewhereChecks: readonly Check[] = [
  elsewhere('reseller.token.not-a-delivery-key', 'the key of a store', {
    clause: 'delivery.credentials.wrong-key-refused',
    needs: ['delivery.private.apiKey'],
    accepted: 'delivery.credentials.private-key-accepted',
    call: ({ delivery }) => delivery.listMethods(),
    instead: asKey,
  }),
  elsewhere('reseller.token.not-an-app-key', 'the key of an app', {
    clause: 'apps.credentials.wrong-key-refused',
    ...APPS,
    call: ({ apps }) => apps.getLanguages(),
    instead: asKey,
  }),
  elsewhere('reseller.token.not-an-auth-code', 'an authCode', {
    clause: 'apps.credentials.wrong-auth-code-refused',
    ...APPS,
    call: ({ apps }) => apps.getLanguages(),
    instead: asCode,
  }),
];

export const checks: readonly Check[] = [
  refusal('reseller.token.missing-refused', 'MUST refuse a Reseller request without a token', async () => [
    ...withoutToken,
    operatorForToken,
  ]),
  refusal(
    'reseller.token.wrong-refused',
    'MUST refuse a Reseller request with a token that was never issued',
    async (context) => [...(await wrongTokens(context)), ...nullTokens],
  ),
  refusal('reseller.token.near-miss-refused', 'MUST refuse a token that differs by one character', nearMissTokens),
  check(
    'reseller.token.not-a-foreign-key',
    'MUST refuse a key or an authCode of another interface as apiToken',
    // By POST only: in an address, which servers log, a key would be given away.
    { clauses: ['reseller.token.wrong-refused'], additional: true, ...READING, exactValues: ['method'] },
    async (context) => {
      const probes = foreignTokens(context);
      if (probes.length === 0) throw new Skipped('the profile has no key of another interface that this origin knows');
      const reseller = await context.reseller();
      await context.expect.refusesEach(reseller.listWebsites('POST'), probes, {
        clause: TOKEN_WORKS,
        control: 'beside',
      });
    },
  ),
  ...elsewhereChecks,
  check(
    'reseller.token.every-read',
    'MUST refuse every Reseller read operation without a valid token',
    { clauses: ['reseller.token.every-read'], ...OWN_WEBSITE },
    async (context) => {
      await logOutOneToken(context);
      const reseller = await context.reseller();
      const id = website(context);
      const refused = (call: ServiceRequest, clause?: string) => () => refusesBadTokens(context, call, 'read', clause);
      const byGet = 'reseller.calls.by-get';
      // Four at a time, because none of them has an effect.
      await atOnce([
        refused(reseller.listWebsites()),
        refused(reseller.readSettings()),
        refused(reseller.readBalance()),
        refused(reseller.listDomains(id), 'reseller.domain.array'),
      ]);
      // Services often parse a query and a form with different code.
      await atOnce([
        refused(reseller.readSettings('GET'), byGet),
        refused(reseller.listWebsites('GET'), byGet),
        refused(reseller.readBalance('GET'), byGet),
        refused(reseller.listDomains(id, 'GET'), byGet),
      ]);
    },
  ),
  check(
    'reseller.token.code-401',
    'SHOULD refuse wrong Reseller credentials with error code 401',
    { clauses: ['reseller.token.code-401'], ...READING },
    withOwnSessions(async (context) => {
      const { given, expect, send } = context;
      const reseller = await context.resellerUnchecked();
      await given.accepted(send(reseller.listWebsites(), 'control'), TOKEN_WORKS);
      const { email, password } = account(context);
      await given.accepted(send(authorizeCall(email, password), 'control'), 'reseller.calls.by-post');
      const responses = await atOnce(
        (await badCalls(context)).map(({ what, call, clause }) => async () => {
          const refused = given.refused(send(call, 'probe'), clause, `a call with ${what} was not refused`);
          return { what, response: await refused };
        }),
      );
      for (const { what, response } of responses) {
        expect.that(
          saysUnauthorized(response),
          `a call with ${what} should be refused with 401, as status or errorCode`,
          {
            expected: 401,
            actual: summary(response),
            response,
          },
        );
      }
    }),
  ),
  check(
    'reseller.token.refusal-codes',
    'OBSERVES the status and errorCode of refused Reseller credentials',
    { clauses: [], observations: ['envelope.errors.code-for-bad-token'], ...READING },
    withOwnSessions(async (context) => {
      const seen: Record<string, unknown> = {};
      const responses = await atOnce(
        (await badCalls(context)).map(({ what, call }) => async () => {
          return { what, response: await context.send(call, 'probe') };
        }),
      );
      for (const { what, response } of responses) {
        const { status, json } = response;
        seen[what] = { status, errorCode: isJsonObject(json) ? (json.errorCode ?? null) : null };
      }
      context.observe('envelope.errors.code-for-bad-token', seen);
    }),
  ),
];
