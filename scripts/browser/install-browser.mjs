// Installs a browser where none is found: Debian's Chromium as root, else Playwright's own, else none with a sentence. Plain
// JavaScript: it runs on whatever Node came with npm.

/** Without a way out, Playwright's download tries for a long time; with one it needs less than a minute. */
const DOWNLOAD_TIMEOUT_MS = 180_000;
const APT_TIMEOUT_MS = 300_000;

/** Older releases have no package of Chromium without its window. */
const PACKAGES = ['chromium-headless-shell', 'chromium'];

/** What is about to be installed with the rights of root, and how to forbid it. */
export const ROOT_NOTICE =
  "proofmark: no browser was found, so Debian's chromium-headless-shell (or chromium) and its dependencies are now installed as root with apt-get. PROOFMARK_BROWSER=none prevents it, PROOFMARK_BROWSER=/path/to/chromium selects another browser.";
const DOWNLOAD_NOTICE =
  "proofmark: Playwright's Chromium is now downloaded into the home directory of this user. PROOFMARK_BROWSER=none prevents it.";
const NO_BROWSER_NOTICE =
  'proofmark: no browser could be installed here, so the browser checks are inconclusive. Install Chromium, or set PROOFMARK_BROWSER=/path/to/chromium, and run the command again.';

/**
 * `machine` is what it works on: `find()` a browser, `run(command, args, timeoutMs)`, `say(line)`, `hasApt`, whether it
 * `failedRecently`, and `rememberFailure()`.
 */
export async function installBrowser(machine, env = process.env) {
  if (env.PROOFMARK_BROWSER === 'none' || (await machine.find()) !== undefined) return;
  if (machine.failedRecently) {
    machine.say(NO_BROWSER_NOTICE);
    return;
  }
  if (machine.hasApt) {
    machine.say(ROOT_NOTICE);
    machine.run('apt-get', ['update', '-qq'], APT_TIMEOUT_MS);
    for (const name of PACKAGES) {
      machine.run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], APT_TIMEOUT_MS);
      if ((await machine.find()) !== undefined) return;
    }
  }
  machine.say(DOWNLOAD_NOTICE);
  machine.run('npx', ['playwright', 'install', 'chromium'], DOWNLOAD_TIMEOUT_MS);
  if ((await machine.find()) !== undefined) return;
  machine.rememberFailure();
  machine.say(NO_BROWSER_NOTICE);
}
