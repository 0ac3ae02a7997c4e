/** The control interface, for tests and runs only, never for the judged party. */
import { timingSafeEqual } from 'node:crypto';
import { type ArrivedRequest, CONTROL_HEADER, CONTROL_PATH, type MockControl } from '../contracts/control.ts';
import type { PlainRequest } from './http/messages.ts';
import type { State } from './state/state.ts';
import type { Table } from './storage/table.ts';

/** Tables that a read-only caller fills by signing in. */
const NOT_COMPARED: readonly string[] = ['tokens'];

/** The state as plain JSON: rows by table and key, published points and the unfinished upload of each method. */
export function snapshot(state: State): unknown {
  const { points, ...tables } = state;
  const rows = (Object.values(tables) as Table<unknown>[])
    .filter((table) => !NOT_COMPARED.includes(table.name))
    .map((table) => [table.name, Object.fromEntries(table.entries())]);
  const lists = points.handles().flatMap((handle) => {
    const list = points.of(handle);
    const upload = list.upload && { country: list.upload.country, points: list.staged() };
    return list.size === 0 && !upload ? [] : [[handle, { points: list.all(), upload }]];
  });
  return JSON.parse(JSON.stringify({ ...Object.fromEntries(rows), points: Object.fromEntries(lists) }));
}

/** Limits of the record: requests, bytes per body, and bytes in total. */
const REMEMBERED_REQUESTS = 10_000;
const REMEMBERED_BODY_BYTES = 64 * 1024;
const REMEMBERED_BYTES = 32 * 1024 * 1024;

type Arrival = Pick<PlainRequest, 'method' | 'path' | 'query' | 'headers' | 'body'> & {
  readonly at: Date;
  readonly status: number;
};

/** The most recent requests that reached the service. They are kept as they came, since hardly any is ever asked for. */
export class Arrivals {
  /** By number. */
  readonly #requests = new Map<number, Arrival>();
  #oldest = 0;
  #next = 0;
  #bytes = 0;

  note(at: Date, { method, path, query, headers, body: whole }: PlainRequest, status: number): void {
    const body = whole.length > REMEMBERED_BODY_BYTES ? whole.slice(0, REMEMBERED_BODY_BYTES) : whole;
    this.#requests.set(this.#next, { at, method, path, query, headers, body, status });
    this.#next += 1;
    this.#bytes += body.length;
    while (this.#requests.size > REMEMBERED_REQUESTS || this.#bytes > REMEMBERED_BYTES) this.#forgetOldest();
  }
  all(): ArrivedRequest[] {
    return [...this.#requests.values()].map(arrivedOf);
  }
  clear(): void {
    while (this.#requests.size > 0) this.#forgetOldest();
  }

  #forgetOldest(): void {
    this.#bytes -= this.#requests.get(this.#oldest)!.body.length;
    this.#requests.delete(this.#oldest);
    this.#oldest += 1;
  }
}

function arrivedOf({ at, method, path, query, headers, body, status }: Arrival): ArrivedRequest {
  return {
    at: at.toISOString(),
    method,
    target: query === '' ? path : `${path}?${query}`,
    headers: Object.fromEntries(headers),
    // The last character of a body that was cut may be incomplete: it is left out.
    body: new TextDecoder('utf-8', { ignoreBOM: true }).decode(body, { stream: body.length === REMEMBERED_BODY_BYTES }),
    status,
  };
}

/** Serves `/_control/…` to callers with the token. For all others, and without a configured token, the path does not exist. */
export async function serveControl(
  control: MockControl,
  token: string | undefined,
  request: Request,
): Promise<Response> {
  const presented = request.headers.get(CONTROL_HEADER) ?? '';
  if (token === undefined || !sameSecret(presented, token)) return Response.json({ error: true }, { status: 404 });
  const { pathname } = new URL(request.url);
  const wanted = `${request.method} ${pathname.slice(CONTROL_PATH.length)}`;
  try {
    if (wanted === 'GET state') return Response.json(await control.state());
    if (wanted === 'GET arrived') return Response.json(await control.arrived());
    if (wanted === 'POST reset') {
      await control.reset();
      return Response.json({ done: true });
    }
    if (wanted === 'POST deviate') {
      const { ids } = (await request.json()) as { ids?: unknown };
      if (!Array.isArray(ids) || !ids.every((id) => typeof id === 'string'))
        throw new Error('ids must be an array of strings.');
      await control.deviate(ids as string[]);
      return Response.json({ done: true });
    }
  } catch (error) {
    return Response.json({ error: true, message: (error as Error).message }, { status: 400 });
  }
  return Response.json({ error: true, message: `There is no control call ${wanted}.` }, { status: 404 });
}

function sameSecret(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
