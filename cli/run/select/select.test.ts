import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { foldResults } from '../../../reports/results/index.ts';
import { CLAUSES, cleanRun, sampleCheck, sampleFooter, sampleHeader } from '../../../reports/sample.fixture.ts';
import { CHECKS, SUITES } from '../../../suites/index.ts';
import { runOptionsOf } from '../options.ts';
import { select } from './index.ts';
import type { Narrowing } from './narrowing.ts';

const NONE: Narrowing = { suites: [], interfaces: [], clauses: [], lastFailed: false };
const chosen = (over: Partial<Narrowing>, only: readonly string[] = [], out = 'nowhere') =>
  select(SUITES, only, { ...NONE, ...over }, out);

function folderWith(t: TestContext, results: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-test-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  return folder;
}

test('without options every check is selected, and nothing says that it was narrowed', () => {
  assert.deepEqual(chosen({}), { ids: CHECKS.map(({ id }) => id) });
});

test('--suite takes the names that progress prints', () => {
  const suite = SUITES.find(({ name }) => name === 'delivery/lists');
  const { ids, words } = chosen({ suites: ['delivery/lists'] });
  assert.deepEqual(
    ids,
    suite?.checks.map(({ id }) => id),
  );
  assert.equal(words, '--suite delivery/lists');
  assert.throws(() => chosen({ suites: ['delivery/list'] }), /Did you mean "delivery\/lists"\?/);
  const folder = SUITES.filter(({ name }) => name.startsWith('install/')).flatMap(({ checks }) => checks);
  for (const name of ['install', 'install/*'])
    assert.deepEqual([...chosen({ suites: [name] }).ids].sort(), folder.map(({ id }) => id).sort(), name);
});

test('--interface includes the envelopes, and the three together are everything', () => {
  const { ids } = chosen({ interfaces: ['reseller'] });
  assert.ok(ids.some((id) => id.startsWith('envelope.reseller.')));
  assert.ok(ids.some((id) => id.startsWith('reseller.')));
  assert.ok(!ids.some((id) => id.startsWith('delivery.')));
  assert.equal(chosen({ interfaces: ['delivery', 'apps', 'reseller'] }).ids.length, CHECKS.length);
  assert.throws(() => chosen({ interfaces: ['resellers'] }), /Did you mean "reseller"\?/);
});

test('--clause selects the checks of a clause, and options narrow each other', () => {
  const check = CHECKS.find(({ clauses }) => clauses.length > 0)!;
  const clause = check.clauses[0]!;
  const { ids } = chosen({ clauses: [clause] });
  assert.deepEqual(
    ids,
    CHECKS.filter(({ clauses }) => clauses.includes(clause)).map(({ id }) => id),
  );
  assert.deepEqual(chosen({ clauses: [clause] }, [check.id]), {
    ids: [check.id],
    words: `--only ${check.id} --clause ${clause}`,
  });
  assert.throws(() => chosen({ clauses: [clause], interfaces: ['reseller'] }), /No check matches/);
  assert.throws(() => chosen({ clauses: [`${clause}x`] }), /Did you mean/);
});

test('--last-failed selects what failed in the reports of --out', (t) => {
  const [first, second] = CHECKS;
  const events = [
    sampleHeader({ selected: [first!.id, second!.id] }),
    sampleCheck(first!.id),
    sampleCheck(second!.id, { verdict: 'fail', attribution: 'target', reason: 'differs' }),
    sampleFooter(),
  ];
  const out = folderWith(t, foldResults(events, CLAUSES));
  assert.deepEqual(chosen({ lastFailed: true }, [], out).ids, [second!.id]);
  assert.throws(() => chosen({ lastFailed: true }), /has none: run without it first/);
  const clean = folderWith(t, foldResults(cleanRun(), CLAUSES));
  assert.throws(() => chosen({ lastFailed: true }, [], clean), /No check failed/);
});

test('--bail works with and without a number', () => {
  assert.equal(runOptionsOf([]).bail, undefined);
  assert.equal(runOptionsOf(['--bail']).bail, 1);
  assert.equal(runOptionsOf(['--bail', '--list']).bail, 1);
  assert.equal(runOptionsOf(['--bail', '3']).bail, 3);
  assert.equal(runOptionsOf(['--bail=4']).bail, 4);
  assert.throws(() => runOptionsOf(['--bail=0']), /--bail must be a whole number/);
});

test('an unknown option or id names the nearest known one', () => {
  assert.throws(() => runOptionsOf(['--sede', '1']), /has no option --sede\. Did you mean "--seed"\?/);
  assert.throws(() => chosen({}, [`${CHECKS[0]!.id}x`]), /Did you mean "/);
});
