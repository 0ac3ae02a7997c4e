/** For tests: as much of the service as the examples need. It records what they send and answers it all alike. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface StubRequest {
  readonly method: string;
  readonly path: string;
  readonly query: ReadonlyArray<readonly [name: string, value: string]>;
  readonly authorization: string;
  readonly contentType: string;
  readonly body: string;
}

export interface Stub {
  readonly origin: string;
  /** What has arrived since it was last taken. */
  take(): StubRequest[];
  /** How many have arrived since then. */
  arrivals(): number;
  /** Answers with errors from now on, or no longer. */
  refuse(on: boolean): void;
  close(): Promise<void>;
}

/** What a call may find: the examples read one of these names each. */
const ANSWER = {
  error: false,
  data: { greeting: 'Kept' },
  fields: { client_id: 'C-77' },
  languages: ['en', 'lv'],
};
const METHOD = { handle: 'lockers', reference: 'example-lockers' };
const REFUSAL = { error: true, error_code: 500, error_message: 'Not now' };

/** Starts the stub on any free port. */
export async function startStub(): Promise<Stub> {
  let arrived: StubRequest[] = [];
  let refusing = false;
  let methods: unknown[] = [];
  const server = createServer(async (request, response) => {
    const parts: Uint8Array[] = [];
    for await (const part of request) parts.push(part);
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stub');
    arrived.push({
      method: request.method ?? '',
      path: pathname,
      query: [...searchParams],
      authorization: request.headers.authorization ?? '',
      contentType: request.headers['content-type'] ?? '',
      body: Buffer.concat(parts).toString(),
    });
    if (request.method === 'POST' && pathname.endsWith('/store/delivery_method/')) methods = [METHOD];
    response.writeHead(refusing ? 500 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(refusing ? REFUSAL : { ...ANSWER, delivery_methods: methods }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = arrived;
      arrived = [];
      return taken;
    },
    arrivals: () => arrived.length,
    refuse: (on) => {
      refusing = on;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
