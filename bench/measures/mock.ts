/** The embedded service over HTTP, against a bare server that answers with JSON of the same size, and against other mock servers. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SwaggerParser from '@apidevtools/swagger-parser';
import { Pool } from 'undici';
import { type Figure, inTurn, type Measure, quantile } from '../measure.ts';
import { hasRivals, RIVALS } from './rivals.ts';

const DOCUMENT = join(import.meta.dirname, '../../openapi/v1.yaml');
const ROUNDS = 3;
/** Enough for both sides to be compiled in the first round. */
const REQUESTS_A_ROUND = 5_000;
const MANY_REQUESTS = 1_000_000;
const CONNECTIONS = 4;

type Kind = 'read' | 'list' | 'write' | 'batch of 100';
const KINDS: readonly Kind[] = ['read', 'list', 'write', 'batch of 100'];

interface Server {
  readonly name: string;
  readonly origin: string;
  readonly key: string;
  /** Before the paths of the document. */
  readonly base: string;
  readonly process: ChildProcess;
}

/** Starts a server that prints the port on which it listens. */
async function start(
  name: string,
  command: readonly string[],
  env: Record<string, string> = {},
  base = '/v1',
): Promise<Server> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const [, port, key = 'none'] = /listening on (?:http:\/\/127\.0\.0\.1:)?(\d+) ?(\S*)/.exec(line) ?? [];
    if (port !== undefined) return { name, origin: `http://127.0.0.1:${port}`, key, base, process: child };
  }
  throw new Error(`${name} ended before it listened.`);
}

interface Load {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: (i: number) => unknown;
}

const point = (id: string): object => ({
  id,
  title: 'Locker',
  address: 'Street 1',
  city: 'Rīga',
  zip: 'LV-1010',
  country: 'LV',
});

function loads(handle: string): Record<Kind, Load> {
  const method = `/store/delivery_method/${handle}/`;
  return {
    read: { method: 'GET', path: method },
    list: { method: 'GET', path: `${method}pickup_points/?page_size=100` },
    write: { method: 'POST', path: `${method}pickup_point/`, body: (i) => ({ pickup_point: point(`w${i}`) }) },
    'batch of 100': {
      method: 'POST',
      path: `${method}pickup_points/batch_replace/`,
      body: () => ({ pickup_points: Array.from({ length: 100 }, (_, at) => point(`p${at}`)) }),
    },
  };
}

let written = 0;

