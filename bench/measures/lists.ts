/** Uploads of long lists: what a portion, the final portion and a walk cost, by the length of the list. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAX_PORTION_ITEMS } from '../../contracts/lists/portions.ts';
import { createService } from '../../mock/service.ts';
import type { Figure, Measure } from '../measure.ts';

const SIZES = [1_000, 10_000, 100_000];
const LARGE_SIZES = [...SIZES, 1_000_000];
const ORIGIN = 'http://127.0.0.1:1';
/** Of short lists several are sent, so that each size has its share of garbage collections. */
const MIN_POINTS = 100_000;

interface ListCost {
  readonly points: number;
  readonly storage: 'memory' | 'SQLite';
  readonly portionMs: number;
  /** How long a reader waits at most. */
  readonly slowestMs: number;
  readonly publishMs: number;
  readonly walkMs: number;
  readonly mebibytes: number;
}

export const lists: Measure = {
  id: 'lists',
  title: 'Lists of pickup points, uploaded in portions of 100 and read in pages of 100, in process',
  goal: 'cost per point within 1.2 from the shortest to the longest; no reader waits longer than a portion takes',
  run: async () => {
    const costs: ListCost[] = [];
    const sizes = process.argv.includes('--large') ? LARGE_SIZES : SIZES;
    // Until the code is compiled, a portion costs several times as much.
    for (const storage of ['memory', 'SQLite'] as const) await costOf(20_000, storage);
    for (const storage of ['memory', 'SQLite'] as const)
      for (const points of sizes) costs.push(await costOf(points, storage));
    const totalOf = ({ points, portionMs, walkMs }: ListCost): number => portionMs / 100 + walkMs / points;
    const isMet = (['memory', 'SQLite'] as const).every((storage) => {
      const own = costs.filter((cost) => cost.storage === storage);
      return (
        totalOf(own.at(-1)!) <= totalOf(own[0]!) * 1.2 &&
        // Readers wait for any portion, not only for the one that publishes.
        own.every(({ slowestMs, publishMs, portionMs }) => Math.max(slowestMs, publishMs) <= portionMs * 2)
      );
    });
    return {
      figures: costs.flatMap(({ points, storage, portionMs, slowestMs, publishMs, walkMs, mebibytes }): Figure[] => [
        { what: `${points} points in ${storage}: a portion`, value: portionMs, unit: 'ms' },
        { what: 'the slowest portion', value: slowestMs, unit: 'ms' },
        { what: 'the final portion, which publishes the list', value: publishMs, unit: 'ms' },
        { what: 'a page of a walk', value: (walkMs * 100) / points, unit: 'ms' },
        { what: 'heap after it', value: mebibytes, unit: 'MiB' },
      ]),
      isMet,
      plot: {
        x: 'points',
        y: 'ms a portion',
        series: (['memory', 'SQLite'] as const).map((storage) => ({
          name: storage,
          points: costs
            .filter((cost) => cost.storage === storage)
            .map(({ points, portionMs }) => [points, portionMs] as const),
        })),
      },
    };
  },
};

async function costOf(points: number, storage: ListCost['storage']): Promise<ListCost> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  const service = createService({ origin: ORIGIN, ...(storage === 'SQLite' ? { db: join(folder, 'state.db') } : {}) });
  try {
    const store = service.state.websites.all()[0]!;
    const headers = { authorization: `ApiKey ${store.apiKey}`, 'content-type': 'application/json' };
    const call = async (method: string, path: string, body?: unknown): Promise<Record<string, unknown>> => {
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await service.fetch(new Request(new URL(path, `${ORIGIN}/v1/`), init));
      if (response.status !== 200) throw new Error(`${method} ${path} was answered with ${response.status}.`);
      return (await response.json()) as Record<string, unknown>;
    };
    const portions: number[] = [];
    const publishing: number[] = [];
    const walks: number[] = [];
    for (let sent = 0; sent === 0 || sent < MIN_POINTS; sent += points) {
      const made = (await call('POST', 'store/delivery_method/', {
        delivery_method: { reference: 'bench', title: 'Bench' },
      })) as { handle?: string; delivery_method?: { handle: string } };
      const list = `store/delivery_method/${made.handle ?? made.delivery_method!.handle}/pickup_points/`;
      for (let first = 0; first < points; first += MAX_PORTION_ITEMS) {
        const items = Array.from({ length: Math.min(MAX_PORTION_ITEMS, points - first) }, (_, at) =>
          pointOf(first + at),
        );
        const isLast = first + items.length === points;
        const started = performance.now();
        await call('POST', `${list}batch_replace/`, {
          pickup_points: items,
          is_initialization: first === 0,
          is_finalization: isLast,
        });
        (isLast ? publishing : portions).push(performance.now() - started);
      }
      const started = performance.now();
      let read = 0;
      for (let next: string | null = `${list}?page_size=100`; next !== null; ) {
        const page: Record<string, unknown> = await call('GET', next);
        read += (page.pickup_points as unknown[]).length;
        next = typeof page.next_page_uri === 'string' ? page.next_page_uri : null;
      }
      walks.push(performance.now() - started);
      if (read !== points) throw new Error(`A walk of ${points} points found ${read}.`);
    }
    return {
      points,
      storage,
      portionMs: mean(portions),
      slowestMs: portions.reduce((slowest, ms) => Math.max(slowest, ms), 0),
      publishMs: mean(publishing),
      walkMs: mean(walks),
      mebibytes: process.memoryUsage().heapUsed / 1024 ** 2,
    };
  } finally {
    service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const pointOf = (i: number): object => ({
  id: `p${i}`,
  title: `Locker ${i}`,
  address: `Street ${i}`,
  city: 'Rīga',
  zip: 'LV-1010',
  country: 'LV',
  attributes: { door: i },
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
