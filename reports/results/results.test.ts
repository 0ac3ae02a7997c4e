import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunEvent } from '../../contracts/run/events.ts';
import { renderJunit } from '../ci/junit.ts';
import {
  CLAUSES,
  cleanRun,
  sampleCheck,
  sampleExchange,
  sampleFooter,
  sampleHeader,
  sampleRun,
} from '../sample.fixture.ts';
import { headlineOf } from '../words/summary.ts';
import { foldResults } from './index.ts';

const fold = (events: RunEvent[]) => foldResults(events, CLAUSES);
const clauseOf = (events: RunEvent[], id: string) => fold(events).clauses.find((clause) => clause.id === id);
const without = (events: RunEvent[], type: RunEvent['type']) => events.filter((event) => event.type !== type);

test('a run with one of everything', () => {
  const results = fold(sampleRun());
  assert.equal(results.outcome, 'non-conformant');
  assert.equal(results.exitCode, 1);
  assert.deepEqual(results.counts, {
    ...{ pass: 1, fail: 1, warn: 1, inconclusive: 3, observed: 1, notApplicable: 1, error: 0 },
  });
  assert.deepEqual(
    results.clauses.map((clause) => [clause.id, clause.verdict]),
    [
      ['delivery.method.add', 'fail'],
      ['delivery.batch.refuses-101-points', 'pass'],
      ['delivery.list.order', 'warn'],
      ['reseller.login', 'inconclusive'],
      ['apps.tab', 'not-applicable'],
      ['delivery.approval', 'excluded'],
    ],
  );
  assert.deepEqual(results.clauseCounts, {
    ...{ pass: 1, fail: 1, warn: 1, inconclusive: 1, observed: 0, notApplicable: 1, error: 0, excluded: 1 },
  });
  assert.deepEqual(results.clauses[0]?.checks, ['delivery.method.add.reads-back', 'delivery.method.change']);
  assert.deepEqual(
    { ...results.ledger, orphans: results.ledger.orphans.length },
    { created: 2, removed: 1, restored: 0, changed: 0, orders: ['order-7'], orphans: 1 },
  );
  assert.equal(results.observations[0]?.id, 'apps.bad-key-status');
  assert.deepEqual(
    results.slowest.map((slow) => slow.n),
    [4, 3, 2, 1],
  );
  assert.ok(!JSON.stringify(results).includes('iVBORw0KGgo'), 'screenshots stay in the events');
});

test('what has nothing to say is null, not left out', () => {
  const check = fold(sampleRun()).checks.find((one) => one.id === 'delivery.batch.refuses-101');
  for (const key of ['attribution', 'reason', 'expected', 'actual', 'pointer'] as const)
    assert.equal(check?.[key], null);
  assert.ok(!('seed' in (check ?? {})));
});

test('a clean run is conformant, and the clauses of the other party are not its affair', () => {
  const results = fold(cleanRun());
  assert.equal(results.outcome, 'conformant');
  assert.equal(results.exitCode, 0);
  assert.ok(!results.clauses.some((clause) => clause.party === 'integrator'));
});

test('without a footer nothing counts: inconclusive, whatever was found', () => {
  for (const run of [cleanRun(), sampleRun()]) {
    const results = fold(without(run, 'footer'));
    assert.deepEqual([results.outcome, results.exitCode, results.truncated], ['inconclusive', 3, true]);
    assert.match(results.notices[0] ?? '', /^truncated: /);
  }
});

test('a check that the run never reached is undecided, under its title and clauses', () => {
  const [header, ...rest] = sampleRun();
  const run = [header as RunEvent, ...without(without(rest, 'check'), 'footer')];
  const check = fold(run).checks[1];
  assert.deepEqual(
    [check?.id, check?.title, check?.verdict, check?.attribution],
    ['delivery.batch.refuses-101', 'MUST refuse 101 points', 'inconclusive', 'harness'],
  );
  assert.equal(clauseOf(run, 'delivery.batch.refuses-101-points')?.verdict, 'inconclusive');
});

test('a check lost in a run that came to its end is our error; in an interrupted one it is undecided', () => {
  const run = cleanRun().filter((event) => event.type !== 'check' || event.id !== 'reseller.login.check');
  assert.deepEqual([fold(run).outcome, fold(run).exitCode], ['error', 4]);
  const interrupted = [...without(run, 'footer'), sampleFooter({ interrupted: 'Ctrl-C' })];
  const results = fold(interrupted);
  assert.deepEqual([results.outcome, results.exitCode, results.counts.inconclusive], ['inconclusive', 3, 1]);
  assert.match(results.notices[0] ?? '', /^interrupted: Ctrl-C/);
});

