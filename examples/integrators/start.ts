/** Starts an example like an integrator's software: a separate process, in its own language, behind an address. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../harness/process/free-port.ts';
import type { Kind } from './index.ts';

export type Language = 'ts' | 'php' | 'python';

export interface StartOptions {
  readonly kind: Kind;
  /** One of `examples()`, in TypeScript; without it the correct example in `language`. */
  readonly id?: string;
  readonly language?: Language;
  /** The smallest app in `language`, of `examples/minimal/`. */
  readonly isMinimal?: true;
  readonly settings: {
    /** Up to and with `/v1/`. */
    readonly serviceBase: string;
    readonly apiKey: string;
    /** Of apps only. */
    readonly appSecret?: string;
    readonly tabMode?: 'blank' | 'self';
    /** Any free one by default. */
    readonly port?: number;
  };
}

export interface StartedExample {
  readonly origin: string;
  readonly manifestUrl: string;
  readonly labelUrl: string;
  readonly checkoutUrl: string;
  /** Stops the process and waits for its exit. */
  close(): Promise<void>;
}

const HERE = import.meta.dirname;
const ROOT = join(HERE, '../../..');
/** A TypeScript example takes about a second on an idle machine; ten times that for a busy one, and more. */
const START_TIMEOUT_MS = 30_000;
const POLL_MS = 50;

/** Why examples in a language can't run here; undefined when they can. */
export function missing(language: Language): string | undefined {
  if (language === 'ts') return undefined;
  const command = language === 'php' ? 'php' : 'python3';
  const found = spawnSync(command, [language === 'php' ? '-v' : '--version'], { stdio: 'ignore' });
  return found.status === 0 ? undefined : `${command} is not installed`;
}

/** Starts an example and waits until it responds. If it does not, throws with its output. */
export async function startExample(start: StartOptions): Promise<StartedExample> {
  const { settings } = start;
  const port = settings.port ?? (await freePort());
  const origin = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-example-'));
  const [command, args] = commandOf(start, port);
  const child = spawn(command, args, {
    cwd: ROOT,
    env: {
      ...cleanEnvironment(),
      PORT: String(port),
      SERVICE_BASE: settings.serviceBase,
      API_KEY: settings.apiKey,
      APP_SECRET: settings.appSecret ?? '',
      TAB_MODE: settings.tabMode ?? 'blank',
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const close = async (): Promise<void> => {
    process.off('exit', end);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await responding(child, `${origin}/manifest.json`);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    origin,
    manifestUrl: `${origin}/manifest.json`,
    labelUrl: `${origin}/label`,
    checkoutUrl: `${origin}/checkout`,
    close,
  };
}

function commandOf({ kind, id, language = 'ts', isMinimal }: StartOptions, port: number): [string, string[]] {
  if (isMinimal === true) {
    const file = (extension: string): string => join(HERE, '../minimal', `app.${extension}`);
    if (language === 'php') return ['php', ['-S', `127.0.0.1:${port}`, file('php')]];
    return language === 'python' ? ['python3', [file('py')]] : [process.execPath, [file('ts')]];
  }
  if (language === 'php') return ['php', ['-S', `127.0.0.1:${port}`, join(HERE, kind, 'correct.php')]];
  if (language === 'python') return ['python3', [join(HERE, kind, 'correct.py')]];
  return [process.execPath, [join(HERE, 'serve.ts'), id ?? kind]];
}

/** Our environment, without the variables of Node's test runner and without proxies for loopback. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost', PYTHONUNBUFFERED: '1' };
}

async function responding(child: ChildProcess, address: string): Promise<void> {
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      // PHP servers print one line per request: only the beginning explains a failed start.
      if (printed.length < 4_000) printed += chunk;
    });
  }
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (performance.now() < deadline) {
    if (failed !== undefined) throw failed;
    if (child.exitCode !== null) break;
    try {
      const response = await fetch(address);
      await response.arrayBuffer();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
  throw new Error(`The example did not start. It printed: ${printed}`);
}
