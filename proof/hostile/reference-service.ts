/** A service that keeps the contract, asked in process, whose answers an animal spoils on their way to the wire. */
import type { Socket } from 'node:net';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import type { MockService } from '../../mock/types/service.ts';
import type { RequestSample } from './raw-server.ts';

export interface Answered {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
}

export interface Honest {
  answer(asked: RequestSample): Promise<Answered>;
  /** The profile of this service, as JSON. */
  profile(): Record<string, unknown>;
  /** The store's key and the reseller's password: what no file of a run may hold. */
  secrets(): readonly string[];
  readonly mock: MockService;
}

/** The parts of the mock's profile that hold them. */
interface WithSecrets {
  readonly delivery: { readonly private: { readonly apiKey: string } };
  readonly reseller: { readonly password: string };
}

/** Makes the service that stands behind the given address. */
export function honestService(origin: string): Honest {
  const mock = createService({ origin });
  return {
    mock,
    profile: () => profileOf(mock),
    secrets: () => {
      const { delivery, reseller } = profileOf(mock) as unknown as WithSecrets;
      return [delivery.private.apiKey, reseller.password];
    },
    answer: async (asked) => {
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

/** An answer in the bytes of HTTP/1.1; what is given replaces what the answer has. */
export function bytesOf(
  { status, headers, body }: Answered,
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

/** Writes the honest answer. */
export function pass(socket: Socket, answered: Answered): void {
  socket.write(bytesOf(answered));
}
