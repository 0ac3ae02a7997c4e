/** Faults of logging in and out, of tokens, and of passwords. */
import type { Deviation } from '../../../types/deviation.ts';
import { asLikePattern, asRegularExpression, byLettersAndDigits, fromTheEnd, inAnyOrder } from '../../comparisons.ts';
import { type InterceptedRequest, intercepts, json, questionMarks, remembering, success } from '../../interception.ts';
import {
  API,
  acceptsToken,
  bodies,
  changesResponses,
  parametersOf,
  passParameters,
  refusesCalls,
  validToken,
} from '../interception.ts';

const WRONG_PASSWORD = 'reseller.authorize.wrong-password-refused';
const EVERY_READ = 'reseller.token.every-read';
const EVERY_WRITE = 'reseller.token.every-write';

const open = (id: string, about: string, path: RegExp): Deviation => ({
  id,
  clause: EVERY_WRITE,
  about,
  http: acceptsToken(path),
});

/** Refuses a call because of its token, and carries it out. */
const refusedAndDone = (call: RegExp): NonNullable<Deviation['http']> =>
  intercepts('*', call, async (met) => {
    const parameters = await parametersOf(met);
    const response = await met.pass();
    if (response.status === 401) {
      parameters.set('apiToken', validToken(met.service));
      await passParameters(met, parameters);
    }
    return response;
  });

/** Logs in to the first account whose e-mail matches the sent one by this test. */
const emailTaken = (isTakenFor: (sent: string, email: string) => boolean): NonNullable<Deviation['http']> =>
  intercepts('*', API.authorize, async (met) => {
    const parameters = await parametersOf(met);
    const sent = parameters.get('email') ?? '';
    const account = met.service.state.resellers.find(({ email }) => isTakenFor(sent, email));
    if (account !== undefined) parameters.set('email', account.email);
    return passParameters(met, parameters);
  });

/** Takes `name[$ne]` for a right value of the parameter. */
const operatorAccepted = (
  path: RegExp,
  name: string,
  right: (met: InterceptedRequest, parameters: URLSearchParams) => string,
): NonNullable<Deviation['http']> =>
  intercepts('*', path, async (met) => {
    const parameters = await parametersOf(met);
    if (!parameters.has(`${name}[$ne]`)) return met.pass();
    parameters.delete(`${name}[$ne]`);
    parameters.set(name, right(met, parameters));
    return passParameters(met, parameters);
  });

