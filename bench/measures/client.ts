/** What our client costs a request, against bare undici and Playwright's request context, on the same server in turns. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request as playwrightRequest } from '@playwright/test';
import { Agent, request } from 'undici';
import { createRecorder } from '../../harness/evidence/recorder.ts';
import { createRedaction } from '../../harness/evidence/redaction/index.ts';
import { createClient } from '../../harness/target/client/index.ts';
import { parseProfile } from '../../harness/target/profile/index.ts';
import { figureOf, inTurn, type Measure, type Measurement, quantile, secondsOf } from '../measure.ts';

const ROUNDS = 5;
const REQUESTS_A_ROUND = 400;

/** Median microseconds a request, recorded and redacted by ours. */
export const client: Measure = {
  id: 'client',
  title: 'A request of our client, recorded and redacted',
  run: clientCost,
};

async function clientCost(): Promise<Measurement> {
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
  const median = async (send: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let i = 0; i < REQUESTS_A_ROUND; i += 1) times.push((await secondsOf(send)) * 1e6);
    return quantile(times);
  };
  try {
    const rounds = await inTurn(
      {
        undici: () => median(async () => (await request(url, { dispatcher: agent })).body.json()),
        ours: () => median(() => client.send({ method: 'GET', url })),
        playwright: () => median(async () => (await context.get(url)).json()),
      },
      ROUNDS,
    );
    return {
      figures: [
        figureOf('bare undici', 'us', rounds.undici),
        figureOf('our client', 'us', rounds.ours, rounds.undici),
        figureOf("Playwright's request context", 'us', rounds.playwright, rounds.undici),
      ],
    };
  } finally {
    await client.close();
    await agent.close();
    await context.dispose();
    server.closeAllConnections();
    server.close();
  }
}
