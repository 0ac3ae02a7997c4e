import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Fields,
  isAuthentic,
  LABEL_REQUEST_FIELDS,
  SIGNATURE_FIELD,
} from '../../../../contracts/signing/index.ts';
import { wrongSignatures } from './mistakes.ts';
import { partlySigned } from './partly-signed.ts';

const FIELDS: Fields = LABEL_REQUEST_FIELDS.map((name) => [name, `${name} – Rīga\r\n"7" + 1`]);

test('no wrong signature is the right one', () => {
  for (const key of ['Key-4f1A9c77e0B2', '00ffaa11', 'a2V5a2V5']) {
    for (const { says, signature } of wrongSignatures(FIELDS, key))
      assert.ok(!isAuthentic([...FIELDS, [SIGNATURE_FIELD, signature]], key), says);
  }
});

test('each field is left out of one, and each of the common mistakes is there', () => {
  const said = wrongSignatures(FIELDS, 'Key-4f1A9c77e0B2').map(({ says }) => says);
  for (const name of LABEL_REQUEST_FIELDS)
    assert.ok(said.includes(`the field "${name}" were part of the message`), name);
  for (const part of ['hexadecimal digits in capitals', '"|" was used', 'plain SHA-256 over key and message', 'JSON'])
    assert.ok(
      said.some((says) => says.includes(part)),
      part,
    );
});

test('a part of the fields that is signed alone, with the others empty, is not a right signature', () => {
  const forged = partlySigned(FIELDS, 'Key-4f1A9c77e0B2');
  for (const { change, fields } of forged) assert.ok(!isAuthentic(fields, 'Key-4f1A9c77e0B2'), change);
  for (const change of [
    'the signature of label_request_id and callback_url alone',
    'the signature of all fields but amount and currency',
    'the signature of all fields but currency, and only it and what a label needs filled',
  ])
    assert.ok(
      forged.some((one) => one.change === change),
      change,
    );
});
