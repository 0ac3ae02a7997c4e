/** Apps that harm the caller: they get a verdict in bounded time. */
import { examplesOver } from '../support/example.ts';
import { redirect } from '../support/http.ts';
import { hugePage } from '../support/huge.ts';
import App from './correct.ts';

const EVERY_MS = 50;

function endless(): Response {
  let timer: NodeJS.Timeout | undefined;
  const body = new ReadableStream({
    start: (controller) => {
      timer = setInterval(() => controller.enqueue(Buffer.from('<p>And another line.</p>\n')), EVERY_MS);
    },
    cancel: () => clearInterval(timer),
  });
  return new Response(body, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}

const COOKIES = 128;

const COOKIE_BYTES = 4_000;

export default examplesOver(App, {
  'app.hostile.calls-1000-times': {
    about: 'installed is called 1,000 times in an installation.',
    change: (correct) => ({
      finish: async (authCode) => {
        const first = await correct.finish(authCode);
        for (let times = 1; times < 1_000; times += 1) await correct.finish(authCode);
        return first;
      },
    }),
  },
  'app.hostile.unreachable': {
    about: 'No server listens at the addresses of the manifest.',
    change: (correct) => ({
      manifest: () => {
        const elsewhere = correct.settings.origin.replace('127.0.0.1', '127.0.0.2');
        return {
          ...correct.manifest(),
          app_install_url: `${elsewhere}/install`,
          app_settings_url: `${elsewhere}/settings`,
        };
      },
    }),
  },
  'app.hostile.endless-page': {
    about: 'The page after the installation, and the settings, never end.',
    change: () => ({ finished: () => endless(), panel: () => endless() }),
  },
  'app.hostile.huge-headers': {
    about: 'Each response of the app has half a megabyte of headers.',
    change: (correct) => ({
      respond: async (request) => {
        const response = await correct.respond(request);
        if (new URL(request.url).pathname === '/manifest.json') return response;
        const headers = new Headers(response.headers);
        for (let at = 0; at < COOKIES; at += 1) headers.append('set-cookie', `cookie${at}=${'x'.repeat(COOKIE_BYTES)}`);
        return new Response(response.body, { status: response.status, headers });
      },
    }),
  },
  'app.hostile.huge-page': {
    about: 'The pages of the app have 50 MB.',
    change: () => ({ finished: () => hugePage(), panel: () => hugePage() }),
  },
  'app.hostile.never-responds': {
    about: 'The install and settings addresses accept requests and never respond.',
    change: () => ({ install: () => new Promise(() => {}), settingsLoad: () => new Promise(() => {}) }),
  },
  'app.hostile.redirect-loop': {
    about: 'The install and settings addresses redirect to themselves endlessly.',
    change: (correct) => ({
      respond: async (request) => {
        const { pathname } = new URL(request.url);
        return pathname === '/install' || pathname === '/settings' ? redirect(request.url) : correct.respond(request);
      },
    }),
  },
});
