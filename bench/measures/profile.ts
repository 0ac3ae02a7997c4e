/** Where the processor time of a run goes, by the profiles that Node writes of each of its processes. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Figure, Measure } from '../measure.ts';
import { PROOFMARK, runCommand } from '../processes.ts';

const SHOWN_FUNCTIONS = 10;
const ROOT = `${join(import.meta.dirname, '../..')}/`;

/** As `node --cpu-prof` writes it; times in microseconds. */
export interface CpuProfile {
  readonly startTime: number;
  readonly nodes: ReadonlyArray<{
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }>;
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

type Frame = CpuProfile['nodes'][number]['callFrame'];

/** What a function belongs to, by the address of its file; the first match counts. */
const PARTS: readonly (readonly [part: string, pattern: RegExp])[] = [
  ['Playwright', /node_modules\/(@playwright|playwright)/],
  ['undici and our HTTP client', /node_modules\/undici\/|\/harness\/target\/client\//],
  ['other packages', /node_modules\//],
  ['redaction and recording', /\/harness\/evidence\//],
  ['the embedded service', /\/mock\//],
  ['the suites', /\/suites\//],
  ['reports', /\/reports\//],
  ['the rules of the contract', /\/contracts\//],
  ['the rest of the harness and the command line', /\/(harness|cli)\//],
  [
    'finding, compiling and linking modules',
    /node:internal\/(modules|bootstrap|source_map)|node:internal\/deps\/(amaro|cjs)/,
  ],
  ['Request, Response and streams of the web', /node:internal\/(deps\/undici|webstreams|encoding|url)/],
  ["Node's own modules", /^node:/],
];

function partOf({ functionName, url }: Frame): string {
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return "Node's native functions: sockets, files, JSON";
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? 'other';
}

function nameOf({ functionName, url, lineNumber }: Frame): string {
  const name = functionName === '' ? 'a function without a name' : `\`${functionName}\``;
  const file = url
    .replace('file://', '')
    .replace(ROOT, '')
    .replace(/^.*node_modules\//, '');
  return url === '' ? `${name} (native)` : `${name} (\`${file}:${lineNumber + 1}\`)`;
}

/** Shares of the busy time of processes, largest first, by what `group` makes of a function. */
export function sharesOf(
  profiles: readonly CpuProfile[],
  group: (frame: Frame) => string,
): { readonly busySeconds: number; readonly shares: ReadonlyArray<readonly [group: string, share: number]> } {
  const times = new Map<string, number>();
  let busy = 0;
  for (const { nodes, samples, timeDeltas } of profiles) {
    const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
    for (const [at, id] of samples.entries()) {
      const frame = frames.get(id);
      const time = timeDeltas[at] ?? 0;
      if (frame === undefined || frame.functionName === '(idle)') continue;
      busy += time;
      times.set(group(frame), (times.get(group(frame)) ?? 0) + time);
    }
  }
  const shares = [...times].map(([name, time]) => [name, time / busy] as const).sort(([, a], [, b]) => b - a);
  return { busySeconds: busy / 1e6, shares };
}

function figuresOf(process: string, profiles: readonly CpuProfile[]): Figure[] {
  const parts = sharesOf(profiles, partOf);
  // Neither is a function: the collector is a part above, the program is time outside JavaScript.
  const functions = sharesOf(profiles, nameOf).shares.filter(
    ([name]) => !/^`\((garbage collector|program)\)/.test(name),
  );
  const percent = ([what, share]: readonly [string, number]): Figure => ({
    what: `${process}: ${what}`,
    value: share * 100,
    unit: '%',
  });
  return [
    { what: `**${process}**: busy`, value: parts.busySeconds, unit: 's' },
    ...parts.shares.map(percent),
    ...functions.slice(0, SHOWN_FUNCTIONS).map(percent),
  ];
}

export const profile: Measure = {
  id: 'profile',
  title:
    'Where the processor time of a run without browser and properties goes, with the ten most expensive functions of each process',
  run: async () => {
    const folder = mkdtempSync(join(tmpdir(), 'proofmark-profile-'));
    try {
      const env = { PROOFMARK_BROWSER: 'none', NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${join(folder, 'profiles')}` };
      const args = ['run', '--runs', '0', '--workers', '2', '--quiet', '--out', join(folder, 'run')];
      await runCommand(process.execPath, [PROOFMARK, ...args], { env });
      const profiles = readdirSync(join(folder, 'profiles'))
        .map((file) => JSON.parse(readFileSync(join(folder, 'profiles', file), 'utf8')) as CpuProfile)
        .sort((a, b) => a.startTime - b.startTime);
      const [command, runner, ...workers] = profiles;
      if (command === undefined || runner === undefined || workers.length === 0)
        throw new Error(
          `A run wrote ${profiles.length} profiles: expected one of the command, the runner and each worker.`,
        );
      return {
        figures: [...figuresOf('the runner', [runner]), ...figuresOf('the workers', workers)],
        note: 'The runner serves the embedded service, records events and writes the reports; the process of the command waits. Profiles cost time too: only the shares count.',
      };
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
};
