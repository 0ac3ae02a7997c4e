import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { UsageError } from '../process/usage-error.ts';
import { Secret } from '../target/secrets/secret.ts';
import { type LedgerRun, openLedger, readLedger, settleLedger } from './ledger.ts';
import { openCode, sealCode, sealSecrets, unsealSecrets } from './ledger-secrets.ts';

const folder = mkdtempSync(join(tmpdir(), 'proofmark-ledger-'));
after(() => rmSync(folder, { recursive: true }));

let runs = 0;
function newRun(): LedgerRun {
  runs += 1;
  return {
    run: `run-${runs}`,
    mark: `pm-run-${runs}`,
    proofmark: '0.0.0',
    startedAt: '2026-01-01T00:00:00Z',
    target: { name: 't', v1: 'https://s.example/v1/', api: null },
    profile: null,
  };
}

const method = (reference: string) => ({ kind: 'delivery-method', owner: 'private', reference }) as const;

test('what another process of the run has left open is known', () => {
  const run = newRun();
  const [own, other] = [openLedger(folder, run), openLedger(folder, run)];
  const [kept, removed] = [other.willCreate(method('pm-1')), other.willCreate(method('pm-2'))];
  other.created(kept, { handle: 'h-1' });
  other.removed(removed);
  assert.deepEqual(
    own.openEntries().map(({ entry }) => entry),
    [{ ...method('pm-1'), handle: 'h-1' }],
  );
  assert.deepEqual(own.orphans(), []);
  own.close();
  other.close();
});

test('what a run is about to do is on disk before it is done, and stays open until it is undone', () => {
  const run = newRun();
  const ledger = openLedger(join(folder, 'deep/er'), run);
  const [first, second, third] = [
    ledger.willCreate(method('pm-1')),
    ledger.willChange({ kind: 'website-status', website: '5', old: 'enabled' }),
    ledger.willCreate(method('pm-2')),
  ];
  assert.deepEqual(
    readLedger(ledger.file).open.map(({ entry }) => entry.kind),
    ['delivery-method', 'website-status', 'delivery-method'],
  );
  ledger.created(first, { handle: 'h-1' });
  ledger.restored(second);
  ledger.removed(third);
  const read = readLedger(ledger.file);
  assert.deepEqual(read.run, run);
  assert.deepEqual(read.open, [{ id: first, entry: { ...method('pm-1'), handle: 'h-1' } }]);
  assert.deepEqual(ledger.orphans(), read.open);
  assert.deepEqual(
    read.openedBy.map(({ pid }) => pid),
    [process.pid],
  );
  ledger.close();
  assert.deepEqual(readLedger(ledger.file).openedBy, []);
});

test('a key that a target gives to a new object as its handle is not in the file, and comes back with the profile', () => {
  // A variable is a secret as a whole and in a part of it.
  const secrets = [
    new Secret('KEY', 'the-key-of-the-store'),
    new Secret('GATE', 'Bearer abcdef'),
    new Secret('GATE', 'abcdef'),
  ];
  const ledger = openLedger(folder, newRun(), secrets);
  for (const { handle } of [{ handle: 'x-the-key-of-the-store' }, { handle: 'Bearer abcdef' }, { handle: 'an abcdef' }])
    ledger.created(ledger.willCreate(method('pm-1')), { handle });
  ledger.close();
  assert.doesNotMatch(readFileSync(ledger.file, 'utf8'), /the-key|abcdef/);
  assert.deepEqual(
    readLedger(ledger.file, secrets).open.map(({ entry, missing }) => ['handle' in entry && entry.handle, missing]),
    [
      ['x-the-key-of-the-store', undefined],
      ['Bearer abcdef', undefined],
      ['an abcdef', undefined],
    ],
  );
  assert.deepEqual(readLedger(ledger.file).open[0]?.missing, ['KEY']);
});

