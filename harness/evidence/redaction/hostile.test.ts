/** Texts that a target may send to keep the redaction busy: each takes time in proportion to its length. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { learnSecrets } from '../../target/secrets/received-secrets.ts';
import { createRedaction } from './index.ts';

const SIZE = 256 * 1024;
/** Each takes less than a tenth of it alone; what grows with the square takes minutes. */
const MAX_CPU_MS = 4_000;

const HOSTILE: Readonly<Record<string, string>> = {
  'a run of backslashes': '\\'.repeat(SIZE),
  'backslashes before what is not an escape': `${'\\'.repeat(SIZE)}g`,
  'runs of backslashes of growing length': Array.from({ length: 700 }, (_, n) => '\\'.repeat(n)).join('y'),
  'names of credentials and blanks': `password${' '.repeat(SIZE)}`,
  'names of credentials and backslashes': `"token${'\\'.repeat(SIZE)}`,
  'a word before a key, and blanks': `token=${'ApiKey '.repeat(1)}${' '.repeat(SIZE)}`,
  'many names, words and blanks': 'authorization:  Bearer  %20 + '.repeat(SIZE / 32),
  'the beginning of a secret again and again': 'a'.repeat(SIZE),
  'cuts and nothing else': '…a'.repeat(SIZE / 2),
  'dots and nothing else': '.'.repeat(SIZE),
  'numbers and nothing else': '97,'.repeat(SIZE / 3),
  'digits and nothing else': '9'.repeat(SIZE),
  'the beginnings of entities': '&amp'.repeat(SIZE / 4),
  'percent signs': '%25'.repeat(SIZE / 3),
};

for (const [name, text] of Object.entries(HOSTILE)) {
  test(`the redaction is not slowed down by ${name}`, () => {
    const redaction = createRedaction();
    for (let n = 1; n < 40; n += 1) redaction.add({ name: `K${n}`, value: `${'a'.repeat(n * 90)}b` });
    redaction.add({ name: 'SHORT', value: 'a1' });
    const started = process.cpuUsage();
    redaction.text(text);
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1000 < MAX_CPU_MS, `${(user + system) / 1000} ms`);
  });
}

for (const part of ['a', 'ab', 'A', 'a-']) {
  test(`nor by a long secret that repeats ${part}, in a longer text of the same`, () => {
    const redaction = createRedaction();
    redaction.add({ name: 'COOKIE', value: part.repeat(20_000), learned: true });
    redaction.add({ name: 'OTHER', value: `${part.repeat(15_000)}${part[0]}`, learned: true });
    const started = process.cpuUsage();
    assert.equal(redaction.text(`<${part.toLowerCase().repeat(SIZE)}>`), '<$COOKIE>');
    const { user, system } = process.cpuUsage(started);
    assert.ok((user + system) / 1000 < MAX_CPU_MS, `${(user + system) / 1000} ms`);
  });
}

test('a target that issues a hundred thousand tokens does not slow down the redaction', () => {
  const redaction = createRedaction();
  const started = process.cpuUsage();
  for (let call = 0; call < 10; call += 1) {
    const tokens = Array.from({ length: 10_000 }, (_, n) => ({ password: `aaaaaaaaaaaaaaaa${call}-${n}` }));
    learnSecrets(
      {
        at: 0,
        durationMs: 0,
        request: { method: 'GET', url: 'http://t.example/', headers: [] },
        response: { status: 200, headers: [], body: Buffer.from(JSON.stringify(tokens)) },
      },
      redaction,
    );
    redaction.text('a'.repeat(SIZE));
  }
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1000 < 3 * MAX_CPU_MS, `${(user + system) / 1000} ms`);
});

test('a service that sets a new session with each response does not cost an index of all each time', () => {
  const redaction = createRedaction();
  const started = process.cpuUsage();
  for (let n = 0; n < 1_250; n += 1) {
    const value = createHash('sha256').update(String(n)).digest('hex').slice(0, 32);
    redaction.add({ name: 'SESSION', value, learned: true });
    assert.equal(redaction.text(`sid=${value}; n=${n}`), `sid=$SESSION; n=${n}`);
  }
  const { user, system } = process.cpuUsage(started);
  assert.ok((user + system) / 1000 < MAX_CPU_MS, `${(user + system) / 1000} ms`);
});
