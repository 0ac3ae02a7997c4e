/** Correct apps that call the service in other ways than `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** How often the job of the variant that has one reads. */
const JOB_EVERY_MS = 700;

const SLOW_JOB_EVERY_MS = 2_000;
/** While the next request may be there already. */
const READS_LATER_MS = 100;

export default examplesOver(App, {
  'app.variant.background-job': {
    about:
      'A job of the app reads the data of every installation more than once a second, regardless of what is opened meanwhile.',
    change: (correct) => {
      const installed = new Set<string>();
      let isRunning = false;
      return {
        finish: async (authCode) => {
          const response = await correct.finish(authCode);
          if (response !== null) installed.add(authCode);
          if (isRunning) return response;
          isRunning = true;
          setInterval(() => {
            for (const code of installed) void correct.call('GET', 'apps/get_data/', code);
          }, JOB_EVERY_MS).unref();
          return response;
        },
      };
    },
  },
  'app.variant.job-forgets-removed': {
    about:
      'A job of the app reads the data of every installation every two seconds, and forgets those that the service refuses.',
    change: (correct) => {
      const installed = new Set<string>();
      let isRunning = false;
      const read = async (code: string): Promise<void> => {
        if ((await correct.call('GET', 'apps/get_data/', code)) === null) installed.delete(code);
      };
      return {
        finish: async (authCode) => {
          const response = await correct.finish(authCode);
          if (response !== null) installed.add(authCode);
          if (!isRunning) setInterval(() => void Promise.all([...installed].map(read)), SLOW_JOB_EVERY_MS).unref();
          isRunning = true;
          return response;
        },
      };
    },
  },
  'app.variant.reads-after-settings': {
    about:
      'The settings are shown at once; the app reads the data of their installation a moment later, after an authentic request only.',
    change: (correct) => ({
      settingsLoad: async (query) => {
        const authCode = query.get('authCode');
        if (authCode === null || !correct.accepts(query, 'settings')) return correct.refused();
        setTimeout(() => void correct.call('GET', 'apps/get_data/', authCode), READS_LATER_MS).unref();
        return correct.panel(query, 'set once');
      },
    }),
  },
  'app.variant.code-before-other-parameters': {
    about: 'authCode is the second parameter of each call’s query, after one of the app’s own.',
    change: (correct) => ({
      addressOf: (path, authCode) => `${correct.settings.base}${path}?${new URLSearchParams({ v: '2', authCode })}`,
    }),
  },
  'app.variant.every-call': {
    about: 'The app uses every call of the interface that does not uninstall it.',
    change: (correct) => ({
      setUp: async (authCode, language) => {
        await correct.setUp(authCode, language);
        for (const path of ['user', 'website', 'get_snippet', 'get_data'])
          await correct.call('GET', `apps/${path}/`, authCode);
        const languages = (await correct.call('GET', 'apps/languages/', authCode))?.languages;
        const [first] = Array.isArray(languages) ? languages : [];
        if (typeof first !== 'string') return;
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: first });
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello, all!</p>', language: null });
        await correct.call('GET', `apps/get_snippet/${encodeURIComponent(first)}/`, authCode);
        await correct.call('POST', 'apps/set_data/', authCode, { data: 'a text' });
        await correct.call('POST', 'apps/set_data/', authCode, { data: {} });
      },
    }),
  },
  'app.variant.languages': {
    about: 'Each language has pages of its own, and a greeting is stored for every language of the website.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname } = new URL(request.url);
        if (pathname === '/lv/welcome') return page('Sveiciens', '<p>Jūsu apmeklētāji tiks sveicināti.</p>');
        if (pathname === '/en/welcome') return page('Greeting', '<p>Your visitors are going to be greeted.</p>');
        return correct.respond(request);
      },
      setUp: async (authCode) => {
        const found = await correct.call('GET', 'apps/languages/', authCode);
        const languages = Array.isArray(found?.languages) ? found.languages.map(String) : [];
        await correct.call('POST', 'apps/set_snippet/', authCode, { snippet: '<p>Hello!</p>', language: null });
        for (const language of languages) {
          await correct.call('POST', 'apps/set_snippet/', authCode, {
            snippet: `<p lang="${language}">Hello!</p>`,
            language,
          });
          await correct.call('GET', `apps/get_snippet/${language}/`, authCode);
        }
      },
      finished: (query) =>
        redirect(`${correct.settings.origin}/${query.get('language') === 'lv' ? 'lv' : 'en'}/welcome`),
      panel: (query) => {
        const isLatvian = query.get('language') === 'lv';
        return page(
          isLatvian ? 'Iestatījumi' : 'Settings',
          isLatvian ? '<p>Sveiciens: Sveiki!</p>' : '<p>Greeting: Hello!</p>',
        );
      },
    }),
  },
});
