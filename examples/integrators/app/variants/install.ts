/** Correct apps that finish their installation in other ways than `correct.ts`. */
import { examplesOver } from '../../support/example.ts';
import { escaped, page, redirect } from '../../support/http.ts';
import App from '../correct.ts';

/** How long a queue of jobs may take. */
const LATER_MS = 700;

/** How long it takes to read a short sentence. */
const RETURN_AFTER_MS = 1_500;

/** A queue with much to do. */
const MUCH_LATER_MS = 17_000;

/** How long it takes to start a process for one job. */
const JOB_STARTS_MS = 2_000;

/** Longer than a browser is waited for that opens a window. */
const COLD_START_MS = 11_000;

/** Longer than it usually takes until a button that was pressed has an effect. */
const AT_WORK_MS = 8_000;

/** How often the queue is checked. */
const EVERY_MS = 4_000;

const stepOf = (authCode: string, field: string): string =>
  `<form action="/setup"><input type="hidden" name="code" value="${escaped(authCode)}">${field} <button>Continue</button></form>`;

export default examplesOver(App, {
  'app.variant.cold-start': {
    about: 'The first authentic load takes longer than any other: caches are cold, a framework compiles.',
    change: (correct) => {
      let isCold = true;
      return {
        firstLoad: async (query) => {
          if (isCold) await new Promise((resolve) => setTimeout(resolve, COLD_START_MS));
          isCold = false;
          return correct.firstLoad(query);
        },
      };
    },
  },
  'app.variant.finishes-later': {
    about: 'The page after the installation comes at once; installed is called a moment later.',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        setTimeout(() => void correct.secondLoad(query, authCode), LATER_MS);
        return correct.finished(query);
      },
    }),
  },
  'app.variant.finishes-much-later': {
    about: 'The page after the installation comes at once; a queue calls installed when it has done other work.',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        setTimeout(() => void correct.secondLoad(query, authCode), MUCH_LATER_MS).unref();
        return correct.finished(query);
      },
    }),
  },
  'app.variant.two-last-steps': {
    about:
      'The user fills in two forms of the app, of which the second one takes a moment to come; then installed is called.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/setup') return correct.respond(request);
        const authCode = searchParams.get('code') ?? '';
        if (searchParams.has('plan')) return correct.secondLoad(searchParams, authCode);
        await new Promise((resolve) => setTimeout(resolve, LATER_MS));
        return page('Plan', stepOf(authCode, '<label>Plan <select name="plan"><option>Free</select></label>'));
      },
      secondLoad: async (_query, authCode) =>
        page('Shop', stepOf(authCode, '<label>Name <input name="shop" required></label>')),
    }),
  },
  'app.variant.last-step': {
    about:
      'After the second load the user confirms the installation on a page of the app, with a choice to make and a button to cancel in another language; then installed is called.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/confirm') return correct.respond(request);
        if (searchParams.has('cancel')) return page('Anulowano', '');
        return correct.secondLoad(searchParams, searchParams.get('authCode') ?? '');
      },
      secondLoad: async (_query, authCode) =>
        page(
          'One last step',
          `<form action="/confirm"><input type="hidden" name="authCode" value="${escaped(authCode)}">
          <label>Greeting <input name="greeting" required></label>
          <button name="cancel" formnovalidate>Anuluj</button> <button>Zainstaluj</button></form>`,
        ),
    }),
  },
  'app.variant.last-step-takes-long': {
    about:
      'What the user confirms after the second load keeps the server busy for some seconds before it calls installed.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/setup') return correct.respond(request);
        await new Promise((resolve) => setTimeout(resolve, AT_WORK_MS));
        return correct.secondLoad(searchParams, searchParams.get('code') ?? '');
      },
      secondLoad: async (_query, authCode) => page('One last step', stepOf(authCode, '')),
    }),
  },
  'app.variant.last-step-by-link': {
    about:
      'After the second load the user confirms the installation by a link that looks like a button; then installed is called.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/confirm') return correct.respond(request);
        return correct.secondLoad(searchParams, searchParams.get('authCode') ?? '');
      },
      secondLoad: async (_query, authCode) => {
        const address = escaped(`/confirm?${new URLSearchParams({ authCode })}`);
        const frame = '<nav><a href="/help">Help</a></nav><footer><a href="/company">About us</a></footer>';
        return page('One last step', `${frame}<a class="button" href="${address}">Activate</a>`);
      },
    }),
  },
  'app.variant.last-step-in-session': {
    about:
      'The user confirms the installation by a link; the authCode is in the session, and without one installed is called with none.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname !== '/confirm') return correct.respond(request);
        const [, known] = /(?:^|; )installation=([^;]*)/.exec(request.headers.get('cookie') ?? '') ?? [];
        return correct.secondLoad(searchParams, String(known));
      },
      secondLoad: async (_query, authCode) =>
        page('One last step', '<a class="button" href="/confirm">Activate</a>', {
          headers: { 'set-cookie': `installation=${authCode}; Path=/; HttpOnly` },
        }),
    }),
  },
  'app.variant.looks-after-all': {
    about:
      'Before it sets up a new installation, the app asks the service about each that it knows, and forgets those that are refused.',
    change: (correct) => {
      const known = new Set<string>();
      return {
        setUp: async (authCode, language) => {
          for (const code of known) if ((await correct.call('GET', 'apps/user/', code)) === null) known.delete(code);
          known.add(authCode);
          return correct.setUp(authCode, language);
        },
      };
    },
  },
  'app.variant.one-installation-per-website': {
    about: 'The app keeps one authCode for each website: one that was given for the same website later replaces it.',
    change: (correct) => {
      const codes = new Map<string, string>();
      const replaced = new Set<string>();
      return {
        setUp: async (authCode, language) => {
          const reply = await correct.call('GET', 'apps/website/', authCode);
          const { url } = (reply?.website ?? {}) as { url?: string };
          const before = codes.get(url ?? authCode);
          if (before !== undefined && before !== authCode) replaced.add(before);
          codes.set(url ?? authCode, authCode);
          return correct.setUp(authCode, language);
        },
        settingsLoad: async (query) =>
          replaced.has(query.get('authCode') ?? '') && correct.accepts(query, 'settings')
            ? page('Greeting is not installed here', '', { status: 404 })
            : correct.settingsLoad(query),
      };
    },
  },
  'app.variant.queue': {
    about: 'A queue of jobs calls installed some seconds after the page of the second load, one job after another.',
    change: (correct) => {
      let queue: Promise<unknown> = Promise.resolve();
      return {
        secondLoad: async (query, authCode) => {
          const due = new Promise((resolve) => setTimeout(resolve, EVERY_MS).unref());
          queue = queue.then(() => due).then(() => correct.secondLoad(query, authCode));
          return correct.finished(query);
        },
      };
    },
  },
  'app.variant.self-queue': {
    about: 'With tab mode self the user is taken back at once; a job calls installed, once, some seconds later.',
    tabMode: 'self',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        setTimeout(() => void correct.secondLoad(query, authCode), JOB_STARTS_MS).unref();
        return redirect(correct.returnRedirect(query));
      },
    }),
  },
  'app.variant.self-returns-later': {
    about: 'With tab mode self the app says that it is installed, and a script takes the user back a moment later.',
    tabMode: 'self',
    change: (correct) => ({
      secondLoad: async (query, authCode) => {
        const response = await correct.secondLoad(query, authCode);
        const back = response.headers.get('location');
        if (back === null) return response;
        const script = `<script>setTimeout(() => location.replace(${JSON.stringify(back)}), ${RETURN_AFTER_MS})</script>`;
        return page('Greeting is installed', `<p>You are taken back to your website.</p>${script}`);
      },
    }),
  },
});
