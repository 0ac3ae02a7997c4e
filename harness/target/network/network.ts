/**
 * The wire: one request out, one whole answer in, over undici. No policy here (no repeats, no waiting): `client.ts` has that.
 */
import type { LookupFunction } from 'node:net';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { buildConnector as Connectors, Dispatcher } from 'undici';
import type { Profile } from '../profile/types.ts';
import { GiveUpError, isTooShort, lateResponse } from './explain-failure.ts';
import { guardedLookup, type ResolveAll } from './guarded-lookup.ts';
import { withoutContinue } from './interim.ts';
import type { ConnectPolicy } from './reach.ts';
import { Agent, buildConnector, proxyAgent } from './undici.ts';

/** A request with everything revealed, ready to leave. */
export interface WireRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  readonly body: Uint8Array | undefined;
  readonly timeoutMs: number;
  /** Use a connection that no earlier request has used. */
  readonly fresh: boolean;
  /** Asked with the address of the host when the connection is made; any address without it. */
  readonly mayConnect?: ConnectPolicy;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: ReadonlyArray<readonly [string, string]>;
  /** Decoded from its content encoding. */
  readonly bytes: Uint8Array;
}

export interface Wire {
  /** Throws what the network threw, or `GaveUp`. */
  exchange(request: WireRequest): Promise<WireResponse>;
  close(): Promise<void>;
}

/** No response of these interfaces comes near it (100 points take some 50 KB); stops a stream that does not end. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** Shorter than the keep-alive of common servers (nginx 75 s, Node 5 s, Apache 5 s), so that we leave before they hang up. */
const IDLE_CONNECTION_MS = 2_000;
/** A connection that is not there after this time will not come. */
const CONNECT_TIMEOUT_MS = 10_000;
/** Room for long cookies and security policies. */
const MAX_HEADERS_BYTES = 64 * 1024;

export interface WireOptions {
  /** Takes certificates that no authority has signed: only for addresses of this machine. */
  readonly anyCertificate?: boolean;
  /** Resolves names of guarded requests; the system's way by default. */
  readonly resolve?: ResolveAll;
}

/** The wire over real sockets, with proxy and certificates of the profile. */
export function openWire(profile: Pick<Profile, 'proxy' | 'tls' | 'limits'>, wireOptions: WireOptions = {}): Wire {
  const { tls } = profile;
  const certificates = {
    ...(tls?.ca === undefined ? {} : { ca: [...getCACertificates('default'), tls.ca] }),
    ...(tls?.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls?.key === undefined ? {} : { key: tls.key.reveal() }),
  };
  const connect = {
    timeout: Math.min(CONNECT_TIMEOUT_MS, profile.limits.timeoutMs),
    allowH2: false,
    ...(wireOptions.anyCertificate === true ? { rejectUnauthorized: false } : {}),
    ...certificates,
  };
  /** Made for the first secure connection and shared by all: with a list of authorities it takes as long as ten requests. */
  let context: SecureContext | undefined;
  const shared = (): { secureContext: SecureContext } => {
    context ??= createSecureContext(certificates);
    return { secureContext: context };
  };
  const connectorOf = (options: typeof connect & { lookup?: LookupFunction }): Connectors.connector => {
    const plain = buildConnector(options);
    let secure: Connectors.connector | undefined;
    return (to, callback) => {
      if (to.protocol === 'https:') secure ??= buildConnector({ ...options, ...shared() });
      (secure ?? plain)(to, callback);
    };
  };
  const options = {
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: IDLE_CONNECTION_MS,
    keepAliveMaxTimeout: IDLE_CONNECTION_MS,
    maxHeaderSize: MAX_HEADERS_BYTES,
    // The whole answer has one limit (`timeoutMs`), kept below.
    headersTimeout: 0,
    bodyTimeout: 0,
  };
  /** Connections that are being made. */
  const making = { count: 0 };
  const proxy = profile.proxy?.reveal();
  const open = (): Dispatcher =>
    proxy === undefined
      ? new Agent({ ...options, connect: patient(connectorOf(connect), making) })
      : proxyAgent({
          ...options,
          uri: proxy,
          requestTls: tls === undefined ? connect : { ...connect, ...shared() },
          connectTimeout: connect.timeout,
        });
  const kept = open();
  // Every request here closes its connection, so that none is ever reused.
  const single = open();

  /** A request whose address is judged has a connection of its own: none that was made under another judgement. */
  const guarded = async (request: WireRequest, mayConnect: ConnectPolicy): Promise<WireResponse> => {
    const lookup = guardedLookup(mayConnect, wireOptions.resolve);
    const agent = new Agent({ ...options, connect: patient(connectorOf({ ...connect, lookup }), making) });
    try {
      return await exchange(agent, request, making);
    } finally {
      await agent.destroy();
    }
  };

  return {
    exchange: (request) =>
      request.mayConnect === undefined || proxy !== undefined
        ? exchange(request.fresh ? single : kept, request, making)
        : guarded(request, request.mayConnect),
    close: async () => {
      await Promise.all([kept.destroy(), single.destroy()]);
    },
  };
}

