/** Whole runs on the embedded service: against a bare client, with a browser, and as the number of checks doubles. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import type { ArrivedRequest } from '../../contracts/control.ts';
import { startMock } from '../../mock/index.ts';
import type { Results } from '../../reports/results/index.ts';
import { CHECKS } from '../../suites/index.ts';
import { figureOf, inTurn, type Measure, secondsOf } from '../measure.ts';
import { type CommandRun, PROOFMARK, runCommand } from '../processes.ts';

const ROUNDS = 3;
const NO_BROWSER = { PROOFMARK_BROWSER: 'none' };

type Run = CommandRun & { readonly results: Results };

async function run(args: readonly string[], env: Record<string, string>, watch = false): Promise<Run> {
  const out = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
  try {
    const done = await runCommand(process.execPath, [PROOFMARK, 'run', '--out', out, '--quiet', ...args], {
      env,
      watch,
    });
    return { ...done, results: JSON.parse(readFileSync(join(out, 'results.json'), 'utf8')) };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** What the hop-by-hop headers of a recorded request would break when it is sent again. */
const NOT_REPEATED = new Set(['connection', 'host', 'content-length', 'transfer-encoding', 'keep-alive']);

/** Sends what arrived again, one after another on one connection, and reads each response. */
async function repeat(origin: string, arrived: readonly ArrivedRequest[]): Promise<void> {
  const agent = new Agent({ connections: 1 });
  for (const { method, target, headers, body } of arrived) {
    const kept = Object.entries(headers).filter(([name]) => !NOT_REPEATED.has(name.toLowerCase()));
    const response = await request(`${origin}${target}`, {
      dispatcher: agent,
      method: method as 'GET',
      headers: Object.fromEntries(kept),
      ...(body === '' ? {} : { body }),
    });
    await response.body.text();
  }
  await agent.close();
}

export const floor: Measure = {
  id: 'run-floor',
  title: 'A run without browser and properties, against a bare client that sends the same requests',
  goal: 'at most 1.5 times the floor, plus start-up',
  run: async () => {
    await using service = await startMock();
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-bench-'));
    const file = join(folder, 'profile.json');
    writeFileSync(
      file,
      JSON.stringify({
        ...service.profile,
        allow: ['write', 'drive', 'settings', 'site-status', 'billing', 'domains', 'password'],
        limits: { requestsPerSecond: 10_000 },
      }),
    );
    try {
      let last: Run | undefined;
      const args = ['--target', file, '--runs', '0'];
      await service.control.reset();
      await run(args, NO_BROWSER);
      const arrived = await service.control.arrived();
      const rounds = await inTurn(
        {
          run: async () => {
            await service.control.reset();
            last = await run(args, NO_BROWSER);
            return last.results.timings.checks! / 1000;
          },
          floor: async () => {
            await service.control.reset();
            return secondsOf(() => repeat(service.origin, arrived));
          },
        },
        ROUNDS,
      );
      const ratio = rounds.run.median / rounds.floor.median;
      return {
        figures: [
          { what: 'requests', value: arrived.length, unit: 'requests' },
          figureOf('the bare client, one connection', 's', rounds.floor),
          figureOf('the checks of the run', 's', rounds.run, rounds.floor),
          {
            what: 'start-up of the run, until its first check',
            value: last!.results.timings['start-up']! / 1000,
            unit: 's',
          },
        ],
        isMet: ratio <= 1.5,
        note: 'The bare client gets refusals where a run gets objects of its own, so the floor is a little too low.',
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

export const whole: Measure = {
  id: 'whole-run',
  title: 'The default run on the embedded service',
  goal: 'at most 8 s as a whole, 6 s of it in browser checks; at most 200 MiB a worker',
  run: async () => {
    let peak = 0;
    let requests = 0;
    let inBrowser = 0;
    const { results } = await run(['--runs', '0'], NO_BROWSER);
    const needsPage = new Set(results.checks.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id));
    const rounds = await inTurn(
      {
        'with a browser': async () => {
          const done = await run([], {}, true);
          requests = done.results.requests;
          inBrowser =
            done.results.checks
              .filter(({ id }) => needsPage.has(id))
              .reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000;
          peak = Math.max(
            peak,
            ...done.peaks.filter(({ command }) => /node/.test(command)).map(({ mebibytes }) => mebibytes),
          );
          return done.seconds;
        },
        'without a browser': async () => (await run([], NO_BROWSER)).seconds,
        'without browser and properties': async () => (await run(['--runs', '0'], NO_BROWSER)).seconds,
      },
      ROUNDS,
    );
    const all = rounds['with a browser'];
    return {
      figures: [
        figureOf('the whole run', 's', all),
        figureOf('without a browser', 's', rounds['without a browser'], all),
        figureOf('without browser and properties', 's', rounds['without browser and properties'], all),
        { what: 'requests of the whole run', value: requests, unit: 'requests' },
        { what: 'time in checks that need a page, over all workers', value: inBrowser, unit: 's' },
        { what: 'largest Node process', value: peak, unit: 'MiB' },
      ],
      isMet: all.median <= 8 && inBrowser <= 6 && peak <= 200,
    };
  },
};

export const growth: Measure = {
  id: 'growth-checks',
  title: 'A run without browser and properties, as the number of its checks doubles',
  goal: 'a straight line',
  run: async () => {
    const ids = CHECKS.filter(({ id }) => /^(delivery|envelope)\./.test(id)).map(({ id }) => id);
    const points: [number, number][] = [];
    for (const share of [8, 4, 2, 1]) {
      const chosen = ids.filter((_, at) => at % share === 0);
      const only = chosen.flatMap((id) => ['--only', id]);
      const done = await run(['--runs', '0', ...only], NO_BROWSER);
      points.push([chosen.length, done.results.timings.checks! / 1000]);
    }
    const first = points[0]!;
    const last = points.at(-1)!;
    return {
      figures: points.map(([checks, seconds]) => ({ what: `${checks} checks`, value: seconds, unit: 's' as const })),
      isMet: last[1] / last[0] <= (first[1] / first[0]) * 1.2,
      plot: { x: 'checks', y: 'seconds', series: [{ name: 'run', points }] },
    };
  },
};

export const startUp: Measure = {
  id: 'start-up',
  title: 'Start-up of the command line',
  goal: '`proofmark --help` at most 1.5 times `node -e 0`; see the consumer test for the package',
  run: async () => {
    // A fresh checkout has no compiled code yet; the first command keeps it.
    await runCommand(process.execPath, [PROOFMARK, 'doctor', '--help']);
    const rounds = await inTurn(
      {
        node: async () => (await runCommand(process.execPath, ['-e', '0'])).seconds * 1000,
        help: async () => (await runCommand(process.execPath, [PROOFMARK, '--help'])).seconds * 1000,
      },
      9,
    );
    return {
      figures: [figureOf('node -e 0', 'ms', rounds.node), figureOf('proofmark --help', 'ms', rounds.help, rounds.node)],
      isMet: rounds.help.median <= rounds.node.median * 1.5,
    };
  },
};
