/** How a faulty app calls the service. */
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

export default examplesOver(App, {
  'app.calls.bearer': {
    clauses: ['app.calls.authorization-header'],
    about: 'set_data is called with the key after the word Bearer.',
    // All other calls say ApiKey.
    change: (correct) => ({
      headersOf: (path, body) => {
        const headers = correct.headersOf(path, body);
        return path === 'apps/set_data/' ? { ...headers, authorization: `Bearer ${correct.settings.apiKey}` } : headers;
      },
    }),
  },
  'app.calls.scheme-in-lower-case': {
    clauses: ['app.calls.authorization-header'],
    about:
      'The word before the key is written in small letters, as some libraries do it: the service need not read that.',
    change: (correct) => ({
      headersOf: (path, body) => ({
        ...correct.headersOf(path, body),
        authorization: `apikey ${correct.settings.apiKey}`,
      }),
    }),
  },
  'app.calls.auth-code-in-body': {
    clauses: ['app.calls.auth-code-in-query'],
    about: 'set_data carries its authCode in the body instead of the query.',
    // All other calls have it in the query.
    change: (correct) => ({
      addressOf: (path, authCode) =>
        path === 'apps/set_data/' ? correct.settings.base + path : correct.addressOf(path, authCode),
      call: (method, path, authCode, body) =>
        correct.call(method, path, authCode, path === 'apps/set_data/' ? { ...body, authCode } : body),
    }),
  },
  'app.calls.auth-code-unencoded': {
    clauses: ['app.calls.auth-code-encoded'],
    about: 'The authCode is put into the address as it is.',
    // Codes of letters and digits arrive unchanged.
    change: (correct) => ({
      addressOf: (path, authCode) => `${correct.settings.base}${path}?authCode=${authCode}`,
    }),
  },
  'app.calls.auth-code-in-lower-case': {
    clauses: ['app.calls.auth-code-spelling'],
    about: 'The query parameter is spelled authcode.',
    // The service accepts it anyway.
    change: (correct) => ({
      addressOf: (path, authCode) => correct.addressOf(path, authCode).replace('authCode=', 'authcode='),
    }),
  },
  'app.calls.data-as-empty-list': {
    clauses: ['app.calls.data-empty-list'],
    about: 'An empty list is sent where an empty object is meant, as PHP does it.',
    // The snippet is sent right.
    change: () => ({ dataFor: () => ({ data: [] }) }),
  },
  'app.calls.data-as-list': {
    clauses: ['app.calls.data-string-or-object'],
    about: 'Data is sent as a list.',
    // The snippet is sent right.
    change: () => ({ dataFor: (greeting) => ({ data: [greeting] }) }),
  },
  'app.calls.data-as-number': {
    clauses: ['app.calls.data-string-or-object'],
    about: 'Data is sent as a number.',
    // The snippet is sent right.
    change: () => ({ dataFor: (greeting) => ({ data: greeting.length }) }),
  },
  'app.calls.form-body': {
    clauses: ['envelope.v1.request-bodies-are-json'],
    about: 'Bodies are sent as a web form.',
    // Names and values are correct.
    change: (correct) => ({
      headersOf: (path, body) => {
        const headers = correct.headersOf(path, body);
        return body === undefined ? headers : { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
      },
      written: (body) => {
        const pairs = Object.entries(body).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]);
        return new URLSearchParams(pairs).toString();
      },
    }),
  },
  'app.calls.snippet-as-object': {
    clauses: ['app.calls.snippet-string'],
    about: 'The snippet is sent as an object.',
    // Data is sent right.
    change: () => ({ snippetFor: (greeting) => ({ snippet: { html: `<p>${greeting}</p>` } }) }),
  },
  'app.calls.snippet-language-by-name': {
    clauses: ['app.calls.snippet-string'],
    about: 'The language of the snippet is sent by its name.',
    // The snippet is a string.
    change: (correct) => ({ snippetFor: (greeting) => ({ ...correct.snippetFor(greeting), language: 'English' }) }),
  },
  'app.calls.snippet-language-misnamed': {
    clauses: ['app.calls.snippet-string'],
    about:
      'The language of the snippet is sent as lang, which the service does not read: pages in all languages show it.',
    change: (correct) => ({ snippetFor: (greeting) => ({ ...correct.snippetFor(greeting), lang: 'en' }) }),
  },
  'app.calls.snippet-beside-the-base': {
    clauses: ['app.calls.known-operations'],
    about: 'The snippet is sent to the root of the host instead of behind the base.',
    // All other calls are correct.
    change: (correct) => ({
      setUp: async (authCode, language) => {
        await correct.setUp(authCode, language);
        await correct.call('POST', '../apps/set_snippet/', authCode, correct.snippetFor('Hello!'));
      },
    }),
  },
  'app.calls.unknown-operation': {
    clauses: ['app.calls.known-operations'],
    about: 'The app calls an operation that the interface does not have.',
    // All other calls are correct.
    change: (correct) => ({
      setUp: async (authCode, language) => {
        await correct.setUp(authCode, language);
        await correct.call('POST', 'apps/publish/', authCode);
      },
    }),
  },
});
