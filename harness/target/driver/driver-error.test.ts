import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageError } from '../../process/usage-error.ts';
import { callLogOf, lineIn } from './driver-error.ts';
import { loadDriver } from './index.ts';

const PAGE = undefined as never;

/** Writes a driver and loads it. */
async function driverOf(t: { after(end: () => void): void }, lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-driver-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'staging.driver.mjs');
  writeFileSync(file, lines.join('\n'));
  return { file, driver: await loadDriver(file).catch((error: Error) => error) };
}

test('an error of a driver names its line and the call log of the browser', async (t) => {
  const { file, driver } = await driverOf(t, [
    'export default {',
    '  async hasPrintLabel() {',
    "    throw new Error('Timeout 30000ms exceeded.\\n\\u001b[2mCall log:\\n  - waiting for locator(\\'#print\\')\\u001b[22m\\n');",
    '  },',
    '  labelOf() { return helper(); },',
    '};',
    "function helper() { throw new Error('no such order'); }",
  ]);
  assert.ok(!(driver instanceof Error));
  await assert.rejects(driver.hasPrintLabel!(PAGE), (error: Error) => {
    assert.ok(error.message.includes(` at ${file}:3:11`), error.message);
    assert.ok(error.message.includes("(the browser's call log: waiting for locator('#print'))"), error.message);
    return true;
  });
  await assert.rejects(driver.labelOf!(PAGE, 'o'), /failed: no such order at .*staging\.driver\.mjs:7:\d+/);
});

test('a driver that cannot be loaded is reported with its line, in one sentence', async (t) => {
  const reports: Readonly<Record<string, readonly string[]>> = {
    "Cannot read properties of undefined (reading 'b') (FILE:2:": [
      'const a = undefined;',
      'export default { c: a.b };',
    ],
    'Missing initializer in const declaration (FILE:2)': ['', 'const x;'],
  };
  for (const [report, lines] of Object.entries(reports)) {
    const { file, driver } = await driverOf(t, lines);
    assert.ok(driver instanceof UsageError);
    assert.ok(driver.message.includes(report.replace('FILE', file)), driver.message);
    assert.match(driver.message, /^The driver [^\n]*: correct the module\.$/);
  }
});

test("a file that is not a module, or that can't be read, is one sentence without the words of Node", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-driver-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const named = (name: string) => loadDriver(join(folder, name)).catch((error: Error) => error.message);
  for (const name of ['driver.json', 'driver.txt']) {
    writeFileSync(join(folder, name), '{}');
    assert.equal(
      await named(name),
      `The driver ${join(folder, name)} is not a module (.ts, .mts, .js, .mjs): correct the profile's "driver".`,
    );
  }
  symlinkSync('loop.mjs', join(folder, 'loop.mjs'));
  assert.match(
    String(await named('loop.mjs')),
    /can't be read, its links form a loop: correct the profile's "driver"\.$/,
  );
  assert.match(String(await named('none.mjs')), /does not exist: correct the profile's "driver"\.$/);
});

test('a TypeScript driver beside a package.json without a type is loaded without a note of Node', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-driver-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'staging.driver.ts');
  writeFileSync(join(folder, 'package.json'), '{"name":"shop"}');
  writeFileSync(file, "process.emitWarning('our own');\nexport default { openOrder(): void {} };\n");
  const index = new URL('./index.ts', import.meta.url).href;
  const script = `import { loadDriver } from ${JSON.stringify(index)}; await loadDriver(${JSON.stringify(file)});`;
  const { stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /our own/);
  assert.doesNotMatch(stderr, /TYPELESS|Reparsing/);
});

test('a misspelt function is refused with the nearest known name, a helper is not', async (t) => {
  const misspelt = await driverOf(t, ['export default { openOrders() {} };']);
  assert.match(String(misspelt.driver), /has "openOrders", which no check calls: .* is "openOrder", rename it/);
  const helper = await driverOf(t, ['export default { openOrder() {}, openOrders() {}, signInToAdmin() {} };']);
  assert.ok(!(helper.driver instanceof Error), String(helper.driver));
});

test('whatever is thrown, looking at it does not fail', () => {
  const clever = Object.defineProperty(new Error('x'), 'stack', {
    get: () => {
      throw new Error('no stack');
    },
  });
  for (const thrown of [undefined, null, 'text', clever, { stack: 1 }, new Error('without a log')]) {
    assert.equal(lineIn('/driver.mjs', thrown), undefined);
    assert.equal(callLogOf(thrown), undefined);
  }
});

test('the steps of the browser are looked for in one pass, whatever text of a page is in the error', () => {
  const started = process.cpuUsage();
  assert.equal(callLogOf(new Error(`Timeout${'\n'.repeat(400_000)}x`)), undefined);
  assert.match(callLogOf(new Error(`Timeout\n  Call log:\n${'\n'.repeat(1000)}  - clicks`)) ?? '', /clicks/);
  assert.ok(process.cpuUsage(started).user < 2_000_000);
});
