/** Apps that verify correctly, and accept what passes another verification besides. */
import { createHash, createHmac } from 'node:crypto';
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

/** Longer than a response that refuses is watched. */
const JOB_MS = 2_000;

/** Serves a path that is routed like one of the two, but is spelled in another way, without looking at the hash. */
async function unverified(correct: App, request: Request, routed: (path: string) => string): Promise<Response> {
  const { pathname, searchParams: query } = new URL(request.url);
  const path = routed(pathname);
  const authCode = query.get('authCode');
  if (path === pathname || !['/install', '/settings'].includes(path)) return correct.respond(request);
  if (path === '/install') return authCode === null ? correct.firstLoad(query) : correct.secondLoad(query, authCode);
  const stored = authCode === null ? null : await correct.call('GET', 'apps/get_data/', authCode);
  return stored === null ? correct.refused() : correct.panel(query, 'Hello!');
}

/** The query without further callbacks behind the first one. */
function withFirstCallback(query: URLSearchParams): URLSearchParams {
  const pairs = [...query];
  const first = pairs.findIndex(([name]) => name === 'callback');
  return new URLSearchParams(pairs.filter(([name], at) => name !== 'callback' || at === first));
}

/** Accepts what is hashed correctly, and what has the hash of another text. */
const besides = (correct: App, textOf: (rest: URLSearchParams) => string): Pick<App, 'accepts'> => ({
  accepts: (query, load) => {
    const rest = new URLSearchParams(query);
    rest.delete('hash');
    return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', correct.hash(textOf(rest)));
  },
});

