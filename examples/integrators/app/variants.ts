/** Correct apps that do things differently from `correct.ts`, and pass. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../support/example.ts';
import { escaped, page, redirect } from '../support/http.ts';
import App from './correct.ts';

/** How long a queue of jobs may take. */
const LATER_MS = 700;

/** A page of the variant that is made with a framework. */
const inFrame = (html: string): Response =>
  page('Greeting', `<nav><a href="/help">Help</a> <a href="/company">About us</a></nav>${html}`);

/** How long it takes to read a short sentence. */
const RETURN_AFTER_MS = 1_500;

/** How long a large script takes on an old machine. */
const DRAWN_AFTER_MS = 900;

/** Longer than a page of scripts usually takes, within what a user waits. */
const DRAWN_MUCH_LATER_MS = 6_000;

/** A queue with much to do. */
const MUCH_LATER_MS = 17_000;

/** How often the job of the variant that has one reads. */
const JOB_EVERY_MS = 700;
const SLOW_JOB_EVERY_MS = 2_000;

/** How often the queue is checked. */
const EVERY_MS = 4_000;

/** How long a small backend may take to respond. */
const BACKEND_MS = 400;

/** Of the variant that is a single page. */
const SCRIPT = `
fetch('/backend' + location.pathname + location.search, { redirect: 'manual', headers: { accept: 'application/json' } })
  .then((answer) => answer.json())
  .then(({ to, html }) => {
    if (to) location.replace(to);
    else document.querySelector('main').innerHTML = html;
  });`;

