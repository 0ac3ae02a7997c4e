/** How a faulty app mistakes what a browser brings from an earlier visit. */
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

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
});