export default examplesOver(App, {
  'app.verification.head-unverified': {
    clauses: ['app.hash.forged-refused-second'],
    about:
      'The hash is compared for GET and POST only; a HEAD of the install address with an authCode calls installed.',
    // All that a browser sends is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const authCode = searchParams.get('authCode');
        if (request.method !== 'HEAD' || pathname !== '/install' || authCode === null) return correct.respond(request);
        await correct.finish(authCode);
        return correct.finished(searchParams);
      },
    }),
  },
  'app.verification.queued-before': {
    clauses: ['app.hash.forged-refused-second'],
    about:
      'What an unauthentic second load names waits in the queue of one slow worker, which finishes the installation after the refusal.',
    // The response is a refusal, and authentic loads are finished at once.
    change: (correct) => {
      let jobs: Promise<unknown> = Promise.resolve();
      return {
        install: async (query) => {
          const authCode = query.get('authCode') ?? '';
          if (authCode === '' || correct.accepts(query, 'second')) return correct.install(query);
          jobs = jobs
            .then(() => new Promise((resolve) => setTimeout(resolve, JOB_MS)))
            .then(() => correct.finish(authCode));
          return correct.refused();
        },
      };
    },
  },
  'app.verification.put-unverified': {
    clauses: ['app.hash.forged-refused-second'],
    about:
      'The hash is compared for HEAD, GET and POST; a PUT of the install address with an authCode calls installed.',
    // All that a browser sends is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const authCode = searchParams.get('authCode');
        if (request.method !== 'PUT' || pathname !== '/install' || authCode === null) return correct.respond(request);
        return correct.secondLoad(searchParams, authCode);
      },
    }),
  },
  'app.verification.scripts-unverified': {
    clauses: ['app.hash.forged-refused-second'],
    about:
      'What scripts request as JSON is not verified; such a request of the install address with an authCode calls installed.',
    // All that a browser opens is verified.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        const authCode = searchParams.get('authCode');
        const isScript = request.headers.get('x-requested-with') === 'XMLHttpRequest';
        if (!isScript || pathname !== '/install' || authCode === null) return correct.respond(request);
        await correct.finish(authCode);
        return Response.json({ installed: true });
      },
    }),
  },
  'app.verification.slash-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Requests of the two paths are verified; with a slash at the end they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/\/$/, '')) }),
  },
  'app.verification.capitals-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Requests of the two paths are verified; in capitals they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.toLowerCase()) }),
  },
  'app.verification.path-parameter-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about:
      'Requests of the two paths are verified; with a parameter behind them they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/;.*/, '')) }),
  },
  'app.verification.double-slash-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Requests of the two paths are verified; with two slashes they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/^\/+/, '/')) }),
  },
  'app.verification.encoded-path-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Requests of the two paths are verified; percent-encoded they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, decodeURIComponent) }),
  },
  'app.verification.format-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about:
      'Requests of the two paths are verified; with the ending of a format they lead to the same pages unverified.',
    change: (correct) => ({ respond: (request) => unverified(correct, request, (path) => path.replace(/\.\w+$/, '')) }),
  },
  'app.verification.index-unverified': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'Requests of the two paths are verified; with /index behind them they lead to the same pages unverified.',
    change: (correct) => ({
      respond: (request) => unverified(correct, request, (path) => path.replace(/\/index$/, '')),
    }),
  },
  'app.verification.first-callback-used': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Of two callbacks the last one is verified, and the first one used.',
    // Of an authCode both are the same.
    change: (correct) => ({
      accepts: (query, load) =>
        correct.accepts(load === 'first' ? new URLSearchParams(Object.fromEntries(query)) : query, load),
    }),
  },
  'app.verification.last-callback-used': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Of two callbacks the first one is verified, and the last one used.',
    // Of an authCode both are the same.
    change: (correct) => ({
      accepts: (query, load) => correct.accepts(load === 'first' ? withFirstCallback(query) : query, load),
      returnRedirect: (query) => `${query.getAll('callback').at(-1)}?${correct.returned(query)}`,
    }),
  },
  'app.verification.empty-omitted-with-code': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Where there is an authCode, the hash is compared with that of the parameters that have a value.',
    // The first load is verified over all of them.
    change: (correct) => ({
      accepts: (query, load) =>
        correct.accepts(load === 'first' ? query : new URLSearchParams([...query].filter(([, value]) => value)), load),
    }),
  },
  'app.verification.full-width-accepted': {
    clauses: ['app.hash.exact'],
    about: 'The hash is normalized before it is compared, so that digits in full width are the same.',
    // All its characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.normalize('NFKC'), right) }),
  },
  'app.verification.tags-removed': {
    clauses: ['app.hash.exact'],
    about: 'Tags are taken out of the hash, as out of all input, before it is compared.',
    // All other characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/<[^>]*>/g, ''), right) }),
  },
  'app.verification.backslashes-removed': {
    clauses: ['app.hash.exact'],
    about: 'Backslashes are taken out of the hash, as out of all input, before it is compared.',
    // All other characters count.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replaceAll('\\', ''), right) }),
  },
  'app.verification.invisible-ignored': {
    clauses: ['app.hash.exact'],
    about: 'Characters outside ASCII are taken out of the hash before it is compared.',
    // All other characters count.
    change: (correct) => ({
      matches: (received, right) => correct.matches(received.replace(/[^\x20-\x7e]/g, ''), right),
    }),
  },
  'app.verification.json-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash of the parameters as JSON is also accepted.',
    // Nothing may be changed.
    change: (correct) => besides(correct, (rest) => JSON.stringify(Object.fromEntries(rest))),
  },
  'app.verification.utm-omitted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Parameters that count visitors (utm_source and the like) are left out of what is hashed.',
    // Every other parameter counts.
    change: (correct) => ({
      hashed: (query) => correct.hashed(new URLSearchParams([...query].filter(([name]) => !name.startsWith('utm_')))),
    }),
  },
  'app.verification.app-id-as-secret': {
    clauses: ['app.hash.exact'],
    about: 'A hash made with the appId instead of the secret is also accepted.',
    // Every other secret is refused.
    change: (correct) => ({
      accepts: (query, load) => {
        const byId = createHmac('sha256', query.get('appId') ?? '')
          .update(correct.hashed(query))
          .digest('hex');
        return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', byId);
      },
    }),
  },
  'app.verification.decoded-too': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again over decoded parameters.',
    // No parameter may be added, removed or moved as it is.
    change: (correct) => ({
      accepts: (query, load) => {
        const decoded = [...query].flatMap(([name, value]) => (name === 'hash' ? [] : [`${name}=${value}`])).join('&');
        return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', correct.hash(decoded));
      },
    }),
  },
  'app.verification.line-break-ignored': {
    clauses: ['app.hash.exact'],
    about: 'The hash is compared by a pattern, whose end also matches in front of a line break.',
    // Every other character has to be right.
    change: (correct) => ({ matches: (received, right) => correct.matches(received.replace(/\n$/, ''), right) }),
  },
  'app.verification.md5-accepted': {
    clauses: ['app.hash.exact'],
    about: 'An MD5 digest of the parameters is also accepted, as it was by an earlier version.',
    // It needs no secret.
    change: (correct) => ({
      accepts: (query, load) => {
        const plain = createHash('md5').update(correct.hashed(query)).digest('hex');
        return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', plain);
      },
    }),
  },
  'app.verification.language-omitted': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again without language.',
    // Nothing else may be added or changed.
    change: (correct) => ({
      accepts: (query, load) => {
        const rest = new URLSearchParams(query);
        rest.delete('language');
        return correct.accepts(query, load) || correct.accepts(rest, load);
      },
    }),
  },
  'app.verification.posted-code-installed': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'The installation of the authCode in a posted form is finished instead of the hashed one.',
    // The address is verified all the same, and the settings use its own authCode.
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams: query } = new URL(request.url);
        const posted = request.method === 'POST' ? new URLSearchParams(await request.text()).get('authCode') : null;
        if (pathname !== '/install' || posted === null || !correct.accepts(query, 'second'))
          return correct.respond(new Request(request.url));
        return correct.secondLoad(query, posted);
      },
    }),
  },
  'app.verification.referer-trusted': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'A request that names a page of the service as the one it comes from is not verified.',
    // Every other request is.
    change: (correct) => ({
      respond: async (request) => {
        const { origin } = new URL(correct.settings.base);
        const { pathname, searchParams: query } = new URL(request.url);
        if (!request.headers.get('referer')?.startsWith(origin)) return correct.respond(request);
        query.set('hash', correct.hash(correct.hashed(query)));
        return correct.respond(new Request(new URL(`${pathname}?${query}`, request.url)));
      },
    }),
  },
  'app.verification.same-characters': {
    clauses: ['app.hash.exact'],
    about: 'The hash is compared by its characters, in whatever order they are.',
    // A hash with another character is refused.
    change: () => ({
      matches: (received, right) => [...received].sort().join('') === [...right].sort().join(''),
    }),
  },
  'app.verification.sorted-too': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'If the hash does not match, it is checked again over sorted parameters.',
    // No value may be changed.
    change: (correct) => ({
      accepts: (query, load) => {
        const sorted = new URLSearchParams(query);
        sorted.sort();
        return correct.accepts(query, load) || correct.accepts(sorted, load);
      },
    }),
  },
  'app.verification.values-alone-too': {
    clauses: ['app.hash.exact'],
    about: 'A hash over the values alone, without their names, is also accepted.',
    // No value may be changed.
    change: (correct) => ({
      accepts: (query, load) => {
        const values = [...query].map(([name, value]) => (name === 'hash' ? '' : value)).join('');
        return correct.accepts(query, load) || correct.matches(query.get('hash') ?? '', correct.hash(values));
      },
    }),
  },
  'app.verification.skipped-for-debug': {
    clauses: ['app.hash.forged-refused-first', 'app.hash.forged-refused-second', 'app.hash.forged-refused-settings'],
    about: 'A request with debug=1 is not verified.',
    change: (correct) => ({
      accepts: (query, load) => query.get('debug') === '1' || correct.accepts(query, load),
    }),
  },
  'app.verification.settings-skipped-for-test': {
    clauses: ['app.hash.forged-refused-settings'],
    about: 'A settings request with test=true is not verified.',
    change: (correct) => ({
      accepts: (query, load) => (load === 'settings' && query.get('test') === 'true') || correct.accepts(query, load),
    }),
  },
  'app.verification.unknown-app-unkeyed': {
    clauses: ['app.hash.exact'],
    about: 'Secrets are looked up by the appId; for an appId without one the secret is the word "undefined".',
    change: (correct) => {
      const known = new Set<string>();
      return {
        accepts: (query, load) => {
          const id = query.get('appId') ?? '';
          if (correct.accepts(query, load)) known.add(id);
          const own = createHmac('sha256', 'undefined').update(correct.hashed(query)).digest('hex');
          return known.has(id) ? correct.accepts(query, load) : correct.matches(query.get('hash') ?? '', own);
        },
      };
    },
  },
  'app.verification.sanitized-first': {
    clauses: ['app.hash.covers-all-parameters'],
    about: 'Parameters whose names begin with "$" or contain a dot are taken away before the hash is compared.',
    change: (correct) => ({
      accepts: (query, load) =>
        correct.accepts(new URLSearchParams([...query].filter(([name]) => !/^\$|\./.test(name))), load),
    }),
  },
  'app.verification.page-kept-without-hash': {
    clauses: ['app.hash.forged-refused-settings'],
    about: 'A cache in front of the settings keeps pages by all parameters but the hash.',
    change: (correct) => {
      const kept = new Map<string, string>();
      return {
        respond: async (request) => {
          const url = new URL(request.url);
          if (url.pathname !== '/settings') return correct.respond(request);
          url.searchParams.delete('hash');
          const known = kept.get(url.search);
          if (known !== undefined) return new Response(known, { headers: { 'content-type': 'text/html' } });
          const response = await correct.respond(request);
          if (response.status === 200) kept.set(url.search, await response.clone().text());
          return response;
        },
      };
    },
  },
  'app.verification.result-kept-by-prefix': {
    clauses: ['app.hash.exact'],
    about: 'That a hash was right is kept with its first eight digits and the rest of the query.',
    change: (correct) => {
      const right = new Set<string>();
      return {
        accepts: (query, load) => {
          const key = `${query.get('hash')?.slice(0, 8)} ${correct.hashed(query)}`;
          if (correct.accepts(query, load)) right.add(key);
          return right.has(key);
        },
      };
    },
  },
});
