/** What `proofmark judge` and `proofmark report` are given: HAR files, and the events and results of runs. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeCommand } from '../../../cli/judge/index.ts';
import { openRecording } from '../../../cli/judge/recording.ts';
import { reportCommand } from '../../../cli/report/index.ts';
import { CLAUSES } from '../../../contracts/clauses/index.ts';
import { inStartOrder, TrafficFold } from '../../../contracts/traffic/index.ts';
import { ResultsFold } from '../../../reports/results/index.ts';
import { sampleRun } from '../../../reports/sample.fixture.ts';
import { type CheckVerdict, commandPlainly, expectPlainRefusal, type Kind } from '../kind.ts';
import { anyValue, changedBytes, changedJson, changedValue } from '../mutate.ts';
import type { Chance } from '../prng.ts';

const JSON_TYPE = { name: 'content-type', value: 'application/json' };
const entry = (method: string, path: string, status: number, response: unknown, request: unknown = undefined) => ({
  startedDateTime: '2026-03-01T10:00:00.000Z',
  time: 12,
  request: {
    method,
    url: `https://shop.example${path}`,
    httpVersion: 'HTTP/2',
    headers: [{ name: ':authority', value: 'shop.example' }, JSON_TYPE],
    queryString: [],
    bodySize: 20,
    ...(request === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(request) } }),
  },
  response: {
    status,
    headers: [JSON_TYPE],
    content: { size: 10, mimeType: 'application/json', text: JSON.stringify(response) },
    bodySize: 10,
  },
});
const HAR = {
  log: {
    version: '1.2',
    creator: { name: 'x', version: '1' },
    entries: [
      entry('GET', '/v1/store/delivery_methods/?page_size=2', 200, {
        delivery_methods: [{ handle: 'a', title: { en: 'A' } }],
        next_page_uri: '/v1/store/delivery_methods/?page_size=2&page_start=2',
      }),
      entry(
        'POST',
        '/v1/store/delivery_method/a/pickup_points/batch_replace/',
        200,
        { error: false },
        {
          pickup_points: [{ id: '1', title: 'One', country: 'LV' }],
          is_finalization: true,
        },
      ),
      entry('GET', '/v1/apps/languages/?authCode=abc', 401, { error: true, error_code: 401, error_message: 'No' }),
      entry('POST', '/api/authorize/', 200, { error: false, apiToken: 't0k3n-of-somebody' }),
      entry('GET', '/callback?label_request_id=1&label_url=https%3A%2F%2Fa.example%2F1.pdf&signature=abc', 200, 'ok'),
    ],
  },
};

/** Lines of events with something wrong in one or in their order. */
function changedEvents(chance: Chance): Buffer {
  const events: unknown[] = structuredClone(sampleRun()) as unknown[];
  const at = chance.below(events.length);
  if (chance.oneIn(4)) events.splice(at, 1);
  else if (chance.oneIn(3))
    events.splice(at, 0, chance.oneIn(2) ? events[chance.below(events.length)] : anyValue(chance));
  else events[at] = changedValue(events[at], chance);
  const bytes = Buffer.from(
    events.map((event) => `${JSON.stringify(event)}${chance.pick(['\n', '\n', '\n', '\r\n'])}`).join(''),
  );
  return chance.oneIn(4) ? changedBytes(bytes, chance) : bytes;
}

/** Whole commands write reports, which takes longer than reading: only one input in so many. */
const WHOLE_COMMAND_ONE_IN = 12;

async function judged(chance: Chance, folder: string, file: string): Promise<CheckVerdict> {
  if (!chance.oneIn(WHOLE_COMMAND_ONE_IN)) {
    return expectPlainRefusal(async () => {
      const recording = await openRecording(file);
      const party = chance.pick(['service', 'integrator'] as const);
      const fold = new TrafficFold({ party, keys: { API_KEY: 'key-of-shop-1234', APP_SECRET: 'secret-of-app' } });
      const order = inStartOrder((exchange) => fold.add(exchange));
      await recording.read(order.add);
      order.end();
      fold.done();
    }, file);
  }
  return commandPlainly(() => judgeCommand([file, '--out', join(folder, 'out')]), file);
}

export const harFiles: Kind = {
  name: 'HAR files',
  few: 80,
  tried(chance, folder) {
    const file = join(folder, 'traffic.har');
    writeFileSync(file, changedJson(HAR, chance));
    return judged(chance, folder, file);
  },
};

export const eventsFiles: Kind = {
  name: 'events files',
  few: 60,
  async tried(chance, folder) {
    const run = join(folder, 'run');
    rmSync(run, { recursive: true, force: true });
    mkdirSync(run);
    const file = join(run, 'events.ndjson');
    writeFileSync(file, changedEvents(chance));
    if (!chance.oneIn(WHOLE_COMMAND_ONE_IN)) return judged(chance, folder, file);
    return commandPlainly(() => reportCommand([run]), file);
  },
};

/** What a run would have written; created on first use. */
let results: unknown;
function goodResults(): unknown {
  if (results === undefined) {
    const fold = new ResultsFold(CLAUSES);
    for (const event of sampleRun()) fold.add(event);
    results = fold.done();
  }
  return structuredClone(results);
}

export const resultsFiles: Kind = {
  name: 'results files',
  few: 40,
  tried(chance, folder) {
    const [before, after] = [join(folder, 'before.json'), join(folder, 'results.json')];
    const changed = (): Buffer =>
      chance.oneIn(2) ? Buffer.from(JSON.stringify(goodResults())) : changedJson(goodResults(), chance);
    writeFileSync(before, changed());
    writeFileSync(after, changed());
    return commandPlainly(() => reportCommand(['--diff', before, after]));
  },
};
