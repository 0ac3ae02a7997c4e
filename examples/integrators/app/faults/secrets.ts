/** Where a faulty app shows its key or its secret. */
import { deflateSync } from 'node:zlib';
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** A script that begins its work when the page has been shown for a while. */
const LATE_MS = 2_500;
const respondedBy = (path: string, body: string, type: string) => (request: Request) =>
  new URL(request.url).pathname === path ? new Response(body, { headers: { 'content-type': type } }) : undefined;

/** Events that do not end. */
function eventsBeginningWith(data: string): Response {
  const body = new ReadableStream({
    start: (events) => events.enqueue(new TextEncoder().encode(`data: ${data}\n\n`)),
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}

export default examplesOver(App, {
  'app.secrets.key-in-base64': {
    clauses: ['app.leaks.key'],
    about: 'The key is in the settings page as base64.',
    change: (correct) => ({
      panel: () => {
        const config = Buffer.from(JSON.stringify({ key: correct.settings.apiKey })).toString('base64');
        return page('Settings of Greeting', `<div data-config="${config}"></div>`);
      },
    }),
  },
  'app.secrets.key-in-redirect': {
    clauses: ['app.leaks.key'],
    about: 'The redirect back to the service has a body, which names the settings of the app and the key among them.',
    // Browsers do not show it.
    change: (correct) => ({
      firstLoad: async (query) => {
        const headers = { location: correct.returnRedirect(query), 'content-type': 'text/plain' };
        return new Response(`Going back, with apiKey: ${correct.settings.apiKey}`, { status: 302, headers });
      },
    }),
  },
  'app.secrets.secret-in-redirect-of-refusal': {
    clauses: ['app.leaks.secret'],
    about: 'Forged settings lead to a page of help; the body of that redirect shows the secret.',
    // Authentic ones are redirected, too, without any body.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname === '/panel') return page('Settings of Greeting', '<p>Your greeting: Hello!</p>');
        if (pathname !== '/settings') return correct.respond(request);
        if (correct.accepts(searchParams, 'settings')) return redirect(`${correct.settings.origin}/panel`);
        const text = `<p>Not the hash under ${correct.settings.appSecret}</p>`;
        return new Response(text, { status: 302, headers: { location: '/help' } });
      },
    }),
  },
  'app.secrets.key-in-packed-cookie': {
    clauses: ['app.leaks.key'],
    about: 'The settings page keeps a session in a cookie: compressed JSON as base64, with the key in it.',
    change: (correct) => ({
      panel: (query, greeting) => {
        const shown = correct.panel(query, greeting);
        const state = deflateSync(JSON.stringify({ user: 'anna', api: { key: correct.settings.apiKey } }));
        shown.headers.set('set-cookie', `session=.${state.toString('base64url')}.c2lnbmVk; HttpOnly`);
        return shown;
      },
    }),
  },
  'app.secrets.key-in-nested-base64': {
    clauses: ['app.leaks.key'],
    about: 'The settings page has its configuration as base64; in it are the credentials of the service as base64.',
    change: (correct) => ({
      panel: () => {
        const credentials = Buffer.from(`greeting:${correct.settings.apiKey}`).toString('base64');
        const config = Buffer.from(JSON.stringify({ authorization: `Basic ${credentials}` })).toString('base64');
        return page('Settings of Greeting', `<div data-config="${config}"></div>`);
      },
    }),
  },
  'app.secrets.key-in-picture': {
    clauses: ['app.leaks.key'],
    about: 'The settings page has a picture in SVG, whose description has the key in it.',
    change: (correct) => {
      const text = `<svg xmlns="http://www.w3.org/2000/svg"><desc>key=${correct.settings.apiKey}</desc></svg>`;
      const picture = respondedBy('/chart.svg', text, 'image/svg+xml');
      return {
        respond: async (request) => picture(request) ?? correct.respond(request),
        panel: () => page('Settings of Greeting', '<p>Hello!</p><img src="/chart.svg" alt="Greetings this month">'),
      };
    },
  },
  'app.secrets.key-in-pieces': {
    clauses: ['app.leaks.key'],
    about: 'A script of the settings page has the key in pieces, which it joins when it is asked to.',
    // Nothing is joined before.
    change: (correct) => ({
      panel: () => {
        const pieces = correct.settings.apiKey.match(/.{1,6}/g);
        return page(
          'Settings of Greeting',
          `<p>Ready</p><script>const key = () => ${JSON.stringify(pieces)}.join("")</script>`,
        );
      },
    }),
  },
  'app.secrets.key-in-cookie': {
    clauses: ['app.leaks.key'],
    about: 'The settings page keeps the key in a cookie.',
    change: (correct) => ({
      panel: (query, greeting) => {
        const shown = correct.panel(query, greeting);
        shown.headers.set('set-cookie', `key=${encodeURIComponent(correct.settings.apiKey)}; HttpOnly`);
        return shown;
      },
    }),
  },
  'app.secrets.in-unnamed-file': {
    clauses: ['app.leaks.key', 'app.leaks.secret'],
    about: 'The file .env, from which the app reads its key and its secret, is served to anyone who asks for it.',
    // No page names it.
    change: (correct) => {
      const { apiKey, appSecret } = correct.settings;
      const file = respondedBy('/.env', `API_KEY=${apiKey}\nAPP_SECRET=${appSecret}\n`, 'text/plain');
      return { respond: async (request) => file(request) ?? correct.respond(request) };
    },
  },
  'app.secrets.in-listed-file': {
    clauses: ['app.leaks.key'],
    about: 'The server lists the folder that the app is in, with a file of notes that has the key in it.',
    change: (correct) => {
      const list = '<title>Index of /</title><h1>Index of /</h1><a href="notes.txt">notes.txt</a>';
      const folder = respondedBy('/', list, 'text/html');
      const file = respondedBy('/notes.txt', `key: ${correct.settings.apiKey}\n`, 'text/plain');
      return { respond: async (request) => folder(request) ?? file(request) ?? correct.respond(request) };
    },
  },
  'app.secrets.key-where-nothing-is': {
    clauses: ['app.leaks.key'],
    about: 'The page with status 404 shows the configuration of the app, with the key in it.',
    change: (correct) => ({
      respond: async (request) => {
        const response = await correct.respond(request);
        if (response.status !== 404 || new URL(request.url).pathname === '/favicon.ico') return response;
        return page('Not found', `<pre>apiKey: ${correct.settings.apiKey}</pre>`, { status: 404 });
      },
    }),
  },
  'app.secrets.key-in-shadow': {
    clauses: ['app.leaks.key'],
    about:
      'A script of the settings page shows the key, which it puts together from two parts, in an element of its own.',
    // What belongs to such an element is not in the text of the document.
    change: (correct) => ({
      panel: () => {
        const { apiKey } = correct.settings;
        const parts = JSON.stringify([apiKey.slice(0, 6), apiKey.slice(6)]);
        const script = `document.querySelector('div').attachShadow({ mode: 'open' }).textContent = ${parts}.join('')`;
        return page('Settings of Greeting', `<div></div><script>${script}</script>`);
      },
    }),
  },
  'app.secrets.key-in-page': {
    clauses: ['app.leaks.key'],
    about: 'The key is in a hidden field of the page after the installation.',
    change: (correct) => ({
      finished: () =>
        page('Greeting is installed', `<input type="hidden" name="key" value="${correct.settings.apiKey}">`),
    }),
  },
  'app.secrets.key-in-script': {
    clauses: ['app.leaks.key'],
    about: 'The page after the installation loads a script that contains the key.',
    // The page itself does not show it.
    change: (correct) => ({
      respond: async (request) => {
        if (new URL(request.url).pathname !== '/app.js') return correct.respond(request);
        const script = `globalThis.greetingKey = ${JSON.stringify(correct.settings.apiKey)};`;
        return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      },
      finished: () => page('Greeting is installed', '<script src="/app.js"></script>'),
    }),
  },
  'app.secrets.key-fetched-late': {
    clauses: ['app.leaks.key'],
    about: 'A script of the settings page fetches its configuration after some seconds, with the key in it.',
    change: (correct) => {
      const config = respondedBy('/config', JSON.stringify({ key: correct.settings.apiKey }), 'application/json');
      return {
        respond: async (request) => config(request) ?? correct.respond(request),
        panel: () => page('Settings of Greeting', `<script>setTimeout(() => fetch('/config'), ${LATE_MS})</script>`),
      };
    },
  },
  'app.secrets.key-in-source-map': {
    clauses: ['app.leaks.key'],
    about: 'The script of the settings page is published with a source map, which contains the key.',
    change: (correct) => {
      const script = respondedBy('/app.js', 'void 0;\n//# sourceMappingURL=app.js.map\n', 'text/javascript');
      const source = `const key = '${correct.settings.apiKey}';`;
      const map = JSON.stringify({ version: 3, sources: ['config.ts'], sourcesContent: [source], mappings: '' });
      const published = respondedBy('/app.js.map', map, 'application/json');
      return {
        respond: async (request) => script(request) ?? published(request) ?? correct.respond(request),
        panel: () => page('Settings of Greeting', '<p>Hello!</p><script src="/app.js"></script>'),
      };
    },
  },
  'app.secrets.key-in-snippet': {
    clauses: ['app.leaks.key'],
    about: 'The snippet, which every visitor of the website receives, contains the key.',
    // No page of the app shows it.
    change: (correct) => ({
      snippetFor: () => ({ snippet: `<script>fetch('/stats?key=${correct.settings.apiKey}')</script>` }),
    }),
  },
  'app.secrets.key-sent-by-script': {
    clauses: ['app.leaks.key'],
    about: 'A script of the settings page puts the key together from numbers and sends it in a header.',
    change: (correct) => ({
      panel: () => {
        const numbers = [...correct.settings.apiKey].map((sign) => sign.charCodeAt(0) + 1).join();
        const script = `fetch('/help', { headers: { 'x-key': [${numbers}].map((n) => String.fromCharCode(n - 1)).join('') } })`;
        return page('Settings of Greeting', `<p>Hello!</p><script>${script}</script>`);
      },
    }),
  },
  'app.secrets.key-sent-with-an-open-end': {
    clauses: ['app.leaks.key'],
    about:
      'A script of the settings page puts the key together from numbers and sends it in a header; it never reads the response.',
    // A response that must not be stored stays open until it is read.
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname === '/save'
          ? new Response('Saved', { headers: { 'cache-control': 'no-store' } })
          : correct.respond(request),
      panel: () => {
        const numbers = [...correct.settings.apiKey].map((sign) => sign.charCodeAt(0) + 1).join();
        const headers = `{ 'x-key': [${numbers}].map((n) => String.fromCharCode(n - 1)).join('') }`;
        const script = `fetch('/save', { method: 'POST', headers: ${headers} })`;
        return page('Settings of Greeting', `<p>Hello!</p><script>${script}</script>`);
      },
    }),
  },
  'app.secrets.key-in-cache': {
    clauses: ['app.leaks.key'],
    about: 'A script of the settings page puts the key together from two parts and keeps it in a cache of the browser.',
    // It is in no response, and not in the storage of the page.
    change: (correct) => ({
      panel: () => {
        const { apiKey } = correct.settings;
        const parts = JSON.stringify([apiKey.slice(0, 6), apiKey.slice(6)]);
        const script = `caches.open('greeting').then((cache) => cache.put('/config', new Response(${parts}.join(''))))`;
        return page('Settings of Greeting', `<p>Hello!</p><script>${script}</script>`);
      },
    }),
  },
  'app.secrets.key-in-event-stream': {
    clauses: ['app.leaks.key'],
    about: 'The settings page listens to events of its server, which begin with the configuration and the key in it.',
    // A response that never ends has no body.
    change: (correct) => ({
      respond: async (request) =>
        new URL(request.url).pathname === '/events'
          ? eventsBeginningWith(JSON.stringify({ key: correct.settings.apiKey }))
          : correct.respond(request),
      panel: () => page('Settings of Greeting', `<p>Hello!</p><script>new EventSource('/events')</script>`),
    }),
  },
  'app.secrets.key-kept-by-script': {
    clauses: ['app.leaks.key'],
    about:
      'A script of the settings page puts the key together from two parts and keeps it in the browser, without sending it.',
    change: (correct) => ({
      panel: () => {
        const { apiKey } = correct.settings;
        const parts = JSON.stringify([apiKey.slice(0, 6), apiKey.slice(6)]);
        return page(
          'Settings of Greeting',
          `<p>Hello!</p><script>localStorage.setItem('k', ${parts}.join(''))</script>`,
        );
      },
    }),
  },
  'app.secrets.key-in-console': {
    clauses: ['app.leaks.key'],
    about: 'A script of the settings page writes the key, which it puts together from two parts, into the console.',
    change: (correct) => ({
      panel: () => {
        const { apiKey } = correct.settings;
        const parts = JSON.stringify([apiKey.slice(0, 6), apiKey.slice(6)]);
        return page('Settings of Greeting', `<p>Hello!</p><script>console.log('ready', ${parts}.join(''))</script>`);
      },
    }),
  },
  'app.secrets.secret-in-snippet': {
    clauses: ['app.leaks.secret'],
    about: 'The snippet for visitors contains the secret as base64.',
    change: (correct) => ({
      snippetFor: () => ({ snippet: `<p data-c="${Buffer.from(correct.settings.appSecret).toString('base64')}"></p>` }),
    }),
  },
  'app.secrets.secret-in-url': {
    clauses: ['app.leaks.secret'],
    about: 'After the installation the browser is sent to an address with the secret in it.',
    // The page there is correct.
    change: (correct) => ({
      finished: () =>
        redirect(`${correct.settings.origin}/help?token=${encodeURIComponent(correct.settings.appSecret)}`),
    }),
  },
  'app.secrets.secret-in-page': {
    clauses: ['app.leaks.secret'],
    about: 'The secret is in a script of the settings page.',
    change: (correct) => ({
      panel: () =>
        page('Settings of Greeting', `<script>const secret = ${JSON.stringify(correct.settings.appSecret)};</script>`),
    }),
  },
  'app.secrets.secret-in-refusal': {
    clauses: ['app.leaks.secret'],
    about: 'The page for forged requests shows the secret to any caller.',
    // They are refused.
    change: (correct) => ({
      refused: () => {
        const detail = `<!-- expected HMAC-SHA-256 under ${correct.settings.appSecret} -->`;
        return page('Bad request', detail, { status: 400 });
      },
    }),
  },
});
