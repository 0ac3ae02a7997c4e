// The first command on any machine: installs what is missing, then does the job.
//   node scripts/first.mjs conformance | test | setup [ARGUMENT …]
// Runs on whatever Node came with npm, so it uses nothing but old and plain JavaScript modules.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './browser/browser.mjs';
import { installBrowser } from './browser/install-browser.mjs';
import { projectNode } from './pinned-node/pinned-node.mjs';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const STAMP = join(ROOT, 'node_modules/.proofmark-lock');
const NO_BROWSER = join(ROOT, 'node_modules/.proofmark-no-browser');
const WINDOWS = process.platform === 'win32';
/** A browser that could not be installed is not tried again by every command of the day. */
const NO_BROWSER_FOR_MS = 12 * 60 * 60 * 1000;

const [job, ...rest] = process.argv.slice(2);
const JOBS = {
  conformance: () => node(['cli/main.ts', 'run', ...rest]),
  test: () => node(['scripts/test.ts', ...rest]),
  setup: () => 0,
};
if (!Object.hasOwn(JOBS, job ?? '')) {
  console.error(`proofmark: node scripts/first.mjs takes conformance, test or setup, not "${job ?? ''}".`);
  process.exit(2);
}

installPackages();
await installBrowser(thisMachine());
process.exit(JOBS[job]());

/** Runs a recent Node in the project's folder; its exit code. */
function node(args) {
  let path;
  try {
    path = projectNode();
  } catch (error) {
    console.error(`proofmark: ${error.message}`);
    return 2;
  }
  const { status, signal } = spawnSync(path, args, { stdio: 'inherit', cwd: ROOT });
  return signal === null ? (status ?? 4) : 3;
}

function run(command, args, timeout) {
  console.log(`$ ${command} ${args.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, args, { stdio: 'inherit', cwd: ROOT, shell: WINDOWS, env, timeout }).status === 0;
}

/** Installs exactly the packages of the lock file, once for each lock file. */
function installPackages() {
  const lock = createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lock) return;
  if (!run('npm', ['ci', '--include=dev', '--include=optional'])) {
    console.error(
      'proofmark: the packages could not be installed: see the message of npm above, and run the command again.',
    );
    process.exit(2);
  }
  // No script of a package runs (`.npmrc`), so our own is called by name.
  run(process.execPath, ['scripts/link-bins.mjs']);
  writeFileSync(STAMP, lock);
}

/** This machine, for the installation of a browser. */
function thisMachine() {
  const recent = existsSync(NO_BROWSER) && Date.now() - statSync(NO_BROWSER).mtimeMs < NO_BROWSER_FOR_MS;
  return {
    find: () => findBrowser(),
    run,
    say: (line) => console.log(line),
    hasApt: process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
    failedRecently: recent && job !== 'setup',
    rememberFailure: () => writeFileSync(NO_BROWSER, ''),
  };
}