test('file and folder are for the owner alone', () => {
  const ledger = openLedger(join(folder, 'private'), newRun());
  ledger.close();
  assert.equal(statSync(ledger.file).mode & 0o777, 0o600);
  assert.equal(statSync(join(folder, 'private')).mode & 0o777, 0o700);
});

test('a torn line takes nothing with it, wherever the crash was', () => {
  const run = newRun();
  const ledger = openLedger(folder, run);
  ledger.willCreate(method('pm-1'));
  ledger.willCreate(method('pm-2'));
  ledger.close();
  const whole = readFileSync(ledger.file, 'utf8');
  const lengths = [...whole].keys();
  for (const length of lengths) {
    if (length < whole.indexOf('\n') + 1) continue;
    writeFileSync(ledger.file, whole.slice(0, length));
    const open = readLedger(ledger.file).open.map(({ entry }) => (entry as { reference: string }).reference);
    const lines = whole.slice(0, length).split('\n');
    const expected = ['pm-1', 'pm-2'].filter((reference) =>
      lines.some((line) => line.includes(`"${reference}"`) && line.endsWith('}}')),
    );
    assert.deepEqual(open, expected);
  }
  // A process that goes on writing starts on a line of its own.
  const again = openLedger(folder, run);
  appendFileSync(ledger.file, '{"type":"will","id":"x","ent');
  again.willCreate(method('pm-3'));
  again.close();
  assert.equal(readLedger(ledger.file).open.length, 3);
});

test('several processes write one ledger', () => {
  const run = newRun();
  const ledgers = [openLedger(folder, run), openLedger(folder, run)];
  const ids = ledgers.flatMap((ledger) => [ledger.willCreate(method('a')), ledger.willCreate(method('b'))]);
  assert.equal(new Set(ids).size, 4);
  ledgers[0]!.removed(ids[0]!);
  assert.deepEqual(
    readLedger(ledgers[1]!.file).open.map(({ id }) => id),
    ids.slice(1),
  );
  assert.equal(ledgers[1]!.orphans().length, 2);
  for (const ledger of ledgers) ledger.close();
});

