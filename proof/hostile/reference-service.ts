/** The reference service: it keeps the contract and runs in this process. A hostile target spoils its responses before they are sent. */
import type { Socket } from 'node:net';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { MockService } from '../../mock/types/service.ts';
import type { ReceivedRequest } from './raw-server.ts';

export interface ReferenceResponse {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface ReferenceService {
  response(asked: ReceivedRequest): Promise<ReferenceResponse>;
  /** The profile of this service, as JSON. */
  profile(): Record<string, unknown>;
  /** The store's key and the reseller's password: no file of a run may contain them. */
  secrets(): readonly string[];
  readonly mock: MockService;
}

/** The parts of the mock's profile that contain the secrets. */
interface WithSecrets {
  readonly delivery: { readonly private: { readonly apiKey: string } };
  readonly reseller: { readonly password: string };
}

/** Creates the service for the given address. */
export function referenceService(origin: string): ReferenceService {
  const mock = createService({ origin });
  return {
    mock,
    profile: () => profileOf(mock),
    secrets: () => {
      const { delivery, reseller } = profileOf(mock) as unknown as WithSecrets;
      return [delivery.private.apiKey, reseller.password];
    },
    response: async (asked) => {
      const headers = [...asked.headers].filter(([name]) => !/^(connection|content-length|host)$/.test(name));
      const response = await mock.fetch(
        new Request(new URL(asked.target, origin), {
          method: asked.method,
          headers,
          body: asked.body.length === 0 ? null : new Uint8Array(asked.body),
        }),
        asked.target,
      );
      return {
        status: response.status,
        headers: [...response.headers],
        body: Buffer.from(await response.arrayBuffer()),
      };
    },
  };
}

/** A response as the bytes of HTTP/1.1. The changes replace its headers, body or start line. */
export function bytesOf(
  { status, headers, body }: ReferenceResponse,
  changes: {
    readonly headers?: readonly (readonly [string, string])[];
    readonly body?: Uint8Array;
    readonly start?: string;
  } = {},
): Buffer {
  const content = changes.body ?? body;
  const own = changes.headers ?? [];
  const replaced = new Set(['content-length', ...own.map(([name]) => name.toLowerCase())]);
  const lines = [
    changes.start ?? `HTTP/1.1 ${status} Status`,
    ...[...headers.filter(([name]) => !replaced.has(name.toLowerCase())), ...own].map(
      ([name, value]) => `${name}: ${value}`,
    ),
    ...(own.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
      ? []
      : [`content-length: ${content.length}`]),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), content]);
}

/** Writes the correct response. */
export function pass(socket: Socket, answered: ReferenceResponse): void {
  socket.write(bytesOf(answered));
}
