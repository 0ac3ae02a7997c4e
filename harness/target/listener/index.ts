/**
 * The harness's own web server: the label page, checkout page and app that a target under test talks to.
 * HTTPS with a certificate made for the run. Plain HTTP behind a `listen.publicUrl`: there a tunnel ends TLS.
 */
import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Fields } from '../../../contracts/signing/index.ts';
import { Arrivals, type Received } from './arrivals.ts';

export type { Received } from './arrivals.ts';

export interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ListenOptions {
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly publicUrl?: string | undefined;
  /** For HTTPS; one is made when it is left out. */
  readonly certificate?: ListenerCertificate | undefined;
  /** Called with the address at which it listens on this machine; it ends with a slash. */
  readonly onOpen?: (own: string) => void;
  /** Called for every request with what was answered; returns the number of its exchange. */
  readonly onExchange?: (received: Received, url: string, reply: Required<Pick<Reply, 'status'>> & Reply) => number;
}

/** In PEM. */
export interface ListenerCertificate {
  readonly key: string;
  readonly cert: string;
}

export interface Listener {
  /** Public base address, ends with a slash. */
  readonly base: string;
  /** Answers requests to `/name` and `/name/…`; returns its public address. A later handler replaces an earlier one. */
  serve(name: string, handler: (received: Received) => Reply | Promise<Reply>): string;
  /** What arrived under a name so far, oldest first. */
  received(name: string): readonly Received[];
  /** The first request under a name, from the `after`th on, that is `wanted` (any by default); `undefined` when none came in time. */
  waitFor(
    name: string,
    after: number,
    timeoutMs: number,
    wanted?: (received: Received) => boolean,
  ): Promise<Received | undefined>;
  /** Connections that ended before TLS was agreed on, so far. Without a request after it: a client does not trust the certificate. */
  readonly refusedHandshakes: number;
  /** Whether any request has arrived at what it serves. */
  readonly hasReceived: boolean;
  close(): Promise<void>;
}

/** A label page's form has some forty fields and a cart; 16 MiB is far beyond any of them and bounds memory. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** A form with more fields than that is not read: millions of empty ones would fit into a body. */
const MAX_FIELDS = 10_000;
/** A part of a multipart form costs much more than the bytes that it is written in. */
const MAX_PARTS = 1_000;
/** A browser and a service hold a few; the others wait for one that ends. */
export const MAX_LISTENER_CONNECTIONS = 256;
const MAX_HEADERS = 200;
const MAX_HEADER_BYTES = 16 * 1024;
/** Without the older one, Node ends the handshake of clients that offer nothing else. */
const PROTOCOLS = ['http/1.1', 'http/1.0'];
/** Bodies that are being read at one time, together. */
const MAX_BYTES_IN_FLIGHT = 64 * 1024 * 1024;

