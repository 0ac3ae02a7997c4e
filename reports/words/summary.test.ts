import assert from 'node:assert/strict';
import { test } from 'node:test';
import { foldResults } from '../results/index.ts';
import { CLAUSES, cleanRun, sampleCheck, sampleFooter, sampleHeader, sampleRun } from '../sample.fixture.ts';
import { actorsOf, headlineOf, remediesOf, warningsOf } from './summary.ts';

const results = foldResults(sampleRun(), CLAUSES);

test('the headline says what decided', () => {
  assert.deepEqual(headlineOf(results), {
    verdict: 'Not conformant',
    why: '1 check of 8 failed: 1 MUST clause of 3 is broken.',
  });
  assert.deepEqual(headlineOf(foldResults(cleanRun(), CLAUSES)), {
    verdict: 'Conformant',
    why: '3 MUST clauses kept, none broken.',
  });
  const cut = foldResults(sampleRun().slice(0, -1), CLAUSES);
  assert.deepEqual(headlineOf(cut), {
    verdict: 'Inconclusive',
    why: 'The record ends before the run did, so it proves nothing. 1 check had failed by then.',
  });
  const empty = foldResults([sampleHeader({ selected: [], onlyPattern: 'part 2/3' }), sampleFooter({})], CLAUSES);
  assert.deepEqual(headlineOf(empty), {
    verdict: 'Inconclusive',
    why: 'The selected scope (part 2/3) has no checks, so nothing was judged.',
  });
});

test('one line per missing thing, with the checks that wait for it; who has to act comes along', () => {
  assert.deepEqual(
    remediesOf(results).map((remedy) => [remedy.actor, remedy.text, remedy.checks.length]),
    [
      ['configuration', 'The profile has no "reseller.email": add it and run again.', 2],
      ['target', 'Waits for the clause delivery.method.add, which is broken: fix that first.', 1],
    ],
  );
  assert.deepEqual(
    actorsOf(results).map(({ actor, checks }) => [actor, checks]),
    [
      ['target', 2],
      ['configuration', 2],
    ],
  );
});

test('what is incomplete is what the command was given', () => {
  const toDo = (command: string) =>
    actorsOf({ ...results, command }).find(({ actor }) => actor === 'configuration')?.toDo;
  assert.equal(toDo('run'), 'the profile, the driver or the options of this run are incomplete');
  assert.equal(toDo('precheck app'), 'the driver or the options of this precheck are incomplete');
  assert.equal(toDo('judge'), 'the recording does not show them');
});

test('checks that an interrupted run did not reach wait for another run, not for the profile', () => {
  const run = sampleRun().filter(({ type }) => type !== 'footer');
  const toDo = (interrupted: string) =>
    actorsOf(foldResults([...run.filter((event) => event !== reached), sampleFooter({ interrupted })], CLAUSES)).map(
      (one) => [one.actor, one.checks, one.toDo],
    );
  const reached = run.find((event) => event.type === 'check' && event.verdict === 'pass');
  const of = (actors: ReturnType<typeof toDo>) => actors.find(([actor]) => actor === 'interruption');
  assert.deepEqual(of(toDo('stopped with Ctrl-C')), [
    'interruption',
    1,
    'the run was interrupted before these checks (stopped with Ctrl-C): run again',
  ]);
  assert.match(
    String(of(toDo('the run took longer than limits.maxMinutes (5)'))?.[2]),
    /: raise limits\.maxMinutes or select fewer checks \(--only\), and run again$/,
  );
  assert.match(String(of(toDo('--bail: 1 new failure'))?.[2]), /: fix what failed, and run again$/);
  // What waits for the profile still does.
  assert.deepEqual(
    toDo('time')
      .find(([actor]) => actor === 'configuration')
      ?.slice(0, 2),
    ['configuration', 2],
  );
  const cut = foldResults(
    run.filter((event) => event !== reached),
    CLAUSES,
  );
  assert.equal(actorsOf(cut).at(-1)?.toDo, 'the run was cut off before these checks: run again');
  assert.equal(remediesOf(cut).at(-1)?.actor, 'interruption');
});

test('a MUST clause that nothing proved is named although no check of it was undecided', () => {
  const check = sampleCheck('d.a', { clauses: ['delivery.method.add'], verdict: 'warn' });
  const run = [sampleHeader({ selected: ['d.a'], onlyPattern: 'd.*' }), check, sampleFooter()];
  const [remedy] = remediesOf(foldResults(run, CLAUSES));
  assert.deepEqual(
    remedy?.clauses.map((clause) => clause.id),
    ['delivery.method.add'],
  );
});

test('a selection of many checks is cut short, and a few globs are shown', () => {
  const why = (onlyPattern: string): string =>
    headlineOf(
      foldResults([sampleHeader({ selected: ['d.a'], onlyPattern }), sampleCheck('d.a'), sampleFooter()], CLAUSES),
    ).why;
  assert.match(why('d.* e.*'), /in the selected scope \(d\.\* e\.\*\)/);
  const many = Array.from({ length: 100 }, (_, n) => `delivery.check-${n}`).join(' ');
  assert.match(why(many), /\(delivery\.check-0 .* more characters\)\)/);
  assert.ok(why(many).length < 400);
});

test('a warning is said once, with the checks that met it', () => {
  const warned = (id: string) => sampleCheck(id, { warnings: ['answers 500'] });
  const alone = sampleCheck('d.c', { verdict: 'warn', reason: 'answers 500' });
  const run = [sampleHeader({ selected: [] }), warned('d.a'), warned('d.b'), alone, sampleFooter()];
  assert.deepEqual(
    warningsOf(foldResults(run, CLAUSES)).map(({ text, checks }) => [text, checks.map((check) => check.id)]),
    [['Answers 500.', ['d.a', 'd.b', 'd.c']]],
  );
  assert.equal(warningsOf(results).length, 2);
});
