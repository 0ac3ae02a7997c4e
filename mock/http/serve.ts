/** The service on a socket of this machine, over HTTP or HTTPS. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { isOwnHost } from '../host-header.ts';
import { createService, type ServiceOptions } from '../service.ts';
import type { MockService } from '../types/service.ts';
import { EarlyRefusals } from './early-refusals.ts';
import { PlainRequest, type PlainResponse, RawHeaders } from './messages.ts';
import { MAX_BODY_BYTES } from './request.ts';

export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port?: number;
  readonly https?: boolean;
  /** Certificate and key in PEM, instead of a self-signed pair. */
  readonly certificate?: Certificate;
  /** How long a client may take to send. */
  readonly timeouts?: ConnectionTimeouts;
  /** Default: 1,000. */
  readonly maxConnections?: number;
}

/** In milliseconds, from the first byte of a request. It also ends connections of clients that send single bytes. */
export interface ConnectionTimeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often connections are inspected. */
  readonly pollMs: number;
}

/** Long enough for a person with a debugger, but it ends a request that never finishes. */
const CONNECTION_TIMEOUTS: ConnectionTimeouts = { headersMs: 60_000, requestMs: 300_000, pollMs: 10_000 };

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface RunningServer {
  readonly origin: string;
  /** The address of the socket: differs from `origin` behind a tunnel. */
  readonly localOrigin: string;
  readonly service: MockService;
  /** Requests that never reach the service. */
  readonly earlyRefusals: EarlyRefusals;
  /** In PEM, for clients that should trust the self-signed certificate; undefined over HTTP. */
  readonly certificate: string | undefined;
  close(): Promise<void>;
}

/** A loopback address: the service must not be reachable from the network. */
const HOST = '127.0.0.1';
const CERTIFICATE_DAYS = 30;
/** Longer than our clients keep idle connections, so that none is closed during a request. */
const KEEP_ALIVE_MS = 90_000;
/**
 * For a script that opens a connection for each of hundreds of calls. Further connections are refused, but idle ones are closed
 * before that.
 */
const MAX_CONNECTIONS = 1_000;
/** The part of the limit above which idle connections are closed. */
const CROWDED = 0.75;
/** A usual request has about twenty. */
const MAX_HEADERS = 200;
const MAX_HEADER_BYTES = 16 * 1024;
/** Without the older one, Node ends the handshake of clients that offer nothing else. */
const PROTOCOLS = ['http/1.1', 'http/1.0'];
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
  {
    port = 0,
    https = false,
    certificate,
    timeouts = CONNECTION_TIMEOUTS,
    maxConnections = MAX_CONNECTIONS,
  }: ServeOptions = {},
): Promise<RunningServer> {
  const pair = https ? (certificate ?? (await selfSigned())) : undefined;
  let service: MockService | undefined;
  const inFlight: InFlight = { bytes: 0 };
  const refusals = new EarlyRefusals({
    hints: options.hints === true,
    maxHeaderBytes: MAX_HEADER_BYTES,
    maxHeaders: MAX_HEADERS,
  });
  const listener = inSequence((incoming, outgoing) =>
    respond(service as MockService, incoming, outgoing, { inFlight, refusals }),
  );
  const limits = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.pollMs,
    // An ambiguous end of a request would allow request smuggling.
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused below, with an envelope.
    requireHostHeader: false,
  };
  const server = pair
    ? createSecureServer({ ...limits, ...pair, ALPNProtocols: PROTOCOLS }, listener)
    : createServer(limits, listener);
  server.on('clientError', (error, socket) => refusals.refuseUnreadable(error, socket as Socket));
  server.on('connect', (incoming, socket) => refusals.refuseTunnel(incoming, socket as Socket));
  server.on('checkExpectation', (incoming, outgoing) =>
    refusals.refuse(incoming, outgoing, 417, 'The only Expect header that the service knows is 100-continue.'),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.maxHeadersCount = MAX_HEADERS;
  limitConnections(server, maxConnections);
  await listening(server, port);
  const localOrigin = `${https ? 'https' : 'http'}://${HOST}:${(server.address() as AddressInfo).port}`;
  const origin = options.origin ?? localOrigin;
  try {
    service = createService({ remembersRequests: true, ...options, origin, pagesOrigin: localOrigin });
  } catch (error) {
    server.close();
    throw error;
  }
  return {
    origin,
    localOrigin,
    service,
    earlyRefusals: refusals,
    certificate: pair?.cert,
    close: () => closed(server, service as MockService),
  };
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

/** Refuses connections above the limit. A client that leaves idle ones open does not lock others out: they are closed first. */
function limitConnections(server: Server, max: number): void {
  server.maxConnections = max;
  let open = 0;
  server.on('connection', (socket: Socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > max * CROWDED) server.closeIdleConnections();
  });
}

