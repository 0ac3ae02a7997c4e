/** Shared by the examples in TypeScript: a server on loopback and a few responses. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one request. An exception becomes a page that says only that something went wrong. */
export type RequestHandler = (request: Request) => Promise<Response>;

/**
 * Serves on 127.0.0.1 until `close` is called.
 *
 * @param port 0 for any free one; `makeHandler` receives the resulting address
 */
export async function serveLocally(
  port: number,
  makeHandler: (origin: string) => RequestHandler,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    void reply(incoming, outgoing, origin, response);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = makeHandler(origin);
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { origin, close };
}

async function reply(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  origin: string,
  respond: RequestHandler,
): Promise<void> {
  try {
    const response = await respond(await requestOf(incoming, origin)).catch(() =>
      page('Something went wrong', '', { status: 500 }),
    );
    outgoing.writeHead(response.status, [...response.headers].flat());
    if (response.body !== null && incoming.method !== 'HEAD') {
      for await (const part of response.body) {
        // The client is gone, and no further event reports it.
        if (outgoing.destroyed) break;
        if (!outgoing.write(part)) await new Promise((go) => outgoing.once('drain', go).once('close', go));
      }
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

async function requestOf(incoming: IncomingMessage, origin: string): Promise<Request> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part);
  const method = incoming.method ?? 'GET';
  const headers = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const body = method === 'GET' || method === 'HEAD' ? null : Buffer.concat(parts);
  return new Request(`${origin}${incoming.url ?? '/'}`, { method, headers, body });
}

/** A page of our own. `body` is HTML. */
export function page(title: string, body: string, init: ResponseInit = {}): Response {
  const headers = new Headers(init.headers);
  headers.set('content-type', 'text/html; charset=utf-8');
  const text = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title></head>
<body><h1>${escaped(title)}</h1>${body}</body></html>`;
  return new Response(text, { ...init, headers });
}

/** Redirects the browser, by GET. */
export function redirect(address: string): Response {
  return new Response(null, { status: 303, headers: { location: address } });
}

/** Text made safe for HTML, attributes included. */
export function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
