/**
 * Playwright's runner loads Babel when it starts, only to rewrite snapshots in source files (`--update-snapshots`), which no check has:
 * 0.1 s of the processor and 28 MB before the first file of ours. `proofmark run` has Node import this before Playwright: Babel is
 * then loaded when one of its functions is used. Where Playwright keeps it elsewhere, this does nothing.
 */
import { existsSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname, join } from 'node:path';

const load = createRequire(import.meta.url);

/** The file of Playwright that holds Babel. */
export const BABEL_FILE = join(
  dirname(createRequire(load.resolve('@playwright/test/package.json')).resolve('playwright/package.json')),
  'lib/transform/babelBundle.js',
);

type Exports = Record<string, unknown>;

let loaded: Exports | undefined;

function babel(): Exports {
  if (loaded === undefined) {
    delete load.cache[BABEL_FILE];
    loaded = load(BABEL_FILE) as Exports;
  }
  return loaded;
}

/** The members that Playwright uses; `types` is already read when the runner loads, its functions later. */
const members: Exports = {
  types: new Proxy({}, { get: (_, name) => (babel().types as Record<string | symbol, unknown>)[name] }),
};
for (const name of ['babelParse', 'babelTransform', 'declare', 'traverse'])
  Object.defineProperty(members, name, { enumerable: true, get: () => babel()[name] });

// Workers never load it.
if (process.send === undefined && existsSync(BABEL_FILE)) {
  const stand = new Module(BABEL_FILE);
  Object.assign(stand, { filename: BABEL_FILE, loaded: true, exports: members });
  load.cache[BABEL_FILE] = stand;
}
