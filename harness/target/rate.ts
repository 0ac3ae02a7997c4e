/** One request rate for all workers: a tiny server on loopback in the main process hands out turns. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** What a client asks before each request. */
export interface RateGate {
  /** Resolves when the next request may leave. */
  take(): Promise<void>;
  /** The target asked for a pause: nobody gets a turn for that long. */
  pause(ms: number): void;
}

export interface RateServer {
  /** `127.0.0.1:PORT`, for `rateClient`. */
  readonly address: string;
  /** Nobody gets a turn before this time (milliseconds since 1970). */
  pauseUntil(time: number): void;
  close(): Promise<void>;
}

/**
 * Starts the server. Turns are evenly spaced: `requestsPerSecond` is never exceeded, not even for a moment after a pause.
 * Protocol, one line each: `take` is answered with `go` when the turn has come; `pause MILLISECONDS` has no answer.
 */
export async function createRateServer(options: { readonly requestsPerSecond: number }): Promise<RateServer> {
  const spacingMs = 1000 / options.requestsPerSecond;
  let nextTurn = 0;
  let pausedUntil = 0;
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();

  const grant = (socket: Socket): void => {
    const now = Date.now();
    const turn = Math.max(now, nextTurn, pausedUntil);
    nextTurn = turn + spacingMs;
    if (turn <= now) {
      socket.write('go\n');
      return;
    }
    const timer = setTimeout(() => {
      timers.delete(timer);
      // A pause that came while waiting moves the turn behind it.
      if (Date.now() < pausedUntil) grant(socket);
      else if (!socket.destroyed) socket.write('go\n');
    }, turn - now);
    timers.add(timer);
  };

  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    // The run decides how long the process lives, not who is still connected.
    socket.unref();
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    onLines(socket, (line) => {
      const [word, ms] = line.split(' ');
      if (word === 'take') grant(socket);
      else if (word === 'pause' && Number.isFinite(Number(ms)))
        pausedUntil = Math.max(pausedUntil, Date.now() + Number(ms));
    });
  });
  server.unref();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as { port: number };
  return {
    address: `127.0.0.1:${port}`,
    pauseUntil: (time) => {
      pausedUntil = Math.max(pausedUntil, time);
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The worker's side. Without the server there is no turn: `take` rejects rather than let requests run free. */
export function rateClient(address: string): RateGate & { close(): void } {
  const [host = '127.0.0.1', port = '0'] = address.split(':');
  const waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  let socket: Socket | undefined;

  const fail = (why: string): void => {
    socket = undefined;
    const error = new Error(`The server that spaces the requests of all workers (${address}) is gone: ${why}.`);
    for (const one of waiting.splice(0)) one.reject(error);
  };
  const connected = (): Socket => {
    if (socket !== undefined) return socket;
    const made = createConnection({ host, port: Number(port) });
    made.setNoDelay(true);
    made.on('error', (error) => fail(error.message));
    made.on('close', () => {
      if (socket === made) fail('it closed the connection');
    });
    onLines(made, (line) => {
      if (line === 'go') waiting.shift()?.resolve();
      if (waiting.length === 0) made.unref();
    });
    socket = made;
    return made;
  };

  return {
    take: () =>
      new Promise<void>((resolve, reject) => {
        waiting.push({ resolve, reject });
        const to = connected();
        to.ref();
        to.write('take\n');
      }),
    pause: (ms) => {
      const to = connected();
      to.write(`pause ${Math.ceil(ms)}\n`);
      if (waiting.length === 0) to.unref();
    },
    close: () => {
      const open = socket;
      socket = undefined;
      open?.destroy();
    },
  };
}

function onLines(socket: Socket, each: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) each(line);
  });
}