test('a process that is killed leaves what it wrote', async () => {
  const run = newRun();
  const script = `
    const { openLedger } = await import(${JSON.stringify(new URL('./ledger.ts', import.meta.url).href)});
    const ledger = openLedger(${JSON.stringify(folder)}, ${JSON.stringify(run)});
    for (let i = 0; ; i += 1) {
      const id = ledger.willCreate({ kind: 'delivery-method', owner: 'private', reference: 'r' + i });
      console.log(i);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script]);
  let output = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > 20) child.kill('SIGKILL');
    });
    child.on('close', () => resolve());
  });
  const announced = output.split('\n').filter((line) => /^\d+$/.test(line)).length;
  const ledger = readLedger(join(folder, run.run));
  assert.ok(ledger.open.length >= announced - 1, `${ledger.open.length} of ${announced}`);
  assert.deepEqual(
    ledger.openedBy.map(({ pid }) => pid),
    [child.pid],
  );
});

test('a settled ledger forgets the old values; an open one keeps them', () => {
  const run = { ...newRun(), profile: '/staging.json' };
  const ledger = openLedger(folder, run);
  const id = ledger.willChange({ kind: 'app-data', installation: 'own', old: { old: 'value-of-before' } });
  ledger.close();
  assert.equal(settleLedger(ledger.file).settled, false);
  assert.match(readFileSync(ledger.file, 'utf8'), /value-of-before/);
  const again = openLedger(folder, run);
  again.restored(id);
  again.close();
  assert.equal(settleLedger(ledger.file).settled, true);
  assert.doesNotMatch(readFileSync(ledger.file, 'utf8'), /value-of-before/);
  assert.equal(statSync(ledger.file).mode & 0o777, 0o600);
  assert.equal(settleLedger(ledger.file).settled, true);
  assert.deepEqual(readLedger(ledger.file).run, run);

  const later = openLedger(folder, run);
  later.willCreate(method('pm-9'));
  later.close();
  assert.equal(readLedger(ledger.file).settled, false);
});

test('the settled ledger of a run on the mock is removed, an open one is not', () => {
  const ledger = openLedger(folder, newRun());
  const id = ledger.willCreate(method('pm-1'));
  assert.equal(settleLedger(ledger.file).settled, false);
  ledger.removed(id);
  ledger.close();
  assert.equal(settleLedger(ledger.file).settled, true);
  assert.equal(existsSync(ledger.file), false);
});

test('no secret is written down; the old value comes back whole with the profile at hand', () => {
  const secrets = [new Secret('APP_KEY', 'app-key-12345678'), new Secret('PART', 'key-1234')];
  const old = { note: 'uses app-key-12345678 and key-1234', 'app-key-12345678': 1, $sealed: ['x'] };
  const ledger = openLedger(folder, newRun(), secrets);
  ledger.willChange({ kind: 'app-data', installation: 'own', old });
  ledger.close();
  assert.doesNotMatch(JSON.stringify(readLedger(ledger.file).open[0]?.entry), /uses app-key/);
  assert.doesNotMatch(readFileSync(ledger.file, 'utf8').replace('"app-key-12345678":1', ''), /app-key-1|key-1234/);
  const [entry] = readLedger(ledger.file, secrets).open;
  assert.deepEqual(entry?.entry, { kind: 'app-data', installation: 'own', old });
  assert.equal(entry?.missing, undefined);
  assert.deepEqual(readLedger(ledger.file, [secrets[1]!]).open[0]?.missing, ['APP_KEY']);
});

test('every sealed value is opened unchanged', () => {
  const secrets = [new Secret('A', 'abc'), new Secret('B', 'bcd')];
  const texts = fc
    .array(fc.constantFrom('a', 'b', 'c', 'd', 'abc', '$sealed', 'x'), { maxLength: 8 })
    .map((list) => list.join(''));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      texts,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('$sealed', '$$sealed', 'k'), tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, (old) => {
      const copy: unknown = JSON.parse(JSON.stringify(old));
      const sealed: unknown = JSON.parse(JSON.stringify(sealSecrets(copy, secrets)));
      assert.deepEqual(
        unsealSecrets(sealed, secrets, () => assert.fail()),
        copy,
      );
      assert.doesNotMatch(JSON.stringify(sealed), /abc|bcd/);
    }),
    { seed: 1 },
  );
});

test('what is not a ledger is refused with a sentence', () => {
  const file = join(folder, 'other');
  writeFileSync(file, '{"type":"something"}\nnot json\n');
  assert.throws(() => readLedger(file), UsageError);
  appendFileSync(file, '');
  assert.throws(() => readLedger(join(folder, 'none')), /can't be read: it does not exist\.$/);
  assert.throws(() => readLedger(folder), /can't be read: it is a folder\.$/);
  assert.throws(() => openLedger(folder, { ...newRun(), run: '../escape' }), /is not a valid run id/);
  assert.throws(() => openLedger(file, newRun()), /can't be written.*a folder with write permission/);
});

test('a code of the run is written so that only the key of the profile reads it', () => {
  const key = new Secret('APP_KEY', 'app-key-12345678');
  const ledger = openLedger(folder, newRun());
  const id = ledger.willCreate({ kind: 'installation' });
  ledger.created(id, { sealedCode: sealCode('i:7:kode-ū', key) });
  ledger.close();
  assert.doesNotMatch(readFileSync(ledger.file, 'utf8'), /kode/);
  const [open] = readLedger(ledger.file).open;
  assert.ok(open?.entry.kind === 'installation' && open.entry.sealedCode !== undefined);
  assert.equal(openCode(open.entry.sealedCode, key), 'i:7:kode-ū');
  assert.equal(openCode(open.entry.sealedCode, new Secret('APP_KEY', 'app-key-12345679')), undefined);
  assert.notEqual(sealCode('same', key).aesGcm, sealCode('same', key).aesGcm);
});
