/** For tests: the smallest app that keeps the contract, in this process. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TinyApp {
  readonly origin: string;
  readonly manifestUrl: string;
  /** Changes members of the manifest. */
  change(members: Readonly<Record<string, unknown>>): void;
}

export interface TinyAppOptions {
  /** Base address of the service, once it is known. */
  readonly base: () => string;
  readonly apiKey: string;
  readonly secret: string;
}

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80" fill="#334"/></svg>';

/** Starts the app; it is gone when the test ends. */
export async function startTinyApp(
  t: { after(end: () => Promise<unknown>): void },
  options: TinyAppOptions,
): Promise<TinyApp> {
  let manifest: Record<string, unknown> = {};
  const server = createServer((request, response) => {
    void respond(request, response, options, () => manifest);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  );
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  manifest = manifestOf(origin, options.secret);
  return {
    origin,
    manifestUrl: `${origin}/manifest.json`,
    change: (members) => {
      manifest = { ...manifest, ...members };
    },
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { base, apiKey, secret }: TinyAppOptions,
  manifest: () => unknown,
): Promise<void> {
  const { pathname, searchParams: received } = new URL(request.url ?? '/', 'http://app');
  const page = (status: number, body: string, type = 'text/html; charset=utf-8'): void =>
    void response.writeHead(status, { 'content-type': type }).end(body);
  if (pathname === '/manifest.json') return page(200, JSON.stringify(manifest()), 'application/json');
  if (pathname === '/icon.svg') return page(200, ICON, 'image/svg+xml');
  if (pathname === '/about') return page(200, '<h1>About us</h1>');

  const hash = received.get('hash');
  received.delete('hash');
  if (createHmac('sha256', secret).update(received.toString()).digest('hex') !== hash) {
    return page(403, '<h1>This request does not come from the service</h1>');
  }
  if (pathname === '/settings') return page(200, '<h1>Settings</h1><p>Choose a colour.</p>');
  const callback = received.get('callback');
  received.delete('callback');
  const authCode = received.get('authCode');
  if (authCode === null) return void response.writeHead(302, { location: `${callback}?${received}` }).end();
  const finished = await fetch(`${base()}apps/installed/?authCode=${encodeURIComponent(authCode)}`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${apiKey}` },
  });
  page(finished.ok ? 200 : 502, finished.ok ? '<h1>Welcome</h1>' : '<h1>Please try again</h1>');
}

function manifestOf(origin: string, secret: string): Record<string, unknown> {
  return {
    app_type: 'APP',
    app_title: 'Tiny app',
    app_icon: `${origin}/icon.svg`,
    app_version: '1.0.0',
    app_description_short: 'Tiny',
    app_description_full: 'The smallest app that keeps the contract.',
    app_vendor: {
      company_name: 'Tiny Ltd',
      support_email: 'help@tiny.example',
      support_phone: '+371 20000000',
      developer_email: 'dev@tiny.example',
      company_url: `${origin}/about`,
      support_url: `${origin}/about`,
      privacy_url: `${origin}/about`,
      tos_url: `${origin}/about`,
    },
    app_permissions: ['FULL'],
    app_tab_mode: 'blank',
    app_install_url: `${origin}/install`,
    app_settings_url: `${origin}/settings`,
    app_secret: secret,
  };
}
