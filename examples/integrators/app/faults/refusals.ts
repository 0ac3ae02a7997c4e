/** Apps that refuse what is not authentic, and show too much of it. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import App from '../correct.ts';

/** The page of a refusal, made of what the request carried; every other response is the correct one. */
const refusing =
  (correct: App, body: (query: URLSearchParams, address: URL) => string) =>
  async (request: Request): Promise<Response> => {
    const response = await correct.respond(request);
    const address = new URL(request.url);
    return response.status === 400
      ? page('Bad request', body(address.searchParams, address), { status: 400 })
      : response;
  };

export default examplesOver(App, {
  'app.refusals.values-shown': {
    clauses: ['app.hash.refusal-markup'],
    about: 'The page of a refusal lists the values of the request as they are.',
    change: (correct) => ({
      respond: refusing(correct, (query) => [...query].map(([name, value]) => `<p>${name}: ${value}</p>`).join('')),
    }),
  },
  'app.refusals.quotes-shown': {
    clauses: ['app.hash.refusal-markup'],
    about:
      'The page of a refusal has the language in an attribute, with its angle brackets escaped, but not its quotes.',
    change: (correct) => ({
      respond: refusing(correct, (query) => {
        const language = (query.get('language') ?? '').replaceAll('<', '&lt;');
        return `<p><input name="language" value="${language}"></p>`;
      }),
    }),
  },
  'app.refusals.link-to-callback': {
    clauses: ['app.hash.refusal-markup'],
    about: 'The page of a refusal links to whatever address its callback is.',
    // It is escaped.
    change: (correct) => ({
      respond: refusing(correct, (query) => `<p><a href="${escaped(query.get('callback') ?? '')}">Back</a></p>`),
    }),
  },
  'app.refusals.path-shown': {
    clauses: ['app.hash.refusal-markup'],
    about: 'The page for addresses that do not exist names the path as it is.',
    change: (correct) => ({
      respond: async (request) => {
        const response = await correct.respond(request);
        if (response.status !== 404) return response;
        return page('Not found', `<p>There is no ${decodeURIComponent(new URL(request.url).pathname)}.</p>`, {
          status: 404,
        });
      },
    }),
  },
  'app.refusals.right-hash-shown': {
    clauses: ['app.hash.right-hash-hidden'],
    about: 'The page of a refusal shows the hash that it expected.',
    change: (correct) => ({
      respond: refusing(correct, (query) => `<p>Expected ${correct.hash(correct.hashed(query))}.</p>`),
    }),
  },
  'app.refusals.right-hash-in-header': {
    clauses: ['app.hash.right-hash-hidden'],
    about:
      'The page of a refusal says nothing, but a header of it has the hash that was expected, left from a search for errors.',
    change: (correct) => ({
      respond: async (request) => {
        const response = await correct.respond(request);
        const expected = correct.hash(correct.hashed(new URL(request.url).searchParams));
        if (response.status === 400) response.headers.set('x-debug', `hash mismatch, expected ${expected}`);
        return response;
      },
    }),
  },
  'app.refusals.right-hash-fetched': {
    clauses: ['app.hash.right-hash-hidden'],
    about:
      'The page of a refusal asks its server why, and draws the answer some time later: it names the hash that was expected.',
    change: (correct) => {
      const refusal = refusing(correct, () => `<p id="why"></p><script>${WHY_SCRIPT}</script>`);
      return {
        respond: async (request) => {
          const { pathname, searchParams } = new URL(request.url);
          if (pathname !== '/why') return refusal(request);
          await new Promise((go) => setTimeout(go, WHY_MS));
          return Response.json({ message: `Expected ${correct.hash(correct.hashed(searchParams))}` });
        },
      };
    },
  },
});

/** How long the server takes to say why. */
const WHY_MS = 400;
const WHY_SCRIPT = `fetch('/why' + location.search).then((response) => response.json())
  .then(({ message }) => { document.getElementById('why').textContent = message; });`;
