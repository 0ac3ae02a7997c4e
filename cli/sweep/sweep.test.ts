import assert from 'node:assert/strict';
import {
  existsSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, mock, test } from 'node:test';
import { type Ledger, openLedger, readLedger } from '../../harness/cleanup/ledger.ts';
import { FIXTURE_PROFILE, type FixtureState, newState, serverOf } from '../../harness/cleanup/undo/undo.fixture.ts';
import { UsageError } from '../../harness/process/usage-error.ts';
import { sweepCommand } from './index.ts';

/** The command works on the current folder, as its user does. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'proofmark-cli-sweep-')));
const home = process.cwd();
let state: FixtureState = newState();
const server = serverOf(() => state);
let origin = '';
const printed: string[] = [];

before(async () => {
  process.chdir(folder);
  mkdirSync(join(folder, 'temporary'));
  process.env.TMPDIR = join(folder, 'temporary');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync('staging.json', JSON.stringify({ ...FIXTURE_PROFILE, v1: `${origin}/v1/`, api: `${origin}/api/` }));
  mock.method(console, 'log', (line: string) => void printed.push(line));
});
afterEach(() => {
  printed.length = 0;
  state = newState();
  rmSync('.proofmark', { recursive: true, force: true });
});
after(async () => {
  process.chdir(home);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

function crashed(
  run: string,
  write: (ledger: Ledger) => void,
  profile: string | null = join(folder, 'staging.json'),
): string {
  const target = { name: 'staging', v1: `${origin}/v1/`, api: `${origin}/api/` };
  const ledger = openLedger('.proofmark/ledger', {
    run,
    mark: `pm-${run}`,
    proofmark: '0',
    startedAt: '',
    target,
    profile,
  });
  write(ledger);
  ledger.close();
  return ledger.file;
}

function leaveMethod(run: string): string {
  state.methods.push({ handle: `h-${run}`, reference: `pm-${run}-1`, owner: 'private', points: [] });
  return crashed(
    run,
    (ledger) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: `pm-${run}-1` }),
  );
}

test('without a run, every open ledger is swept with the profile of its run', async () => {
  leaveMethod('a1');
  leaveMethod('b2');
  state.methods.push({ handle: 'mine', reference: 'my own', owner: 'private', points: [] });
  assert.equal(await sweepCommand([]), 0);
  assert.deepEqual(
    state.methods.map(({ handle }) => handle),
    ['mine'],
  );
  assert.deepEqual(printed, [
    'a1: removed delivery method pm-a1-1',
    'a1: the target has its earlier state again.',
    'b2: removed delivery method pm-b2-1',
    'b2: the target has its earlier state again.',
  ]);
  printed.length = 0;
  assert.equal(await sweepCommand([]), 0);
  assert.deepEqual(printed, ['Nothing to sweep: no run has left anything open.']);
});

test('with a run, only that one; a second time there is nothing open', async () => {
  leaveMethod('a1');
  leaveMethod('b2');
  assert.equal(await sweepCommand(['--target', 'staging.json', 'b2']), 0);
  assert.deepEqual(
    state.methods.map(({ handle }) => handle),
    ['h-a1'],
  );
  printed.length = 0;
  assert.equal(await sweepCommand(['b2']), 0);
  assert.deepEqual(printed, ['b2: nothing is open.']);
});

test('what is left sets exit code 1 and says what to do', async () => {
  leaveMethod('a1');
  state.refused = ['DELETE'];
  assert.equal(await sweepCommand(['a1']), 1);
  assert.match(
    printed.join('\n'),
    /a1: left delivery method pm-a1-1: .*delete it in the store.*a1: \d left, see above\./s,
  );
});

test('an unknown run, an unknown flag and another target are usage errors', async () => {
  const file = leaveMethod('a1');
  const rows: [string[], RegExp][] = [
    [['zz'], /no ledger of a run "zz".*There are: a1\./],
    [['../a1'], /no ledger of a run/],
    [['a1', 'b2'], /does not take "b2"/],
    [['--all'], /--help/],
    [['--target', 'none.json', 'a1'], /the file does not exist/],
  ];
  for (const [argv, message] of rows) {
    await assert.rejects(
      sweepCommand(argv),
      (error: Error) => error instanceof UsageError && message.test(error.message),
    );
  }
  writeFileSync(
    'other.json',
    JSON.stringify({ ...FIXTURE_PROFILE, v1: 'http://127.0.0.1:9/v1/', api: `${origin}/api/` }),
  );
  await assert.rejects(sweepCommand(['--target', 'other.json', 'a1']), /another target/);
  assert.equal(readLedger(file).open.length, 1);
  assert.deepEqual(state.calls, []);
});

test('a ledger whose profile is gone does not keep the others from being swept', async () => {
  crashed('a1', (ledger) => void ledger.willChange({ kind: 'password' }), join(folder, 'gone.json'));
  leaveMethod('b2');
  assert.equal(await sweepCommand([]), 1);
  assert.match(printed[0] ?? '', /^a1: .*gone.json can't be read/);
  assert.deepEqual(state.methods, []);
});

test('a run on the embedded mock has left nothing outside it', async () => {
  const file = crashed(
    'm1',
    (ledger) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: 'pm-m1-1' }),
    null,
  );
  assert.equal(await sweepCommand([]), 0);
  assert.match(printed[0] ?? '', /embedded mock, whose state ended with it/);
  assert.equal(existsSync(file), false);
});

test('a ledger whose every entry was undone by the run is settled', async () => {
  const file = crashed('a1', (ledger) =>
    ledger.restored(ledger.willChange({ kind: 'app-data', installation: 'own', old: 'of before' })),
  );
  assert.equal(await sweepCommand([]), 0);
  assert.doesNotMatch(readFileSync(file, 'utf8'), /of before/);
  assert.deepEqual(state.calls, []);
});

test('a ledger that can not be swept is closed with --forget, which touches nothing', async () => {
  const file = leaveMethod('a1');
  state.refused = ['DELETE'];
  assert.equal(await sweepCommand(['a1']), 1);
  assert.match(printed.join('\n'), /proofmark sweep --forget a1/);
  state.calls.length = 0;
  printed.length = 0;
  assert.equal(await sweepCommand(['--forget', 'a1']), 0);
  assert.match(printed[0] ?? '', /^a1: forgot delivery method pm-a1-1/);
  assert.deepEqual(state.calls, []);
  assert.equal(readLedger(file).settled, true);
  await assert.rejects(sweepCommand(['--forget']), /--forget RUN/);
});

test('--help lists the options', async () => {
  assert.equal(await sweepCommand(['--help']), 0);
  assert.match(printed[0] ?? '', /--target FILE/);
});

test('a ledger of another user is not followed unasked', async (t) => {
  const file = leaveMethod('a1');
  const own = process.getuid;
  process.getuid = () => 54_321;
  t.after(() => {
    if (own === undefined) delete process.getuid;
    else process.getuid = own;
  });
  await assert.rejects(sweepCommand(['a1']), (error) => {
    assert.ok(error instanceof UsageError, String(error));
    assert.match(error.message, /belongs to another user .*staging\.json: nothing was touched.* sweep --yes a1/);
    return true;
  });
  assert.equal(state.methods.length, 1);
  assert.ok(readLedger(file).open.length > 0);
  assert.equal(await sweepCommand(['--yes', 'a1']), 0);
  assert.equal(state.methods.length, 0);
});

test('temporary folders of killed runs are removed, those of others and of running ones are not', async () => {
  const parent = join(folder, 'temporary');
  const make = (name: string, ...owners: { readonly pid: number; readonly at: number }[]): void => {
    mkdirSync(join(parent, name, 'spool'), { recursive: true });
    for (const owner of owners) writeFileSync(join(parent, name, `owner-${owner.pid}.json`), JSON.stringify(owner));
  };
  const kept = join(folder, 'kept');
  mkdirSync(kept);
  writeFileSync(join(kept, 'file'), '');
  make('proofmark-run-aaaaaa', { pid: 2 ** 30, at: Date.now() });
  symlinkSync(kept, join(parent, 'proofmark-run-aaaaaa', 'link'));
  make('proofmark-run-bbbbbb', { pid: process.pid, at: Date.now() });
  make('proofmark-run-cccccc');
  // Its command was killed, and the runner still cleans up.
  make('proofmark-run-dddddd', { pid: 2 ** 30, at: Date.now() }, { pid: process.pid, at: Date.now() });
  make('proofmark-browser-aaaaaa', { pid: 2 ** 30, at: Date.now() });
  make('proofmark-browser-bbbbbb', { pid: process.pid, at: Date.now() });
  make('proofmark-spool-dddddd');
  lutimesSync(join(parent, 'proofmark-spool-dddddd'), 1_000_000, 1_000_000);
  make('proofmark-run-of-mine', { pid: 2 ** 30, at: Date.now() });
  symlinkSync(kept, join(parent, 'proofmark-run-eeeeee'));
  lutimesSync(join(parent, 'proofmark-run-eeeeee'), 1_000_000, 1_000_000);
  assert.equal(await sweepCommand([]), 0);
  assert.deepEqual(readdirSync(parent).sort(), [
    'proofmark-browser-bbbbbb',
    'proofmark-run-bbbbbb',
    'proofmark-run-cccccc',
    'proofmark-run-dddddd',
    'proofmark-run-eeeeee',
    'proofmark-run-of-mine',
  ]);
  assert.ok(existsSync(join(kept, 'file')));
  assert.match(
    printed[0] ?? '',
    /^Removed the temporary folders of killed runs: proofmark-(run-aaaaaa|browser-aaaaaa|spool-dddddd), /,
  );
});

test('no line of a sweep steers a terminal', async () => {
  const reference = 'pm-a1-\u001b[2J\n::error::x';
  state.methods.push({ handle: 'h-a1', reference, owner: 'private', points: [] });
  crashed('a1', (ledger) => void ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference }));
  await sweepCommand(['a1']);
  assert.match(printed.join(''), /\\u001b\[2J\\n::error/);
  assert.ok(
    printed.every((line) => !/[\u0000-\u001f]/.test(line)),
    JSON.stringify(printed),
  );
});