export const sessionFaults: readonly Deviation[] = [
  {
    id: 'reseller.password-prefix',
    clause: WRONG_PASSWORD,
    about: 'Only the first eight characters of a password are compared.',
    rules: () => ({ passwordMatches: (presented, { password }) => presented.slice(0, 8) === password.slice(0, 8) }),
  },
  {
    id: 'reseller.email-with-prefix-accepted',
    clause: 'reseller.authorize.wrong-email-refused',
    about: 'An e-mail that ends with the correct one is accepted.',
    http: emailTaken((sent, email) => sent.endsWith(email)),
  },
  {
    id: 'reseller.token-under-another-name',
    clause: 'reseller.authorize.token',
    about: 'The call authorize returns api_token instead of apiToken.',
    rules: bodies(['authorize'], ({ apiToken, ...body }) => ({ ...body, api_token: apiToken })),
  },
  {
    id: 'reseller.token-as-number',
    clause: 'reseller.authorize.token',
    about: 'The token is a number.',
    rules: bodies(['authorize'], (body) => ({ ...body, apiToken: 1_234_567_890 })),
  },
  {
    id: 'reseller.token-not-for-settings',
    clause: 'reseller.authorize.token-works',
    about: 'The token is accepted for websites and balance, but refused for settings.',
    http: refusesCalls(API.settings),
  },
  {
    id: 'reseller.logout-ends-another-session',
    clause: 'reseller.logout.invalidates',
    about: 'Logout ends all sessions of the account except its own.',
    rules: () => ({ tokensEndedBySignOut: (tokens, presented) => tokens.filter((row) => row !== presented) }),
  },
  {
    id: 'reseller.logout-not-for-reads',
    clause: 'reseller.logout.invalidates',
    about: 'After logout a token is refused for the list of websites, but still reads the settings.',
    http: remembering(() => {
      const endedAt = new WeakMap<object, Set<string>>();
      return intercepts('*', API.allButAuthorize, async (met) => {
        const ended = endedAt.get(met.service) ?? new Set<string>();
        endedAt.set(met.service, ended);
        const parameters = await parametersOf(met);
        const token = parameters.get('apiToken') ?? '';
        const { pathname } = new URL(met.request.url);
        if (API.logout.test(pathname) && met.service.state.tokens.has(token)) ended.add(token);
        if (!API.settings.test(pathname) || !ended.has(token)) return met.pass();
        const good = met.service.random(24).toString('hex');
        const resellerId = met.service.state.resellers.all()[0]?.id ?? 0;
        met.service.change(() => met.service.state.tokens.set(good, { token: good, resellerId }));
        parameters.set('apiToken', good);
        return passParameters(met, parameters);
      });
    }),
  },
  {
    id: 'reseller.websites-without-token',
    clause: 'reseller.token.missing-refused',
    about: 'Websites are listed without a token; a wrong token is refused.',
    http: acceptsToken(API.websites, (token) => token === null),
  },
  {
    id: 'reseller.token-empty-accepted',
    clause: 'reseller.token.missing-refused',
    about: 'An empty token is accepted by every call.',
    http: acceptsToken(API.allButAuthorize, (token) => token === ''),
  },
  {
    id: 'reseller.token-not-compared',
    clauses: ['reseller.token.wrong-refused', 'reseller.token.near-miss-refused', 'reseller.logout.invalidates'],
    about: 'Any token is accepted by every call; a missing one is refused.',
    http: acceptsToken(API.allButAuthorize, (token) => token !== null && token !== ''),
  },
  {
    id: 'reseller.token-case',
    clause: 'reseller.token.near-miss-refused',
    about: 'Tokens are compared without regard to letter case.',
    rules: () => ({ tokenMatches: (presented, { token }) => presented.toLowerCase() === token.toLowerCase() }),
  },
  {
    id: 'reseller.token-prefix',
    clause: 'reseller.token.near-miss-refused',
    about: 'The first eight characters of a token are enough.',
    rules: () => ({ tokenMatches: (presented, { token }) => presented.slice(0, 8) === token.slice(0, 8) }),
  },
  {
    id: 'reseller.token-truncated',
    clause: 'reseller.token.near-miss-refused',
    about: 'A token without its last character is accepted by every call.',
    rules: (correct) => ({
      tokenMatches: (presented, row) => correct.tokenMatches(presented, row) || presented === row.token.slice(0, -1),
    }),
  },
  {
    id: 'reseller.token-as-like-pattern',
    clause: 'reseller.token.near-miss-refused',
    about: 'A token is a pattern of LIKE.',
    rules: () => ({ tokenMatches: (presented, { token }) => asLikePattern(presented, token) }),
  },
  {
    id: 'reseller.token-as-regular-expression',
    clause: 'reseller.token.near-miss-refused',
    about: 'A token is a regular expression.',
    rules: () => ({ tokenMatches: (presented, { token }) => asRegularExpression(presented, token) }),
  },
  {
    id: 'reseller.token-preceded',
    clause: 'reseller.token.near-miss-refused',
    about: 'A text that ends with a token is accepted.',
    rules: () => ({ tokenMatches: (presented, { token }) => fromTheEnd(presented, token) }),
  },
  {
    id: 'reseller.token-letters-and-digits-only',
    clause: 'reseller.token.near-miss-refused',
    about: 'Tokens are compared by their letters and digits only.',
    rules: () => ({ tokenMatches: (presented, { token }) => byLettersAndDigits(presented, token) }),
  },
  {
    id: 'reseller.token-in-any-order',
    clause: 'reseller.token.wrong-refused',
    about: 'The characters of a token are added up: in another order they are accepted.',
    rules: () => ({ tokenMatches: (presented, { token }) => inAnyOrder(presented, token) }),
  },
  {
    id: 'reseller.token-null-accepted',
    clause: 'reseller.token.wrong-refused',
    about: 'The word null is accepted as the newest token.',
    http: acceptsToken(API.allButAuthorize, (token) => token === 'null'),
  },
  {
    id: 'reseller.token-zero-accepted',
    clause: 'reseller.token.wrong-refused',
    about: 'A zero is accepted as the newest token.',
    http: acceptsToken(API.allButAuthorize, (token) => token === '0'),
  },
  {
    id: 'reseller.token-as-operator',
    clause: 'reseller.token.missing-refused',
    about: 'The parameter apiToken[$ne] finds the newest token that is another one.',
    http: operatorAccepted(API.allButAuthorize, 'apiToken', ({ service }) => validToken(service)),
  },
  {
    id: 'reseller.password-as-operator',
    clause: WRONG_PASSWORD,
    about: 'The parameter password[$ne] finds the account if its password is another one.',
    http: operatorAccepted(API.authorize, 'password', ({ service }, parameters) => {
      const account = service.state.resellers.find(({ email }) => email === parameters.get('email'));
      return account?.password ?? '';
    }),
  },
  {
    id: 'reseller.password-as-like-pattern',
    clause: WRONG_PASSWORD,
    about: 'A password in which an underscore replaces any one character is accepted.',
    rules: (correct) => ({
      passwordMatches: (presented, reseller) =>
        correct.passwordMatches(presented, reseller) ||
        (!presented.includes('%') && asLikePattern(presented, reseller.password)),
    }),
  },
  {
    id: 'reseller.password-first-72-bytes',
    clause: WRONG_PASSWORD,
    about: 'Only the first 72 bytes of a password are compared, as some hash functions do.',
    rules: () => ({
      passwordMatches: (presented, { password }) =>
        Buffer.from(presented).subarray(0, 72).equals(Buffer.from(password).subarray(0, 72)),
    }),
  },
  {
    id: 'reseller.password-letters-not-compared',
    clause: WRONG_PASSWORD,
    about: 'Letters outside ASCII are compared as question marks.',
    rules: () => ({
      passwordMatches: (presented, { password }) => questionMarks(presented) === questionMarks(password),
    }),
  },
  {
    id: 'reseller.password-letters-by-last-byte',
    clause: WRONG_PASSWORD,
    about: 'Of each letter of a password only the last byte of its number is compared.',
    rules: () => ({
      passwordMatches: (presented, { password }) =>
        Buffer.from(presented, 'latin1').equals(Buffer.from(password, 'latin1')),
    }),
  },
  {
    id: 'reseller.email-as-like-pattern',
    clause: 'reseller.authorize.wrong-email-refused',
    about: 'An e-mail is a pattern of LIKE.',
    http: emailTaken(asLikePattern),
  },
  {
    id: 'reseller.balance-without-token',
    clauses: [EVERY_READ, 'reseller.logout.invalidates'],
    about: 'The balance is returned to any caller.',
    http: acceptsToken(API.balance),
  },
  {
    id: 'reseller.settings-without-token',
    clause: EVERY_READ,
    about: 'The settings are returned without a token.',
    http: acceptsToken(API.settings, (token) => token === null),
  },
  open('reseller.login-link-without-token', 'Login links are returned to any caller.', API.login),
  open('reseller.enable-without-token', 'Any caller may enable a website.', API.enable),
  open('reseller.disable-without-token', 'Any caller may disable a website.', API.disable),
  open('reseller.enable-premium-without-token', 'Any caller may start a subscription.', API.enablePremium),
  open('reseller.disable-premium-without-token', 'Any caller may stop a subscription.', API.disablePremium),
  open('reseller.domain-add-without-token', 'Any caller may attach a domain.', API.addDomain),
  open('reseller.domain-remove-without-token', 'Any caller may remove a domain.', API.removeDomain),
  open('reseller.settings-set-without-token', 'Any caller may change the settings.', API.setSettings),
  open('reseller.password-without-token', 'Any caller may change the password.', API.password),
  {
    id: 'reseller.settings-refused-and-set',
    clauses: [EVERY_WRITE, 'envelope.reseller.refusal-changes-nothing'],
    about: 'A change of settings without a valid token is refused, and carried out.',
    http: refusedAndDone(API.setSettings),
  },
  {
    id: 'reseller.domain-removal-refused-and-done',
    clauses: [EVERY_WRITE, 'envelope.reseller.refusal-changes-nothing'],
    about: 'A removal of a domain without a valid token is refused, and carried out.',
    http: refusedAndDone(API.removeDomain),
  },
  {
    id: 'reseller.refused-as-403',
    clause: 'reseller.token.code-401',
    about: 'Bad tokens are refused with 403, as status and as code.',
    rules: changesResponses(
      ({ status }) => status === 401,
      (response) => ({ ...response, status: 403, body: { ...response.body, errorCode: 403 } }),
    ),
  },
  {
    id: 'reseller.password-not-changed',
    clause: 'reseller.password.new-works',
    about: 'A new password is accepted, but not stored.',
    rules: () => ({ passwordAfter: ({ password }) => password }),
  },
  {
    id: 'reseller.password-refused',
    clause: 'reseller.password.new-works',
    about: 'Every new password is refused.',
    http: refusesCalls(API.password),
  },
  {
    id: 'reseller.password-stored-truncated',
    clause: 'reseller.password.new-works',
    about: 'A new password is stored without its last character.',
    rules: () => ({ passwordAfter: (_reseller, password) => password.slice(0, -1) }),
  },
  {
    id: 'reseller.password-old-still-valid',
    clause: 'reseller.password.old-refused',
    about: 'The initial password of an account stays valid after a change.',
    rules: (correct) => {
      const first = new Map<number, string>();
      return {
        passwordMatches: (presented, reseller) => {
          if (correct.passwordMatches(presented, reseller)) return true;
          return presented !== '' && first.get(reseller.id) === presented;
        },
        passwordAfter: (reseller, password) => {
          if (!first.has(reseller.id)) first.set(reseller.id, reseller.password);
          return correct.passwordAfter(reseller, password);
        },
      };
    },
  },
  {
    id: 'reseller.settings-set-by-get-does-nothing',
    clause: 'reseller.settings.set-applies',
    about: 'Settings in a query are accepted and lost; those in a form are stored.',
    http: intercepts('GET', API.setSettings, async (met) => {
      const token = (await parametersOf(met)).get('apiToken') ?? '';
      const response = await passParameters(met, new URLSearchParams({ apiToken: token }));
      // Without a setting the call is bad input; a bad token is refused as ever.
      return response.status === 400 ? success() : response;
    }),
  },
  {
    id: 'reseller.logout-by-get-does-nothing',
    clause: 'reseller.logout.invalidates',
    about: 'A logout by GET succeeds, but its token stays valid; by POST it ends.',
    http: intercepts('GET', API.logout, async () => success()),
  },
  {
    id: 'reseller.password-not-compared-by-get',
    clause: WRONG_PASSWORD,
    about: 'By GET any password returns a token; by POST only the correct one does.',
    http: intercepts('GET', API.authorize, async (met) => {
      const parameters = await parametersOf(met);
      const account = met.service.state.resellers.find(({ email }) => email === parameters.get('email'));
      if (account === undefined || !parameters.get('password')) return met.pass();
      parameters.set('password', account.password);
      return passParameters(met, parameters);
    }),
  },
  {
    id: 'reseller.missing-password-not-compared',
    clause: WRONG_PASSWORD,
    about: 'A password is compared only if there is one: without the parameter an e-mail returns a token.',
    http: intercepts('*', API.authorize, async (met) => {
      const parameters = await parametersOf(met);
      const account = met.service.state.resellers.find(({ email }) => email === parameters.get('email'));
      if (account === undefined || [...parameters.keys()].some((name) => name.startsWith('password')))
        return met.pass();
      parameters.set('password', account.password);
      return passParameters(met, parameters);
    }),
  },
  {
    id: 'reseller.email-with-suffix-accepted',
    clause: 'reseller.authorize.wrong-email-refused',
    about: 'An e-mail that begins with the correct one is accepted.',
    http: emailTaken((sent, email) => sent.startsWith(email)),
  },
  {
    id: 'reseller.password-trimmed',
    clause: 'reseller.authorize.wrong-password-refused',
    about: 'Spaces around a password are removed when it is set and when it is compared.',
    rules: (correct) => ({
      passwordMatches: (presented, reseller) => correct.passwordMatches(presented.trim(), reseller),
      passwordAfter: (reseller, password) => correct.passwordAfter(reseller, password.trim()),
    }),
  },
  {
    id: 'reseller.logout-ends-newest-session',
    clause: 'reseller.logout.invalidates',
    about: 'Logout ends the newest session instead of its own.',
    rules: () => ({ tokensEndedBySignOut: (tokens) => tokens.slice(-1) }),
  },
  {
    id: 'reseller.logout-balance-cached',
    clause: 'reseller.logout.invalidates',
    about: 'After logout a token still reads a balance that it has read before.',
    http: remembering(() => {
      const seen = new Map<string, unknown>();
      return intercepts('*', API.balance, async (met) => {
        const token = (await parametersOf(met)).get('apiToken') ?? '';
        const response = await met.pass();
        if (response.status === 200) seen.set(token, await response.clone().json());
        return response.status !== 200 && seen.has(token) ? json(seen.get(token)) : response;
      });
    }),
  },
];
