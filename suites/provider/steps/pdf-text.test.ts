import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { labelPdf } from '../../../examples/integrators/support/pdf.ts';
import { pdfLettersOf } from './pdf-text.ts';

const withStream = (content: string, isPacked: boolean): Uint8Array =>
  Buffer.concat([
    Buffer.from(`%PDF-1.4\n4 0 obj\n<<${isPacked ? '/Filter/FlateDecode' : ''}>>\nstream\n`),
    isPacked ? deflateSync(content) : Buffer.from(content, 'latin1'),
    Buffer.from('\nendstream\nendobj\n%%EOF\n'),
  ]);

test('letters are read from strings of any writing, packed or not', () => {
  assert.match(pdfLettersOf(labelPdf(['Anna Aldermoor', 'Fish (Street) 1'])), /ANNAALDERMOOR/);
  for (const isPacked of [true, false]) {
    assert.equal(pdfLettersOf(withStream('BT [(Al)-20(der)3(moor)] TJ ET', isPacked)), 'ALDERMOOR');
    assert.equal(pdfLettersOf(withStream('BT <416C6465 726D6F6F72> Tj ET', isPacked)), 'ALDERMOOR');
  }
});

test('other documents have no letters', () => {
  assert.equal(pdfLettersOf(Buffer.from('%PDF-1.4\n%%EOF')), '');
  assert.equal(pdfLettersOf(withStream('q 1 0 0 1 (Aldermoor) cm Q', false)), '');
  assert.equal(pdfLettersOf(Buffer.from('%PDF-1.4\n<</Filter/FlateDecode>>stream\n(broken) Tj endstream')), '');
});
