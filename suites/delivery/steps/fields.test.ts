import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUnset } from '../../../contracts/fields/unset.ts';
import type { Context } from '../../../harness/check/context.ts';
import { changedFields, inOneLanguage, readBackFaults, sameReading, showsPlainTitle, textsOf } from './fields.ts';

/** Only what these functions look at: the website of the profile. */
const contextOf = (languages?: string[], defaultLanguage?: string): Context =>
  ({ profile: { website: languages && { languages, defaultLanguage } } }) as unknown as Context;

const baltic = contextOf(['lv', 'en'], 'lv');
const unknown = contextOf();

const reads = (field: Parameters<typeof readBackFaults>[1], sent: unknown, read: unknown, context = baltic): boolean =>
  readBackFaults(context, field, sent, read).length === 0;

test('all forms of an unset value are equal', () => {
  for (const value of [undefined, null, '', []]) assert.ok(isUnset(value));
  for (const value of [0, false, {}, ' ', ['LV']]) assert.ok(!isUnset(value));
  assert.ok(reads('reference', '', null));
  assert.ok(reads('print_label_url', null, undefined));
  assert.ok(reads('available_countries_to', [], null));
  assert.ok(!reads('reference', 'a', ''));
});

test('texts read back as the same strings, including leading zeros', () => {
  assert.ok(reads('zip', '01050', '01050'));
  assert.ok(!reads('zip', '01050', '1050'));
  assert.ok(!reads('zip', '1050', 1050));
  assert.ok(!reads('city', 'Rīga', 'Riga'));
});

test('the letter case of countries and the order of their list are not judged; their number is', () => {
  assert.ok(reads('country', 'LV', 'lv'));
  assert.ok(!reads('country', 'LV', 'LT'));
  assert.ok(reads('available_countries_from', ['EE', 'LV'], ['lv', 'ee']));
  assert.ok(!reads('available_countries_from', ['EE', 'LV'], ['EE']));
  assert.ok(!reads('available_countries_from', ['EE'], ['EE', 'EE']));
  assert.ok(!reads('available_countries_from', ['EE'], 'EE'));
});

test('attributes are compared as JSON; an empty object counts as unset', () => {
  assert.ok(reads('attributes', { a: 1, b: { c: [0, false] } }, { b: { c: [0, false] }, a: 1 }));
  assert.ok(!reads('attributes', { a: 1 }, { a: '1' }));
  assert.ok(!reads('attributes', { a: 0 }, {}));
  assert.ok(reads('attributes', '', {}));
});

test('a title reads back in the languages in which it was sent, as an object or as a string', () => {
  assert.ok(reads('title', { lv: 'Kurjers' }, { lv: 'Kurjers', en: 'anything' }));
  assert.ok(reads('title', { lv: 'Kurjers' }, 'Kurjers'));
  assert.ok(!reads('title', { en: 'Courier' }, 'Kurjers'));
  assert.ok(!reads('title', { lv: 'Kurjers', en: 'Courier' }, { lv: 'Kurjers' }));
  assert.ok(reads('title', 'Courier', { xx: 'Courier' }, unknown));
});

test('two readings of a title are equal if they contain the same texts', () => {
  assert.ok(sameReading(baltic, 'title', 'Kurjers', { lv: 'Kurjers', en: null }));
  assert.ok(!sameReading(baltic, 'title', { lv: 'Kurjers' }, { lv: 'Kurjers', en: 'Courier' }));
  assert.deepEqual(textsOf(baltic, undefined), {});
});

test('a comma-joined list equals itself, so that it is not a change', () => {
  assert.ok(sameReading(baltic, 'available_countries_to', 'LV,EE', 'LV,EE'));
});

test('changed fields are named', () => {
  const before = { title: 'a', city: 'Rīga', zip: '1' };
  assert.deepEqual(changedFields(baltic, ['title', 'city', 'zip'], before, { ...before, zip: '2' }), ['zip']);
});

test('a text in one language is an object where the languages are known', () => {
  assert.deepEqual(inOneLanguage(baltic, 'x'), { lv: 'x' });
  assert.deepEqual(inOneLanguage(contextOf(['et']), 'x'), { et: 'x' });
  assert.equal(inOneLanguage(unknown, 'x'), 'x');
});

test('a plain title reads back as itself or in a language, and not in a list', () => {
  for (const read of ['Locker', { en: 'Locker' }, { lv: 'Skapis', en: 'Locker' }])
    assert.ok(showsPlainTitle(read, 'Locker'));
  for (const read of [['Locker'], '["Locker"]', 'Locker 2', { en: ['Locker'] }, {}, null, undefined])
    assert.ok(!showsPlainTitle(read, 'Locker'), JSON.stringify(read));
});
