// The service on a socket: one server for the three interfaces and the pages, and the profile that describes it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { appPages } from './pages/app-pages.ts';
import { serveLabelCallback } from './pages/labels.ts';
import { storePages } from './pages/store-pages.ts';
import { type Profile, profileOf } from './profile.ts';
import { serveReseller } from './reseller/reseller.ts';
import { seededWorld } from './seed.ts';
import { selfSigned } from './server/certificate.ts';
import {
  json,
  Refusal,
  readCall,
  route,
  type ServiceRequest,
  type ServiceResponse,
  writeResponse,
} from './server/http.ts';
import type { World } from './state.ts';
import { serveV1 } from './v1.ts';

const HOST = '127.0.0.1';
/** The limit for request lines and headers; addresses can contain a whole form. */
const MAX_HEADER_BYTES = 65_536;
/** Longer than the pauses of a harness, so that a kept connection is not closed during its next request. */
const KEEP_ALIVE_MS = 65_000;

/** A running service. `profile` names its secrets as `${NAME}`; `env` has their values. */
export interface IndependentService {
  origin: string;
  profile: Profile;
  env: Record<string, string>;
  driverPath: string;
  close(): Promise<void>;
}

const pages = [...storePages, ...appPages, { path: 'callback/label/*', verbs: { GET: serveLabelCallback } }];

function dispatch(world: World, call: ServiceRequest): ServiceResponse | Promise<ServiceResponse> {
  const [area, ...rest] = call.path;
  if (area === 'v1') return serveV1(world, call, rest);
  if (area === 'api') return serveReseller(world, call, rest);
  return route(pages, world, call, call.path, { safeGets: false });
}

/** The error envelope of the interface that the address belongs to; the two have different names. */
function envelope(url: string, refusal: Refusal): ServiceResponse {
  const { status, code, message, headers } = refusal;
  const body = /^(https?:\/\/[^/]*)?\/api([/?]|$)/i.test(url)
    ? { error: true, errorCode: code, errorMsg: message }
    : { error: true, error_code: code, error_message: message };
  return json(body, status, headers);
}

function listener(world: () => World): RequestListener {
  return async (request, response) => {
    let result: ServiceResponse;
    try {
      result = await dispatch(world(), await readCall(request));
    } catch (problem) {
      if (request.destroyed && !request.complete) return;
      if (!(problem instanceof Refusal)) console.error(problem);
      const refusal = problem instanceof Refusal ? problem : new Refusal(500, 1000, 'This should not have happened.');
      result = envelope(request.url ?? '', refusal);
    }
    if (!response.destroyed) writeResponse(response, result);
  };
}

/** Bytes that are not an HTTP request are refused with an envelope that both kinds of client understand. */
function refuseUnreadable(problem: Error & { code?: string }, socket: Duplex): void {
  if (problem.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const tooLong = problem.code === 'HPE_HEADER_OVERFLOW';
  const message = tooLong ? 'The head of the request is too long.' : 'This is not an HTTP request.';
  const body = JSON.stringify({
    error: true,
    error_code: 1010,
    error_message: message,
    errorCode: 1010,
    errorMsg: message,
  });
  const status = tooLong ? '431 Request Header Fields Too Large' : '400 Bad Request';
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=UTF-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Starts the service on 127.0.0.1 with its initial state; `port` 0 or none takes a free port. With `https` it uses a
 * self-signed certificate, which the profile names as its authority. Rejects when the port is taken.
 */
export async function startIndependentService(
  options: { https?: boolean; port?: number } = {},
): Promise<IndependentService> {
  let world: World | undefined;
  const listen = listener(() => world!);
  const common = { maxHeaderSize: MAX_HEADER_BYTES, keepAliveTimeout: KEEP_ALIVE_MS, requireHostHeader: false };
  const certificate = options.https ? selfSigned() : null;
  const server = certificate
    ? createHttpsServer({ ...common, ...certificate }, listen)
    : createHttpServer(common, listen);
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', listen);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, HOST, resolve);
  });
  const origin = `${certificate ? 'https' : 'http'}://${HOST}:${(server.address() as AddressInfo).port}`;
  const seeded = seededWorld(origin);
  world = seeded.world;

  let folder: string | null = null;
  let authority: string | null = null;
  if (certificate) {
    folder = await mkdtemp(join(tmpdir(), 'second-service-'));
    authority = join(folder, 'ca.pem');
    await writeFile(authority, certificate.cert);
  }
  const driverPath = fileURLToPath(new URL('./driver.ts', import.meta.url));
  return {
    origin,
    ...profileOf(seeded, driverPath, authority),
    driverPath,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      if (folder) await rm(folder, { recursive: true, force: true });
    },
  };
}
