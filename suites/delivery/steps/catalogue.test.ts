// A field that clients write needs a check and a fault that proves the check: a catalogue row alone judges nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METHOD_KEPT, POINT_KEPT } from '../../../contracts/fields/catalogue/delivery.ts';
import { FAULTS_BY_CLAUSE } from '../../../contracts/generated/faults.generated.ts';
import { CHECKS } from '../../index.ts';

test('every field that clients write has a check of its clause, and a fault that breaks it', () => {
  const checks = new Set(CHECKS.map(({ id }) => id));
  for (const clause of [...Object.values(METHOD_KEPT), ...Object.values(POINT_KEPT)]) {
    const [, subject] = clause.split('.');
    assert.ok(checks.has(clause), `${clause} has no check of its own: add one to suites/delivery/${subject}/.`);
    assert.ok(Object.hasOwn(FAULTS_BY_CLAUSE, clause), `${clause} has no fault: add one to mock/faults/delivery/.`);
  }
});
