/** Where a faulty app shows its key or its secret. */
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

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
      answer: async (request) => {
        if (new URL(request.url).pathname !== '/app.js') return correct.answer(request);
        const script = `globalThis.greetingKey = ${JSON.stringify(correct.settings.apiKey)};`;
        return new Response(script, { headers: { 'content-type': 'text/javascript' } });
      },
      finished: () => page('Greeting is installed', '<script src="/app.js"></script>'),
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
