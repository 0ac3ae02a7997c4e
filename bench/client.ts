/** What our client costs a request, against bare undici and Playwright's request context, on the same server in turns. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request as playwrightRequest } from '@playwright/test';
import { Agent, request } from 'undici';
import { createRecorder } from '../harness/evidence/recorder.ts';
import { createRedaction } from '../harness/evidence/redaction/index.ts';
import { createClient } from '../harness/target/client/index.ts';
import { parseProfile } from '../harness/target/profile/index.ts';

const ROUNDS = 5;
const REQUESTS_A_ROUND = 400;

export interface ClientCost {
  /** Median microseconds a request. */
  readonly ours: number;
  readonly undici: number;
  readonly playwright: number;
}

export async function clientCost(): Promise<ClientCost> {
  const body = JSON.stringify({
    pickup_points: Array.from({ length: 20 }, (_, i) => ({ id: `p${i}`, title: 'Rīga', country: 'LV' })),
  });
  const server = createServer((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
  const profile = parseProfile(JSON.stringify({ name: 'bench', v1: url }), { file: 'bench', folder: '.', env: {} });
  const redaction = createRedaction();
  redaction.add({ name: 'KEY', value: 'a key that is looked for everywhere' });
  const client = createClient({
    profile,
    recorder: createRecorder({ check: 'bench', spool: () => undefined, redaction }),
  });
  const agent = new Agent({ connections: 1 });
  const context = await playwrightRequest.newContext();
  const ways: Record<keyof ClientCost, () => Promise<unknown>> = {
    ours: () => client.send({ method: 'GET', url }),
    undici: async () => (await request(url, { dispatcher: agent })).body.json(),
    playwright: async () => (await context.get(url)).json(),
  };
  const medians: Record<string, number[]> = { ours: [], undici: [], playwright: [] };
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [name, send] of Object.entries(ways)) {
        const times: number[] = [];
        for (let i = 0; i < REQUESTS_A_ROUND; i += 1) {
          const started = performance.now();
          await send();
          times.push((performance.now() - started) * 1000);
        }
        medians[name]!.push(times.sort((a, b) => a - b)[times.length >> 1]!);
      }
    }
  } finally {
    await client.close();
    await agent.close();
    await context.dispose();
    server.closeAllConnections();
    server.close();
  }
  const best = (name: string): number => Math.round(medians[name]!.toSorted((a, b) => a - b)[ROUNDS >> 1]!);
  return { ours: best('ours'), undici: best('undici'), playwright: best('playwright') };
}
