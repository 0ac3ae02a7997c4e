/** How a faulty app mistakes what a browser brings from an earlier visit. */
import { examplesOver } from '../../support/example.ts';
import { redirect } from '../../support/http.ts';
import App from '../correct.ts';
import { sessionPanel } from '../session-panel.ts';

export default examplesOver(App, {
  'app.sessions.first-code-kept': {
    clauses: ['app.installations.separate'],
    about:
      'The authCode is read from the session, if there is one: a browser that has installed the app once can’t again.',
    // Each request is verified, and another browser brings no session.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const received = query.get('authCode');
        if (pathname !== '/install' || received === null) return correct.respond(request);
        if (!correct.accepts(query, 'second')) return correct.refused();
        const [, known] = /(?:^|; )installation=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? [];
        const authCode = known ?? received;
        const response = await correct.secondLoad(query, authCode);
        response.headers.set('set-cookie', `installation=${authCode}; Path=/`);
        return response;
      },
    }),
  },
  'app.sessions.strict-cookie': {
    clauses: ['app.install.from-other-site'],
    about:
      'The page after the installation needs a cookie with SameSite=Strict, which browsers leave out for a user who comes from the store.',
    // On one machine the app and the service are of one site.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        if (pathname === '/panel')
          return /installation=/.test(request.headers.get('cookie') ?? '')
            ? correct.finished(query)
            : correct.refused();
        const response = await correct.respond(request);
        if (pathname !== '/install' || !response.ok) return response;
        const begun = redirect('/panel');
        begun.headers.set('set-cookie', `installation=${query.get('authCode')}; Path=/; HttpOnly; SameSite=Strict`);
        return begun;
      },
    }),
  },
  'app.sessions.begun-by-forged-install': {
    clauses: ['app.hash.forged-refused-second'],
    about:
      'The session begins before the hash of the second load is checked: after a refusal the page of the app is open to the browser.',
    // The response to the forged request itself shows nothing, and nothing is called for it.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        if (pathname === '/panel') return sessionPanel(correct, request);
        const received = query.get('authCode');
        if (pathname !== '/install' || received === null) return correct.respond(request);
        const response = await correct.respond(request);
        const begun = response.ok ? redirect('/panel') : response;
        begun.headers.set('set-cookie', `installation=${received}; Path=/`);
        return begun;
      },
    }),
  },
  'app.sessions.begun-by-forged-settings': {
    clauses: ['app.hash.forged-refused-settings'],
    about:
      'The session begins before the hash of the settings is checked: after a refusal the panel is open to the browser, without any call.',
    // The response to the forged request itself shows nothing, and without a session the panel is refused.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const isKnown = /installation=/.test(request.headers.get('cookie') ?? '');
        if (pathname === '/panel') return isKnown ? correct.panel(query, 'Hello!') : correct.refused();
        const received = query.get('authCode');
        if (pathname !== '/settings' || received === null) return correct.respond(request);
        const begun = correct.accepts(query, 'settings') ? redirect('/panel') : correct.refused();
        begun.headers.set('set-cookie', `installation=${received}; Path=/`);
        return begun;
      },
    }),
  },
});
