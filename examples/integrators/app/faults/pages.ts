/** Apps that show their users what is not made for people. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import App from '../correct.ts';

const TRACE = `<pre>TypeError: Cannot read properties of undefined
    at App.panel (/srv/app/server.js:42:17)
    at async App.settingsLoad (/srv/app/server.js:31:12)</pre>`;

const WARNING =
  '<br><b>Warning</b>:  Undefined array key "color" in <b>/srv/app/settings.php</b> on line <b>12</b><br>';

export default examplesOver(App, {
  'app.pages.data-after-installation': {
    clauses: ['app.pages.for-people'],
    about: 'After the installation the user sees data in JSON.',
    // The installation is finished.
    change: () => ({ finished: () => Response.json({ installed: true }) }),
  },
  'app.pages.source-shown': {
    clauses: ['app.pages.for-people'],
    about: 'The page after the installation is sent as a text, so that its user sees the source.',
    // The installation is finished.
    change: (correct) => ({
      finished: (query) => {
        const response = correct.finished(query);
        response.headers.set('content-type', 'text/plain; charset=utf-8');
        return response;
      },
    }),
  },
  'app.pages.settings-with-warning': {
    clauses: ['app.pages.for-people'],
    about: 'Above the settings is a warning of PHP, as where errors are displayed.',
    // The settings are there.
    change: () => ({
      panel: (_query, greeting) => page('Settings of Greeting', `${WARNING}<p>${escaped(greeting)}</p>`),
    }),
  },
  'app.pages.settings-as-trace': {
    clauses: ['app.pages.for-people'],
    about: 'In place of the settings is the trace of an error, with status 200.',
    change: () => ({ panel: () => page('Error', TRACE) }),
  },
  'app.pages.settings-undefined': {
    clauses: ['app.pages.for-people'],
    about: 'The settings page consists of the word “undefined”.',
    change: () => ({
      panel: () => new Response('undefined', { headers: { 'content-type': 'text/html; charset=utf-8' } }),
    }),
  },
  'app.pages.brand-as-markup': {
    clauses: ['app.pages.brand-markup'],
    about: 'The settings page has the name of the website in it as it is, markup and all.',
    // A usual name is shown as everywhere.
    change: (correct) => ({
      settingsLoad: async (query) => {
        const response = await correct.settingsLoad(query);
        if (!response.ok) return response;
        const reply = await correct.call('GET', 'apps/website/', query.get('authCode') ?? '');
        const { brandname } = (reply?.website ?? {}) as { brandname?: string };
        return page('Settings of Greeting', `<p>Your website: ${brandname}</p>`);
      },
    }),
  },
  'app.pages.refusal-drawn-as-success': {
    clauses: ['app.install.failure-shown'],
    about:
      'The script of the page after the installation says that all is done, whatever its server has heard of the service.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const authCode = query.get('authCode');
        const isAuthentic = authCode !== null && correct.accepts(query, 'second');
        if (pathname === '/finish' && isAuthentic)
          return Response.json({ isDone: (await correct.finish(authCode)) !== null });
        if (pathname !== '/install' || !isAuthentic) return correct.respond(request);
        const draw = `document.querySelector('main').innerHTML = '<h1>Greeting is installed</h1><p>Visitors are greeted.</p>'`;
        return page(
          'Greeting',
          `<main></main><script>fetch('/finish' + location.search).then(() => { ${draw}; });</script>`,
        );
      },
    }),
  },
});
