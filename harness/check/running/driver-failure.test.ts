/** The sentence about a driver that failed is printed once, from any part of a run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '@playwright/test';
import { createRecorder } from '../../evidence/recorder.ts';
import { createRedaction } from '../../evidence/redaction/index.ts';
import { Resources } from '../../resources/resources.ts';
import { memoryLedger } from '../../runner/in-process.ts';
import type { Client } from '../../target/client/types.ts';
import { parseProfile } from '../../target/profile/index.ts';
import { check } from '../check.ts';
import { Context } from '../context.ts';
import { Inconclusive } from '../failures.ts';

const CHECK = check(
  'a.b',
  'MUST be',
  { clauses: [], needs: [], effects: 'read', part: 'labels' },
  async () => undefined,
);

/** A context whose driver throws at Print Label. */
function contextOver(error: Error): Context {
  const profile = parseProfile('{ "v1": "http://127.0.0.1/v1/" }', { file: 'p.json', folder: '/', env: {} });
  const redaction = createRedaction();
  const resources = new Resources({
    profile,
    run: { run: 'r', seed: 1, propertyRuns: 0, selected: [], showPersonalData: false, unusable: {} },
    redaction,
    ledger: memoryLedger(),
    driver: {
      pressPrintLabel: async () => {
        throw error;
      },
    },
    recorder: createRecorder({ check: '', spool: () => undefined, redaction }),
    client: {} as Client,
  });
  return new Context(CHECK, resources);
}

test('what the guard around a driver says is handed on as it is; another error gets its sentence', async () => {
  const said = new Inconclusive("the driver's pressPrintLabel() failed: no button at driver.ts:2:1", 'configuration');
  await assert.rejects(contextOver(said).driver.pressPrintLabel({} as Page), (error) => error === said);
  await assert.rejects(contextOver(new Error('no button')).driver.pressPrintLabel({} as Page), {
    message: "the driver's pressPrintLabel() failed: no button",
  });
});
