/** Logging in (spec: Authentication, C. Reseller interface). */

import { isJsonObject } from '../../contracts/json/object.ts';
import { inWords } from '../../contracts/json/words.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import type { Probe } from '../../harness/check/expect.ts';
import { parametersIn } from '../../harness/cleanup/undo/parameters.ts';
import { takesOnly } from '../../harness/plain/plain-run.ts';
import { atOnce } from '../../harness/process/at-once.ts';
import { type ServiceRequest, withOperator, withPair } from '../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { authorizeCall, type Reseller } from '../../harness/target/interfaces/reseller.ts';
import { withUnderscore } from '../../harness/target/near-miss.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import type { Secret } from '../../harness/target/secrets/secret.ts';
import { account, ask, login, TOKEN_WORKS, tokenIn, withOwnSessions } from './steps/login/session.ts';
import { isRefusedOtherwise, noteWrongPassword } from './steps/login/wrong-password.ts';
import { READING } from './steps/options.ts';

const TOKEN = 'reseller.authorize.token';

const READS = ['listWebsites', 'readSettings', 'readBalance'] as const;

/** Where the parameters of a login are. */
const placeIn = ({ method }: ServiceRequest): 'query' | 'form' => (method === 'GET' ? 'query' : 'form');

const withPassword = (change: string, password: Secret | string | undefined): Probe => ({
  change,
  mutate: (call) => withPair(call, placeIn(call), 'password', password),
});
const withEmail = (change: string, email: Secret | string | undefined): Probe => ({
  change,
  mutate: (call) => withPair(call, placeIn(call), 'email', email),
});

/** A login by the method that the target is known to take, if it is only one: another try after a refused method may meet a lock. */
const loginOf = (context: Context): ServiceRequest => {
  const { email, password } = account(context);
  return authorizeCall(email, password, takesOnly(context.resources, 'GET', 'authorize/') ? 'GET' : 'POST');
};

/**
 * The near misses of a password. The longer one ends with a space, so that it also shows whether spaces are cut off: a service may lock
 * an account after a number of wrong passwords, so none is added for it.
 */
const nearMissesOf = (context: Context, password: Secret): Probe[] => [
  ...context
    .nearMisses(password)
    .filter(({ value }) => value.reveal().length <= password.reveal().length)
    .map(({ change, value }) => withPassword(`a password with ${change}`, value)),
  withPassword(
    'a password with a space at the end',
    context.secret('WRONG_PASSWORD', `${password.reveal()} `, password),
  ),
];

/** A service may lock an account after several wrong passwords in a row: a correct one in between prevents that. */
const WRONG_IN_A_ROW = 2;

/** A login without an e-mail or a password, which a service may refuse in another way than a wrong one. */
const isIncomplete = (call: ServiceRequest): boolean =>
  ['email', 'password'].some((name) => !parametersIn(call).some(([given, value]) => given === name && value !== ''));

/**
 * Asserts that no probe returns a token, with a successful login before every few of them. One that is refused in another way than a
 * wrong password is sent again directly after a successful login: it may have met a lock, which says nothing about it.
 */
async function refusesLogins(context: Context, login: ServiceRequest, probes: readonly Probe[]): Promise<void> {
  const proof = {
    clause: TOKEN,
    oneByOne: true,
    accepted: (one: ServiceResponse) => tokenIn(one) !== undefined,
  } as const;
  for (let at = 0; at < probes.length; at += WRONG_IN_A_ROW) {
    const some = probes.slice(at, at + WRONG_IN_A_ROW);
    const { probes: refused } = await context.expect.refusesEach(login, some, proof);
    if (at === 0) noteWrongPassword(context, refused[0]!.probe);
    for (const [place, one] of some.entries()) {
      if (isIncomplete(one.mutate(login)) || !isRefusedOtherwise(context, refused[place]!.probe)) continue;
      await context.expect.refusesEach(login, [one], { ...proof, control: 'first' });
    }
  }
}

/**
 * Asserts that logins by GET with one wrong value return no token: services often parse a query and a form with different code. Resolves
 * with whether a login by GET is served at all; where it is not, nothing is asserted.
 */
async function refusesByGet(
  context: Context,
  wrong: readonly (readonly [name: 'email' | 'password', change: string, value: Secret | undefined])[],
): Promise<boolean> {
  const { email, password } = account(context);
  const byGet = authorizeCall(email, password, 'GET');
  const control = await context.send(byGet, 'control');
  if (tokenIn(control) === undefined) return false;
  const probes = wrong.map(
    ([name, change, value]): Probe => ({
      change: `${change} in the query`,
      mutate: (call) => withPair(call, 'query', name, value),
    }),
  );
  const accepted = (response: ServiceResponse): boolean => tokenIn(response) !== undefined;
  await context.expect.refusesEach(byGet, probes, { clause: TOKEN, control, oneByOne: true, accepted });
  return true;
}

