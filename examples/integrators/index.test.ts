/** What the examples say of themselves is true of the contract. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLAUSES } from '../../contracts/clauses/index.ts';
import { examples } from './index.ts';
import { startExample } from './start.ts';

const all = await examples();
const levels = new Map(CLAUSES.filter(({ party }) => party === 'integrator').map(({ id, level }) => [id, level]));
const SORTS = { faults: '', variants: 'variant', hostile: 'hostile' } as const;

test('ids are where their tables are, and each is in its file once', () => {
  assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
  for (const { id, file } of all) {
    const [kind, folder, subject] = file.replace(/\.ts$/, '').split('/') as [string, keyof typeof SORTS, string?];
    assert.match(id, new RegExp(`^${kind}\\.${SORTS[folder] || subject}\\.[a-z0-9-]+$`), file);
    assert.equal(readFileSync(join(import.meta.dirname, file), 'utf8').split(`'${id}': {`).length, 2, id);
  }
});

test('each fault breaks clauses of integrators, and nothing else does', () => {
  for (const { id, sort, clauses, about } of all) {
    for (const clause of clauses)
      assert.ok(levels.has(clause), `${id} names ${clause}, which is not a clause of integrators.`);
    assert.equal(clauses.length > 0, sort === 'fault', id);
    assert.match(about, /^\S.*\.$/, id);
  }
});

test('there are at least 25 apps and 25 label pages that break a MUST', () => {
  for (const kind of ['app', 'label']) {
    const breaking = all.filter(
      (example) => example.kind === kind && example.clauses.some((id) => levels.get(id) === 'MUST'),
    );
    assert.ok(breaking.length >= 25, `${kind}: ${breaking.length}`);
  }
});

test('a faulty example runs as a process and ends', async () => {
  const example = await startExample({
    kind: 'app',
    id: 'app.redirect.to-own-page',
    settings: { serviceBase: 'http://127.0.0.1:9/v1/', apiKey: 'key', appSecret: 'secret' },
  });
  const response = await fetch(`${example.origin}/install`);
  assert.equal(response.status, 400);
  await example.close();
  await assert.rejects(fetch(example.manifestUrl));
});

test('an example that does not start says why', async () => {
  const start = startExample({
    kind: 'app',
    id: 'app.no-such-example',
    settings: { serviceBase: 'http://127.0.0.1:9/v1/', apiKey: 'key' },
  });
  await assert.rejects(start, /did not start.*No example has the id "app\.no-such-example"/s);
});
