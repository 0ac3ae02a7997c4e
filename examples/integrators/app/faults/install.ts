/** How a faulty app ends its installation. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** So many that no test waits for the last one; the limit only protects the test itself. */
const MAX_TRIES = 1_000;

const PAUSE_MS = 50;

/** The name of the website of an installation; empty where it has none. */
async function brandnameOf(correct: App, authCode: string): Promise<string> {
  const { website } = (await correct.call('GET', 'apps/website/', authCode)) ?? {};
  return ((website ?? {}) as { brandname?: string }).brandname ?? '';
}

export default examplesOver(App, {
  'app.install.called-before-permission': {
    clauses: ['app.install.not-called-early', 'app.calls.auth-code-in-query'],
    about: 'installed is already called on the first load, which has no authCode.',
    // It is called again in its time.
    change: (correct) => ({
      firstLoad: async (query) => {
        await correct.finish(query.get('authCode') ?? '');
        return correct.firstLoad(query);
      },
    }),
  },
  'app.install.broken-page': {
    clauses: ['app.install.shows-page'],
    about: 'After the installation the app shows an error page with status 500.',
    // The installation is finished.
    change: () => ({ finished: () => page('Internal error', '', { status: 500 }) }),
  },
  'app.install.program-error-shown': {
    clauses: ['app.install.shows-page'],
    about:
      'After the installation the app shows an error of its program with status 200, as PHP does it where errors are displayed.',
    // The installation is finished.
    change: () => ({
      finished: () =>
        new Response(
          '<br />\n<b>Fatal error</b>:  Uncaught TypeError: greet(): Argument #1 ($name) must be of type string, null given in /srv/app.php:31\nStack trace:\n#0 {main}\n  thrown in <b>/srv/app.php</b> on line <b>31</b><br />',
          { headers: { 'content-type': 'text/html; charset=utf-8' } },
        ),
    }),
  },
  'app.install.by-get': {
    clauses: ['app.install.calls-installed', 'app.calls.known-operations'],
    about: 'installed is called by GET.',
    // Key and code are correct.
    change: (correct) => ({ finish: (authCode) => correct.call('GET', 'apps/installed/', authCode) }),
  },
  'app.install.claims-success': {
    clauses: ['app.install.failure-shown'],
    about: 'The app says that it is installed although the service refused.',
    // If the service accepts the call, the app behaves correctly.
    change: (correct) => ({ unfinished: (query) => correct.finished(query) }),
  },
  'app.install.claims-success-by-name': {
    clauses: ['app.install.failure-shown'],
    about: 'The app names the website on its page, and says that it is installed although the service refused.',
    // If the service accepts the call, the page is correct.
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        await correct.finish(authCode);
        await correct.setUp(authCode, query.get('language') ?? '');
        const response = await correct.call('GET', 'apps/website/', authCode);
        const website = response?.website as { brandname?: unknown; url?: unknown } | undefined;
        const name = escaped(`${website?.brandname} (${website?.url})`);
        return page('Greeting is installed', `<p>Visitors of ${name} are greeted from now on.</p>`);
      },
    }),
  },
  'app.install.claims-success-on-reload': {
    clauses: ['app.install.failure-shown'],
    about: 'After a refused call of installed, a user who loads the page again is told that the app is installed.',
    // The first time the user learns that it failed.
    change: (correct) => {
      const known = new Set<string>();
      return {
        secondLoad: async (query, authCode) => {
          if (known.has(authCode)) return correct.finished(query);
          known.add(authCode);
          return correct.secondLoad(query, authCode);
        },
      };
    },
  },
  'app.install.refusal-overlooked': {
    clauses: ['app.install.failure-shown'],
    about: 'Only an error of the server is taken for a failure: refused, the app says that it is installed.',
    // A service that fails is reported to the user.
    change: (correct) => ({
      finish: async (authCode) => {
        const path = 'apps/installed/';
        const sent = { method: 'POST', headers: correct.headersOf(path) };
        const status = await fetch(correct.addressOf(path, authCode), sent).then(
          (response) => response.status,
          () => 504,
        );
        return status >= 500 ? null : {};
      },
    }),
  },
  'app.install.auth-code-in-lower-case': {
    clauses: ['app.install.calls-installed'],
    about: 'The authCode is stored in lower case, as in a database column that does not keep the case.',
    // It is in the query of each call.
    change: (correct) => ({ addressOf: (path, authCode) => correct.addressOf(path, authCode.toLowerCase()) }),
  },
  'app.install.empty-page': {
    clauses: ['app.install.shows-page'],
    about: 'After the installation the app responds without a page.',
    // The installation is finished.
    change: () => ({ finished: () => new Response(null, { status: 204 }) }),
  },
  'app.install.version-pinned': {
    clauses: ['app.install.first-load-redirects'],
    about: 'Users are refused whose platformVersion is another one than that of the first.',
    // This goes unnoticed until the service is updated.
    change: (correct) => {
      let first: string | null = null;
      return {
        firstLoad: async (query) => {
          first ??= query.get('platformVersion');
          return query.get('platformVersion') === first ? correct.firstLoad(query) : page('Unknown version', '');
        },
      };
    },
  },
  'app.install.version-compared-as-text': {
    clauses: ['app.install.first-load-redirects'],
    about: 'A platformVersion from 10 on is taken for an old one, because versions are compared as texts.',
    // This goes unnoticed until the service gets there.
    change: (correct) => ({
      firstLoad: async (query) =>
        (query.get('platformVersion') ?? '') < '2' ? page('Too old', '') : correct.firstLoad(query),
    }),
  },
  'app.install.known-user-not-redirected': {
    clauses: ['app.install.first-load-redirects'],
    about:
      'A browser with a session of an earlier installation is shown the app instead of being redirected to the service.',
    // A browser that the app does not know is redirected.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const isFirst = pathname === '/install' && !query.has('authCode');
        const isKnown = /(?:^|; )customer=yes/.test(request.headers.get('cookie') ?? '');
        if (isFirst && isKnown && correct.accepts(query, 'first')) return page('Greeting', '<p>Welcome back!</p>');
        const response = await correct.respond(request);
        if (pathname === '/install' && query.has('authCode') && response.ok)
          response.headers.append('set-cookie', 'customer=yes; Path=/; HttpOnly');
        return response;
      },
    }),
  },
  'app.install.unknown-language-crashes': {
    clauses: ['app.install.first-load-redirects', 'app.settings.shows-page'],
    about: 'A user in whose language the app has no texts gets a program error.',
    // Users of its languages are served.
    change: (correct) => ({
      respond: async (request) => {
        const language = new URL(request.url).searchParams.get('language');
        if (language !== null && !['en', 'lv', 'de'].includes(language)) throw new TypeError('There are no texts.');
        return correct.respond(request);
      },
    }),
  },
  'app.install.nameless-website-crashes': {
    clauses: ['app.install.calls-installed'],
    about: 'A website that has no name yet gets a program error instead of an installation.',
    // Most owners name their website before they install anything.
    change: (correct) => ({
      finish: async (authCode) => {
        if ((await brandnameOf(correct, authCode)) === '') throw new TypeError('The website has no name.');
        return correct.finish(authCode);
      },
    }),
  },
  'app.install.foreign-name-crashes': {
    clauses: ['app.install.calls-installed'],
    about: 'A website whose name has other letters than Latin ones gets a program error instead of an installation.',
    // Names in the languages of the app are stored.
    change: (correct) => ({
      finish: async (authCode) => {
        const brandname = await brandnameOf(correct, authCode);
        if (/\p{Script=Cyrillic}|\p{Script=Han}/u.test(brandname)) throw new RangeError('The name can not be stored.');
        return correct.finish(authCode);
      },
    }),
  },
  'app.install.language-behind-gateway': {
    clauses: ['app.install.calls-installed'],
    about: 'The program behind a gateway fails to finish installations in a language without texts: status 502.',
    // Users of its languages are served, and all of them are redirected.
    change: (correct) => ({
      secondLoad: async (query, authCode) =>
        ['en', 'lv', 'de'].includes(query.get('language') ?? '')
          ? correct.secondLoad(query, authCode)
          : Response.json({ message: 'Internal server error' }, { status: 502 }),
    }),
  },
  'app.install.form-blocked-by-policy': {
    clauses: ['app.install.calls-installed'],
    about:
      'The user finishes the installation with a form, which a Content-Security-Policy of the page forbids to send.',
    // Its address would call installed.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/finish') return correct.respond(request);
        return correct.secondLoad(searchParams, searchParams.get('authCode') ?? '');
      },
      secondLoad: async (_query, authCode) =>
        page(
          'One last step',
          `<form method="post" action="/finish?authCode=${encodeURIComponent(authCode)}"><button>Finish</button></form>`,
          { headers: { 'content-security-policy': "form-action 'none'" } },
        ),
    }),
  },
  'app.install.never-called': {
    clauses: ['app.install.calls-installed'],
    about: 'installed is never called.',
    // The app sets its data and shows its page.
    change: () => ({ finish: async () => ({}) }),
  },
  'app.install.only-in-settings': {
    clauses: ['app.install.calls-installed'],
    about: 'installed is called when the settings are opened, not when the installation ends.',
    // It is called with the correct key and code.
    change: (correct) => ({
      finish: async () => ({}),
      settingsLoad: async (query) => {
        if (correct.accepts(query, 'settings')) await correct.finish(query.get('authCode') ?? '');
        return correct.settingsLoad(query);
      },
    }),
  },
  'app.install.other-key': {
    clauses: ['app.install.calls-installed', 'app.calls.authorization-header'],
    about: 'installed is called with another key.',
    // All other calls use the correct one.
    change: (correct) => ({
      headersOf: (path, body) => {
        const headers = correct.headersOf(path, body);
        return path === 'apps/installed/' ? { ...headers, authorization: 'ApiKey 5f2b1c0d9e8f7a6b' } : headers;
      },
    }),
  },
  'app.install.retries-forever': {
    clauses: ['app.install.failure-shown'],
    about: 'installed is called again and again until the service agrees.',
    // When it agrees at once, it is called once.
    change: (correct) => ({
      finish: async (authCode) => {
        for (let attempts = 0; attempts < MAX_TRIES; attempts += 1) {
          const response = await correct.finish(authCode);
          if (response !== null) return response;
          await new Promise((resolve) => setTimeout(resolve, PAUSE_MS).unref());
        }
        return null;
      },
    }),
  },
  'app.install.self-adds-parameter': {
    clauses: ['app.install.self-mode-returns'],
    about: 'With tab mode self the redirect at the end contains a parameter of the app’s own.',
    tabMode: 'self',
    // The redirect before it contains what was received.
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        const response = await correct.secondLoad(query, authCode);
        const back = response.headers.get('location');
        return back === null ? response : redirect(`${back}&finished=1`);
      },
    }),
  },
  'app.install.self-shows-page': {
    clauses: ['app.install.self-mode-returns'],
    about: 'With tab mode self the app shows its own page at the end instead of returning.',
    tabMode: 'self',
    // The installation is finished.
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        const response = await correct.secondLoad(query, authCode);
        return response.status === 303 ? correct.finished(query) : response;
      },
    }),
  },
  'app.install.fails-at-first': {
    clauses: ['app.install.first-attempt'],
    about: 'The first user who installs the app gets status 502 from its gateway, since it has to be started.',
    change: (correct) => {
      let isStarted = false;
      return {
        firstLoad: async (query) => {
          if (isStarted) return correct.firstLoad(query);
          isStarted = true;
          return page('Bad gateway', '', { status: 502 });
        },
      };
    },
  },
  'app.install.fails-at-first-code': {
    clauses: ['app.install.first-attempt'],
    about: 'The first load with an authCode ends in an error of the app, the others do not.',
    change: (correct) => {
      let isStarted = false;
      return {
        secondLoad: async (query, authCode) => {
          if (isStarted) return correct.secondLoad(query, authCode);
          isStarted = true;
          return page('Internal error', '', { status: 500 });
        },
      };
    },
  },
  'app.install.fails-at-times': {
    clauses: ['app.install.first-attempt'],
    about: 'Each third installation ends in an error of the app, after it has been finished.',
    change: (correct) => {
      let count = 0;
      return {
        finished: (query) => {
          count += 1;
          return count % 3 === 0 ? page('Internal error', '', { status: 500 }) : correct.finished(query);
        },
      };
    },
  },
});
