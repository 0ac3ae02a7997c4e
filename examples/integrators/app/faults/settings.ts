/** What the settings address of a faulty app shows. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** How long the app takes for what it does of its own. */
const SET_UP_MS = 400;

/** The name of the website of an installation. */
async function websiteName(correct: App, authCode: string): Promise<string> {
  const reply = await correct.call('GET', 'apps/website/', authCode);
  return String((reply?.website as { brandname?: unknown } | undefined)?.brandname ?? '');
}

/** The name of the website that the app was installed in first, read while it sets itself up there. */
function firstWebsite(correct: App): Pick<App, 'setUp'> & { readonly name: () => string } {
  let first: string | undefined;
  return {
    name: () => first ?? '',
    setUp: async (authCode, language) => {
      const name = await websiteName(correct, authCode);
      first ??= name;
      return correct.setUp(authCode, language);
    },
  };
}

/** Settings that show the website of the installation, and what `shown` makes of the names of all websites of the app's users. */
const ofEveryone =
  (shown: (names: readonly string[]) => string) =>
  (correct: App): Pick<App, 'settingsLoad'> => {
    const names = new Set<string>();
    return {
      settingsLoad: async (query) => {
        const authCode = query.get('authCode');
        if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
        // Each call has its own authCode.
        const own = await websiteName(correct, authCode);
        names.add(own);
        return page('Settings of Greeting', `<h2>${escaped(own)}</h2>${shown([...names])}`);
      },
    };
  };

/** Settings that show the website that was the first one with a key. */
function keptBy(
  correct: App,
  keyOf: (authCode: string, query: URLSearchParams) => Promise<string>,
): App['settingsLoad'] {
  const names = new Map<string, string>();
  return async (query) => {
    const authCode = query.get('authCode');
    if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
    const key = await keyOf(authCode, query);
    const name = await websiteName(correct, authCode);
    if (!names.has(key)) names.set(key, name);
    return page('Settings of Greeting', `<h2>${escaped(names.get(key) ?? '')}</h2>`);
  };
}

/** Settings that show the website of the installation in an element that a script may fill. */
const showingWebsite =
  (correct: App, script: (name: string) => string): App['settingsLoad'] =>
  async (query) => {
    const authCode = query.get('authCode');
    if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
    const name = await websiteName(correct, authCode);
    return page('Settings of Greeting', `<h2 id="website">${escaped(name)}</h2><script>${script(name)}</script>`);
  };

