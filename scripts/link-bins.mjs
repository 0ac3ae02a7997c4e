// Run by npm after an installation in the checkout (as a script of the workspace `pinned-node/`: the package itself has none).
// npm links no package's own bin into its own checkout, and npm before 11.6 forgets the `node` bin link when several platform
// packages share it: put both where `npx` looks. A machine whose own Node is recent enough keeps it: the pinned one is a fallback.
import { chmodSync, existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isRecent, pinnedBinary } from './pinned-node/pinned-node.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = join(ROOT, 'node_modules/.bin');

function isThere(at) {
  try {
    lstatSync(at);
    return true;
  } catch {
    return false;
  }
}

function link(target, name) {
  const at = join(BIN, name);
  if (process.platform !== 'win32' && existsSync(join(BIN, target)) && !isThere(at)) symlinkSync(target, at);
}

mkdirSync(BIN, { recursive: true });
// Under npm `node` may already be the pinned one, by this very link: what npm itself runs on is the machine's.
const machine = /\bnode\/(v[\d.]+)/.exec(process.env.npm_config_user_agent ?? '')?.[1] ?? process.version;
if (isRecent(machine)) {
  for (const name of ['node', 'node.cmd', 'node.ps1']) rmSync(join(BIN, name), { force: true });
} else link(`../${pinnedBinary().name}/bin/node`, 'node');
link('../../cli/proofmark.mjs', 'proofmark');
chmodSync(join(ROOT, 'cli/proofmark.mjs'), 0o755);