export default examplesOver(App, {
  'app.variant.background-job': {
    about:
      'A job of the app reads the data of every installation more than once a second, regardless of what is opened meanwhile.',
    change: (correct) => {
      const installed = new Set<string>();
      let isRunning = false;
      return {
        finish: async (authCode) => {
          const response = await correct.finish(authCode);
          if (response !== null) installed.add(authCode);
          if (isRunning) return response;
          isRunning = true;
          setInterval(() => {
            for (const code of installed) void correct.call('GET', 'apps/get_data/', code);
          }, JOB_EVERY_MS).unref();
          return response;
        },
      };
    },
  },
  'app.variant.job-forgets-removed': {
    about:
      'A job of the app reads the data of every installation every two seconds, and forgets those that the service refuses.',
    change: (correct) => {
      const installed = new Set<string>();
      let isRunning = false;
      const read = async (code: string): Promise<void> => {
        if ((await correct.call('GET', 'apps/get_data/', code)) === null) installed.delete(code);
      };
      return {
        finish: async (authCode) => {
          const response = await correct.finish(authCode);
          if (response !== null) installed.add(authCode);
          if (!isRunning) setInterval(() => void Promise.all([...installed].map(read)), SLOW_JOB_EVERY_MS).unref();
          isRunning = true;
          return response;
        },
      };
    },
  },
  'app.variant.through-own-page': {
    about: 'The first load redirects to another address of the app, which redirects to the callback.',
    change: (correct) => ({
      answer: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        return pathname === '/leave' ? redirect(searchParams.get('to') ?? '') : correct.answer(request);
      },
      firstLoad: async (query) => redirect(`/leave?${new URLSearchParams({ to: correct.returnRedirect(query) })}`),
    }),
  },
  'app.variant.code-before-other-parameters': {
    about: 'authCode is the second parameter of each call’s query, after one of the app’s own.',
    change: (correct) => ({
      addressOf: (path, authCode) => `${correct.settings.base}${path}?${new URLSearchParams({ v: '2', authCode })}`,
    }),
  },
  'app.variant.draws-late': {
    about: 'The settings are a blank page that a script draws some time later, without any request.',
    change: () => ({
      panel: () => {
        const draw = `setTimeout(() => { document.body.innerHTML = '<h1>Settings</h1>'; }, ${DRAWN_AFTER_MS})`;
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        return new Response(`<!doctype html><title>Greeting</title><body><script>${draw}</script></body>`, { headers });
      },
    }),
  },
  'app.variant.draws-much-later': {
    about: 'The settings stay blank for some seconds, until a script draws them.',
    change: () => ({
      panel: () => {
        const draw = `setTimeout(() => { document.body.innerHTML = '<h1>Settings</h1>'; }, ${DRAWN_MUCH_LATER_MS})`;
        const headers = { 'content-type': 'text/html; charset=utf-8' };
        return new Response(`<!doctype html><title>Greeting</title><body><script>${draw}</script></body>`, { headers });
      },
    }),
  },
  'app.variant.finishes-much-later': {
    about: 'The page after the installation comes at once; a queue calls installed when it has done other work.',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        setTimeout(() => void correct.secondLoad(query, authCode), MUCH_LATER_MS).unref();
        return correct.finished(query);
      },
    }),
  },
  'app.variant.last-step': {
    about:
      'After the second load the user confirms the installation on a page of the app, with a choice to make and a button to cancel in another language; then installed is called.',
    change: (correct) => ({
      answer: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/confirm') return correct.answer(request);
        if (searchParams.has('cancel')) return page('Anulowano', '');
        return correct.secondLoad(searchParams, searchParams.get('authCode') ?? '');
      },
      secondLoad: async (_query, authCode) =>
        page(
          'One last step',
          `<form action="/confirm"><input type="hidden" name="authCode" value="${escaped(authCode)}">
          <label>Greeting <input name="greeting" required></label>
          <button name="cancel" formnovalidate>Anuluj</button> <button>Zainstaluj</button></form>`,
        ),
    }),
  },
  'app.variant.every-call': {
    about: 'The app uses every call of the interface that does not uninstall it.',
    change: (correct) => ({
      setUp: async (authCode, language) => {
        await correct.setUp(authCode, language);
        for (const path of ['user', 'website', 'get_snippet', 'get_data'])
          await correct.call('GET', `apps/${path}/`, authCode);
        const languages = (await correct.call('GET', 'apps/languages/', authCode))?.languages;
        const [first] = Array.isArray(languages) ? languages : [];
        if (typeof first !== 'string') return;
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: first });
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello, all!</p>', language: null });
        await correct.call('GET', `apps/get_snippet/${encodeURIComponent(first)}/`, authCode);
        await correct.call('POST', 'apps/set_data/', authCode, { data: 'a text' });
        await correct.call('POST', 'apps/set_data/', authCode, { data: {} });
      },
    }),
  },
  'app.variant.finishes-later': {
    about: 'The page after the installation comes at once; installed is called a moment later.',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        setTimeout(() => void correct.secondLoad(query, authCode), LATER_MS);
        return correct.finished(query);
      },
    }),
  },
  'app.variant.framework': {
    about:
      'Every response sets cookies, redirects have status 303, and refusals have status 200 within the layout of the app.',
    change: (correct) => ({
      answer: async (request) => {
        const response = await correct.answer(request);
        const headers = new Headers(response.headers);
        headers.append('set-cookie', `session=${randomUUID()}; HttpOnly; SameSite=Lax; Path=/`);
        headers.append('set-cookie', `XSRF-TOKEN=${randomUUID()}; SameSite=Lax; Path=/`);
        return new Response(response.body, { status: response.status, headers });
      },
      firstLoad: async (query) =>
        new Response(null, { status: 303, headers: redirect(correct.returnRedirect(query)).headers }),
      // A field and a button without any text beside them.
      panel: () =>
        inFrame(`<form method="post"><input type="hidden" name="token" value="${randomUUID()}">
      <input name="greeting"><input type="submit"></form>`),
      refused: () => inFrame('<p>Please open Greeting from the catalog of your website.</p>'),
    }),
  },
  'app.variant.hash-as-received': {
    about: 'The hash is computed over the query string as it was received, without its hash.',
    change: (correct) => {
      let received = '';
      return {
        answer: (request) => {
          received = new URL(request.url).search.slice(1);
          return correct.answer(request);
        },
        hashed: () =>
          received
            .split('&')
            .filter((part) => !part.startsWith('hash='))
            .join('&'),
      };
    },
  },
  'app.variant.languages': {
    about: 'Each language has pages of its own, and a greeting is stored for every language of the website.',
    change: (correct) => ({
      answer: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/lv/welcome') return page('Sveiciens', '<p>Jūsu apmeklētāji tiks sveicināti.</p>');
        if (pathname === '/en/welcome') return page('Greeting', '<p>Your visitors are going to be greeted.</p>');
        return correct.answer(request);
      },
      setUp: async (authCode) => {
        const found = await correct.call('GET', 'apps/languages/', authCode);
        const languages = Array.isArray(found?.languages) ? found.languages.map(String) : [];
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: null });
        for (const language of languages) {
          await correct.call('POST', 'apps/set_snippet/', authCode, {
            snippet: `<p lang="${language}">Hello!</p>`,
            language,
          });
          await correct.call('GET', `apps/get_snippet/${language}/`, authCode);
        }
      },
      finished: (query) =>
        redirect(`${correct.settings.origin}/${query.get('language') === 'lv' ? 'lv' : 'en'}/welcome`),
      panel: (query) => {
        const isLatvian = query.get('language') === 'lv';
        return page(
          isLatvian ? 'Iestatījumi' : 'Settings',
          isLatvian ? '<p>Sveiciens: Sveiki!</p>' : '<p>Greeting: Hello!</p>',
        );
      },
    }),
  },
  'app.variant.own-elements': {
    about:
      'Each page is one element that the app has defined: after the installation with an open tree of its own, in the settings with a closed one.',
    change: () => {
      const drawn = (text: string, mode: 'open' | 'closed'): Response =>
        new Response(
          `<!doctype html><html lang="en"><title>Greeting</title><greeting-app></greeting-app><script>
customElements.define('greeting-app', class extends HTMLElement {
  connectedCallback() { this.attachShadow({ mode: '${mode}' }).innerHTML = '<h1>${escaped(text)}</h1>'; }
});</script></html>`,
          { headers: { 'content-type': 'text/html; charset=utf-8' } },
        );
      return {
        finished: () => drawn('Greeting is installed', 'open'),
        panel: (_query, greeting) => drawn(`Your greeting: ${greeting}`, 'closed'),
        refused: () => drawn('This request does not come from the website.', 'closed'),
      };
    },
  },
  'app.variant.asks-first': {
    about: 'The first load asks its user in a dialog of the browser whether to go on, and then redirects.',
    change: (correct) => ({
      firstLoad: async (query) => {
        const address = JSON.stringify(correct.returnRedirect(query)).replaceAll('<', '\\u003c');
        return page('Greeting', `<script>if (confirm('Connect your website?')) location.replace(${address})</script>`);
      },
    }),
  },
  'app.variant.meta-refresh': {
    about: 'The first load returns a page that refreshes to the callback.',
    change: (correct) => ({
      firstLoad: async (query) =>
        page('One moment', `<meta http-equiv="refresh" content="0; url=${escaped(correct.returnRedirect(query))}">`),
    }),
  },
  'app.variant.own-query': {
    about:
      'The install and settings addresses have parameters of their own, which are hashed and returned like all others.',
    change: (correct) => ({
      manifest: () => {
        const own = 'plan=gold&for=A%26B&empty=';
        const { app_install_url: install, app_settings_url: settings, ...rest } = correct.manifest();
        return { ...rest, app_install_url: `${install}?${own}`, app_settings_url: `${settings}?${own}` };
      },
    }),
  },
  'app.variant.queue': {
    about: 'A queue of jobs calls installed some seconds after the page of the second load, one job after another.',
    change: (correct) => {
      let queue: Promise<unknown> = Promise.resolve();
      return {
        secondLoad: async (query, authCode) => {
          const due = new Promise((resolve) => setTimeout(resolve, EVERY_MS).unref());
          queue = queue.then(() => due).then(() => correct.secondLoad(query, authCode));
          return correct.finished(query);
        },
      };
    },
  },
  'app.variant.redirect-307': {
    about: 'The redirects have status 307.',
    change: (correct) => ({
      firstLoad: async (query) =>
        new Response(null, { status: 307, headers: { location: correct.returnRedirect(query) } }),
    }),
  },
  'app.variant.refuses-by-redirect': {
    about: 'Requests that are not authentic are sent to the app’s own help page.',
    change: () => ({ refused: () => redirect('/help') }),
  },
  'app.variant.refuses-with-200': {
    about: 'Requests that are not authentic get a friendly page with status 200.',
    change: () => ({ refused: () => page('Greeting', '<p>Please open this app from the catalog.</p>') }),
  },
  'app.variant.refuses-with-500': {
    about: 'Requests that are not authentic cause an error of the app’s framework.',
    change: () => ({
      refused: () => {
        throw new Error('hash mismatch');
      },
    }),
  },
  'app.variant.rfc3986': {
    about:
      'The parameters are encoded by RFC 3986 for the hash: a space is %20, and only unreserved characters stay bare.',
    change: () => ({
      hashed: (query) => {
        const encode = (text: string): string =>
          encodeURIComponent(text).replace(
            /[!'()*]/g,
            (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
          );
        const rest = [...query].filter(([name]) => name !== 'hash');
        return rest.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&');
      },
    }),
  },
  'app.variant.removed-script': {
    about:
      'The first load returns a page whose script removes itself, and redirects the user to the callback a moment later.',
    change: (correct) => ({
      firstLoad: async (query) => {
        const address = JSON.stringify(correct.returnRedirect(query)).replaceAll('<', '\\u003c');
        const go = `setTimeout(() => location.replace(${address}), ${LATER_MS})`;
        return page('One moment', `<script>document.currentScript.remove(); ${go}</script>`);
      },
    }),
  },
  'app.variant.script-redirect': {
    about: 'The first load returns a page whose script redirects the user to the callback.',
    change: (correct) => ({
      firstLoad: async (query) => {
        const address = JSON.stringify(correct.returnRedirect(query)).replaceAll('<', '\\u003c');
        return page('One moment', `<script>location.replace(${address})</script>`);
      },
    }),
  },
  'app.variant.self-returns-later': {
    about: 'With tab mode self the app says that it is installed, and a script takes the user back a moment later.',
    tabMode: 'self',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        const response = await correct.secondLoad(query, authCode);
        const back = response.headers.get('location');
        if (back === null) return response;
        const script = `<script>setTimeout(() => location.replace(${JSON.stringify(back)}), ${RETURN_AFTER_MS})</script>`;
        return page('Greeting is installed', `<p>You are taken back to your website.</p>${script}`);
      },
    }),
  },
  'app.variant.session': {
    about:
      'After the installation and in the settings the user is signed in by a cookie and sent to a page of the app.',
    change: (correct) => {
      const sessions = new Set<string>();
      const signIn = (): Response => {
        const session = randomUUID();
        sessions.add(session);
        const sent = redirect('/panel');
        sent.headers.set('set-cookie', `session=${session}; HttpOnly; SameSite=Lax; Path=/`);
        return sent;
      };
      return {
        answer: async (request) => {
          const { pathname } = new URL(request.url);
          if (pathname !== '/panel') return correct.answer(request);
          const session = /session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
          return sessions.has(session) ? page('Greeting', '<p>Welcome back.</p>') : correct.refused();
        },
        finished: signIn,
        panel: signIn,
      };
    },
  },
  'app.variant.single-page': {
    about: 'Every address returns the same empty page, whose script asks the app what to show or where to redirect.',
    change: (correct) => ({
      answer: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/install' || pathname === '/settings')
          return page('Greeting', `<main>Loading …</main><script>${SCRIPT}</script>`);
        if (!pathname.startsWith('/backend/')) return correct.answer(request);
        await new Promise((resolve) => setTimeout(resolve, BACKEND_MS));
        const response = await correct.answer(new Request(request.url.replace('/backend/', '/')));
        return Response.json({ to: response.headers.get('location'), html: await response.text() });
      },
    }),
  },
});
