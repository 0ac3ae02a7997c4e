/** How a faulty app mixes up several installations: of several websites, several users, or of one website again. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page } from '../../support/http.ts';
import App from '../correct.ts';

/** How long the app takes for what it does of its own. */
const SET_UP_MS = 150;

/** How long an installation takes that keeps others out. */
const LOCK_MS = 800;

const websiteName = async (app: App, authCode: string): Promise<string> => {
  const response = await app.call('GET', 'apps/website/', authCode);
  return String((response?.website as { brandname?: unknown } | undefined)?.brandname ?? '');
};

const settingsOf = async (app: App, authCode: string): Promise<Response> =>
  page('Settings of Greeting', `<p>Your website: ${escaped(await websiteName(app, authCode))}</p>`);

export default examplesOver(App, {
  'app.installations.data-stored-for-first': {
    clauses: ['app.installations.separate'],
    about: 'Data and snippets of every installation go to the first one.',
    // installed is called with the correct code.
    change: (correct) => {
      let first: string | undefined;
      return {
        setUp: (authCode, language) => {
          first ??= authCode;
          return correct.setUp(first, language);
        },
      };
    },
  },
  'app.installations.data-stored-for-latest': {
    clauses: ['app.installations.separate'],
    about: 'Data of an installation is stored once more for the one before it.',
    // All of its own calls have the correct code.
    change: (correct) => {
      let latest: string | undefined;
      return {
        setUp: async (authCode, language) => {
          await correct.setUp(authCode, language);
          const data = correct.dataFor('Hello!');
          if (latest !== undefined) await correct.call('POST', 'apps/set_data/', latest, data);
          latest = authCode;
        },
      };
    },
  },
  'app.installations.first-auth-code-reused': {
    clauses: ['app.installations.separate'],
    about: 'Every installation is served with the authCode of the first one.',
    // A single installation works correctly.
    change: (correct) => {
      let first: string | undefined;
      return {
        addressOf: (path, authCode) => {
          first ??= authCode;
          return correct.addressOf(path, first);
        },
      };
    },
  },
  'app.installations.first-for-unknown': {
    clauses: ['app.installations.separate'],
    about: 'The settings of an installation that the app does not know are those of the first one.',
    // Installations that it was loaded for have their own.
    change: (correct) => {
      const known = new Set<string>();
      return {
        setUp: (authCode, language) => {
          known.add(authCode);
          return correct.setUp(authCode, language);
        },
        settingsLoad: (query) => {
          const [first = ''] = known;
          if (!known.has(query.get('authCode') ?? '') && correct.accepts(query, 'settings'))
            return settingsOf(correct, first);
          return correct.settingsLoad(query);
        },
      };
    },
  },
  'app.installations.website-of-first': {
    clauses: ['app.installations.separate', 'app.installations.one-user'],
    about: 'The settings of every installation name the website that was the first to install the app.',
    // Its calls have the code of each. That website may have removed the app since.
    change: (correct) => {
      let first: string | undefined;
      return {
        setUp: async (authCode, language) => {
          await correct.setUp(authCode, language);
          first ??= await websiteName(correct, authCode);
        },
        panel: () => page('Settings of Greeting', `<p>Your website: ${escaped(first ?? '')}</p>`),
      };
    },
  },
  'app.installations.codes-mixed-up': {
    clauses: ['app.installations.separate'],
    about:
      'The authCode is kept in a shared place while the app is set up: of users who install it at once, all get the last one’s.',
    // One user after another is served correctly.
    change: (correct) => {
      let current = '';
      return {
        secondLoad: async (query, authCode) => {
          current = authCode;
          await new Promise((go) => setTimeout(go, SET_UP_MS));
          return correct.secondLoad(query, current);
        },
      };
    },
  },
  'app.installations.codes-kept-by-user': {
    clauses: ['app.installations.one-user'],
    about:
      'The authCode is kept by the e-mail address of the user: a second website of the same user replaces the first.',
    // Users with one website are served correctly.
    change: (correct) => {
      const codes = new Map<string, string>();
      const emailOf = async (authCode: string): Promise<string> => {
        const reply = await correct.call('GET', 'apps/user/', authCode);
        return String((reply?.user as { email?: unknown } | undefined)?.email ?? '');
      };
      return {
        setUp: async (authCode, language) => {
          codes.set(await emailOf(authCode), authCode);
          return correct.setUp(authCode, language);
        },
        settingsLoad: async (query) => {
          const authCode = query.get('authCode');
          if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
          const kept = codes.get(await emailOf(authCode)) ?? authCode;
          const stored = await correct.call('GET', 'apps/get_data/', kept);
          return correct.panel(query, ((stored?.data ?? {}) as { greeting?: string }).greeting ?? 'not set yet');
        },
      };
    },
  },
  'app.installations.codes-kept-by-beginning': {
    clauses: ['app.installations.separate', 'app.installations.one-user'],
    about: 'An authCode is kept under its first eight characters: another one that begins alike replaces it.',
    // Codes that differ from their first character on are kept apart.
    change: (correct) => {
      const codes = new Map<string, string>();
      const beginOf = (authCode: string): string => authCode.slice(0, 8);
      return {
        setUp: async (authCode, language) => {
          codes.set(beginOf(authCode), authCode);
          return correct.setUp(authCode, language);
        },
        settingsLoad: async (query) => {
          const authCode = query.get('authCode');
          if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
          const stored = await correct.call('GET', 'apps/get_data/', codes.get(beginOf(authCode)) ?? authCode);
          return correct.panel(query, ((stored?.data ?? {}) as { greeting?: string }).greeting ?? 'not set yet');
        },
      };
    },
  },
  'app.installations.codes-kept-by-website-name': {
    clauses: ['app.installations.separate'],
    about: 'The authCode is kept by the name of the website: another website of that name replaces it.',
    // Websites with names of their own are served correctly.
    change: (correct) => {
      const codes = new Map<string, string>();
      const nameOf = (authCode: string) => websiteName(correct, authCode);
      return {
        setUp: async (authCode, language) => {
          codes.set(await nameOf(authCode), authCode);
          return correct.setUp(authCode, language);
        },
        settingsLoad: async (query) => {
          const authCode = query.get('authCode');
          if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
          const stored = await correct.call('GET', 'apps/get_data/', codes.get(await nameOf(authCode)) ?? authCode);
          return correct.panel(query, ((stored?.data ?? {}) as { greeting?: string }).greeting ?? 'not set yet');
        },
      };
    },
  },
  'app.installations.page-names-first-website': {
    clauses: ['app.installations.separate'],
    about: 'The page after each installation names the first website that installed the app.',
    // The settings name no website.
    change: (correct) => {
      let first: string | undefined;
      return {
        secondLoad: async (query, authCode) => {
          const response = await correct.secondLoad(query, authCode);
          first ??= await websiteName(correct, authCode);
          return response.status === 200 ? page('Greeting', `<p>Thank you, ${escaped(first)}</p>`) : response;
        },
      };
    },
  },
  'app.installations.session-of-installation': {
    clauses: ['app.installations.one-user'],
    about: 'An installation begins a session, which decides from then on whose settings its browser is shown.',
    // In another browser, and where one website is installed, the right settings are shown.
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        const response = await correct.secondLoad(query, authCode);
        response.headers.append('set-cookie', `installed=${encodeURIComponent(authCode)}; Path=/; HttpOnly`);
        return response;
      },
      respond: async (request) => {
        const query = new URL(request.url).searchParams;
        const isSettings = new URL(request.url).pathname === '/settings';
        if (!isSettings || !query.get('authCode') || !correct.accepts(query, 'settings'))
          return correct.respond(request);
        const session = /(?:^|; )installed=([^;]+)/.exec(request.headers.get('cookie') ?? '')?.[1];
        const authCode = session === undefined ? (query.get('authCode') ?? '') : decodeURIComponent(session);
        return correct.panel(query, `Hello from ${await websiteName(correct, authCode)}`);
      },
    }),
  },
  'app.installations.lock-drops-others': {
    clauses: ['app.install.calls-installed'],
    about: 'While one installation is being finished, others are shown as installed without a call.',
    // One after another all of them are finished.
    change: (correct) => {
      let isBusy = false;
      return {
        secondLoad: async (query, authCode) => {
          if (isBusy) return correct.finished(query);
          isBusy = true;
          await new Promise((resolve) => setTimeout(resolve, LOCK_MS));
          return correct.secondLoad(query, authCode).finally(() => {
            isBusy = false;
          });
        },
      };
    },
  },
  'app.installations.removed-auth-code-kept': {
    clauses: ['app.installations.separate'],
    about: 'The first authCode of each website is kept: installed again, the website is set up with the removed one.',
    // installed is called with the correct code, and websites are not mixed up.
    change: (correct) => {
      const codes = new Map<string, string>();
      return {
        setUp: async (authCode, language) => {
          const response = await correct.call('GET', 'apps/website/', authCode);
          const url = String((response?.website as { url?: unknown } | undefined)?.url);
          if (!codes.has(url)) codes.set(url, authCode);
          return correct.setUp(codes.get(url) ?? authCode, language);
        },
      };
    },
  },
  'app.installations.removed-auth-code-finished': {
    clauses: ['app.installations.separate'],
    about: 'The first authCode of each website is kept: installed again, the removed one is finished once more.',
    // Websites are not mixed up, and that the service refuses is shown.
    change: (correct) => {
      const codes = new Map<string, string>();
      return {
        finish: async (authCode) => {
          const response = await correct.call('GET', 'apps/website/', authCode);
          const url = String((response?.website as { url?: unknown } | undefined)?.url);
          if (!codes.has(url)) codes.set(url, authCode);
          return correct.finish(codes.get(url) ?? authCode);
        },
      };
    },
  },
});
