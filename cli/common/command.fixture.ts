/** For tests: the real command line in another process, a mock in another, and folders that go away. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Results } from '../../reports/results/index.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Ends what hangs for good: a whole run with browser steps took four minutes on two cores that fifty others wanted. */
const RUN_TIMEOUT_MS = 1_200_000;

export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly onStart?: (child: ChildProcess) => void;
  /** A run has as many workers as it has for a user. */
  readonly severalWorkers?: boolean;
}

/**
 * Runs `proofmark …` as a user does and waits for its end. A run has one worker, unless `--workers` says otherwise or it
 * has `severalWorkers`: each further one takes a second of the processor to load what the first has loaded.
 */
export const proofmark = (args: readonly string[], options: CliOptions = {}): Promise<CommandResult> => {
  const isSettled = args[0] !== 'run' || options.severalWorkers === true || args.some((arg) => SETTLES.has(arg));
  return runScript(join(ROOT, 'cli/proofmark.mjs'), isSettled ? args : [...args, '--workers', '1'], options);
};

/** Options of a run that says how many workers it has, or has none. */
const SETTLES: ReadonlySet<string> = new Set(['--workers', '--list', '--dry-run', '--help', '--replay']);

/** Runs a script with this Node.js and waits for its end. */
export function runScript(
  script: string,
  args: readonly string[],
  { env = {}, cwd = ROOT, onStart }: CliOptions = {},
): Promise<CommandResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd,
      env: { ...cleanEnv(), NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), RUN_TIMEOUT_MS);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, stdout, stderr });
    });
    onStart?.(child);
  });
}

/**
 * Without what Node's test runner sets for its own children, which would make Playwright's runner print for it, and without
 * the job summary of a pipeline that runs the tests.
 */
function cleanEnv(): Record<string, string | undefined> {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, GITHUB_ACTIONS: _actions, ...rest } = process.env;
  return rest;
}

/** A folder that is removed when the test ends. */
export function folderFor(t: { after(end: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export const resultsIn = (folder: string): Results =>
  JSON.parse(readFileSync(join(folder, 'results.json'), 'utf8')) as Results;

export interface StartedMock {
  readonly origin: string;
  /** Path of its profile. */
  readonly profile: string;
  /** The profile's content, to change and write again. */
  readonly json: Record<string, never>;
}

/** Starts `proofmark mock` in a process of its own, at a free port unless `args` name one, and waits for its profile. */
export async function startMock(
  t: { after(end: () => Promise<void> | void): void },
  folder: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedMock> {
  const profile = join(folder, 'mock-profile.json');
  const port = args.includes('--port') ? [] : ['--port', '0'];
  const command = [join(ROOT, 'cli/proofmark.mjs'), 'mock', '--profile-out', profile, ...port, ...args];
  const child = spawn(process.execPath, command, {
    cwd: folder,
    env: { ...cleanEnv(), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  let mayEnd = false;
  t.after(async () => {
    mayEnd = true;
    child.kill('SIGTERM');
    await closed;
  });
  child.once('exit', (code, signal) => {
    if (!mayEnd) console.error(`the mock ended during the test, with ${signal ?? `code ${code}`}: ${printed}`);
  });
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      printed += chunk;
      if (printed.includes('Ctrl-C')) resolve();
    });
    child.once('close', () => reject(new Error(`the mock ended early: ${printed}`)));
  });
  const json = JSON.parse(readFileSync(profile, 'utf8'));
  return { origin: new URL(json.v1).origin, profile, json };
}

/** Writes a profile changed from another. */
export function writeProfile(folder: string, name: string, json: unknown): string {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(json, null, 2));
  return file;
}
