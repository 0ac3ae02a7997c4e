/** Correct apps that return the user from the first load in other ways than `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** How long a queue of jobs may take. */
const LATER_MS = 700;

export default examplesOver(App, {
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
  'app.variant.redirect-307': {
    about: 'The redirects have status 307.',
    change: (correct) => ({
      firstLoad: async (query) =>
        new Response(null, { status: 307, headers: { location: correct.returnRedirect(query) } }),
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
  'app.variant.through-own-page': {
    about: 'The first load redirects to another address of the app, which redirects to the callback.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        return pathname === '/leave' ? redirect(searchParams.get('to') ?? '') : correct.respond(request);
      },
      firstLoad: async (query) => redirect(`/leave?${new URLSearchParams({ to: correct.returnRedirect(query) })}`),
    }),
  },
});
