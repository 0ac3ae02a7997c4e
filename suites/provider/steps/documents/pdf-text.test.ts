import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { labelPdf } from '../../../../examples/integrators/support/pdf.ts';
import { pdfTextOf } from './pdf-text.ts';

const lettersIn = (bytes: Uint8Array): string =>
  pdfTextOf(bytes)
    .text.replaceAll(/[^A-Za-z]/g, '')
    .toUpperCase();

const withStream = (content: string, isPacked: boolean): Uint8Array =>
  Buffer.concat([
    Buffer.from(`%PDF-1.4\n4 0 obj\n<<${isPacked ? '/Filter/FlateDecode' : ''}>>\nstream\n`),
    isPacked ? deflateSync(content) : Buffer.from(content, 'latin1'),
    Buffer.from('\nendstream\nendobj\n%%EOF\n'),
  ]);

test('letters are read from strings of any writing, packed or not', () => {
  assert.match(lettersIn(labelPdf(['Anna Aldermoor', 'Fish (Street) 1'])), /ANNAALDERMOOR/);
  for (const isPacked of [true, false]) {
    assert.equal(lettersIn(withStream('BT [(Al)-20(der)3(moor)] TJ ET', isPacked)), 'ALDERMOOR');
    assert.equal(lettersIn(withStream('BT <416C6465 726D6F6F72> Tj ET', isPacked)), 'ALDERMOOR');
  }
});

test('other documents have no letters', () => {
  assert.equal(lettersIn(Buffer.from('%PDF-1.4\n%%EOF')), '');
  assert.equal(lettersIn(withStream('q 1 0 0 1 (Aldermoor) cm Q', false)), '');
  assert.equal(lettersIn(Buffer.from('%PDF-1.4\n<</Filter/FlateDecode>>stream\n(broken) Tj endstream')), '');
});

test('the instructions that show texts are as they are in the file', () => {
  const { contents } = pdfTextOf(withStream(String.raw`BT (Smile :\)) Tj ET`, true));
  assert.deepEqual(contents, [String.raw`BT (Smile :\)) Tj ET`]);
});
