/** What this machine has for a run: Node, a browser, and the languages in which the example integrators are written. */
import { execFile } from 'node:child_process';
import { findBrowser } from '../common/browser.ts';

/** One line of the report. `good`: nothing is missing; `missing`: something can't be decided without it; `note`: for information only. */
export interface Line {
  readonly kind: 'good' | 'missing' | 'note';
  readonly what: string;
  readonly says: string;
}

/** A command that does not report its version in this time counts as missing. */
const VERSION_TIMEOUT_MS = 15_000;

export interface Machine {
  readonly lines: readonly Line[];
  /** Path of the browser, where there is one. */
  readonly browser: string | undefined;
}

/** What is installed on this machine: Node, a browser, PHP and Python. */
export async function machine(): Promise<Machine> {
  const [browser, php, python] = await Promise.all([
    findBrowser(),
    versionOf('php', ['-r', 'echo PHP_VERSION;']),
    versionOf('python3', ['--version']),
  ]);
  return {
    browser: browser?.path,
    lines: [
      { kind: 'good', what: 'Node', says: process.version },
      browser === undefined
        ? {
            kind: 'missing',
            what: 'Browser',
            says: 'none: run `npx playwright install chromium`, or set PROOFMARK_BROWSER to a Chromium',
          }
        : { kind: 'good', what: 'Browser', says: `${browser.version} (${browser.path})` },
      example('PHP', php),
      example('Python', python),
    ],
  };
}

const example = (what: string, version: string | undefined): Line =>
  version === undefined
    ? { kind: 'note', what, says: 'not installed: only the example integrators in that language need it' }
    : { kind: 'good', what, says: version };

function versionOf(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(command, args, { timeout: VERSION_TIMEOUT_MS }, (error, stdout) =>
      resolve(error === null ? stdout.trim().split('\n', 1)[0] || undefined : undefined),
    );
  });
}
