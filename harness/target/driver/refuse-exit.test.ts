import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';

test('an exit in a driver is a failure of its function, and all others still end the process', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-exit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'driver.mjs');
  writeFileSync(file, 'export default { async hasPrintLabel() { await null; process.exit(0); } };');
  const atLoad = join(folder, 'at-load.mjs');
  writeFileSync(atLoad, 'process.exit(0);');
  const own = (name: string): string => pathToFileURL(join(import.meta.dirname, name)).href;
  const program = `
    import { guardedDriver } from '${own('guard.ts')}';
    import { loadDriverModule } from '${own('module.ts')}';
    const load = (file) => loadDriverModule(file, { correct: '', example: '' });
    console.log(await load(${JSON.stringify(atLoad)}).catch(({ message }) => message));
    const members = await load(${JSON.stringify(file)});
    const driver = guardedDriver(members, ['hasPrintLabel'], ${JSON.stringify(file)});
    console.log(await driver.hasPrintLabel().catch(({ message }) => message));
    process.exitCode = 7;
    process.exit();`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  assert.match(
    stdout,
    /^The driver .*at-load\.mjs can't be loaded: it called process\.exit\(0\) \(.*:1:9\): correct the module\.$/m,
  );
  assert.match(
    stdout,
    /^the driver's hasPrintLabel\(\) failed: it called process\.exit\(0\) at .*driver\.mjs:1:\d+: correct /m,
  );
  assert.equal(status, 7);
});
