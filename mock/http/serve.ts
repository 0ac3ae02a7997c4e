/** The service on a socket of this machine, over HTTP or HTTPS. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HINT_HEADER } from '../hints/request.ts';
import { answersHost } from '../host-header.ts';
import { createService, type ServiceOptions } from '../service.ts';
import type { MockService } from '../types/service.ts';
import { MAX_BODY_BYTES } from './request.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly https?: boolean;
  /** Certificate and key in PEM, instead of a self-signed pair. */
  readonly certificate?: Certificate;
  /** How long a client may take to send. */
  readonly timeouts?: ConnectionTimeouts;
}

/** In milliseconds, from the first byte of a request. It also ends connections of clients that send single bytes. */
export interface ConnectionTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often connections are inspected. */
  readonly lookEveryMs: number;
}

/** Long enough for a person with a debugger, but it ends a request that never finishes. */
const CONNECTION_TIMEOUTS: ConnectionTimeouts = { headersMs: 60_000, requestMs: 300_000, lookEveryMs: 10_000 };

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface RunningServer {
  readonly origin: string;
  /** The address of the socket: differs from `origin` behind a tunnel. */
  readonly localOrigin: string;
  readonly service: MockService;
  /** In PEM, for clients that should trust the self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
  close(): Promise<void>;
}

/** A loopback address: the service must not be reachable from the network. */
const HOST = '127.0.0.1';
const CERTIFICATE_DAYS = 30;
/** Longer than our clients keep idle connections, so that none is closed during a request. */
const KEEP_ALIVE_MS = 90_000;
/** More than a browser, a run and an integrator need together; further connections wait. */
export const MAX_CONNECTIONS = 256;
/** A usual request has about twenty. */
const MAX_HEADERS = 200;
const MAX_HEADER_BYTES = 16 * 1024;
/** The limit for all bodies that are being read at the same time. */
export const MAX_BYTES_IN_FLIGHT = 64 * 1024 * 1024;
/** How much of a refused large body is still read, so that its sender can read the response. */
const DRAINED_BYTES = 64 * 1024 * 1024;

/**
 * Starts a service and listens on 127.0.0.1. The origin is that of the socket unless the options give another (a tunnel's).
 * Rejects with a StoreError for an unusable database, and with the system's error for a port in use.
 */
export async function serve(
  options: Omit<ServiceOptions, 'origin'> & { readonly origin?: string },
  { port = 0, https = false, certificate, timeouts = CONNECTION_TIMEOUTS }: ServeOptions = {},
): Promise<RunningServer> {
  const pair = https ? (certificate ?? (await selfSigned())) : undefined;
  let service: MockService | undefined;
  const inFlight: InFlight = { bytes: 0 };
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    void answer(service as MockService, incoming, outgoing, { inFlight, hints: options.hints === true });
  };
  const limits = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.lookEveryMs,
    // An ambiguous end of a request would allow request smuggling.
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
  };
  const server = pair ? createSecureServer({ ...limits, ...pair }, listener) : createServer(limits, listener);
  server.on('clientError', answerUnreadable);
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.maxHeadersCount = MAX_HEADERS;
  await listening(server, port);
  const localOrigin = `${https ? 'https' : 'http'}://${HOST}:${(server.address() as AddressInfo).port}`;
  const origin = options.origin ?? localOrigin;
  try {
    service = createService({ remembersRequests: true, ...options, origin, pagesOrigin: localOrigin });
  } catch (error) {
    server.close();
    throw error;
  }
  return { origin, localOrigin, service, certificate: pair?.cert, close: () => closed(server, service as MockService) };
}

async function selfSigned(): Promise<Certificate> {
  const { generate } = await import('selfsigned');
  const pair = await generate([{ name: 'commonName', value: 'proofmark mock' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(Date.now() + CERTIFICATE_DAYS * 24 * 60 * 60 * 1000),
    extensions: [
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: HOST },
        ],
      },
    ],
  });
  return { cert: pair.cert, key: pair.private };
}

function listening(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, resolve);
  });
}

function closed(server: Server, service: MockService): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      service.close();
      resolve();
    });
    server.closeAllConnections();
  });
}

/** The bytes of all bodies that are kept until their requests are answered. */
interface InFlight {
  bytes: number;
}

