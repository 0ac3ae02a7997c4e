/** A wire to a target in this process: the limits of the network, without its sockets. */
import { GiveUpError, lateResponse } from './explain-failure.ts';
import { MAX_RESPONSE_BYTES, splitUrl, type Wire, type WireRequest, type WireResponse } from './network.ts';

/** `serve` responds to a request whose address is complete. */
export function inProcessWire(serve: (request: WireRequest) => Promise<WireResponse>): Wire {
  return {
    exchange: async (request) => {
      splitUrl(request.url);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(lateResponse(request.timeoutMs)), request.timeoutMs);
      });
      try {
        const response = await Promise.race([serve(request), late]);
        if (response.bytes.length > MAX_RESPONSE_BYTES)
          throw new GiveUpError('TOO_LARGE', 'the response is larger than 8 MiB.');
        return response;
      } finally {
        clearTimeout(timer);
      }
    },
    close: async () => undefined,
  };
}

/** A wire to a handler of requests and responses of the web. */
export const wireTo = (handle: (request: Request) => Promise<Response>): Wire =>
  inProcessWire(async ({ method, url, headers, body }) => {
    const init: RequestInit = {
      method,
      headers: headers.map(([name, value]) => [name, value]),
      redirect: 'manual',
      ...(body === undefined ? {} : { body: body as Uint8Array<ArrayBuffer> }),
    };
    const response = await handle(new Request(url, init));
    const bytes = new Uint8Array(await response.arrayBuffer());
    return { status: response.status, headers: [...response.headers], bytes };
  });
