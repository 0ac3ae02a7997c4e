/** The example profile matches the service that `proofmark mock` starts, value by value, and a run with it is conformant. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseEnv } from 'node:util';
import { preflight } from '../../cli/run/target/preflight.ts';
import { runInProcess } from '../../harness/runner/in-process.ts';
import { loadProfile } from '../../harness/target/profile/index.ts';
import { profileOf } from '../../mock/profile.ts';
import { createService } from '../../mock/service.ts';
import { SUITES } from '../../suites/index.ts';

const EXAMPLES = join(import.meta.dirname, '../../examples');
const env = parseEnv(readFileSync(join(EXAMPLES, 'mock.env'), 'utf8')) as Record<string, string>;
const profile = loadProfile(join(EXAMPLES, 'profile.json'), env);

test('it contains every value of the profile that proofmark mock prints', () => {
  const text = readFileSync(join(EXAMPLES, 'profile.json'), 'utf8');
  const open = JSON.parse(text.replaceAll(/\$\{(\w+)\}/g, (_all, name: string) => env[name] ?? ''));
  const printed = profileOf(createService({ origin: 'http://127.0.0.1:4010' }));
  assert.deepEqual({ ...open, driver: profile.driver }, JSON.parse(JSON.stringify(printed)));
});

test('the mock is conformant under it', async () => {
  const service = createService({ origin: 'http://127.0.0.1:4010' });
  const ways = { profile, transport: (request: Request) => service.fetch(request) };
  assert.deepEqual((await preflight(profile, ways)).unusable, {});
  const suites = SUITES.filter(({ name }) => /^(delivery|apps|reseller)\/(lists|token|snippets|settings)/.test(name));
  const results = await runInProcess(suites, { ...ways, instantPauses: true });
  const verdicts = results.map(({ verdict }) => verdict);
  assert.ok(verdicts.filter((verdict) => verdict === 'pass').length >= 20, String(verdicts));
  assert.deepEqual(
    results
      .filter(({ verdict }) => !['pass', 'observed'].includes(verdict))
      .map(({ id, verdict, reason }) => `${verdict} ${id} ${reason}`),
    [],
  );
});
