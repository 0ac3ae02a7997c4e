import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isRecent, pinnedBinary, projectNode, verifyPinned } from './pinned-node.mjs';

/** What `digests.json` records of a package. */
interface PinnedDigest {
  readonly version: string;
  readonly sha256: string;
  /** The archive of the release that contains the same binary. */
  readonly official?: { readonly archive: string; readonly sha256: string };
}

const HERE = import.meta.dirname;
const OLD = 'v20.19.0';
const binary = pinnedBinary();
const skip = existsSync(binary.path) ? false : 'this machine has no pinned Node';

for (const [version, recent] of Object.entries({
  'v20.99.0': false,
  'v22.19.9': false,
  'v22.20.0': true,
  'v23.0.0': true,
  'v24.1.0': true,
})) {
  test(`Node ${version} is ${recent ? 'recent enough' : 'too old'}`, () => assert.equal(isRecent(version), recent));
}

test('a recent Node runs the project itself', () => {
  assert.equal(projectNode('v24.0.0', { name: 'nothing', path: '/nowhere' }), process.execPath);
});

test('an old Node without a pinned one says what to install', () => {
  assert.throws(
    () => projectNode(OLD, { name: 'nothing', path: '/nowhere' }),
    /is running on v20\.19\.0: install Node 24/,
  );
});

test('the pinned Node has the recorded digest', { skip }, () => {
  assert.equal(projectNode(OLD), binary.path);
});

test('a pinned Node with one byte more is refused', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-node-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'node');
  copyFileSync(binary.path, path);
  verifyPinned({ name: binary.name, path });
  appendFileSync(path, ' ');
  assert.throws(() => projectNode(OLD, { name: binary.name, path }), /is not the Node that this project records/);
});

test('each pinned package has a digest of its pinned version', () => {
  const read = (file: string) => JSON.parse(readFileSync(join(HERE, file), 'utf8'));
  const digests = Object.entries(read('digests.json') as Record<string, PinnedDigest>);
  assert.deepEqual(
    Object.fromEntries(digests.map(([name, { version }]) => [name, version])),
    read('package.json').optionalDependencies,
  );
  for (const [name, { version, sha256, official }] of digests) {
    assert.match(sha256, /^[0-9a-f]{64}$/, name);
    if (official === undefined) continue;
    const platform = name.replace(/^node-/, '');
    assert.match(official.archive, new RegExp(`^node-v${version}-${platform}\\.(?:tar\\.gz|zip)$`));
    assert.match(official.sha256, /^[0-9a-f]{64}$/, name);
  }
});
