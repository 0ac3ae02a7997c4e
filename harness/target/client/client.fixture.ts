/** For the tests of the client: real servers on loopback, clients of them, and a clock that never really waits. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseProfile } from '../profile/index.ts';
import type { Profile } from '../profile/types.ts';
import { type ClientOptions, createClient } from './index.ts';
import { NoResponse } from './no-response.ts';
import type { Client, OutgoingRequest } from './types.ts';

const closing: (() => Promise<void>)[] = [];

/** Has something closed when the test ends. */
export const closeLater = (close: () => Promise<void>): void => void closing.push(close);

/** Closes what was opened for a test. */
export async function closeAll(): Promise<void> {
  for (const close of closing.splice(0)) await close();
}

export type Handler = (request: IncomingMessage, response: ServerResponse, seen: number) => void;

/** A real server on loopback; `seen` counts the requests, `sockets` the connections. */
export async function serve(handler: Handler): Promise<{ base: string; seen: () => number; sockets: () => number }> {
  let [seen, sockets] = [0, 0];
  const server = createServer((request, response) => {
    seen += 1;
    handler(request, response, seen);
  });
  server.on('connection', () => {
    sockets += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    seen: () => seen,
    sockets: () => sockets,
  };
}

export const profileOf = (fields: object): Profile =>
  parseProfile(JSON.stringify(fields), { file: 'p.json', folder: '/', env: { KEY: 'store-key-123456' } });

export function clientOf(profile: Profile, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ profile, ...options });
  closing.push(() => client.close());
  return client;
}

/** A clock that never really waits. */
export function fakeClock(): { now: () => number; sleep: (ms: number) => Promise<void>; slept: number[] } {
  const slept: number[] = [];
  return { now: () => Date.parse('2026-01-01T00:00:00Z'), sleep: async (ms) => void slept.push(ms), slept };
}

export const get = (url: string): OutgoingRequest => ({ method: 'GET', url });
export const post = (url: string): OutgoingRequest => ({ method: 'POST', url, body: '{}' });

/** The failure of a request that has to have no response. */
export async function noResponse(sent: Promise<unknown>): Promise<NoResponse> {
  try {
    await sent;
  } catch (error) {
    assert.ok(error instanceof NoResponse, String(error));
    return error;
  }
  throw new Error('There was an answer.');
}
