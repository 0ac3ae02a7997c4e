/** Apps that verify every request of a browser, and let pass what only a program sends, or another spelling of a hash. */
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

/** Finishes the installation of what passes, with or without a hash; all other requests are verified. */
const passing = (correct: App, passes: (request: Request) => boolean): Pick<App, 'respond'> => ({
  respond: async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const authCode = searchParams.get('authCode');
    if (pathname !== '/install' || authCode === null || !passes(request)) return correct.respond(request);
    return correct.secondLoad(searchParams, authCode);
  },
});

export default examplesOver(App, {
  'app.loopholes.patch-unverified': {
    clauses: ['app.hash.forged-refused-second'],
    about: 'The hash is compared for HEAD, GET, POST and PUT; a PATCH of the install address finishes an installation.',
    change: (correct) => passing(correct, ({ method }) => method === 'PATCH'),
  },
  'app.loopholes.options-unverified': {
    clauses: ['app.hash.forged-refused-second'],
    about: 'What browsers send to ask for permission is not verified: OPTIONS finishes an installation.',
    change: (correct) => passing(correct, ({ method }) => method === 'OPTIONS'),
  },
  'app.loopholes.own-machine-trusted': {
    clauses: ['app.hash.forged-refused-second'],
    about: 'A request whose header says that it was sent by the machine of the app is not verified.',
    change: (correct) => passing(correct, ({ headers }) => headers.get('x-forwarded-for') === '127.0.0.1'),
  },
  'app.loopholes.ends-at-null-character': {
    clauses: ['app.hash.exact'],
    about: 'The hash is compared up to the first null character.',
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/\0.*$/s, ''), right),
    }),
  },
  'app.loopholes.digest-named-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash behind the name of its digest is also accepted, as other services send it.',
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/^sha256=/, ''), right),
    }),
  },
  'app.loopholes.word-accepted': {
    clauses: ['app.hash.exact'],
    about: 'The word "true" is taken for a hash that was found right before.',
    change: (correct) => ({
      accepts: (query, load) => query.get('hash') === 'true' || correct.accepts(query, load),
    }),
  },
});
