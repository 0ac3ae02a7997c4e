import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasPart, lettersOf, timesOn } from './label-texts.ts';

const on = (label: string, part: string): boolean => hasPart(lettersOf(label), part);

test('a name is found as it is, composed in another way, and in plain letters', () => {
  for (const label of ['Līga Bērziņa', 'Līga Bērziņa'.normalize('NFD'), 'LIGA BERZINA', 'L?ga B?rzi?a'])
    assert.ok(on(label, 'Bērziņa'), label);
  assert.ok(!on('Līga Bērzs', 'Bērziņa'));
});

test('a part with few letters of ASCII is found nowhere', () => {
  assert.ok(!on('LTD', 'Ltd'));
  assert.ok(!on('ABC', 'улица Ленина 5'));
  assert.ok(!on('', ''));
});

test('the occurrences of a part are counted in one spelling', () => {
  assert.equal(timesOn(lettersOf('Brivibas 1, Brivibas 1'), 'Brīvības'), 2);
  assert.equal(timesOn(lettersOf('Brīvības 1'), 'Brīvības'), 1);
});