test('an error of Proofmark outside of its checks is the outcome of a run without failures, and is said first', () => {
  const run = [...without(cleanRun(), 'footer'), sampleFooter({ errors: ['a secret was left in the exchange'] })];
  const results = fold(run);
  assert.deepEqual([results.outcome, results.exitCode, results.counts.error], ['error', 4, 0]);
  assert.equal(results.notices[0], 'a secret was left in the exchange');
  assert.match(headlineOf(results).why, /^Error in Proofmark itself: A secret was left in the exchange\./);
});

test('an interrupted run is inconclusive even when all its checks passed, and may be allowed to be', () => {
  const run = without(cleanRun(), 'footer');
  assert.equal(fold([...run, sampleFooter({ interrupted: 'time' })]).exitCode, 3);
  assert.equal(fold([...run, sampleFooter({ interrupted: 'time', allowInconclusive: true })]).exitCode, 0);
});

test('--only leaves out clauses that none of the selected checks decides, but not the excluded ones', () => {
  const check = sampleCheck('delivery.method.add.check', { clauses: ['delivery.method.add'] });
  const run = [sampleHeader({ selected: [check.id], onlyPattern: 'delivery.*' }), check, sampleFooter()];
  assert.deepEqual(
    fold(run).clauses.map((clause) => clause.id),
    ['delivery.method.add', 'delivery.approval'],
  );
  assert.equal(fold(run).exitCode, 0);
  const whole = [sampleHeader({ selected: [check.id] }), check, sampleFooter()];
  assert.equal(clauseOf(whole, 'reseller.login')?.verdict, 'inconclusive');
  assert.equal(fold(whole).exitCode, 3);
});

test('a clause row may name its checks: a selected one that gave nothing keeps the clause in scope', () => {
  const rows = CLAUSES.map((row) => (row.id === 'reseller.login' ? { ...row, checks: ['r.check'] } : row));
  const results = foldResults([sampleHeader({ selected: ['r.check'], onlyPattern: 'r.*' })], rows);
  assert.deepEqual(
    results.clauses.map((clause) => [clause.id, clause.verdict]),
    [
      ['reseller.login', 'inconclusive'],
      ['delivery.approval', 'excluded'],
    ],
  );
});

test('a property is laid to the one clause that it found broken, and leaves no other undecided', () => {
  const rows = CLAUSES.map((row) => ({ ...row, checks: ['p.q'] }));
  const verdictsWith = (property: object, others: readonly RunEvent[] = []) => {
    const selected = ['p.q', ...others.flatMap((event) => (event.type === 'check' ? [event.id] : []))];
    const events = [sampleHeader({ selected }), sampleCheck('p.q', { additional: true, ...property }), ...others];
    const { clauses } = foldResults([...events, sampleFooter()], rows);
    return Object.fromEntries(clauses.map(({ id, verdict }) => [id, verdict]));
  };
  const both = ['delivery.method.add', 'delivery.batch.refuses-101-points'];
  const own = both.map((id, at) => sampleCheck(`a.${at}`, { clauses: [id] }));
  const failed = verdictsWith({ verdict: 'fail', clauses: ['delivery.method.add'] }, own);
  assert.deepEqual([failed[both[0]!], failed[both[1]!]], ['fail', 'pass']);
  const undecided = { verdict: 'inconclusive', attribution: 'target', reason: 'r', clauses: both };
  const decided = verdictsWith(undecided, own.slice(0, 1));
  assert.deepEqual([decided[both[0]!], decided[both[1]!]], ['pass', 'inconclusive']);
});

test('of two results of one check the worse counts, in either order', () => {
  const pass = sampleCheck('a.b', { clauses: ['delivery.method.add'] });
  const fail = { ...pass, verdict: 'fail' as const };
  for (const pair of [
    [pass, fail],
    [fail, pass],
  ]) {
    const results = fold([sampleHeader({ selected: ['a.b'] }), ...pair, sampleFooter()]);
    assert.deepEqual([results.counts.fail, results.counts.pass, results.exitCode], [1, 0, 1]);
  }
});

