import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { BABEL_FILE } from './babel-when-used.ts';

const BABEL_WHEN_USED = new URL('babel-when-used.ts', import.meta.url).href;

/** What a process prints that imports this before Playwright, as the runner of a run does. */
function printed(script: string): string {
  const code = `const babel = require(${JSON.stringify(BABEL_FILE)}); ${script}`;
  const options = ['--import', BABEL_WHEN_USED, '--input-type=commonjs', '-e', code];
  return execFileSync(process.execPath, options, { encoding: 'utf8' }).trim();
}

/** Whether Babel has been loaded, which takes tens of megabytes. */
const MEGABYTES = 'Math.round(process.memoryUsage().heapUsed / 1024 / 1024)';

test('Playwright has Babel where this looks for it, under these names', () => {
  assert.ok(existsSync(BABEL_FILE));
  const script = 'console.log(Object.keys(babel).sort().join())';
  const without = execFileSync(process.execPath, [
    '-e',
    `const babel = require(${JSON.stringify(BABEL_FILE)}); ${script}`,
  ]);
  assert.equal(printed(script), String(without).trim());
});

test('it is loaded when one of its functions is used, and works', () => {
  const used = printed(`
    const before = ${MEGABYTES};
    const { types } = babel;
    const file = babel.babelParse('expect(1).toBe(1)', 'a.js', true);
    let calls = 0;
    babel.traverse(file, { CallExpression: () => { calls += 1; } });
    console.log(types.isFile(file), calls, ${MEGABYTES} > before + 5);`);
  assert.equal(used, 'true 2 true');
});
