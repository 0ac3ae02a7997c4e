// Finds a Chromium-family browser that runs. Plain JavaScript on Node's own modules: set-up uses it on a bare machine.
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, delimiter, join } from 'node:path';

/** Chromium without its window: the same engine opens a page with less than half of the work. */
const SHELL_NAMES = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];
const FIXED = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [
    `${process.env.PROGRAMFILES}\\Google\\Chrome\\Application\\chrome.exe`,
    `${process.env['PROGRAMFILES(X86)']}\\Microsoft\\Edge\\Application\\msedge.exe`,
  ],
  linux: ['/opt/google/chrome/chrome', '/snap/bin/chromium'],
};
/** A browser that does not print its version in this time hangs; on a busy machine it took over 15 s. */
const VERSION_TIMEOUT_MS = 120_000;

function versionOf(path) {
  try {
    accessSync(path, constants.X_OK);
  } catch {
    return Promise.resolve(undefined);
  }
  // On Windows `--version` opens a window; a file that may be run has to do.
  if (process.platform === 'win32') return Promise.resolve('present');
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: VERSION_TIMEOUT_MS }, (error, stdout) =>
      resolve(error === null ? stdout.trim() || undefined : undefined),
    );
  });
}

/** Playwright's own download, where the package is installed. */
function ownBrowser() {
  try {
    return createRequire(import.meta.url)('@playwright/test').chromium.executablePath();
  } catch {
    return undefined;
  }
}

/** Playwright downloads both: `chromium-1234/chrome-linux/chrome` and, without a window, below `chromium_headless_shell-1234`. */
export function shellsBeside(whole) {
  const [, folder, version] = /^(.*)[\\/]chromium-(\d+)[\\/]/.exec(whole) ?? [];
  const shells = folder === undefined ? '' : join(folder, `chromium_headless_shell-${version}`);
  if (!existsSync(shells)) return [];
  const isShell = (path) => /^(chrome-headless-shell|headless_shell)(\.exe)?$/.test(basename(path));
  return readdirSync(shells, { recursive: true })
    .filter(isShell)
    .map((path) => join(shells, path));
}

/** The environment in which other processes find the same browser, or none, without starting it again. */
export function browserEnvironment(found) {
  return { PROOFMARK_BROWSER: found?.path ?? 'none', PROOFMARK_BROWSER_VERSION: found?.version ?? '' };
}

/**
 * The first browser that runs: PROOFMARK_BROWSER, one without a window (in PATH, Playwright's own), one in PATH, a well-known
 * place, Playwright's own.
 * PROOFMARK_BROWSER=none looks for nothing, to see what a machine without one does.
 * @returns {Promise<{path: string, version: string} | undefined>}
 */
export async function findBrowser() {
  const chosen = process.env.PROOFMARK_BROWSER;
  if (chosen === 'none') return undefined;
  // Detected by the process that started this one: it need not run once more to be believed.
  const version = process.env.PROOFMARK_BROWSER_VERSION;
  if (chosen && version && existsSync(chosen)) return { path: chosen, version };
  const inPath = (names) =>
    names.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name)));
  const own = chosen ? undefined : ownBrowser();
  const candidates = chosen
    ? [chosen]
    : [
        ...inPath(SHELL_NAMES),
        ...(own === undefined ? [] : shellsBeside(own)),
        ...inPath(NAMES),
        ...(FIXED[process.platform] ?? []),
        ...(own === undefined ? [] : [own]),
      ];
  for (const path of candidates) {
    if (!existsSync(path)) continue;
    const version = await versionOf(path);
    if (version !== undefined) return { path, version };
  }
  return undefined;
}
