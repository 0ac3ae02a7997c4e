/** Calls to a service in tests, over a socket or in process. */

import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { createService, type ServiceOptions } from './service.ts';
import type { MockService } from './types/service.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of any shape.
  readonly body: any;
}

export type Send = (
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string | Buffer,
) => Promise<Reply>;

export const ORIGIN = 'http://127.0.0.1:4010';

/** A service in memory, without a socket. */
export function memoryService(options: Partial<ServiceOptions> = {}): MockService {
  return createService({ origin: ORIGIN, remembersRequests: true, ...options });
}

export function inProcess(service: MockService): Send {
  return async (method, path, headers, body) => {
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const response = await service.fetch(new Request(service.origin + path, init as RequestInit), path);
    return replyOf(response.status, response.headers, await response.text());
  };
}

/** Over the socket, without a client library: the path is sent unchanged. */
export function overSocket(origin: string, ca?: string): Send {
  const { protocol, port } = new URL(origin);
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sized = body === undefined ? headers : { 'content-length': String(Buffer.byteLength(body)), ...headers };
      const request = send(
        { host: '127.0.0.1', port, method, path, headers: sized, agent: false, ...(ca ? { ca } : {}) },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => {
            const received = new Headers(response.headers as Record<string, string>);
            resolve(replyOf(response.statusCode ?? 0, received, Buffer.concat(chunks).toString()));
          });
          response.on('error', reject);
        },
      );
      request.on('error', reject);
      request.end(body);
    });
}

function replyOf(status: number, headers: Headers, text: string): Reply {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status, headers, text, body };
}

/** JSON calls with a key. */
export function keyedClient(send: Send, apiKey: string) {
  const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
    send(
      method,
      path.startsWith('/v1/') ? path : `/v1${path}`,
      { authorization: `ApiKey ${apiKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    );
  return {
    get: (path: string) => call('GET', path),
    post: (path: string, body?: unknown) => call('POST', path, body),
    put: (path: string, body?: unknown) => call('PUT', path, body),
    delete: (path: string) => call('DELETE', path),
  };
}

export type KeyedClient = ReturnType<typeof keyedClient>;

/** Makes a method and returns its handle. */
export async function newMethod(api: KeyedClient, fields: Record<string, unknown> = {}): Promise<string> {
  const { body } = await api.post('/store/delivery_method/', { delivery_method: fields });
  return body.handle as string;
}

/** Every item of a list, by following its links; throws if they do not end. */
export async function walk(
  api: KeyedClient,
  path: string,
  name: string,
): Promise<{ items: Record<string, unknown>[]; pages: number[] }> {
  const items: Record<string, unknown>[] = [];
  const pages: number[] = [];
  for (let next: string | undefined = path; next; ) {
    if (pages.length > 500) throw new Error('The list does not end.');
    const { body } = await api.get(next);
    items.push(...body[name]);
    pages.push(body[name].length);
    const link: string | undefined = body.next_page_uri || undefined;
    next = link && (link.startsWith('http') ? new URL(link).pathname + new URL(link).search : link);
  }
  return { items, pages };
}

export const ids = (items: readonly Record<string, unknown>[]): unknown[] => items.map(({ id }) => id);
export const points = (count: number, from = 1, more: Record<string, unknown> = {}): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, at) => ({ id: `P-${from + at}`, title: `Point ${from + at}`, ...more }));
