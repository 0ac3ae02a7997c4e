import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FieldsOfTexts } from './texts.ts';

const WHOLE = { hasParts: true, isPart: false };
const PART = { hasParts: false, isPart: true };
const ALONE = { hasParts: false, isPart: false };

test('the parts of a text go into the fields that refused the whole, and no others', () => {
  const fields = new FieldsOfTexts(['title', 'reference']);
  assert.deepEqual(fields.fieldsFor(WHOLE), ['title', 'reference']);
  assert.equal(fields.note(WHOLE, ['title']), false, 'the parts are still to be tested');
  assert.deepEqual(fields.fieldsFor(PART), ['reference']);
  assert.equal(fields.note(PART, []), false);
  assert.deepEqual(fields.fieldsFor(PART), ['reference'], 'a refused part leaves the next one where it was');
});

test('a text without parts counts as soon as one field takes it', () => {
  const fields = new FieldsOfTexts(['title', 'reference']);
  assert.equal(fields.note(ALONE, ['reference']), true);
  assert.deepEqual(fields.fieldsFor(ALONE), ['title', 'reference']);
  assert.equal(fields.note(WHOLE, ['title', 'reference']), true);
});
