/** The pages of the API reference: every operation is in them, and they load nothing from elsewhere. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { OPERATIONS, operationsOf } from '../../contracts/operations/index.ts';
import { buildReference } from './interfaces.ts';

test('the page of Reseller names every operation and works offline', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-docs-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  buildReference(folder, ['api']);
  const page = readFileSync(join(folder, 'api.html'), 'utf8');
  const missing = operationsOf('reseller').filter((id) => !page.includes(OPERATIONS[id].template));
  assert.deepEqual(missing, []);
  assert.doesNotMatch(page, /<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)="https?:/i);
});
