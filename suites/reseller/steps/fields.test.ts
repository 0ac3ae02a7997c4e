import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FORMS, isMissing } from '../../../contracts/fields/forms.ts';
import type { Context } from '../../../harness/check/context.ts';
import { Expect } from '../../../harness/check/expect.ts';
import { AssertionFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { responseOf } from '../../../harness/target/response/response.ts';
import { type FieldRule, judgeFields, shapeOf } from './fields.ts';

const request = { method: 'GET', url: 'https://a.test/' };
const response = responseOf({ status: 200, headers: [], bytes: new Uint8Array(), durationMs: 0, exchange: 0, request });
const context = () => ({ expect: new Expect(async () => assert.fail('nothing is sent')) }) as unknown as Context;
const names: FieldRule = { fields: ['first', 'last'], form: { ...FORMS.text, isUnset: isMissing } };

test('values that are present are judged, missing ones are skipped', () => {
  judgeFields(context(), [{ first: 'Anna' }, { last: null }], names, response);
  assert.throws(
    () => judgeFields(context(), [{ first: 'Anna' }, { last: 7 }], names, response, ['people']),
    (error) => error instanceof AssertionFailure && error.evidence.pointer === '/people/1/last',
  );
});

test('without values nothing is decided', () => {
  assert.throws(() => judgeFields(context(), [{}, { first: null }], names, response), Inconclusive);
});

test('personal text is not reported, only its shape', () => {
  const mails: FieldRule = { ...names, fields: ['mail'], form: { ...names.form, holds: () => false } };
  assert.throws(
    () => judgeFields(context(), [{ mail: 'Anna7@shop.test' }], mails, response),
    (error) => error instanceof AssertionFailure && error.evidence.actual === 'a text like Aaaa9@aaaa.aaaa',
  );
  assert.equal(shapeOf('LV-1010'), 'AA-9999');
});
