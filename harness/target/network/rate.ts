/** One request rate for all workers: a tiny server on loopback in the main process hands out turns. */
import { createConnection, createServer, type Server, type Socket } from 'node:net';

/** How late a timer usually is, in milliseconds. */
const TIMER_LATENESS_MS = 2;

/** What a client asks before each request. */
export interface RateGate {
  /** Resolves when the next request may leave. */
  take(): Promise<void>;
  /** The target asked for a pause: no request gets a turn for that long. */
  pause(ms: number): void;
}

export interface RateServer {
  /** `127.0.0.1:PORT`, for `rateClient`. */
  readonly address: string;
  /** No request is sent before this time (milliseconds since 1970). */
  pauseUntil(time: number): void;
  close(): Promise<void>;
}

/**
 * Starts the server. Turns are spaced from the last one that was really given: `requestsPerSecond` is never exceeded, not
 * even for a moment after a pause or when this process was busy and its timers are late.
 * Protocol, one line each: `take` is answered with `go` when the turn has come; `pause MILLISECONDS` has no response.
 * `onTurn` learns when each turn was given, in milliseconds of a clock that only runs forwards.
 */
export async function createRateServer(options: {
  readonly requestsPerSecond: number;
  readonly onTurn?: (at: number) => void;
}): Promise<RateServer> {
  const spacingMs = 1000 / options.requestsPerSecond;
  let nextTurn = 0;
  let pausedUntil = 0;
  const sockets = new Set<Socket>();
  const queue: Socket[] = [];
  let timer: NodeJS.Timeout | undefined;

  /** Gives the turns that are due: one at most, unless the spacing is shorter than what a timer can distinguish. */
  const serve = (): void => {
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0) {
      const now = performance.now();
      const due = Math.max(nextTurn, pausedUntil);
      if (due > now) {
        timer = setTimeout(serve, Math.ceil(due - now));
        return;
      }
      const socket = queue.shift()!;
      // A worker that has ended needs no turn, and must not cost one.
      if (socket.destroyed) continue;
      // A timer is late by a millisecond or two: that much is made up for, and no more, or 1,000 a second would be 500.
      nextTurn = Math.max(due, now - TIMER_LATENESS_MS) + spacingMs;
      options.onTurn?.(now);
      socket.write('go\n');
    }
  };
  const pauseUntil = (time: number): void => {
    pausedUntil = Math.max(pausedUntil, time);
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
      if (word === 'take') {
        queue.push(socket);
        if (timer === undefined) serve();
      } else if (word === 'pause' && Number.isFinite(Number(ms))) pauseUntil(performance.now() + Number(ms));
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
    pauseUntil: (time) => pauseUntil(performance.now() + time - Date.now()),
    close: async () => {
      clearTimeout(timer);
      queue.length = 0;
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
    const error = new Error(`The server that spaces the requests of all workers (${address}) has ended: ${why}.`);
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
