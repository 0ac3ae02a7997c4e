/** What `proofmark judge` costs: the time of recordings of several lengths, and whether the longest takes more memory than a shorter one. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openRecording } from '../../cli/judge/recording.ts';
import { inStartOrder, TrafficFold } from '../../contracts/traffic/index.ts';
import type { Figure, Measure } from '../measure.ts';

const SIZES = [10_000, 40_000];
/** Half a gigabyte of traffic and a whole one: only in `npm run bench -- --large`. */
const LARGE_SIZES = [350_000, 700_000];
/** How much larger the heap of the longest recording may be than that of the one before it. */
const FLAT = 1.15;
const POLL_EVERY = 2_000;

interface JudgeCost {
  readonly exchanges: number;
  readonly seconds: number;
  readonly megabytes: number;
  /** Largest heap after a collection while it was read, in MiB. */
  readonly heapMiB: number;
}

export const judge: Measure = {
  id: 'judge',
  title: 'proofmark judge, by the length of a recording',
  goal: 'at least 50,000 exchanges per second, and flat memory',
  run: async () => {
    const costs: JudgeCost[] = [];
    for (const size of process.argv.includes('--large') ? [...SIZES, ...LARGE_SIZES] : SIZES)
      costs.push(await costOf(size));
    const [shorter, longest] = [costs.at(-2)!, costs.at(-1)!];
    const figures = costs.flatMap(({ exchanges, seconds, megabytes, heapMiB }): Figure[] => [
      { what: `${exchanges} exchanges, ${Math.round(megabytes)} MB of HAR`, value: exchanges / seconds, unit: 'per s' },
      { what: 'its largest heap', value: heapMiB, unit: 'MiB' },
    ]);
    return {
      figures,
      isMet: longest.exchanges / longest.seconds >= 50_000 && longest.heapMiB <= shorter.heapMiB * FLAT,
      plot: {
        x: 'exchanges',
        y: 'seconds',
        series: [{ name: 'judge', points: costs.map(({ exchanges, seconds }) => [exchanges, seconds]) }],
      },
    };
  },
};

async function costOf(exchanges: number): Promise<JudgeCost> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  try {
    const file = join(folder, 'long.har');
    const bytes = writeHar(file, exchanges);
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    let heap = 0;
    let looking = 0;
    const started = performance.now();
    const recording = await openRecording(file);
    const fold = new TrafficFold({ party: 'service' });
    let read = 0;
    const order = inStartOrder((exchange) => {
      fold.add(exchange);
      read += 1;
      if (read % POLL_EVERY !== 0) return;
      const from = performance.now();
      collect();
      heap = Math.max(heap, process.memoryUsage().heapUsed);
      looking += performance.now() - from;
    });
    await recording.read(order.add);
    order.end();
    fold.done();
    const seconds = (performance.now() - started - looking) / 1000;
    if (read !== exchanges) throw new Error(`${read} of ${exchanges} exchanges were read.`);
    return { exchanges, seconds, megabytes: bytes / 1e6, heapMiB: heap / 1024 ** 2 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Lists, portions, refusals and other hosts, in turn, a few kilobytes each. */
function writeHar(file: string, exchanges: number): number {
  const fd = openSync(file, 'w');
  let bytes = writeSync(fd, '{"log":{"version":"1.2","entries":[');
  for (let n = 0; n < exchanges; n += 1) bytes += writeSync(fd, `${n === 0 ? '' : ','}${JSON.stringify(entryOf(n))}`);
  bytes += writeSync(fd, ']}}');
  closeSync(fd);
  return bytes;
}

function entryOf(n: number): object {
  // A list shows what was uploaded before it.
  const upload = n % 4 === 0 ? n - 3 : n;
  const points = Array.from({ length: 20 }, (_, at) => ({
    id: `p${upload}-${at}`,
    title: { en: 'Locker' },
    country: 'LV',
  }));
  const kinds: ReadonlyArray<readonly [method: string, url: string, status: number, answer: unknown, body?: unknown]> =
    [
      [
        'GET',
        'https://s.example/v1/store/delivery_method/m/pickup_points/?page_size=20',
        200,
        { pickup_points: points },
      ],
      [
        'POST',
        'https://s.example/v1/store/delivery_method/m/pickup_points/batch_replace/',
        200,
        { error: false },
        { pickup_points: points },
      ],
      [
        'GET',
        `https://s.example/v1/store/delivery_method/none-${n}/`,
        404,
        { error: true, error_code: 404, error_message: 'No' },
      ],
      ['GET', `https://cdn.example/${n}.json`, 200, points],
    ];
  const [method, url, status, response, body] = kinds[n % kinds.length] ?? kinds[0]!;
  const type = [{ name: 'content-type', value: 'application/json' }];
  const text = JSON.stringify(response);
  return {
    startedDateTime: new Date(Date.UTC(2026, 0, 1) + n * 50).toISOString(),
    time: 12,
    request: {
      method,
      url,
      headers: type,
      ...(body === undefined ? {} : { postData: { mimeType: 'application/json', text: JSON.stringify(body) } }),
    },
    response: { status, headers: type, content: { size: Buffer.byteLength(text), mimeType: 'application/json', text } },
  };
}
