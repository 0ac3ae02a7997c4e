/** Correct apps whose pages are made in other ways than those of `correct.ts`. */
import { randomUUID } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** A page of the variant that is made with a framework. */
const inFrame = (html: string): Response =>
  page('Greeting', `<nav><a href="/help">Help</a> <a href="/company">About us</a></nav>${html}`);

/** What a page says while its app is set up. */
const STAGES = ['Your pages are being prepared.', 'Your visitors are greeted from now on.', 'Almost there.'];

/** How long a large script takes on an old machine. */
const DRAWN_AFTER_MS = 900;

/** Longer than a page of scripts usually takes, within what a user waits. */
const DRAWN_MUCH_LATER_MS = 6_000;

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
  'app.variant.framework': {
    about:
      'Every response sets cookies, redirects have status 303, and refusals have status 200 within the layout of the app.',
    change: (correct) => ({
      respond: async (request) => {
        const response = await correct.respond(request);
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
        respond: async (request) => {
          const { pathname } = new URL(request.url);
          if (pathname !== '/panel') return correct.respond(request);
          const session = /session=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '';
          return sessions.has(session) ? page('Greeting', '<p>Welcome back.</p>') : correct.refused();
        },
        finished: signIn,
        panel: signIn,
      };
    },
  },
  'app.variant.one-page-everywhere': {
    about: 'The settings consist of one page without data, which each path that the app does not know shows, too.',
    change: (correct) => {
      const only = () => page('Settings of Greeting', '<p>Each visitor is greeted. There is nothing to set.</p>');
      return {
        panel: only,
        respond: async (request) => {
          const response = await correct.respond(request);
          return response.status === 404 ? only() : response;
        },
      };
    },
  },
  'app.variant.progress-in-frame': {
    about:
      'All pages, refusals with status 200 among them, have one frame; after each second load it says something else.',
    change: () => {
      let loads = 0;
      return {
        finished: () => {
          loads += 1;
          return inFrame(`<p>${STAGES[loads % STAGES.length]}</p>`);
        },
        panel: (_query, greeting) => inFrame(`<p>Your greeting: ${escaped(greeting)}</p>`),
        refused: () => inFrame('<p>This link is not valid.</p>'),
      };
    },
  },
  'app.variant.single-page': {
    about: 'Every address returns the same empty page, whose script asks the app what to show or where to redirect.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/install' || pathname === '/settings')
          return page('Greeting', `<main>Loading …</main><script>${SCRIPT}</script>`);
        if (!pathname.startsWith('/backend/')) return correct.respond(request);
        await new Promise((resolve) => setTimeout(resolve, BACKEND_MS));
        const response = await correct.respond(new Request(request.url.replace('/backend/', '/')));
        return Response.json({ to: response.headers.get('location'), html: await response.text() });
      },
    }),
  },
});