/** A worker that answers each path with the page that it had there first. */
const WORKER = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(clients.claim()));
self.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  if (pathname !== '/settings') return;
  const kept = async () => {
    const cache = await caches.open('pages');
    const found = await cache.match(pathname);
    if (found !== undefined) return found;
    const response = await fetch(event.request);
    if (response.ok) await cache.put(pathname, response.clone());
    return response;
  };
  event.respondWith(kept());
});`;

export default examplesOver(App, {
  'app.settings.kept-by-one-server': {
    clauses: ['app.installations.separate'],
    about:
      'Of three servers that take turns, one keeps the first settings page that it makes and shows it for every installation.',
    // Two of three requests are answered for their own installation.
    change: (correct) => {
      const own = keptBy(correct, async (authCode) => authCode);
      const kept = keptBy(correct, async () => 'the first');
      let requests = 0;
      return { settingsLoad: (query) => (requests++ % 3 !== 1 ? own(query) : kept(query)) };
    },
  },
  'app.settings.kept-in-storage': {
    clauses: ['app.installations.one-user'],
    about: 'The website is kept in the storage of the browser: a user who has two sees the first one of them in both.',
    // What the server sends is of the installation.
    change: (correct) => ({
      settingsLoad: showingWebsite(
        correct,
        (name) =>
          `const website = localStorage.website ??= ${JSON.stringify(name).replaceAll('<', '\\u003c')}; document.getElementById('website').textContent = website;`,
      ),
    }),
  },
  'app.settings.kept-by-worker': {
    clauses: ['app.installations.one-user'],
    about:
      'A service worker keeps the page of the settings by its path: a user who has two websites sees one of them in both.',
    // It is at work from the second visit of a browser on.
    change: (correct) => ({
      settingsLoad: showingWebsite(correct, () => `navigator.serviceWorker?.register('/worker.js');`),
      respond: async (request) =>
        new URL(request.url).pathname === '/worker.js'
          ? new Response(WORKER, { headers: { 'content-type': 'text/javascript' } })
          : correct.respond(request),
    }),
  },
  'app.settings.mixed-up': {
    clauses: ['app.installations.separate'],
    about:
      'The request is kept in a shared place while the settings are loaded: of users who open them at once, all get the last one’s.',
    // One user after another is served correctly.
    change: (correct) => {
      let current = new URLSearchParams();
      return {
        settingsLoad: async (query) => {
          if (correct.accepts(query, 'settings')) current = query;
          await new Promise((go) => setTimeout(go, SET_UP_MS));
          return correct.settingsLoad(correct.accepts(query, 'settings') ? current : query);
        },
      };
    },
  },
  'app.settings.names-mixed-up': {
    clauses: ['app.installations.separate'],
    about:
      'The website is kept in a shared place while its page is made: of users who open their settings at once, all see the last one’s.',
    // Each call has its own authCode.
    change: (correct) => {
      let name = '';
      return {
        settingsLoad: async (query) => {
          const authCode = query.get('authCode');
          if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
          name = await websiteName(correct, authCode);
          await new Promise((go) => setTimeout(go, SET_UP_MS));
          return page('Settings of Greeting', `<h2>${escaped(name)}</h2>`);
        },
      };
    },
  },
  'app.settings.kept-by-language': {
    clauses: ['app.installations.separate'],
    about:
      'The page of the settings is kept by language: the website of the first user of each is shown to all others.',
    // Each call has its own authCode.
    change: (correct) => ({ settingsLoad: keptBy(correct, async (_authCode, query) => query.get('language') ?? '') }),
  },
  'app.settings.kept-by-user': {
    clauses: ['app.installations.one-user'],
    about: 'The page of the settings is kept by user: one who has two websites sees the first one of them in both.',
    // Each call has its own authCode, and other users see their own.
    change: (correct) => ({
      settingsLoad: keptBy(correct, async (authCode) => {
        const reply = await correct.call('GET', 'apps/user/', authCode);
        return String((reply?.user as { email?: unknown } | undefined)?.email ?? '');
      }),
    }),
  },
  'app.settings.of-first-version': {
    clauses: ['app.settings.shows-page'],
    about: 'The settings are refused after an update of the service, whose platformVersion is another one.',
    // Forged requests are refused, and the installation takes any version.
    change: (correct) => {
      let first: string | null = null;
      return {
        settingsLoad: async (query) => {
          if (!correct.accepts(query, 'settings')) return correct.refused();
          first ??= query.get('platformVersion');
          return query.get('platformVersion') === first
            ? correct.settingsLoad(query)
            : page('Unknown version', '', { status: 400 });
        },
      };
    },
  },
  'app.settings.of-first': {
    clauses: ['app.installations.separate'],
    about: 'The settings of every installation show the website that the app was installed in first.',
    // Each call has its own authCode.
    change: (correct) => {
      const first = firstWebsite(correct);
      return {
        setUp: first.setUp,
        panel: (_query, greeting) =>
          page('Settings of Greeting', `<h2>${escaped(first.name())}</h2><p>Your greeting: ${escaped(greeting)}</p>`),
      };
    },
  },
  'app.settings.of-everyone': {
    clauses: ['app.installations.separate'],
    about: 'The settings show the website of the installation, and below it those of all other users of the app.',
    change: ofEveryone((names) => `<ul>${names.map((name) => `<li>${escaped(name)}</li>`).join('')}</ul>`),
  },
  'app.settings.of-everyone-hidden': {
    clauses: ['app.installations.separate'],
    about:
      'The settings show the website of the installation; a script of the page has those of all other users, and hides them.',
    change: ofEveryone(
      (names) => `<script>const websites = ${JSON.stringify(names).replaceAll('<', '\\u003c')};</script>`,
    ),
  },
  'app.settings.of-first-and-own-user': {
    clauses: ['app.installations.separate'],
    about: 'The settings show the user of the installation, beside the website that the app was installed in first.',
    change: (correct) => {
      const first = firstWebsite(correct);
      return {
        setUp: first.setUp,
        settingsLoad: async (query) => {
          const authCode = query.get('authCode');
          if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
          const reply = await correct.call('GET', 'apps/user/', authCode);
          const email = String((reply?.user as { email?: unknown } | undefined)?.email ?? '');
          return page('Settings of Greeting', `<h2>${escaped(first.name())}</h2><p>${escaped(email)}</p>`);
        },
      };
    },
  },
  'app.settings.fail-at-first': {
    clauses: ['app.install.first-attempt'],
    about: 'The first load of the settings ends in an error of the app, the others do not.',
    change: (correct) => {
      let isStarted = false;
      return {
        panel: (query, greeting) => {
          if (isStarted) return correct.panel(query, greeting);
          isStarted = true;
          return page('Internal error', '', { status: 500 });
        },
      };
    },
  },
  'app.settings.of-session': {
    clauses: ['app.installations.separate'],
    about:
      'A browser that has once seen the settings of a website is shown those again, whatever website they are opened in.',
    // Each request is verified, and another browser sees its own.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        if (pathname !== '/settings') return correct.respond(request);
        if (!correct.accepts(query, 'settings')) return correct.refused();
        const [, known] = /(?:^|; )installation=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? [];
        const authCode = known ?? query.get('authCode') ?? '';
        const stored = await correct.call('GET', 'apps/get_data/', authCode);
        const { greeting } = (stored?.data ?? {}) as { greeting?: string };
        const response = correct.panel(query, greeting ?? 'not set yet');
        response.headers.set('set-cookie', `installation=${authCode}; Path=/`);
        return response;
      },
    }),
  },
  'app.settings.need-first-browser': {
    clauses: ['app.settings.shows-page'],
    about: 'The settings are shown only in the browser in which the app was installed.',
    // Each request is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const isKnown = /(?:^|; )customer=yes/.test(request.headers.get('cookie') ?? '');
        if (pathname === '/settings' && !isKnown && correct.accepts(query, 'settings'))
          return page('Greeting', '<p>Please install the app first.</p>', { status: 403 });
        const response = await correct.respond(request);
        if (pathname === '/install' && query.has('authCode') && response.ok)
          response.headers.append('set-cookie', 'customer=yes; Path=/; HttpOnly');
        return response;
      },
    }),
  },
  'app.settings.language-behind-gateway': {
    clauses: ['app.settings.shows-page'],
    about: 'The program behind a gateway fails for users of a language in which the app has no texts: status 502.',
    // Users of its languages are served.
    change: (correct) => ({
      panel: (query, greeting) =>
        ['en', 'lv'].includes(query.get('language') ?? '')
          ? correct.panel(query, greeting)
          : Response.json({ message: 'Internal server error' }, { status: 502 }),
    }),
  },
  'app.settings.redirects-back': {
    clauses: ['app.settings.shows-page'],
    about: 'The settings address redirects the user to the service instead of showing a page.',
    // Forged requests are refused.
    change: (correct) => ({ panel: (query) => redirect(correct.returnRedirect(query)) }),
  },
  'app.settings.missing': {
    clauses: ['app.settings.shows-page'],
    about: 'The settings address returns status 404.',
    // Forged requests are refused.
    change: () => ({ panel: () => page('Not found', '', { status: 404 }) }),
  },
});
