import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examplesForPackage, urlsOfModules, withJsImports } from './rewrite.ts';

test('declarations import .js, packages stay as they are', () => {
  assert.equal(
    withJsImports(`import { A } from './a.ts';\nexport type B = import("../b/index.ts").B;\nimport x from 'x.ts';`),
    `import { A } from './a.js';\nexport type B = import("../b/index.js").B;\nimport x from 'x.ts';`,
  );
});

test('addresses of modules beside a module are those of the compiled ones', () => {
  assert.equal(
    urlsOfModules(`new URL('./w.ts', import.meta.url); new URL("../../a.ts", import.meta.url); new URL('x.ts', base)`),
    `new URL('./w.js', import.meta.url); new URL("../../a.js", import.meta.url); new URL('x.ts', base)`,
  );
});

test('an example imports the package in place of the checkout; tools of the checkout are left out', () => {
  const files = {
    'examples/a/app.ts': `import { sign } from '../../contracts/signing/index.ts';\nimport { k } from './kit.ts';`,
    'examples/a/kit.ts': 'export const k = 1;',
    'examples/a/app.py': "from './gone.ts' import nothing",
    'examples/start.ts': `import { freePort } from '../harness/free-port.ts';`,
    'examples/index.ts': `import { start } from './start.ts';`,
  };
  assert.deepEqual(Object.fromEntries(examplesForPackage('examples', new Map(Object.entries(files)))), {
    'examples/a/app.ts': `import { sign } from 'proofmark/contracts';\nimport { k } from './kit.ts';`,
    'examples/a/kit.ts': files['examples/a/kit.ts'],
    'examples/a/app.py': files['examples/a/app.py'],
  });
});