type Serve = (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<void>;

/** Serves the requests of a connection one after the other: a request that follows a change without waiting sees the change. */
function inSequence(serveOne: Serve): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  const last = new WeakMap<Socket, Promise<void>>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const before = last.get(socket);
    const served =
      before === undefined ? serveOne(incoming, outgoing) : before.then(() => serveOne(incoming, outgoing));
    last.set(socket, served);
  };
}

/** The bytes of all bodies that are kept until their requests are answered. */
interface InFlight {
  bytes: number;
}

/** Statuses without a body, for which a length is not allowed (RFC 9110, 8.6). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/** `fetch` can't represent it. */
const UNSERVED_METHOD = 'TRACE';
/** A path, or the whole address as it is sent to a proxy. */
const SERVED_TARGET = /^(?:\/|https?:\/\/[^/?#])/i;
const SERVED_METHODS = 'GET, POST, PUT, DELETE';

async function respond(
  service: MockService,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { inFlight, refusals }: { readonly inFlight: InFlight; readonly refusals: EarlyRefusals },
): Promise<void> {
  const own: InFlight = { bytes: 0 };
  try {
    const { headers, httpVersion, method, url } = incoming;
    const refuse = (status: number, message: string, more: Parameters<EarlyRefusals['refuse']>[4] = {}): void =>
      refusals.refuse(incoming, outgoing, status, message, more);
    if (headers.host === undefined && httpVersion !== '1.0') return refuse(400, 'The request has no Host header.');
    // Possibly sent by a page of that host (DNS rebinding).
    if (!isOwnHost(headers.host, service.origin))
      return refuse(421, 'The Host header names a host other than this service.', {
        hint: `call the service as ${service.origin}, so that the Host header names it`,
      });
    if (!SERVED_TARGET.test(url ?? ''))
      return refuse(400, 'The request line holds neither a path nor an address of http or https.');
    if (method === UNSERVED_METHOD)
      return refuse(405, `The service takes ${SERVED_METHODS}.`, { headers: { allow: SERVED_METHODS } });
    const body = await bodyOf(incoming, inFlight, own);
    if (body === 'unfinished') return;
    if (body === 'too much')
      return refuse(503, 'The service is reading too many large requests.', { headers: { 'retry-after': '1' } });
    const request = new PlainRequest({
      method: method ?? 'GET',
      target: url ?? '/',
      headers: new RawHeaders(incoming.rawHeaders),
      body,
      origin: service.origin,
    });
    send(outgoing, request.method, await service.serve(request));
  } catch (error) {
    console.error(`proofmark mock: ${(error as Error).stack ?? error}`);
    if (outgoing.headersSent) outgoing.destroy();
    else refusals.refuse(incoming, outgoing, 500, 'The service failed.');
  } finally {
    inFlight.bytes -= own.bytes;
  }
}

function send(outgoing: ServerResponse, method: string, { status, headers, body }: PlainResponse): void {
  const hasBody = method !== 'HEAD' && !BODILESS.has(status);
  if (!hasBody) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  const bytes = Buffer.from(body ?? '');
  // A response of known length is also readable for clients that know no chunks.
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  // Node sends a string in one write with the headers, which are in this encoding; in it, each character is a byte.
  outgoing.end(bytes.toString('latin1'), 'latin1');
}

const NO_BODY = Buffer.alloc(0);

/**
 * The body, or its beginning when it is longer than the service reads: enough for it to be refused. `too much` when the bodies
 * that are being read take all the room there is; `unfinished` when the client is gone. Those of GET and HEAD are skipped.
 */
function bodyOf(
  incoming: IncomingMessage,
  inFlight: InFlight,
  own: InFlight,
): Promise<Buffer | 'too much' | 'unfinished'> {
  if (incoming.method === 'GET' || incoming.method === 'HEAD') return Promise.resolve(NO_BODY);
  if (incoming.destroyed) return Promise.resolve('unfinished');
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    incoming.on('data', (chunk: Buffer) => {
      if (bytes <= MAX_BODY_BYTES) {
        chunks.push(chunk);
        own.bytes += chunk.length;
        inFlight.bytes += chunk.length;
        if (inFlight.bytes > MAX_BYTES_IN_FLIGHT) resolve('too much');
      }
      bytes += chunk.length;
      if (bytes > DRAINED_BYTES) incoming.destroy();
    });
    incoming.on('end', () => resolve(Buffer.concat(chunks)));
    incoming.on('error', () => resolve('unfinished'));
    incoming.on('close', () => resolve('unfinished'));
  });
}
