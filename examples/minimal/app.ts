// A complete app. Start it with: API_KEY=… APP_SECRET=… node app.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { PORT = '5001', SERVICE_BASE = 'http://127.0.0.1:4010/v1/', API_KEY = '', APP_SECRET = '' } = process.env;
const ICON = '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="80"><rect width="80" height="80"/></svg>';

/** The hash covers all received parameters except `hash`, in their order. */
function isAuthentic(query: URLSearchParams): boolean {
  const rest = new URLSearchParams(query);
  rest.delete('hash');
  const right = Buffer.from(createHmac('sha256', APP_SECRET).update(rest.toString()).digest('hex'));
  const received = Buffer.from(query.get('hash') ?? '');
  return received.length === right.length && timingSafeEqual(received, right);
}

/** The address in `callback`, with all received parameters except `callback` and `hash`. */
function returnRedirect(query: URLSearchParams): string {
  const rest = new URLSearchParams(query);
  rest.delete('hash');
  rest.delete('callback');
  return `${query.get('callback')}?${rest}`;
}

/** Reports to the service that the installation is finished. */
async function finish(authCode: string): Promise<boolean> {
  const address = `${SERVICE_BASE}apps/installed/?${new URLSearchParams({ authCode })}`;
  const call = { method: 'POST', headers: { authorization: `ApiKey ${API_KEY}` } };
  return fetch(address, call).then(
    ({ ok }) => ok,
    () => false,
  );
}

createServer(async (request, response) => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', 'http://app');
  const page = (status: number, text: string, type = 'text/html; charset=utf-8') =>
    response.writeHead(status, { 'content-type': type }).end(text);
  if (pathname === '/icon.svg') return page(200, ICON, 'image/svg+xml');
  if (pathname === '/about') return page(200, '<h1>About us</h1>');
  if (pathname !== '/install' && pathname !== '/settings') return page(404, '<h1>Not found</h1>');
  if (!isAuthentic(query)) return page(403, '<h1>This request does not come from the service</h1>');
  if (pathname === '/settings') return page(200, '<h1>Settings</h1><p>There is nothing to set.</p>');
  const authCode = query.get('authCode');
  if (authCode === null) return response.writeHead(302, { location: returnRedirect(query) }).end();
  return (await finish(authCode)) ? page(200, '<h1>Installed</h1>') : page(502, '<h1>Please install it again</h1>');
}).listen(Number(PORT), '127.0.0.1');
