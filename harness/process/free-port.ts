/** A port for a server that another process starts, or that has to be known before it starts. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the ports that systems give to outgoing connections: one of those could take the port before the server does. */
const [LOWEST, HIGHEST] = [20_000, 32_000];
const MAX_TRIES = 100;

/** A port of this machine on which nothing listens when this returns, and that no outgoing connection is given by chance. */
export async function freePort(): Promise<number> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const port = randomInt(LOWEST, HIGHEST);
    if (await isFree(port)) return port;
  }
  throw new Error(`none of ${MAX_TRIES} ports between ${LOWEST} and ${HIGHEST} is free on 127.0.0.1`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
