/** A wire to the embedded service in this process, without requests and responses of the web. */
import { inProcessWire } from '../harness/target/network/in-process.ts';
import type { Wire } from '../harness/target/network/network.ts';
import { PlainRequest, type PlainResponse } from '../mock/http/messages.ts';
import type { MockService } from '../mock/types/service.ts';

export const wireToService = (service: MockService): Wire =>
  inProcessWire(async ({ method, url, headers, body = new Uint8Array() }) => {
    // As `Request` reads them: the address is normalized, and what no header can hold is an error.
    const { href, origin } = new URL(url);
    const checked = new Headers(headers.map(([name, value]) => [name, value]));
    const response = await service.serve(new PlainRequest({ method, target: href, headers: checked, body, origin }));
    return { status: response.status, headers: pairsOf(response), bytes: Buffer.from(response.body ?? '') };
  });

const pairsOf = ({ headers }: PlainResponse): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