export const checks: readonly Check[] = [
  check(
    'reseller.authorize.token',
    'MUST return an apiToken for the correct e-mail and password',
    { clauses: [TOKEN], ...READING },
    withOwnSessions(async (context) => {
      const { email, password } = account(context);
      const response = await ask(context, (via) => authorizeCall(email, password, via), 'login');
      context.expect.served(response, 'authorizing with the correct e-mail and password must be served');
      const token = isJsonObject(response.json) ? response.json.apiToken : undefined;
      context.expect.that(typeof token === 'string' && token !== '', 'apiToken must be a non-empty string', {
        expected: 'a non-empty string',
        actual: typeof token === 'string' ? 'an empty string' : inWords(token).replace(/\d/g, '9'),
        pointer: '/apiToken',
        response,
      });
    }),
  ),
  check(
    'reseller.authorize.token-works',
    'MUST accept the token of authorize on other operations',
    { clauses: [TOKEN_WORKS], ...READING },
    withOwnSessions(async (context) => {
      const first = await login(context);
      const read = (reseller: Reseller, name: (typeof READS)[number]) => ask(context, (via) => reseller[name](via));
      const responses = await atOnce(READS.map((name) => () => read(first, name)));
      for (const [at, name] of READS.entries()) {
        let response = responses[at]!;
        // How long a token is valid is not stated, but a new one has to work.
        if (!isServed(response)) response = await read(await login(context), name);
        context.expect.served(response, `${name} must be served with the token from authorizing`);
      }
    }),
  ),
  check(
    'reseller.authorize.wrong-password-refused',
    'MUST refuse to authorize with a wrong, nearly correct or missing password',
    { clauses: ['reseller.authorize.wrong-password-refused'], ...READING },
    withOwnSessions(async (context) => {
      const { password } = account(context);
      const wrong = context.secret('WRONG_PASSWORD', `Pm-${context.resources.newMark()}`);
      const probes = [
        withPassword('a wrong password', wrong),
        ...nearMissesOf(context, password),
        withPassword('an empty password', ''),
        // It has no password either: each further login may lock the account.
        {
          change: 'an operator instead of the password',
          mutate: (call: ServiceRequest) => withOperator(call, placeIn(call), 'password'),
        },
      ];
      await refusesLogins(context, loginOf(context), probes);
      const longer = context.secret('LONGER_PASSWORD', `${password.reveal()}q`, password);
      const takesGet = await refusesByGet(context, [
        ['password', 'a password with one character added at the end', longer],
        ['password', 'no password', undefined],
      ]);
      // Where authorize takes a form only: the operator above is a parameter, which a service may read as a password.
      if (!takesGet) await refusesLogins(context, loginOf(context), [withPassword('no password', undefined)]);
    }),
  ),
  check(
    'reseller.authorize.wrong-email-refused',
    'MUST refuse to authorize an unknown e-mail',
    { clauses: ['reseller.authorize.wrong-email-refused'], ...READING },
    withOwnSessions(async (context) => {
      const { email } = account(context);
      const mark = context.resources.newMark();
      const right = email.reveal();
      const other = (name: string, value: string) => context.secret(`${name}_EMAIL`, value);
      const endless = other('ENDLESS', `${right}${mark}`);
      const probes = [
        withEmail('an underscore instead of a character of the e-mail', other('PATTERN', withUnderscore(right))),
        withEmail('an e-mail with additional characters in front', other('LONGER', `${mark}${right}`)),
        withEmail('an e-mail with additional characters at the end', endless),
        withEmail('an e-mail without its last character', other('SHORTER', right.slice(0, -1))),
        withEmail(
          'the same mailbox name at another domain',
          other('ELSEWHERE', `${right.split('@')[0]}@${mark}.invalid`),
        ),
        withEmail('no e-mail', undefined),
      ];
      await refusesLogins(context, loginOf(context), probes);
      await refusesByGet(context, [
        ['email', 'an e-mail with additional characters at the end', endless],
        ['email', 'no e-mail', undefined],
      ]);
    }),
  ),
  check(
    'reseller.authorize.second-login-handling',
    'OBSERVES whether a second login ends the first session',
    { clauses: [], observations: ['reseller.authorize.second-login'], ...READING },
    withOwnSessions(async (context) => {
      const first = await login(context);
      const second = await login(context);
      const response = await ask(context, (via) => first.listWebsites(via), 'probe');
      const same = first.token.reveal() === second.token.reveal();
      const ended = isServed(response)
        ? 'the first token is still served'
        : `the first token is refused (${response.status})`;
      context.observe('reseller.authorize.second-login', same ? 'both logins return the same token' : ended);
    }),
  ),
];
