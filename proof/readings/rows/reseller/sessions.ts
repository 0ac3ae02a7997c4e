/** Silences about credentials: tokens, passwords, login links. */
import { intercepts, memory, success } from '../../../../mock/faults/interception.ts';
import { parametersOf, refused } from '../../../../mock/faults/reseller/interception.ts';
import { isUsable } from '../../../../mock/variants/login-pages.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API, leaving, ofReseller, servedAtMost } from '../demands.ts';

const AUTH = 'Authentication, C. Reseller interface';
const ENDPOINTS = 'Endpoints, C. Reseller endpoints';

/** Ends a token after this many calls with it. */
function tokensFor(calls: number): ReadingAnswer {
  const served = memory(() => new Map<string, number>());
  return {
    id: `${calls}-calls`,
    about: `A token is good for ${calls} calls.`,
    http: intercepts('*', API.any, async (met) => {
      const token = (await parametersOf(met)).get('apiToken') ?? '';
      const count = (served(met.service).get(token) ?? 0) + 1;
      served(met.service).set(token, count);
      if (count > calls) met.service.change(() => void met.service.state.tokens.delete(token));
      return met.pass();
    }),
  };
}

/** Serves no login link after so many visits of links that do not work. */
function visitsLimited(failures: number): NonNullable<ReadingAnswer['http']> {
  const met = memory(() => ({ count: 0 }));
  return async (request, next, service) => {
    if (!API.loginPage.test(new URL(request.url).pathname)) return next(request);
    const failed = met(service);
    if (failed.count >= failures) return new Response('<p>Too many links that do not work.</p>', { status: 403 });
    const response = await next(request);
    if (response.status >= 400) failed.count += 1;
    return response;
  };
}

/** Ends every token after this many calls of the interface, as a clock would. */
function clockOf(calls: number): ReadingAnswer {
  const made = memory(() => ({ calls: 0, of: new Map<string, number>() }));
  return {
    id: `clock-${calls}`,
    about: `A token ends ${calls} calls of the interface after it was made, of any client.`,
    http: intercepts('*', API.any, async ({ service, pass }) => {
      const clock = made(service);
      clock.calls += 1;
      for (const { token } of service.state.tokens.all()) {
        if (!clock.of.has(token)) clock.of.set(token, clock.calls);
        if (clock.calls - (clock.of.get(token) ?? 0) > calls)
          service.change(() => void service.state.tokens.delete(token));
      }
      return pass();
    }),
  };
}

const password = (
  id: string,
  about: string,
  isGood: (text: string) => boolean,
  undecides?: ReadingAnswer['undecides'],
): ReadingAnswer => ({
  id,
  about,
  ...leaving(undecides),
  // An account that has such a password.
  fixtures: (correct) => ({
    ...correct,
    resellers: correct.resellers.map((reseller) => ({ ...reseller, password: 'Pass1word' })),
  }),
  http: ofReseller(API.password, (parameters) =>
    isGood(parameters.get('password') ?? '') ? undefined : 'This password can not be used.',
  ),
});

