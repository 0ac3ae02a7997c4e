/** How a faulty app redirects the user after the first load. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** A query with each value written in another way. */
const mapped = (query: URLSearchParams, write: (value: string) => string): URLSearchParams =>
  new URLSearchParams([...query].map(([name, value]) => [name, write(value)]));

export default examplesOver(App, {
  'app.redirect.adds-parameter': {
    clauses: ['app.install.redirect-adds-nothing'],
    about: 'The redirect contains a parameter of the app’s own.',
    // It contains all received ones.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.append('app_version', '1.0.0');
        return rest;
      },
    }),
  },
  'app.redirect.adds-second-language': {
    clauses: ['app.install.redirect-adds-nothing'],
    about: 'The redirect contains a second language behind the received one: that of the app.',
    // All received parameters are unchanged.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.append('language', 'en');
        return rest;
      },
    }),
  },
  'app.redirect.adds-slash': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The redirect leads to the address in callback with a slash added to its end.',
    // The parameters are correct.
    change: (correct) => ({ returnRedirect: (query) => `${query.get('callback')}/?${correct.returned(query)}` }),
  },
  'app.redirect.other-name-of-host': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The redirect leads to the host by another name of it, where the user has no cookies.',
    change: (correct) => ({
      returnRedirect: (query) => correct.returnRedirect(query).replace('://127.0.0.1:', '://localhost:'),
    }),
  },
  'app.redirect.english-only': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The redirect contains the language that the app shows, which is always English.',
    // A user of English sees no difference.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.set('language', 'en');
        return rest;
      },
    }),
  },
  'app.redirect.digits-as-number': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Values of digits alone are read as numbers, so that they are returned without zeros in front.',
    // Every other value is returned as it is.
    change: (correct) => ({
      returned: (query) => {
        const returned = [...correct.returned(query)].map(([name, value]) => [
          name,
          /^\d+$/.test(value) ? `${Number(value)}` : value,
        ]);
        return new URLSearchParams(returned);
      },
    }),
  },
  'app.redirect.in-lower-case': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The redirect leads to the address in callback in lower case, as it was stored.',
    // The parameters are returned as they are.
    change: (correct) => ({
      returnRedirect: (query) => `${query.get('callback')?.toLowerCase()}?${correct.returned(query)}`,
    }),
  },
  'app.redirect.slash-cut': {
    clauses: ['app.install.first-load-redirects'],
    about: 'A slash at the end of the address in callback is cut off.',
    change: (correct) => ({
      returnRedirect: (query) => `${query.get('callback')?.replace(/\/$/, '')}?${correct.returned(query)}`,
    }),
  },
  'app.redirect.in-frame': {
    clauses: ['app.install.first-load-redirects'],
    about:
      'The first load shows a page of the app with the address of the redirect in a frame: the user stays in the app.',
    change: (correct) => ({
      firstLoad: async (query) =>
        page('Greeting', `<iframe src="${escaped(correct.returnRedirect(query))}" width="800" height="600"></iframe>`),
    }),
  },
  'app.redirect.in-new-window': {
    clauses: ['app.install.redirect-in-same-tab'],
    about: 'A script of the first load opens the address of the redirect in a new window, which browsers block.',
    // The browser of a test opens it.
    change: (correct) => ({
      firstLoad: async (query) => {
        const address = JSON.stringify(correct.returnRedirect(query)).replaceAll('<', '\\u003c');
        return page('Greeting', `<p>One moment</p><script>open(${address})</script>`);
      },
    }),
  },
  'app.redirect.markup-removed': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Markup is taken out of the values that are returned, as a filter of all input does it.',
    // They are verified as they were received.
    change: (correct) => ({
      returned: (query) => mapped(correct.returned(query), (value) => value.replaceAll(/<[^<>]*>/g, '')),
    }),
  },
  'app.redirect.letters-normalized': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Letters of the values that are returned are normalised.',
    // They are verified as they were received.
    change: (correct) => ({
      returned: (query) => mapped(correct.returned(query), (value) => value.normalize('NFC')),
    }),
  },
  'app.redirect.by-post': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The first load sends the user back with a posted form, so no query string is received.',
    // The parameters are correct.
    change: (correct) => ({
      firstLoad: async (query) => {
        const inputs = [...correct.returned(query)].map(
          ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
        );
        const form = `<form method="post" action="${escaped(query.get('callback') ?? '')}">${inputs.join('')}</form>`;
        return page('One moment', `${form}<script>document.forms[0].submit()</script>`);
      },
    }),
  },
  'app.redirect.changes-language': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The redirect contains a language other than the received one.',
    // All other parameters are unchanged.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.set('language', rest.get('language') === 'de' ? 'en' : 'de');
        return rest;
      },
    }),
  },
  'app.redirect.cuts-long-values': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Values of more than 255 characters are cut, as a column of a database does it.',
    // The callback and the usual parameters are shorter.
    change: (correct) => ({
      returnRedirect: (query) => {
        const cut = [...query].map(([name, value]) => [name, name === 'callback' ? value : value.slice(0, 255)]);
        return correct.returnRedirect(new URLSearchParams(cut));
      },
    }),
  },
  'app.redirect.drops-empty': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Parameters without a value are not returned.',
    // Parameters with a value are returned.
    change: (correct) => ({
      returned: (query) => new URLSearchParams([...correct.returned(query)].filter(([, value]) => value !== '')),
    }),
  },
  'app.redirect.drops-zero': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'A parameter whose value is 0 is not returned, as where a language takes the text for nothing.',
    // No documented parameter has that value.
    change: (correct) => ({
      returned: (query) => new URLSearchParams([...correct.returned(query)].filter(([, value]) => value !== '0')),
    }),
  },
  'app.redirect.trims-values': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The values are trimmed, as some frameworks do with all that they receive.',
    // No documented parameter begins or ends with a space.
    change: (correct) => ({
      returned: (query) => mapped(correct.returned(query), (value) => value.trim()),
    }),
  },
  'app.redirect.drops-parameter': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The redirect leaves platformVersion out.',
    // All other parameters are in it.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.delete('platformVersion');
        return rest;
      },
    }),
  },
  'app.redirect.numbers-rewritten': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'Values that look like numbers are read as such, and returned as programs write them.',
    // The documented parameters contain none that would be written otherwise.
    change: (correct) => ({
      returned: (query) => {
        const read = (value: string): string =>
          value === '' || Number.isNaN(Number(value)) ? value : String(Number(value));
        return new URLSearchParams([...correct.returned(query)].map(([name, value]) => [name, read(value)]));
      },
    }),
  },
  'app.redirect.drops-unknown': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The redirect contains only the parameters that the documentation names.',
    // Those are unchanged.
    change: () => ({
      returned: (query) => {
        const documented = ['authCode', 'appId', 'language', 'platformVersion'];
        return new URLSearchParams([...query].filter(([name]) => documented.includes(name)));
      },
    }),
  },
  'app.redirect.to-own-page': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The first load redirects to a page of the app instead of the callback.',
    // The parameters are correct.
    change: (correct) => ({
      firstLoad: async (query) => redirect(`${correct.settings.origin}/help?${correct.returned(query)}`),
    }),
  },
  'app.redirect.encodes-twice': {
    clauses: ['app.install.redirect-keeps-parameters'],
    about: 'The values of the redirect are percent-encoded twice.',
    // Values that need no encoding arrive unchanged.
    change: (correct) => ({
      returned: (query) =>
        new URLSearchParams([...correct.returned(query)].map(([name, value]) => [name, encodeURIComponent(value)])),
    }),
  },
  'app.redirect.keeps-callback': {
    clauses: ['app.install.redirect-drops-hash-and-callback'],
    about: 'The redirect keeps the callback.',
    // It omits hash.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.append('callback', query.get('callback') ?? '');
        return rest;
      },
    }),
  },
  'app.redirect.keeps-hash': {
    clauses: ['app.install.redirect-drops-hash-and-callback'],
    about: 'The redirect keeps the hash.',
    // It omits callback.
    change: (correct) => ({
      returned: (query) => {
        const rest = correct.returned(query);
        rest.append('hash', query.get('hash') ?? '');
        return rest;
      },
    }),
  },
  'app.redirect.requested-by-server': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The server of the app requests the callback itself and shows a page to the user.',
    // The address is correct.
    change: (correct) => ({
      firstLoad: async (query) => {
        const back = correct.returnRedirect(query);
        await fetch(back).catch(() => {});
        return page('Welcome', '<p>Thank you for choosing Greeting.</p>');
      },
    }),
  },
  'app.redirect.never': {
    clauses: ['app.install.first-load-redirects'],
    about: 'The first load shows a page and does not redirect.',
    // The second load is correct.
    change: () => ({ firstLoad: async () => page('Welcome', '<p>Thank you for choosing Greeting.</p>') }),
  },
});
