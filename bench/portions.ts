/** What a portion of a long upload costs: the last hundred portions of 100,000 points against the first hundred. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { portionsOf } from '../contracts/lists/portions.ts';
import { createService } from '../mock/service.ts';

const POINTS = 100_000;
const COMPARED_PORTIONS = 100;

export interface PortionCost {
  readonly portions: number;
  readonly firstMs: number;
  readonly lastMs: number;
  /** Cost of a late portion over that of an early one; flat is about 1. */
  readonly ratio: number;
}

/** Uploads in process, so that the service is measured and not the network; with SQLite when `stored`. */
export async function portionCost(stored: boolean): Promise<PortionCost> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  const service = createService({ origin: 'http://127.0.0.1:1', ...(stored ? { db: join(folder, 'state.db') } : {}) });
  try {
    const store = service.state.websites.all()[0]!;
    const headers = { authorization: `ApiKey ${store.apiKey}`, 'content-type': 'application/json' };
    const call = async (method: string, path: string, body: unknown): Promise<Response> => {
      const answer = await service.fetch(
        new Request(`http://127.0.0.1:1/v1/${path}`, { method, headers, body: JSON.stringify(body) }),
      );
      if (answer.status !== 200)
        throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
      return answer;
    };
    const made = (await (
      await call('POST', 'store/delivery_method/', { delivery_method: { reference: 'bench', title: 'Bench' } })
    ).json()) as { handle?: string; delivery_method?: { handle: string } };
    const handle = made.handle ?? made.delivery_method!.handle;
    const points = Array.from({ length: POINTS }, (_, i) => ({
      id: `p${i}`,
      title: `Locker ${i}`,
      address: `Street ${i}`,
      city: 'Rīga',
      zip: 'LV-1010',
      country: 'LV',
      attributes: { door: i },
    }));
    const times: number[] = [];
    for (const { items, ...flags } of portionsOf(points)) {
      const started = performance.now();
      await call('POST', `store/delivery_method/${handle}/pickup_points/batch_replace/`, {
        pickup_points: items,
        ...flags,
      });
      times.push(performance.now() - started);
    }
    // The very first calls warm the machine up, the final one publishes: neither is a portion like the others.
    const mean = (part: readonly number[]): number =>
      part
        .toSorted((a, b) => a - b)
        .slice(10, -10)
        .reduce((a, b) => a + b, 0) /
      (part.length - 20);
    const firstMs = mean(times.slice(20, 20 + COMPARED_PORTIONS));
    const lastMs = mean(times.slice(-1 - COMPARED_PORTIONS, -1));
    return { portions: times.length, firstMs, lastMs, ratio: lastMs / firstMs };
  } finally {
    service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
