/** A port for a server that another process starts, or that has to be known before it starts. */
import { type AddressInfo, createServer } from 'node:net';

/** A port of this machine on which nothing listens when this returns. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