const html = (body: string): Response =>
  new Response(`<!doctype html><title>Sign in</title>${body}`, {
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

/** A page between a login link and the editor. Pages of unknown or used links are as usual. */
const between = (
  id: string,
  about: string,
  page: (address: string) => string,
  undecides?: ReadingAnswer['undecides'],
): ReadingAnswer => ({
  id,
  about,
  ...leaving(undecides),
  http: async (request, next, service) => {
    const { pathname, searchParams } = new URL(request.url);
    const token = API.loginPage.exec(pathname)?.[1];
    if (token === undefined || searchParams.has('go')) {
      return next(
        searchParams.has('go') ? new Request(`${service.origin}${pathname}`, { headers: request.headers }) : request,
      );
    }
    return isUsable(service, token) ? html(page(`${pathname}?go=1`)) : next(request);
  },
});

const linked = (
  id: string,
  about: string,
  write: (origin: string, token: string) => string,
  read: (url: URL) => string | null,
): ReadingAnswer => ({
  id,
  about,
  without: ['login.intermediate-page'],
  http: async (request, next, service) => {
    const url = new URL(request.url);
    if (API.login.test(url.pathname)) {
      const response = await next(request);
      if (response.status !== 200) return response;
      const body = (await response.json()) as { loginUrl: string };
      const token = body.loginUrl.split('/').at(-1) ?? '';
      return Response.json({ ...body, loginUrl: write(service.origin, token) });
    }
    const token = read(url);
    return next(
      token === null ? request : new Request(`${service.origin}/login/${token}`, { headers: request.headers }),
    );
  },
});

export const sessionReadings: readonly Reading[] = [
  {
    id: 'tokens.logout-again',
    section: AUTH,
    silence: 'Whether a logout without an open session is refused.',
    answers: [
      {
        id: 'served',
        // A logout whose token is not read would succeed and end no session.
        without: ['reseller.parameter-places/form-only', 'reseller.parameter-places/query-only'],
        about: 'It succeeds without a token, and with one that is not known.',
        http: intercepts('*', API.logout, async ({ pass }) => {
          const response = await pass();
          return response.status === 401 ? success() : response;
        }),
      },
    ],
  },
  {
    id: 'tokens.life',
    section: AUTH,
    silence: 'How long a token is good.',
    answers: [...[3, 8, 25].map(tokensFor), ...[6, 15, 40].map(clockOf)],
  },
  {
    id: 'tokens.number',
    section: AUTH,
    silence: 'Whether a second login ends the first token, gives it again, or is refused.',
    answers: [
      {
        id: 'one-at-a-time',
        about: 'A login is refused while a session is open.',
        http: intercepts('*', API.authorize, async ({ pass, service }) => {
          const isOpen = service.state.tokens.all().length > 0;
          const response = await pass();
          if (response.status !== 200 || !isOpen) return response;
          const { apiToken } = (await response.json()) as { apiToken: string };
          service.change(() => void service.state.tokens.delete(apiToken));
          return refused(409, 'This account is signed in.');
        }),
      },
      { id: 'one', about: 'It ends the earlier ones.', rules: () => ({ tokensEndedBySignIn: (tokens) => tokens }) },
      {
        id: 'three',
        about: 'The three newest are good.',
        rules: () => ({ tokensEndedBySignIn: (tokens) => tokens.slice(0, Math.max(0, tokens.length - 2)) }),
      },
      {
        id: 'same-again',
        about: 'It gives the token again that is good already.',
        http: intercepts('*', API.authorize, async ({ pass, service }) => {
          const [known] = service.state.tokens.all();
          const response = await pass();
          if (response.status !== 200 || known === undefined) return response;
          const body = (await response.json()) as { apiToken: string };
          service.change(() => void service.state.tokens.delete(body.apiToken));
          return Response.json({ ...body, apiToken: known.token });
        }),
      },
    ],
  },
  {
    id: 'tokens.form',
    section: AUTH,
    silence: 'What a token looks like.',
    answers: [
      {
        id: 'jwt',
        about: 'Three parts with dots between.',
        rules: () => ({
          newToken: (random) =>
            `eyJhbGciOiJIUzI1NiJ9.${random(60).toString('base64url')}.${random(32).toString('base64url')}`,
        }),
      },
      {
        id: 'base64',
        about: 'Base64 with its signs.',
        rules: () => ({ newToken: (random) => `${random(23).toString('base64')}+/==` }),
      },
      {
        id: 'long',
        about: 'Thousands of characters.',
        // In an address it would be refused.
        without: ['requests.address'],
        rules: () => ({ newToken: (random) => random(2600).toString('base64url') }),
      },
      { id: 'digits', about: 'Digits.', rules: () => ({ newToken: (random) => String(random(8).readBigUInt64BE()) }) },
    ],
  },
  {
    id: 'tokens.password-change',
    section: ENDPOINTS,
    silence: 'Which tokens outlive a change of the password.',
    answers: [
      { id: 'none', about: 'None.', rules: () => ({ tokensEndedByPassword: (tokens) => tokens }) },
      {
        id: 'own',
        about: 'The one that changed it.',
        rules: () => ({
          tokensEndedByPassword: (tokens, presented) => tokens.filter(({ token }) => token !== presented.token),
        }),
      },
    ],
  },
  {
    id: 'passwords.form',
    section: ENDPOINTS,
    silence: 'Which passwords are taken.',
    answers: [
      ...[12, 16, 20, 24].map((count) =>
        password(`at-most-${count}`, `At most ${count} characters.`, (text) => text.length <= count),
      ),
      password('at-least-15', 'At least 15 characters.', (text) => text.length >= 15 || text === 'Pass1word'),
      password('mixed', 'With a capital, a small letter, a digit and a sign.', (text) =>
        [/[A-Z]/, /[a-z]/, /\d/, /[^A-Za-z0-9]/].every((kind) => kind.test(text) || text === 'Pass1word'),
      ),
      password('letters-and-digits', 'Of letters and digits only.', (text) => /^[A-Za-z0-9]+$/.test(text)),
      password(
        'short-and-mixed',
        'Of 8 to 16 characters with a capital, a small letter and a digit.',
        (text) => text.length >= 8 && text.length <= 16 && [/[A-Z]/, /[a-z]/, /\d/].every((kind) => kind.test(text)),
      ),
    ],
  },
  {
    id: 'login.link-form',
    section: ENDPOINTS,
    silence: 'What a login link looks like.',
    answers: [
      linked(
        'query',
        'The token is a parameter.',
        (origin, token) => `${origin}/enter?site=1&key=${token}&l=en`,
        (url) => (url.pathname === '/enter' ? url.searchParams.get('key') : null),
      ),
      linked(
        'last-of-many',
        'The token is in the midst of the path.',
        (origin, token) => `${origin}/enter/${token}/editor/`,
        (url) => /^\/enter\/([^/]+)\/editor\/$/.exec(url.pathname)?.[1] ?? null,
      ),
      {
        id: 'short',
        about: 'The token has ten letters.',
        rules: () => ({ newLoginToken: (random) => random(8).toString('base64url').slice(0, 10) }),
      },
      {
        id: 'digits',
        about: 'The token is digits.',
        rules: () => ({ newLoginToken: (random) => String(random(8).readBigUInt64BE()) }),
      },
    ],
  },
  {
    id: 'login.intermediate-page',
    section: ENDPOINTS,
    silence: 'What comes between the link and the page behind the login.',
    answers: [
      between(
        'refresh',
        'A page that goes on by itself.',
        (address) => `<meta http-equiv="refresh" content="0; url=${address}"><p>One moment.</p>`,
      ),
      between(
        'button',
        'A page with a button.',
        (address) =>
          `<form method="get" action="${address.split('?')[0]}"><input type="hidden" name="go" value="1"><button>Go on</button></form>`,
      ),
      between(
        'script',
        'A page that signs in by script.',
        (address) => `<div id="app"></div><script>location.replace(${JSON.stringify(address)})</script>`,
      ),
    ],
  },
  {
    id: 'login.links-good',
    section: ENDPOINTS,
    silence: 'Which of several unused links are good, and for how long.',
    answers: [
      {
        id: 'newest',
        about: 'The newest of a website.',
        rules: () => ({}),
        http: intercepts('*', API.login, async ({ parts, pass, service }) => {
          service.change(() => {
            for (const link of service.state.loginLinks.filter(({ websiteId }) => String(websiteId) === parts[0])) {
              service.state.loginLinks.set(link.token, { ...link, used: true });
            }
          });
          return pass();
        }),
      },
    ],
  },
  {
    id: 'login.used-link',
    section: ENDPOINTS,
    silence: 'What a used link leads to.',
    answers: [
      {
        id: 'sign-in-page',
        about: 'The page for signing in, with status 200.',
        http: async (request, next) => {
          const response = await next(request);
          const isLink = API.loginPage.test(new URL(request.url).pathname);
          return isLink && response.status >= 400
            ? html('<form method="post"><input type="password" name="p"><button>Sign in</button></form>')
            : response;
        },
      },
      {
        id: 'front-page',
        about: 'A redirect to the front page.',
        http: async (request, next) => {
          const response = await next(request);
          const isLink = API.loginPage.test(new URL(request.url).pathname);
          return isLink && response.status >= 400
            ? new Response(null, { status: 302, headers: { location: '/' } })
            : response;
        },
      },
    ],
  },
  {
    id: 'login.wrong-links',
    section: ENDPOINTS,
    silence: 'Whether visitors are kept out after links that do not work.',
    answers: [
      {
        id: 'two',
        about: 'After two links that do not work, no visitor is signed in for the rest of the day.',
        http: visitsLimited(2),
      },
    ],
  },
  {
    id: 'login.attempts',
    section: AUTH,
    silence: 'Whether logins, or failed ones, are limited.',
    answers: [
      {
        id: 'five',
        about: 'After five failures within a minute, logins have to wait a second.',
        http: failuresLimited(5),
      },
      {
        id: 'thirty-in-all',
        // A run makes some hundred calls, each token of which is good for a few, or until another check logs in. Where only POST is served, a
        // check that begins with GET logs in again for another try, as does one that tries other places for parameters.
        without: ['tokens.life', 'tokens.number', 'reseller.methods/all-post', 'reseller.parameter-places'],
        about: 'After thirty logins all others are refused.',
        http: servedAtMost(API.authorize, 30, 'Too many logins today.'),
      },
    ],
  },
];

function failuresLimited(most: number): NonNullable<ReadingAnswer['http']> {
  const failures = memory(() => ({ count: 0 }));
  return intercepts('*', API.authorize, async ({ pass, service }) => {
    const state = failures(service);
    if (state.count >= most) {
      state.count = 0;
      const response = refused(429, 'Too many failed logins.');
      response.headers.set('retry-after', '1');
      return response;
    }
    const response = await pass();
    if (response.status !== 200) state.count += 1;
    return response;
  });
}