async function answer(
  service: MockService,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { inFlight, hints }: { readonly inFlight: InFlight; readonly hints: boolean },
): Promise<void> {
  const own: InFlight = { bytes: 0 };
  try {
    if (!answersHost(incoming.headers.host, service.origin))
      return refuseHost(incoming, outgoing, hints ? service.origin : undefined);
    const body = await bodyOf(incoming, inFlight, own);
    if (body === undefined) return refuseWhileBusy(incoming, outgoing);
    const response = await service.fetch(requestOf(service, incoming, body), incoming.url);
    outgoing.writeHead(response.status, headersOf(response));
    outgoing.end(incoming.method === 'HEAD' ? undefined : Buffer.from(await response.arrayBuffer()));
  } catch (error) {
    if (incoming.destroyed) return;
    console.error(`proofmark mock: ${(error as Error).stack ?? error}`);
    if (outgoing.headersSent) outgoing.destroy();
    else
      outgoing
        .writeHead(500, { 'content-type': 'application/json' })
        .end(envelopeFor(incoming.url ?? '', 500, 'The service failed.'));
  } finally {
    inFlight.bytes -= own.bytes;
  }
}

/** A body that exceeds the common limit. */
function refuseWhileBusy(incoming: IncomingMessage, outgoing: ServerResponse): void {
  incoming.resume();
  outgoing
    .writeHead(503, { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' })
    .end(envelopeFor(incoming.url ?? '', 503, 'The service is reading too many large requests.'));
}

/** A request for another host, possibly sent by a page of that host (DNS rebinding). */
function refuseHost(incoming: IncomingMessage, outgoing: ServerResponse, hintedOrigin: string | undefined): void {
  incoming.resume();
  const hint =
    hintedOrigin === undefined
      ? {}
      : { [HINT_HEADER]: `call the service as ${hintedOrigin}, so that the Host header names it` };
  outgoing
    .writeHead(421, { 'content-type': 'application/json', connection: 'close', ...hint })
    .end(envelopeFor(incoming.url ?? '', 421, 'The Host header names a host other than this service.'));
}

/** Only the Cookie header may be repeated. */
function headersOf(response: Response): Record<string, string | string[]> {
  const cookies = response.headers.getSetCookie();
  return { ...Object.fromEntries(response.headers), ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}) };
}

function requestOf(service: MockService, incoming: IncomingMessage, body: Buffer): Request {
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
    headers.append(incoming.rawHeaders[at]!, incoming.rawHeaders[at + 1]!);
  }
  return new Request(urlOf(service, incoming.url ?? '/'), {
    method,
    headers,
    body: body.length > 0 && method !== 'GET' && method !== 'HEAD' ? new Uint8Array(body) : null,
  });
}

function urlOf(service: MockService, target: string): URL {
  return (target.startsWith('/') ? URL.parse(service.origin + target) : URL.parse(target)) ?? new URL(service.origin);
}

/**
 * The body, or its beginning when it is longer than the service reads: enough for it to be refused. `undefined` when the bodies
 * that are being read take all the room there is. Those of GET and HEAD are skipped.
 */
function bodyOf(incoming: IncomingMessage, inFlight: InFlight, own: InFlight): Promise<Buffer | undefined> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      if (bytes <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        own.bytes += chunk.length;
        inFlight.bytes += chunk.length;
        if (inFlight.bytes > MAX_BYTES_IN_FLIGHT) resolve(undefined);
      }
      bytes += chunk.length;
      if (bytes > DRAINED_BYTES) incoming.destroy();
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', reject);
    incoming.on('close', () => reject(new Error('The request ended early.')));
  });
}

/** The status for an unreadable request, by Node's error code; 400 otherwise. */
const UNREADABLE: Readonly<Record<string, number>> = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 };

/** Bytes that are not HTTP get an envelope too. */
function answerUnreadable(error: Error & { code?: string; rawPacket?: Buffer }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const status = UNREADABLE[error.code ?? ''] ?? 400;
  const target = /^\S+ (\S+)/.exec(error.rawPacket?.toString('latin1') ?? '')?.[1] ?? '';
  const body = envelopeFor(target, status, 'The request is not readable as HTTP.');
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function envelopeFor(target: string, code: number, message: string): string {
  return JSON.stringify(
    target.startsWith('/api')
      ? { error: true, errorCode: code, errorMsg: message }
      : { error: true, error_code: code, error_message: message },
  );
}
