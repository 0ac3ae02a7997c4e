/** The service on a socket of this machine, over HTTP or HTTPS. */
import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { HINT_HEADER } from '../hints/request.ts';
import { answersHost } from '../host-header.ts';
import { createService, type ServiceOptions } from '../service.ts';
import type { MockService } from '../types/service.ts';
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
  const hints = options.hints === true;
  const explained = (message: string): Record<string, string> => (hints ? { [HINT_HEADER]: message } : {});
  const listener = inSequence((incoming, outgoing) =>
    answer(service as MockService, incoming, outgoing, { inFlight, hints }),
  );
  const limits = {
    headersTimeout: timeouts.headersMs,
    requestTimeout: timeouts.requestMs,
    connectionsCheckingInterval: timeouts.lookEveryMs,
    // An ambiguous end of a request would allow request smuggling.
    insecureHTTPParser: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Refused below, with an envelope.
    requireHostHeader: false,
  };
  const server = pair
    ? createSecureServer({ ...limits, ...pair, ALPNProtocols: PROTOCOLS }, listener)
    : createServer(limits, listener);
  server.on('clientError', (error, socket) => answerUnreadable(error, socket as Socket, explained));
  server.on('connect', ({ url = '' }, socket) => {
    // Node no longer handles the errors of this socket.
    socket.on('error', () => socket.destroy());
    const message = 'This service is not a proxy.';
    answerRaw(socket as Socket, url, 405, message, explained(message));
  });
  server.on('checkExpectation', (incoming, outgoing) => {
    const message = 'The only Expect header that the service knows is 100-continue.';
    refuseEarly(incoming, outgoing, 417, message, explained(message));
  });
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

async function answer(
  service: MockService,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { inFlight, hints }: { readonly inFlight: InFlight; readonly hints: boolean },
): Promise<void> {
  const own: InFlight = { bytes: 0 };
  try {
    const { headers, httpVersion, method, url } = incoming;
    const refuseHere = (status: number, message: string, more: Readonly<Record<string, string>> = {}): void =>
      refuseEarly(incoming, outgoing, status, message, { ...(hints ? { [HINT_HEADER]: message } : {}), ...more });
    if (headers.host === undefined && httpVersion !== '1.0') return refuseHere(400, 'The request has no Host header.');
    if (!answersHost(headers.host, service.origin))
      return refuseHost(incoming, outgoing, hints ? service.origin : undefined);
    if (!SERVED_TARGET.test(url ?? ''))
      return refuseHere(400, 'The request line holds neither a path nor an address of http or https.');
    if (method === UNSERVED_METHOD)
      return refuseHere(405, `The service takes ${SERVED_METHODS}.`, { allow: SERVED_METHODS });
    const body = await bodyOf(incoming, inFlight, own);
    if (body === 'unfinished') return;
    if (body === 'too much') return refuseWhileBusy(incoming, outgoing);
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
    else refuseEarly(incoming, outgoing, 500, 'The service failed.');
  } finally {
    inFlight.bytes -= own.bytes;
  }
}

/** Answers without the service, and ends the connection: what is left of the request is not read. */
function refuseEarly(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  incoming.resume();
  const body = envelopeFor(incoming.url ?? '', status, message);
  const length = Buffer.byteLength(body);
  outgoing
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': length,
      connection: 'close',
      ...headers,
    })
    .end(body);
}

/** A body that exceeds the common limit. */
function refuseWhileBusy(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const message = 'The service is reading too many large requests.';
  refuseEarly(incoming, outgoing, 503, message, { 'retry-after': '1' });
}

/** A request for another host, possibly sent by a page of that host (DNS rebinding). */
function refuseHost(incoming: IncomingMessage, outgoing: ServerResponse, hintedOrigin: string | undefined): void {
  const hint =
    hintedOrigin === undefined
      ? {}
      : { [HINT_HEADER]: `call the service as ${hintedOrigin}, so that the Host header names it` };
  refuseEarly(incoming, outgoing, 421, 'The Host header names a host other than this service.', hint);
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

/** Status and message for an unreadable request, by Node's error code. */
const UNREADABLE: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    `The address and the headers are longer than ${MAX_HEADER_BYTES} bytes, or more than ${MAX_HEADERS}.`,
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/** Bytes that are not HTTP get an envelope too. */
function answerUnreadable(
  error: Error & { code?: string; rawPacket?: Buffer },
  socket: Socket,
  explained: (message: string) => Record<string, string>,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const packet = error.rawPacket?.toString('latin1') ?? '';
  const target = /^\S+ (\S+)/.exec(packet)?.[1] ?? '';
  const [status, message] = UNREADABLE[error.code ?? ''] ?? [400, unreadable(packet)];
  answerRaw(socket, target, status, message, explained(message));
}

/** The first bytes of a TLS connection. */
const TLS_HELLO = /^\x16\x03/;

function unreadable(packet: string): string {
  if (TLS_HELLO.test(packet)) return 'This port speaks http, and the bytes are those of https.';
  const requestLine = packet.split('\r\n', 1)[0] ?? '';
  const address = /^[A-Z]+ (\/.*) HTTP\/\d\.\d$/.exec(requestLine)?.[1] ?? '';
  return /[^\x21-\x7e]/.test(address)
    ? 'The address has a space or a letter outside ASCII: percent-encode it as UTF-8.'
    : 'The request is not readable as HTTP.';
}

function answerRaw(
  socket: Socket,
  target: string,
  status: number,
  message: string,
  more: Readonly<Record<string, string>>,
): void {
  const body = envelopeFor(target, status, message);
  const headers = {
    ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), connection: 'close' },
    ...more,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function envelopeFor(target: string, code: number, message: string): string {
  return JSON.stringify(
    /^(?:https?:\/\/[^/?#]*)?\/+api/i.test(target)
      ? { error: true, errorCode: code, errorMsg: message }
      : { error: true, error_code: code, error_message: message },
  );
}
