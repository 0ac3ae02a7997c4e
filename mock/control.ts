/** The control interface, for tests and runs only, never for the judged party. */
import { timingSafeEqual } from 'node:crypto';
import { type ArrivedRequest, CONTROL_HEADER, CONTROL_PATH, type MockControl } from '../contracts/control.ts';
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
const REMEMBERED_BODY_CHARACTERS = 64 * 1024;
const REMEMBERED_CHARACTERS = 32 * 1024 * 1024;

/** The most recent requests that reached the service. */
export class Arrivals {
  readonly #requests: ArrivedRequest[] = [];
  #characters = 0;

  note(request: ArrivedRequest): void {
    const noted = { ...request, body: request.body.slice(0, REMEMBERED_BODY_CHARACTERS) };
    this.#requests.push(noted);
    this.#characters += noted.body.length;
    while (this.#requests.length > REMEMBERED_REQUESTS || this.#characters > REMEMBERED_CHARACTERS) {
      this.#characters -= this.#requests.shift()!.body.length;
    }
  }
  all(): ArrivedRequest[] {
    return [...this.#requests];
  }
  clear(): void {
    this.#requests.length = 0;
    this.#characters = 0;
  }
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
