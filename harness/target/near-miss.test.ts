import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  caseSwapped,
  FILTERED,
  isUuid,
  looseMissesOf,
  nearMissesOf,
  nearMissOf,
  rearranged,
  withFullWidth,
  withInMiddle,
  withLeadingUnderscore,
  withUnderscore,
} from './near-miss.ts';

test('a near miss differs in one character of the same kind', () => {
  assert.equal(nearMissOf('abcde'), 'abqde');
  assert.equal(nearMissOf('ABCDE'), 'ABQDE');
  assert.equal(nearMissOf('1234567129456789'), '1234567139456789');
  assert.equal(nearMissOf('aqa'), 'aza');
  assert.equal(nearMissOf('🐝🐝'), '🐝q');
});

test('no near miss of a number that may be counted up is its neighbour', () => {
  assert.deepEqual(
    nearMissesOf('102').map(({ value }) => value),
    ['q02', '1_2', '1[0-9A-Za-z]2', '10q', '102q'],
  );
});

test('near misses change the start, the middle, the end, the length and the case, one at a time', () => {
  assert.deepEqual(
    nearMissesOf('aBc').map(({ value }) => value),
    ['qBc', 'a_c', 'a[0-9A-Za-z]c', 'aBq', 'aB', 'aBcq', 'abC'],
  );
  assert.ok(nearMissesOf('4b1').some(({ value }) => value === '4b2'));
});

test('no near miss of a text with a number that may be counted up is a neighbour', () => {
  const neighbours = /^(?:key-store-|key|tok_|)\d*$|^\d+\|s3cret9x$/;
  for (const text of ['key-store-1', 'key7', 'tok_12', '12|s3cret9x', '3', '4711', 'tok_0000000000012']) {
    const misses = [...nearMissesOf(text), ...looseMissesOf(text)].map(({ value }) => value);
    const values = [nearMissOf(text), ...misses, rearranged(text) ?? 'none'];
    assert.deepEqual(
      values.filter((value) => neighbours.test(value)),
      [],
      text,
    );
  }
  const drawn = nearMissesOf('9f3c-a71b-44de-0c12').map(({ value }) => value);
  assert.ok(drawn.includes('9f3c-a71b-44de-0c1') && drawn.includes('9f3c-a71b-44de-0c13'));
});

test('a signed token is also tried without its signature', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const token = `${part({ alg: 'HS256' })}.${part({ sub: 7 })}.c2lnbmF0dXJl`;
  const unsigned = nearMissesOf(token).filter(
    ({ change }) => change.endsWith('signature') || change.startsWith('its signature'),
  );
  assert.deepEqual(
    unsigned.map(({ value }) => value),
    [`${part({ alg: 'HS256' })}.${part({ sub: 7 })}.`, `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: 7 })}.`],
  );
  assert.ok(nearMissesOf('one.two.three').every(({ change }) => !change.includes('signature')));
});

test('no near miss of a text in base64 is another spelling of the same bytes', () => {
  for (let n = 0; n < 256; n += 1) {
    for (const bytes of [Uint8Array.of(90, 1, n, n), Uint8Array.of(7, 201, n, 255 - n, n)]) {
      const text = `Tok.${Buffer.from(bytes).toString('base64url')}`;
      for (const { change, value } of nearMissesOf(text)) {
        const [, part] = value.split('.');
        if (!value.startsWith('Tok.') || part === undefined) continue;
        assert.notDeepEqual(Buffer.from(part, 'base64url'), Buffer.from(bytes), `${change}: ${value}`);
      }
    }
  }
});

test('near misses of a short or plain text are neither the text, nor empty, nor twice there', () => {
  for (const text of ['7', 'a', '42', '----', '_', 'a_', 'Žē']) {
    const values = nearMissesOf(text).map(({ value }) => value);
    assert.ok(!values.includes(text) && !values.includes(''), text);
    assert.equal(new Set(values).size, values.length, text);
  }
});

test('an underscore replaces a character that is not one', () => {
  assert.equal(withUnderscore('ab_cd'), 'ab__d');
  assert.equal(withUnderscore('__'), '_q');
});

test('a near miss of a UUID is a UUID, and not the next one', () => {
  const key = '00000000-0000-4000-8000-00000000f009';
  const changed = [nearMissOf(key), ...nearMissesOf(key).map(({ value }) => value)].filter(isUuid);
  assert.deepEqual(changed, [
    '00000000-0000-4000-8000-a0000000f009',
    'a0000000-0000-4000-8000-00000000f009',
    '00000000-0000-4000-8000-00000000f00d',
  ]);
  assert.equal(nearMissOf('00000000-0000-4000-8000-F00000000000'), '00000000-0000-4000-8000-A00000000000');
});

test('a UUID in another notation is not a near miss', () => {
  const key = '3f2b8c1e-0b57-4b1c-9a1f-6d0277c14e55';
  const bare = (text: string): string => text.toLowerCase().replaceAll('-', '');
  assert.deepEqual(
    nearMissesOf(key).filter(({ value }) => bare(value) === bare(key)),
    [],
  );
  assert.ok(nearMissesOf(key.replaceAll('-', '_')).some(({ change }) => change === 'letters in the other case'));
});

test('what looks the same is another text', () => {
  assert.equal(withFullWidth('+/9aB/'), '+/9ａB/');
  assert.equal(withFullWidth('+/9aB/').normalize('NFKC'), '+/9aB/');
});

test('what filters take out is in the middle of a text', () => {
  assert.deepEqual(
    FILTERED.map(([, what]) => withInMiddle('abcd', what)),
    ['ab\u200bcd', 'ab<b>cd', 'ab\\cd'],
  );
});

test('loose misses have another beginning or other signs, and are no neighbours of a number', () => {
  const valuesOf = (text: string) => looseMissesOf(text).map(({ value }) => value);
  assert.deepEqual(valuesOf('aB12'), ['B12', 'qaB12', 'aB-12']);
  assert.deepEqual(valuesOf('a-b_1'), ['-b_1', 'qa-b_1', 'ab1']);
  assert.deepEqual(valuesOf('1234'), ['q1234']);
  assert.equal(valuesOf('3f2b8c1e-0b57-4b1c-9a1f-6d0277c14e55').length, 2);
});

test('a text without letters has no other case', () => {
  assert.equal(caseSwapped('12-34'), undefined);
  assert.equal(caseSwapped('aB'), 'Ab');
  // A header cannot carry a capital ÿ, and a capital ß is two.
  assert.equal(caseSwapped('aÿß'), 'Aÿß');
});

test('a pattern for a text matches no neighbour of it', () => {
  assert.equal(withLeadingUnderscore('dm19f3ce'), '_m19f3ce');
  for (const text of ['', '12345678', 'a1', '_m19f3ce']) assert.equal(withLeadingUnderscore(text), undefined);
});

test('a rearranged text has the same characters and the same form', () => {
  assert.equal(rearranged('pv.9Bx4-Mk2Ul7Oz5Ni'), 'vx.4Mk2-Ul7Oz5Ni9Bp');
  for (const text of ['aB3', '1234567', 'aaaaaaaaaaaaaaaa', '----------------'])
    assert.equal(rearranged(text), undefined);
});