/** Listens where the target can reach the harness, and keeps what arrives by the name in its path. */
export async function openListener(options: ListenOptions = {}): Promise<Listener> {
  const host = options.host ?? '127.0.0.1';
  const secure = options.publicUrl === undefined;
  const handlers = new Map<string, (received: Received) => Reply | Promise<Reply>>();
  const arrivals = new Arrivals();
  const inFlight = { bytes: 0 };

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request, prefix, inFlight);
    const name = received.path.split('/')[1] ?? '';
    const handler = handlers.get(name);
    let reply: Reply;
    try {
      reply = handler === undefined ? { status: 404, body: 'nothing here' } : await handler(received);
    } catch (error) {
      reply = { status: 500, body: 'the harness could not answer' };
      console.error(`proofmark: the listener's page ${name} failed: ${(error as Error).message}`);
    }
    const status = reply.status ?? 200;
    const keeps = arrivals.takesRoom(received, name, handler !== undefined);
    const number = keeps
      ? options.onExchange?.(received, base + received.target.slice(1), { ...reply, status })
      : undefined;
    if (number !== undefined) received.exchange = number;
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      ...reply.headers,
    });
    response.end(reply.body ?? '');
    if (handler !== undefined && keeps) arrivals.add(name, received);
  };
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    respond(request, response).catch(() => response.destroy());
  };

  const server = createServer(
    onRequest,
    secure ? (options.certificate ?? (await listenerCertificate(host))) : undefined,
  );
  let refusedHandshakes = 0;
  server.on('tlsClientError', () => {
    refusedHandshakes += 1;
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const own = ownAddress(secure ? 'https' : 'http', host, port);
  options.onOpen?.(own);
  const base = options.publicUrl === undefined ? own : options.publicUrl.replace(/(?<!\/)\/*$/, '/');
  // A tunnel may hand the path on with or without what its public address begins with.
  const prefix = new URL(base).pathname.slice(0, -1);

  return {
    base,
    serve(name, handler) {
      handlers.set(name, handler);
      return `${base}${name}`;
    },
    received: (name) => [...arrivals.of(name)],
    get hasReceived() {
      return arrivals.areAny;
    },
    get refusedHandshakes() {
      return refusedHandshakes;
    },
    waitFor: (name, after, timeoutMs, wanted = () => true) => arrivals.waitFor(name, after, timeoutMs, wanted),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function createServer(
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
  certificate: ListenerCertificate | undefined,
): Server {
  const limits = { maxHeaderSize: MAX_HEADER_BYTES };
  const server =
    certificate === undefined
      ? createHttp(limits, onRequest)
      : createHttps({ ...limits, ...certificate, ALPNProtocols: PROTOCOLS }, onRequest);
  server.maxConnections = MAX_LISTENER_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  return server;
}

/** The address on this machine: "all addresses of it" is not one that a browser can open. */
function ownAddress(scheme: 'http' | 'https', host: string, port: number): string {
  const named = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${named.includes(':') ? `[${named}]` : named}:${port}/`;
}

/** Makes a self-signed certificate for the listener at a host of this machine. */
export async function listenerCertificate(host = '127.0.0.1'): Promise<ListenerCertificate> {
  // Loaded when it is needed: reading it takes a third as long as reading all suites.
  const { generate } = await import('selfsigned');
  const made = await generate([{ name: 'commonName', value: 'Proofmark listener' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: /^[\d.]+$/.test(host) ? host : '127.0.0.1' },
        ],
      },
    ],
  });
  return { key: made.private, cert: made.cert };
}

async function receive(request: IncomingMessage, prefix: string, inFlight: { bytes: number }): Promise<Received> {
  const body = await bodyOf(request, inFlight);
  const address = request.url ?? '/';
  const target = prefix !== '' && address.startsWith(`${prefix}/`) ? address.slice(prefix.length) : address;
  const at = target.indexOf('?');
  const headers: [string, string][] = [];
  for (let i = 0; i + 1 < request.rawHeaders.length; i += 2)
    headers.push([request.rawHeaders[i]!, request.rawHeaders[i + 1]!]);
  return {
    method: request.method ?? 'GET',
    target,
    path: at < 0 ? target : target.slice(0, at),
    query: at < 0 ? '' : target.slice(at + 1),
    headers,
    body,
    fields: await formFields(body, request.headers['content-type'] ?? ''),
    at: new Date(),
  };
}

/** The whole body; throws for one that is too large, alone or together with those that are being read. */
async function bodyOf(request: IncomingMessage, inFlight: { bytes: number }): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      size += chunk.length;
      inFlight.bytes += chunk.length;
      if (size > MAX_BODY_BYTES) throw new Error('a body over 16 MiB');
      if (inFlight.bytes > MAX_BYTES_IN_FLIGHT) throw new Error('bodies over 64 MiB at the same time');
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    inFlight.bytes -= size;
  }
}

/** Fields in a urlencoded body, empty ones among them. */
function fieldsIn(body: Uint8Array): number {
  let count = 1;
  for (const byte of body) if (byte === AMPERSAND) count += 1;
  return count;
}
const AMPERSAND = 0x26;

function partsIn(body: Uint8Array, boundary: string): number {
  const bytes = Buffer.from(body);
  let count = -1;
  for (let at = 0; at >= 0 && count <= MAX_PARTS; at = bytes.indexOf(boundary, at + boundary.length)) count += 1;
  return count;
}

/** Form fields in their order. An unreadable form has no fields: the check that waits for them says so. */
async function formFields(body: Uint8Array, contentType: string): Promise<Fields> {
  if (!/^(application\/x-www-form-urlencoded|multipart\/form-data)/i.test(contentType)) return [];
  if (/^application\//i.test(contentType)) {
    if (fieldsIn(body) > MAX_FIELDS) return [];
    return [...new URLSearchParams(new TextDecoder().decode(body))];
  }
  const [, quoted, bare] = /;\s*boundary=(?:"([^"]{1,70})"|([^";\s]{1,70}))/i.exec(contentType) ?? [];
  if (partsIn(body, `--${quoted ?? bare ?? ''}`) > MAX_PARTS) return [];
  try {
    const form = await new Response(body as BodyInit, { headers: { 'content-type': contentType } }).formData();
    const fields: [string, string][] = [];
    for (const [name, value] of form) fields.push([name, typeof value === 'string' ? value : await value.text()]);
    return fields;
  } catch {
    return [];
  }
}
