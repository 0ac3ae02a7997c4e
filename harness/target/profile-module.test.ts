import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../process/usage-error.ts';
import { loadProfile } from './profile/index.ts';
import { profileModuleText } from './profile-module.ts';

const DEFINE = pathToFileURL(join(import.meta.dirname, 'define.ts')).href;
const folder = mkdtempSync(join(tmpdir(), 'proofmark-profile-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

test('a profile may be a TypeScript module; its secrets come from the environment as in a JSON file', () => {
  const file = written(
    'staging.ts',
    `import { defineProfile } from '${DEFINE}';
     export default defineProfile({ v1: 'https://staging.example/v1/' as string, delivery: { private: { apiKey: '\${KEY}' } } });`,
  );
  const profile = loadProfile(file, { KEY: 'store-key-123456' });
  assert.equal(profile.name, 'staging');
  assert.equal(profile.delivery?.private?.apiKey?.reveal(), 'store-key-123456');
  assert.doesNotMatch(JSON.stringify(profile.toShareable()), /store-key/);
});

const WRONG: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  'unknown key': ['export default { nmae: "x" }', /wrong-.*\.mjs:\d+:\d+: .*nmae/s],
  'no default export': ['export const profile = {}', /has no default export with a profile/],
  'error inside': ['throw new Error("no vault")', /can't be loaded: no vault \(.*:1:7\): correct the module/],
  'an exit': ['process.exit(0)', /can't be loaded: it ended the process with code 0: correct the module/],
  'an exit that follows': [
    'await new Promise((next) => setTimeout(next, 10)); process.exit(1)',
    /can't be loaded: it ended the process with code 1: correct the module/,
  ],
  'a rejection that is not handled': [
    'Promise.reject(new Error("vault is down")); export default {}',
    /can't be loaded: vault is down \(.*:1:16\): correct the module/,
  ],
  'an endless wait': ['await new Promise(() => {})', /can't be loaded: it waits for something that never happens/],
  'a circle': ['const a = {}; a.a = a; export default a', /can't be loaded: Converting circular structure/],
  'secret in clear text': [
    'export default { v1: "https://a.example/v1/", apps: { apiKey: "plainly-written" } }',
    /\$\{/,
  ],
};
for (const [at, [what, [text, says]]] of Object.entries(WRONG).entries()) {
  test(`a module with ${what} is refused with a sentence`, () => {
    assert.throws(
      () => loadProfile(written(`wrong-${at}.mjs`, text), {}),
      (error) => error instanceof UsageError && says.test(error.message),
    );
  });
}

test('a module that never ends loading is refused', () => {
  const file = written('endless.mjs', 'for (;;);');
  assert.throws(
    () => profileModuleText(file, 1_000),
    /can't be loaded: it was still loading after 1 s: correct the module/,
  );
});

test('what a module does later has no effect, and is not waited for', () => {
  const file = written('later.mjs', 'setTimeout(() => process.exit(7), 30_000); export default { name: "later" };');
  assert.equal(loadProfile(file, {}).name, 'later');
});

test('a module is loaded without the notes of Node about its kind, and with what it prints itself', () => {
  writeFileSync(join(folder, 'package.json'), '{"name":"without-type"}');
  const file = written('untyped.js', 'console.warn("of the module"); export default { name: "x" };');
  const loader = pathToFileURL(join(import.meta.dirname, 'profile', 'index.ts')).href;
  const program = `import { loadProfile } from '${loader}'; loadProfile(${JSON.stringify(file)});`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  assert.equal(stderr, 'of the module\n');
});

test('TypeScript that Node can not run is named, with what to write', () => {
  const file = written('wrong.ts', 'enum Stage { Test }\nexport default { name: String(Stage.Test) };');
  assert.throws(
    () => loadProfile(file, {}),
    /TypeScript enum needs a compiler, and Node only removes types: .* \(.*wrong\.ts:1\): correct the module/,
  );
});
