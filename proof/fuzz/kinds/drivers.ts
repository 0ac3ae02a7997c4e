/** Drivers of targets and of integrators: modules that throw, export nonsense, hang or return wrong values. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { Inconclusive } from '../../../harness/check/failures.ts';
import { guardedDriver } from '../../../harness/target/driver/guard.ts';
import { DRIVER_MEMBERS, loadDriver } from '../../../harness/target/driver/index.ts';
import { INTEGRATOR_DRIVER_MEMBERS, loadIntegratorDriver } from '../../../harness/target/driver/integrator-driver.ts';
import { loadDriverModule } from '../../../harness/target/driver/module.ts';
import { expectPlainRefusal, judgeMessage, type Kind } from '../kind.ts';
import { anyValue, changedBytes, ODD_TEXTS } from '../mutate.ts';
import type { Chance } from '../prng.ts';

const literal = (chance: Chance): string =>
  chance.pick([
    () => JSON.stringify(anyValue(chance)) ?? 'null',
    () => 'undefined',
    () => 'Symbol("x")',
    () => '10n',
    () => 'class {}',
    () => 'new Proxy({}, { get() { throw new Error("no look") }, has() { throw null }, ownKeys() { throw 7 } })',
    () => 'Object.create(null)',
    () => '{ get orderUuid() { throw "never" } }',
  ])();

/** What a function of a driver does. */
const body = (chance: Chance): string =>
  chance.pick([
    () => `{ return ${literal(chance)} }`,
    () => `{ throw ${literal(chance)} }`,
    () => `{ throw new Error(${JSON.stringify(chance.pick(ODD_TEXTS))}) }`,
    () => '{ return new Promise(() => {}) }',
    () => `{ return Promise.reject(${literal(chance)}) }`,
    () => '{ return { then() { throw new Error("thenable") } } }',
    () => '{ null.x }',
  ])();

function moduleOf(chance: Chance, names: readonly string[]): string {
  const member = (): string => {
    const name = chance.oneIn(5) ? JSON.stringify(chance.pick(ODD_TEXTS)) : chance.pick(names);
    return chance.oneIn(3)
      ? `[${name.startsWith('"') ? name : `"${name}"`}]: ${literal(chance)}`
      : `async ${name.startsWith('"') ? `[${name}]` : name}(page) ${body(chance)}`;
  };
  const members = Array.from({ length: 1 + chance.below(4) }, member).join(',\n  ');
  return chance.pick([
    () => `export default {\n  ${members}\n};\n`,
    () => `export default {\n  ${members}\n};\n`,
    () => `export default ${literal(chance)};\n`,
    () => `throw ${literal(chance)};\n`,
    () => `import './not-there.mjs';\nexport default {};\n`,
    () => `const driver = {\n  ${members}\n};\nexport { driver };\n`,
    () => changedBytes(Buffer.from(`export default {\n  ${members}\n};\n`), chance).toString('utf8'),
  ])();
}

let modules = 0;
/** Long enough for a function that returns at once; a function that hangs exceeds it. */
const STEP_TIMEOUT_MS = 25;

/** Calls each function of a driver as the checks do: it must return or end inconclusive. */
async function called(members: Readonly<Record<string, unknown>>, file: string): Promise<void> {
  const driver = guardedDriver(members, DRIVER_MEMBERS, file, STEP_TIMEOUT_MS) as Record<
    string,
    (page: Page, given: unknown) => Promise<unknown>
  >;
  for (const name of Object.keys(driver)) {
    try {
      await driver[name]?.({} as Page, {});
    } catch (error) {
      // Playwright's errors about a page are passed on unchanged.
      if (error instanceof Error && /Timeout \d|locator|page\./.test(error.message)) continue;
      assert.ok(error instanceof Inconclusive, `${name} threw ${String(error)}`);
      judgeMessage(error.message, file);
    }
  }
}

export const drivers: Kind = {
  name: 'drivers',
  few: 120,
  async tried(chance, folder) {
    modules += 1;
    const file = join(folder, `driver-${process.pid}-${modules}.mjs`);
    const isIntegrators = chance.oneIn(3);
    writeFileSync(file, moduleOf(chance, isIntegrators ? INTEGRATOR_DRIVER_MEMBERS : DRIVER_MEMBERS));
    return expectPlainRefusal(async () => {
      if (isIntegrators) await loadIntegratorDriver(file);
      else {
        await loadDriver(file);
        await called(await loadDriverModule(file, { correct: 'correct it', example: 'write one' }), file);
      }
    }, file);
  },
};
