/** Correct apps that verify in other ways than `correct.ts`, or refuse what is not authentic in other ways. */
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

export default examplesOver(App, {
  'app.variant.hash-as-received': {
    about: 'The hash is computed over the query string as it was received, without its hash.',
    change: (correct) => {
      let received = '';
      return {
        respond: (request) => {
          received = new URL(request.url).search.slice(1);
          return correct.respond(request);
        },
        hashed: () =>
          received
            .split('&')
            .filter((part) => !part.startsWith('hash='))
            .join('&'),
      };
    },
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
});