/** Sends one kind of request on a few connections; the times of the single requests in milliseconds, and all of them in seconds. */
async function load(
  { origin, key, base }: Server,
  kind: Kind,
  { method, path, body }: Load,
  count: number,
): Promise<{ times: number[]; seconds: number; statuses: Set<number> }> {
  const pool = new Pool(origin, { connections: CONNECTIONS });
  const times: number[] = [];
  const statuses = new Set<number>();
  let left = count;
  const one = async (): Promise<void> => {
    while (left-- > 0) {
      written += 1;
      const started = performance.now();
      const response = await pool.request({
        method,
        path: `${base}${path}`,
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json', 'x-bench': kind },
        ...(body === undefined ? {} : { body: JSON.stringify(body(written)) }),
      });
      await response.body.text();
      statuses.add(response.statusCode);
      times.push(performance.now() - started);
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const seconds = (performance.now() - started) / 1000;
  await pool.close();
  return { times, seconds, statuses };
}

export const mock: Measure = {
  id: 'mock',
  title: 'The embedded service over HTTP, against a bare server with JSON of the same size',
  goal: 'at least 0.8 of the floor on reads, and 3 times the better rival',
  run: async () => {
    const ours = await start('the embedded service', [join(import.meta.dirname, 'embedded-service.ts')]);
    const servers: Server[] = [ours];
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
    try {
      const made = await fetch(`${ours.origin}/v1/store/delivery_method/`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${ours.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ delivery_method: { reference: 'bench', title: 'Bench' } }),
      });
      const method = (await made.json()) as { handle?: string; delivery_method?: { handle: string } };
      const all = loads(method.handle ?? method.delivery_method!.handle);
      await load(ours, 'batch of 100', all['batch of 100'], 1);
      const bodies: Record<string, unknown> = {};
      for (const kind of KINDS) bodies[kind] = await oneBody(ours, all[kind]);
      servers.push(await start('a bare server', [join(RIVALS, 'floor.mjs')], { BENCH_BODIES: JSON.stringify(bodies) }));
      servers.push(...(await rivals(folder)));
      const figures: Figure[] = [];
      const perSecond: Partial<Record<Kind, Record<string, number>>> = {};
      for (const kind of KINDS) {
        const times = new Map<string, number[]>();
        const count = kind === 'batch of 100' ? REQUESTS_A_ROUND / 5 : REQUESTS_A_ROUND;
        const answered = new Set<string>();
        const rounds = await inTurn(
          Object.fromEntries(
            servers.map((server) => [
              server.name,
              async () => {
                const done = await load(server, kind, all[kind], count);
                times.set(server.name, [...(times.get(server.name) ?? []), ...done.times]);
                for (const status of done.statuses)
                  if (status !== 200) answered.add(`${server.name} answers ${status}`);
                return count / done.seconds;
              },
            ]),
          ),
          ROUNDS,
        );
        const bare = rounds['a bare server']!.median;
        perSecond[kind] = Object.fromEntries(servers.map(({ name }) => [name, rounds[name]!.median]));
        for (const { name } of servers) {
          const { median, range } = rounds[name]!;
          const own = times.get(name)!;
          const percentiles = `p50 ${quantile(own).toFixed(2)} ms, p99 ${quantile(own, 0.99).toFixed(2)} ms`;
          figures.push({
            what: `${kind}: ${name} (${percentiles})`,
            value: median,
            unit: 'per s',
            range,
            ratio: median / bare,
          });
        }
        if (answered.size > 0)
          throw new Error(`${kind}: ${[...answered].join(', ')}: the figures would compare refusals.`);
      }
      if (process.argv.includes('--large')) figures.push(...(await memoryOf(ours, all.read)));
      const reads = perSecond.read!;
      const best = Math.max(0, ...servers.slice(2).map(({ name }) => reads[name]!));
      const isFast = reads[ours.name]! >= 0.8 * reads['a bare server']! && reads[ours.name]! >= 3 * best;
      return {
        figures,
        isMet: isFast && servers.length > 2,
        ...(servers.length > 2
          ? {}
          : { note: 'Without rivals: run `npm run bench -- mock --rivals` to install them.' }),
      };
    } finally {
      for (const server of servers) server.process.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Memory of a server that has served the rounds, and a million reads later; nothing where the system does not report it. */
async function memoryOf(server: Server, read: Load): Promise<Figure[]> {
  const file = `/proc/${server.process.pid}/status`;
  if (!existsSync(file)) return [];
  const mebibytes = (): number => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1]) / 1024;
  const before = mebibytes();
  await load(server, 'read', read, MANY_REQUESTS);
  return [
    { what: `memory of ${server.name} after these rounds`, value: before, unit: 'MiB' },
    { what: `memory of ${server.name} after a million reads more`, value: mebibytes(), unit: 'MiB' },
  ];
}

async function oneBody({ origin, key, base }: Server, { method, path, body }: Load): Promise<unknown> {
  const init = { method, headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' } };
  const response = await fetch(`${origin}${base}${path}`, {
    ...init,
    ...(body === undefined ? {} : { body: JSON.stringify(body(-1)) }),
  });
  if (response.status !== 200) throw new Error(`${method} ${path} was answered with ${response.status}.`);
  return response.json();
}

/** Prism and openapi-backend, where they are installed or `--rivals` asks for it. Both get one file: they do not follow ours. */
async function rivals(folder: string): Promise<Server[]> {
  if (!hasRivals()) return [];
  const file = join(folder, 'v1.json');
  const { summary: _, ...info } = (await SwaggerParser.dereference(DOCUMENT)).info as { summary?: string };
  writeFileSync(file, JSON.stringify({ ...(await SwaggerParser.dereference(DOCUMENT)), info }));
  const prism = join(RIVALS, 'node_modules/@stoplight/prism-cli/dist/index.js');
  const env = { BENCH_DOCUMENT: file };
  return [
    await start('openapi-backend', [join(RIVALS, 'openapi-backend.mjs')], env, ''),
    await start('Prism', [prism, 'mock', '--host', '127.0.0.1', '--port', '0', '--cors', 'false', file], env, ''),
  ];
}
