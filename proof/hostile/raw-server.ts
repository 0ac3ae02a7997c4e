/**
 * A server that parses requests correctly and leaves every byte of the response to the hostile target,
 * for responses that no HTTP library would send.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request as it was received. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
  /** How many requests came before it to this server. */
  readonly n: number;
}

export interface RawServer {
  readonly port: number;
  readonly asked: readonly ReceivedRequest[];
  /** Closes every connection and stops listening, until `rise`. */
  fall(): Promise<void>;
  /** Listens again on the same port. */
  rise(): Promise<void>;
  close(): Promise<void>;
}

/** Answers one request on its socket in any way. */
export type SocketHandler = (socket: Socket, asked: ReceivedRequest) => void | Promise<void>;

export interface RawOptions {
  readonly host?: string;
  /** Speaks TLS. */
  readonly tls?: TlsOptions;
  /** Sends something before the first request. */
  readonly greet?: (socket: Socket) => void;
}

/** Starts a server on a free port. It answers the requests of one connection in sequence. */
export async function openRawServer(behave: SocketHandler, options: RawOptions = {}): Promise<RawServer> {
  const { host = '127.0.0.1', tls, greet } = options;
  const asked: ReceivedRequest[] = [];
  const sockets = new Set<Socket>();
  const welcome = (socket: Socket): void => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('close', () => sockets.delete(socket));
    // The client closes its connection to most hostile targets sooner or later.
    socket.on('error', () => socket.destroy());
    greet?.(socket);
    readRequests(socket, async (request) => {
      const one = { ...request, n: asked.length };
      asked.push(one);
      await behave(socket, one);
    });
  };
  const server: Server = tls === undefined ? createServer(welcome) : createTlsServer(tls, welcome);
  // Some targets exist to make the client abort the handshake.
  server.on('tlsClientError', () => undefined);
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as { port: number };
  const fall = async (): Promise<void> => {
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { port, asked, fall, rise: () => listen(port), close: fall };
}

function readRequests(socket: Socket, each: (request: Omit<ReceivedRequest, 'n'>) => Promise<void>): void {
  let rest = Buffer.alloc(0);
  let responding = Promise.resolve();
  socket.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    if (!/^[A-Z]/.test(rest.toString('latin1', 0, 1))) {
      socket.end('HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n');
      return;
    }
    for (;;) {
      const end = rest.indexOf('\r\n\r\n');
      if (end < 0) return;
      const [start = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
      const headers = new Map(
        lines.map((line): [string, string] => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const length = Number(headers.get('content-length') ?? 0);
      if (rest.length < end + 4 + length) return;
      const body = rest.subarray(end + 4, end + 4 + length);
      rest = rest.subarray(end + 4 + length);
      const [method = '', target = ''] = start.split(' ');
      responding = responding.then(() => each({ method, target, headers, body })).catch(() => void socket.destroy());
    }
  });
}