test('checks and observations are in the order of the header', () => {
  const observation = (id: string): RunEvent => ({
    type: 'observation',
    id: `o.${id}`,
    question: '?',
    seen: 1,
    check: id,
    exchanges: [],
  });
  const run: RunEvent[] = [
    sampleHeader({ selected: ['a.1', 'a.2'] }),
    ...[observation('a.2'), sampleCheck('a.9'), sampleCheck('a.2'), sampleCheck('a.1'), observation('a.1')],
    sampleFooter(),
  ];
  assert.deepEqual(
    fold(run).checks.map((check) => check.id),
    ['a.1', 'a.2', 'a.9'],
  );
  assert.deepEqual(
    fold(run).observations.map((seen) => seen.id),
    ['o.a.1', 'o.a.2'],
  );
});

test('a clause that the contract does not have is said', () => {
  const run = [sampleHeader({ selected: ['a.1'] }), sampleCheck('a.1', { clauses: ['no.such'] }), sampleFooter()];
  assert.match(fold(run).notices[0] ?? '', /a\.1 names the clause no\.such/);
});

test('nothing selected is never conformant, and events without a header are refused', () => {
  assert.equal(fold([sampleHeader({ selected: [] }), sampleFooter({ allowInconclusive: true })]).exitCode, 3);
  assert.throws(() => fold([sampleFooter()]), /no header/);
});

test('10,000 exchanges fold, and only the slowest are kept', () => {
  const many = Array.from({ length: 10_000 }, (_, n) => sampleExchange(n + 1, 'a.1'));
  const results = fold([sampleHeader({ selected: ['a.1'] }), ...many, sampleCheck('a.1'), sampleFooter()]);
  assert.equal(results.slowest.length, 10);
});

test('a clause that a precondition saw broken does not pass beside a failure that may explain it', () => {
  const own = sampleCheck('a.own', { clauses: ['delivery.method.add'] });
  const failed = sampleCheck('a.failed', { clauses: ['delivery.batch.refuses-101-points'], verdict: 'fail' });
  const waits = sampleCheck('a.waits', { verdict: 'inconclusive', because: 'delivery.method.add' });
  const [header, ...rest] = cleanRun().filter((event) => event.type !== 'check');
  const selected = [own.id, failed.id, waits.id];
  const results = fold([{ ...header, selected } as RunEvent, own, failed, waits, ...rest]);
  const clause = results.clauses.find(({ id }) => id === 'delivery.method.add');
  assert.deepEqual([clause?.verdict, clause?.checks], ['inconclusive', [own.id, waits.id]]);
  assert.equal(results.counts.fail, 1);
});

test('a breach that a precondition met fails its clause, and the clause of the check stays undecided', () => {
  const own = sampleCheck('delivery.method.add.reads-back', { clauses: ['delivery.method.add'] });
  const other = sampleCheck('delivery.batch.refuses-101', {
    clauses: ['delivery.batch.refuses-101-points'],
    verdict: 'inconclusive',
    attribution: 'target',
    because: 'delivery.method.add',
    reason: 'the method is gone',
    exchanges: [1, 2],
  });
  const events = cleanRun().filter((event) => event.type !== 'check');
  const [header, ...rest] = events;
  const selected = [own.id, other.id];
  const run = [{ ...header, selected } as RunEvent, own, other, ...rest];
  const results = fold(run);
  assert.deepEqual([results.outcome, results.exitCode, results.counts.fail], ['non-conformant', 1, 1]);
  const clause = (id: string) => results.clauses.find((one) => one.id === id);
  assert.equal(clause('delivery.method.add')?.verdict, 'fail');
  assert.ok(clause('delivery.method.add')?.checks.includes(other.id));
  assert.equal(clause('delivery.batch.refuses-101-points')?.verdict, 'inconclusive');
  const failed = results.checks.find(({ id }) => id === other.id);
  assert.deepEqual(
    [failed?.verdict, failed?.clauses, failed?.undecided, failed?.exchanges],
    ['fail', ['delivery.method.add'], ['delivery.batch.refuses-101-points'], [1, 2]],
  );
  assert.match(renderJunit(results), /failures="1"[\s\S]*Clause delivery\.method\.add/);
  assert.doesNotMatch(renderJunit(results), /Clause delivery\.batch\.at-most-100/);
});
