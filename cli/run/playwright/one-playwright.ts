/**
 * Which copy of Playwright runs. A project that has a version of its own gets a second one with Proofmark: its command can't run our
 * tests, and Playwright would describe that with the traces of five files.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

interface Copy {
  readonly folder: string;
  readonly version: string;
}

/**
 * What is wrong, in one sentence, where the process that `command` started (`process.argv[1]`) runs another copy of Playwright than the
 * tests of the module at `ours` (a file or its URL) import; undefined where it is the same, or is not Playwright at all.
 */
export function foreignPlaywright(command: string | undefined, ours: string | URL): string | undefined {
  if (command === undefined || !existsSync(command)) return undefined;
  const running = copyFrom(realpathSync(command));
  const own = copyFrom(realpathSync(createRequire(ours).resolve('@playwright/test/package.json')));
  if (running === undefined || own === undefined || running.folder === own.folder) return undefined;
  const what =
    running.version === own.version
      ? `two copies of Playwright ${own.version} are installed`
      : `this command is Playwright ${running.version}, and Proofmark's tests need ${own.version}`;
  return `${what} (${running.folder} and ${own.folder}): set "@playwright/test" to "${own.version}" in your package.json and install again, or run the checks with \`npx proofmark run\`.`;
}

/** The package `playwright` to which a file belongs; `@playwright/test` is a name for it. */
function copyFrom(file: string): Copy | undefined {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const path = join(folder, 'package.json');
    if (!existsSync(path)) continue;
    const { name, version } = JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string };
    if (name === 'playwright') return { folder, version: version ?? 'of an unknown version' };
    if (name === '@playwright/test')
      return copyFrom(realpathSync(createRequire(path).resolve('playwright/package.json')));
  }
  return undefined;
}
