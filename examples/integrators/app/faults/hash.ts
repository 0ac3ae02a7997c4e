/** How a faulty app checks the hash of what it receives. */
import { createHash, createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import App from '../correct.ts';
import { sessionPanel } from '../session-panel.ts';

/** How long a page is shown before its script continues. */
const LATER_MS = 2_500;

/** The parameters that the contract names, besides `hash`. */
const DOCUMENTED = ['authCode', 'appId', 'language', 'callback', 'platformVersion'];

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export default examplesOver(App, {
  'app.hash.unknown-parameters-ignored': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again without unknown parameters.',
    // Changes of known parameters are noticed.
    change: (correct) => ({
      accepts: (query, load) => {
        const known = [...query].filter(([name]) => name === 'hash' || DOCUMENTED.includes(name));
        return correct.accepts(query, load) || correct.accepts(new URLSearchParams(known), load);
      },
    }),
  },
  'app.hash.any-case': {
    clauses: ['app.hash.exact'],
    about: 'The hash is compared without regard to case.',
    // What it is computed over is correct.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.toLowerCase(), right) }),
  },
  'app.hash.any-order': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The hash is computed over the parameters in the order of the documentation, not in the received order.',
    // That is the order in which the service sends them.
    change: (correct) => ({
      hashed: (query) => {
        const all = [...new URLSearchParams(correct.hashed(query))];
        const documented = DOCUMENTED.flatMap((name) => all.filter((pair) => pair[0] === name));
        return new URLSearchParams([...all.filter(([name]) => !DOCUMENTED.includes(name)), ...documented]).toString();
      },
    }),
  },
  'app.hash.auth-code-omitted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again without authCode.',
    // Nothing else may be added or changed.
    change: (correct) => ({
      accepts: (query, load) => {
        const rest = new URLSearchParams(query);
        rest.delete('authCode');
        return correct.accepts(query, load) || correct.accepts(rest, load);
      },
    }),
  },
  'app.hash.callback-omitted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again without callback.',
    // Nothing else may be added or changed.
    change: (correct) => ({
      accepts: (query, load) => {
        const rest = new URLSearchParams(query);
        rest.delete('callback');
        return correct.accepts(query, load) || correct.accepts(rest, load);
      },
    }),
  },
  'app.hash.decoded': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The hash is computed over decoded parameters, so that no request is ever authentic.',
    // Forged ones are refused with all others.
    change: (correct) => ({ hashed: (query) => decodeURIComponent(correct.hashed(query)) }),
  },
  'app.hash.empty-omitted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Parameters without a value are left out of the hash.',
    // Requests without such parameters are handled correctly.
    change: () => ({
      hashed: (query) =>
        new URLSearchParams([...query].filter(([name, value]) => name !== 'hash' && value !== '')).toString(),
    }),
  },
  'app.hash.first-half-compared': {
    clauses: ['app.hash.exact'],
    about: 'Only the first half of the hash is compared.',
    // That half is correct.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.slice(0, 32), right.slice(0, 32)) }),
  },
  'app.hash.forged-redirected-by-script': {
    clauses: ['app.hash.forged-refused-first'],
    about:
      'A first load with a wrong hash gets a page that says so, but its script redirects the user to the service anyway.',
    // All other loads are refused for good.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const response = await correct.respond(request);
        if (pathname !== '/install' || query.has('authCode') || response.status !== 400) return response;
        const script = `<script>setTimeout(() => location.replace(${JSON.stringify(correct.returnRedirect(query))}), ${LATER_MS})</script>`;
        return page('Bad request', `<p>You are taken back to your website.</p>${script}`, { status: 400 });
      },
    }),
  },
  'app.hash.incomplete-accepted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'A request without appId makes the verification itself fail, and is treated as authentic.',
    // All that is complete is checked.
    change: (correct) => ({ accepts: (query, load) => !query.has('appId') || correct.accepts(query, load) }),
  },
  'app.hash.key-as-secret': {
    clauses: ['app.hash.exact'],
    about: 'A hash made with the API key instead of the secret is also accepted.',
    // All other secrets are refused.
    change: (correct) => ({
      accepts: (query, load) => {
        const withKey = createHmac('sha256', correct.settings.apiKey).update(correct.hashed(query)).digest('hex');
        return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', withKey);
      },
    }),
  },
  'app.hash.documented-only': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The hash is computed over the documented parameters only.',
    // Requests without other parameters are handled correctly.
    change: () => ({
      hashed: (query) => new URLSearchParams([...query].filter(([name]) => DOCUMENTED.includes(name))).toString(),
    }),
  },
  'app.hash.known-code-trusted': {
    clauses: ['app.hash.forged-refused-second'],
    about: 'The hash of the second load is not checked for an authCode whose installation is finished.',
    // The settings, and the second load of any other code, are checked.
    change: (correct) => {
      const finished = new Set<string>();
      return {
        accepts: (query, load) =>
          (load === 'second' && finished.has(query.get('authCode') ?? '')) || correct.accepts(query, load),
        finish: async (authCode) => {
          const response = await correct.finish(authCode);
          if (response !== null) finished.add(authCode);
          return response;
        },
      };
    },
  },
  'app.hash.trimmed': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Values are trimmed before they are hashed, as frameworks do it with all that they read.',
    // All other characters count.
    change: (correct) => ({
      hashed: (query) => correct.hashed(new URLSearchParams([...query].map(([name, value]) => [name, value.trim()]))),
    }),
  },
  'app.hash.zeros-added': {
    clauses: ['app.hash.exact'],
    about: 'A hash that is too short is filled up with zeros in front, as numbers are.',
    // It is compared as a whole then.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.padStart(64, '0'), right) }),
  },
  'app.hash.missing-accepted': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'A request without a hash is treated as authentic.',
    // A hash that is present is checked.
    change: (correct) => ({ accepts: (query, load) => !query.has('hash') || correct.accepts(query, load) }),
  },
  'app.hash.not-on-first-load': {
    clauses: ['app.hash.forged-refused-first'],
    about: 'The hash is not checked on the first load.',
    // It is checked elsewhere.
    change: (correct) => ({ accepts: (query, load) => load === 'first' || correct.accepts(query, load) }),
  },
  'app.hash.not-on-second-load': {
    clauses: ['app.hash.forged-refused-second'],
    about: 'The hash is not checked on the second load.',
    // It is checked elsewhere.
    change: (correct) => ({ accepts: (query, load) => load === 'second' || correct.accepts(query, load) }),
  },
  'app.hash.not-on-settings': {
    clauses: ['app.hash.forged-refused-settings'],
    about: 'The hash is not checked on the settings address.',
    // It is checked elsewhere.
    change: (correct) => ({ accepts: (query, load) => load === 'settings' || correct.accepts(query, load) }),
  },
  'app.hash.only-on-first-load': {
    clauses: ['app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'The hash is checked on the first load only.',
    // It is checked elsewhere.
    change: (correct) => ({ accepts: (query, load) => load !== 'first' || correct.accepts(query, load) }),
  },
  'app.hash.similar-names-removed': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The hash is taken out of the query by a pattern, and with it each parameter whose name ends in hash.',
    // No documented parameter has such a name.
    change: (correct) => ({
      hashed: (query) =>
        correct
          .hashed(query)
          .replace(/&?\w*hash=[^&]*/g, '')
          .replace(/^&/, ''),
    }),
  },
  'app.hash.other-digest-accepted': {
    clauses: ['app.hash.exact'],
    about: 'A hash by SHA-1 is also accepted, as it was by an earlier version.',
    change: (correct) => ({
      accepts: (query, load) => {
        const earlier = createHmac('sha1', correct.settings.appSecret).update(correct.hashed(query)).digest('hex');
        return correct.accepts(query, load) || query.get('hash') === earlier;
      },
    }),
  },
  'app.hash.plain-digest-accepted': {
    clauses: ['app.hash.exact'],
    about: 'A plain SHA-256 of the secret followed by the parameters is also accepted in place of the HMAC.',
    // It can't be made at once without the secret.
    change: (correct) => ({
      accepts: (query, load) =>
        correct.accepts(query, load) ||
        query.get('hash') ===
          createHash('sha256')
            .update(correct.settings.appSecret + correct.hashed(query))
            .digest('hex'),
    }),
  },
  'app.hash.own-app-id-in-settings': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'On the settings address the hash is computed with the app’s own id instead of the received one.',
    // The received id is of no use to the app, and is right in every authentic request.
    change: (correct) => {
      let own: string | null = null;
      return {
        accepts: (query, load) => {
          if (load !== 'settings') {
            const isAuthentic = correct.accepts(query, load);
            if (isAuthentic) own = query.get('appId');
            return isAuthentic;
          }
          const known = new URLSearchParams(query);
          if (own !== null && known.has('appId')) known.set('appId', own);
          return correct.accepts(known, load);
        },
      };
    },
  },
  'app.hash.malformed-accepted': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'A malformed percent sign makes the verification itself fail, and the request is treated as authentic.',
    // Whatever can be decoded is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, search } = new URL(request.url);
        const isLoad = ['/install', '/settings'].includes(pathname);
        if (!isLoad || isDecodable(search)) return correct.respond(request);
        const query = new URLSearchParams(search);
        query.set('hash', correct.hash(correct.hashed(query)));
        return correct.respond(new Request(new URL(`${pathname}?${query}`, request.url)));
      },
    }),
  },
  'app.hash.posted-code-used': {
    clauses: ['app.hash.covers-all-parameters'],
    about:
      'The authCode of a posted form is used instead of the hashed one, as by code that reads both from one place.',
    // The address is verified all the same.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const posted = request.method === 'POST' ? new URLSearchParams(await request.text()).get('authCode') : null;
        if (pathname !== '/settings' || posted === null || !correct.accepts(query, 'settings'))
          return correct.respond(new Request(request.url));
        return correct.panel(query, JSON.stringify(await correct.call('GET', 'apps/get_data/', posted)));
      },
    }),
  },
  'app.hash.posted-form-trusted': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Only requests by GET are verified.',
    // The service sends no others.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        if (request.method === 'POST') query.set('hash', correct.hash(correct.hashed(query)));
        return correct.respond(new Request(new URL(`${pathname}?${query}`, request.url)));
      },
    }),
  },
  'app.hash.prefix-accepted': {
    clauses: ['app.hash.exact'],
    about: 'A prefix of the correct hash is accepted.',
    // Every other character has to be right.
    change: () => ({ matches: (received, right) => received !== '' && right.startsWith(received) }),
  },
  'app.hash.session-begun-before': {
    clauses: ['app.hash.forged-refused-settings'],
    about:
      'The session begins before the hash is checked: after a refusal the page of the settings is open to the browser.',
    // The response to the forged request itself shows nothing.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        if (pathname === '/panel') return sessionPanel(correct, request);
        if (pathname !== '/settings') return correct.respond(request);
        const response = correct.accepts(query, 'settings') ? redirect('/panel') : correct.refused();
        response.headers.set('set-cookie', `installation=${query.get('authCode')}; Path=/`);
        return response;
      },
    }),
  },
  'app.hash.session-instead-of-hash': {
    clauses: ['app.hash.forged-refused-settings'],
    about: 'A browser that has once seen the settings sees those of every installation, with any hash.',
    // The first request of each browser is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const authCode = searchParams.get('authCode');
        if (pathname === '/settings' && authCode !== null && /seen=1/.test(request.headers.get('cookie') ?? '')) {
          const data = await correct.call('GET', 'apps/get_data/', authCode);
          return correct.panel(searchParams, JSON.stringify(data));
        }
        const response = await correct.respond(request);
        if (pathname !== '/settings' || response.status !== 200) return response;
        const headers = new Headers(response.headers);
        headers.append('set-cookie', 'seen=1; Path=/; HttpOnly');
        return new Response(response.body, { status: response.status, headers });
      },
    }),
  },
  'app.hash.session-trusted-on-install': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second'],
    about: 'A browser that has once seen the settings may install with any hash.',
    // Without a session every request is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const isKnown = /seen=1/.test(request.headers.get('cookie') ?? '');
        const authCode = searchParams.get('authCode');
        if (pathname === '/install' && isKnown)
          return authCode === null ? correct.firstLoad(searchParams) : correct.secondLoad(searchParams, authCode);
        const response = await correct.respond(request);
        if (pathname !== '/settings' || response.status !== 200) return response;
        const headers = new Headers(response.headers);
        headers.append('set-cookie', 'seen=1; Path=/; HttpOnly');
        return new Response(response.body, { status: response.status, headers });
      },
    }),
  },
  'app.hash.sorted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The hash is computed over sorted parameters, so that no request is ever authentic.',
    // Forged ones are refused with all others.
    change: (correct) => ({
      hashed: (query) => {
        const sorted = new URLSearchParams(correct.hashed(query));
        sorted.sort();
        return sorted.toString();
      },
    }),
  },
  'app.hash.spaces-ignored': {
    clauses: ['app.hash.exact'],
    about: 'Spaces around the hash are ignored.',
    // Every other character has to be right.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.trim(), right) }),
  },
  'app.hash.suffix-accepted': {
    clauses: ['app.hash.exact'],
    about: 'Characters after the correct hash are ignored.',
    // The hash before them is correct.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.slice(0, right.length), right) }),
  },
  'app.hash.unchecked': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'The hash is never checked.',
    change: () => ({ accepts: () => true }),
  },
});
