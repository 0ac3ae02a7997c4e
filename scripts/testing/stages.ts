/** What is checked beside the tests: format, types, documents, spelling, import directions, generated files. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

export interface Stage {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** A change can break it within seconds: it belongs to `--changed`. */
  readonly isQuick: boolean;
}

export interface StageEnd {
  readonly name: string;
  readonly seconds: number;
  /** What it printed; undefined when it passed. */
  readonly complaint?: string | undefined;
}

/** Two cores are taken for granted; on more, the stages that use several by themselves have them. */
const AT_A_TIME = 2;

const FOLDERS = 'bench cli contracts examples harness mock openapi proof reports scripts suites'.split(' ');

/** All stages, those that take longest first. */
export function stagesOf(root: string): readonly Stage[] {
  const node = (name: string, args: readonly string[], isQuick = false): Stage => ({
    name,
    command: process.execPath,
    args,
    isQuick,
  });
  return [
    node('reference of the exports', ['scripts/api/reference.ts', '--check']),
    node('type-check', ['node_modules/ts7/bin/tsc', '-p', '.'], true),
    node('spelling', [
      ...['node_modules/cspell/bin.mjs', 'lint', '--no-progress', '--no-summary', '--quiet'],
      // By the contents of files: what is new, and everything when a dictionary changed.
      ...['--cache', '--cache-strategy', 'content', '--cache-location', 'node_modules/.cache/proofmark-spelling.json'],
    ]),
    node('import directions and cycles', [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      ...['--config', '.dependency-cruiser.mjs'],
      ...FOLDERS,
    ]),
    node('lint of the documents', [
      'node_modules/@redocly/cli/bin/cli.js',
      ...['lint', '--config', 'openapi/redocly.yaml'],
      ...['openapi/v1.yaml', 'openapi/api.yaml', 'openapi/integrator.yaml'],
    ]),
    { name: 'format and lint', command: join(root, 'node_modules/.bin/biome'), args: ['check', '.'], isQuick: true },
    node('generated files', ['scripts/generate/index.ts', '--check'], true),
  ];
}

/** Runs stages, several at a time; `ended` is called as each ends. */
export async function runStages(stages: readonly Stage[], root: string, ended: (end: StageEnd) => void): Promise<void> {
  const waiting = [...stages];
  const work = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) ended(await runStage(stage, root));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
}

function runStage({ name, command, args }: Stage, root: string): Promise<StageEnd> {
  const started = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, [...args], { cwd: root, env: { ...process.env, REDOCLY_TELEMETRY: 'off' } });
    let printed = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        printed += chunk;
      });
    const end = (complaint?: string): void =>
      resolve({
        name,
        seconds: (performance.now() - started) / 1000,
        ...(complaint === undefined ? {} : { complaint }),
      });
    child.on('error', (error) => end(`${printed}${error.message}`));
    child.on('close', (code) => end(code === 0 ? undefined : printed || `it ended with code ${code}`));
  });
}