/** Counts the connections that are being made; over each of them a server may say "100 Continue" without being asked. */
function patient(connector: Connectors.connector, making: { count: number }): Connectors.connector {
  return (options, callback) => {
    making.count += 1;
    connector(options, (...result) => {
      making.count -= 1;
      if (result[0] === null && result[1] !== null) withoutContinue(result[1]);
      callback(...result);
    });
  };
}

/** Said by undici too, but by a clock of half seconds: our own time is over first when it is short. */
const noConnection = (): Error =>
  Object.assign(new Error('no connection was made'), { code: 'UND_ERR_CONNECT_TIMEOUT' });

async function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  making: { readonly count: number },
): Promise<WireResponse> {
  const { origin, path } = splitUrl(request.url);
  const stop = new AbortController();
  const { timeoutMs } = request;
  const timer = setTimeout(() => {
    stop.abort(making.count > 0 && !isTooShort(timeoutMs) ? noConnection() : lateResponse(timeoutMs));
  }, timeoutMs);
  try {
    const response = await dispatcher.request({
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: request.headers.flat(),
      body: request.body ?? null,
      signal: stop.signal,
      responseHeaders: 'raw',
      reset: request.fresh,
    });
    const headers = pairsOf(response.headers as unknown as readonly string[]);
    const bytes = await readBody(response.body, headers, request.method).catch((error: unknown) => {
      throw error instanceof GiveUpError || stop.signal.aborted ? error : brokenOff(error);
    });
    return { status: response.statusCode, headers, bytes };
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Splits an address without changing a byte of its path and query; a fragment stays here. */
export function splitUrl(url: string): { origin: string; path: string } {
  const match = /^(https?:\/\/[^/?#]+)([^#]*)/i.exec(url);
  if (match === null) throw new Error(`"${url}" is not a complete http address.`);
  const [, origin = '', rest = ''] = match;
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  if (/[^\u0021-\u00ff]/.test(path))
    throw new Error(`"${url}" contains a character that is not allowed in addresses: encode it.`);
  return { origin, path };
}

function pairsOf(raw: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < raw.length; i += 2) pairs.push([String(raw[i]), String(raw[i + 1])]);
  return pairs;
}

/** Reads a body to its end and decodes it; stops where either form grows beyond `MAX_RESPONSE_BYTES`. */
async function readBody(
  body: AsyncIterable<Uint8Array>,
  headers: WireResponse['headers'],
  method: string,
): Promise<Uint8Array> {
  const encodings = headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && name !== 'identity');
  let bytes = await collect(body);
  if (method === 'HEAD' || bytes.length === 0) return bytes;
  if (encodings.length > MAX_ENCODINGS)
    throw new GiveUpError('BAD_ENCODING', `the body has ${encodings.length} nested Content-Encodings.`);
  for (const encoding of encodings.reverse()) bytes = decode(encoding, bytes);
  return bytes;
}

/** A body packed twice is met where a proxy packs what was packed already; more is not sensible, and each costs its limit. */
const MAX_ENCODINGS = 3;

/** One content encoding; the limit holds while decoding, so that a small body can't unfold without end. */
export function decode(encoding: string, bytes: Uint8Array): Uint8Array {
  const limit = { maxOutputLength: MAX_RESPONSE_BYTES };
  try {
    switch (encoding) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(bytes, limit);
      case 'br':
        return brotliDecompressSync(bytes, limit);
      case 'zstd':
        return zstdDecompressSync(bytes, limit);
      case 'deflate':
        // Sent with or without the zlib wrapper; the first byte shows which.
        return ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, limit) : inflateRawSync(bytes, limit);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new GiveUpError('BAD_ENCODING', `the body does not match its Content-Encoding (${encoding}).`);
  }
  // Services are seen that name a charset here (`utf-8`); clients pass over what they don't know, and so do we where it is plain.
  if (LOOKS_LIKE_JSON.test(Buffer.from(bytes.subarray(0, 64)).toString('latin1'))) return bytes;
  // What is not a token is not repeated: it may be anything, and a secret that is cut is not recognised any more.
  const named = /^[\w.-]{1,40}$/.test(encoding) ? `the Content-Encoding "${encoding}"` : 'a Content-Encoding';
  throw new GiveUpError('BAD_ENCODING', `the body has ${named}, which was not requested.`);
}

const LOOKS_LIKE_JSON = /^\s*[{[]\s*["}\]{[0-9ntf-]/;

function brokenOff(error: unknown): GiveUpError {
  const { code, message } = error as NodeJS.ErrnoException;
  const why = /LENGTH_MISMATCH/.test(code ?? '') ? 'its length differs from its Content-Length' : message;
  return new GiveUpError(
    'BROKEN_OFF',
    `the response ended in the middle of its body (${why}): check the log of the server or of the proxy in front of it.`,
  );
}

const tooLarge = (): GiveUpError =>
  new GiveUpError(
    'TOO_LARGE',
    `the response is larger than ${MAX_RESPONSE_BYTES / 1024 / 1024} MiB; it was not read completely.`,
  );

async function collect(body: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > MAX_RESPONSE_BYTES) throw tooLarge();
    chunks.push(chunk);
  }
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
