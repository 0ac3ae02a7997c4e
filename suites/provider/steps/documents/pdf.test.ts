import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deflateSync } from 'node:zlib';
import { judgePdf } from './pdf.ts';

const whole = (body: string): Uint8Array => Buffer.from(`%PDF-1.5\n${body}\nstartxref\n0\n%%EOF\n`, 'latin1');

/** A PDF whose objects are in a compressed stream. */
function packed(objects: string, type = '/ObjStm'): Uint8Array {
  const stream = deflateSync(objects).toString('latin1');
  return whole(`4 0 obj\n<</Type${type}/N 1/Filter/FlateDecode>>\nstream\n${stream}\nendstream\nendobj`);
}

describe('judgePdf', () => {
  test('counts pages, and not the list of pages', () => {
    const bytes = whole('1 0 obj<</Type/Pages/Kids[2 0 R]>>endobj 2 0 obj<< /Type /Page /Parent 1 0 R>>endobj');
    assert.deepEqual(judgePdf(bytes), { isPdf: true, pages: 1 });
  });

  test('finds pages in compressed streams of objects', () => {
    assert.deepEqual(judgePdf(packed('1 0 <</Type/Pages>> <</Type/Page/Parent 1 0 R>>')), { isPdf: true, pages: 1 });
  });

  test('takes an encrypted document to have a page', () => {
    assert.deepEqual(judgePdf(whole('trailer<</Encrypt 5 0 R>>')), { isPdf: true, pages: 'not counted' });
  });

  test('finds pages behind any number of other streams', () => {
    const pictures = '3 0 obj\n<</Length 1>>\nstream\nx\nendstream\nendobj\n'.repeat(500);
    const list = packed('1 0 <</Type/Page/Parent 1 0 R>>');
    assert.deepEqual(judgePdf(Buffer.concat([Buffer.from(`%PDF-1.5\n${pictures}`), list])), { isPdf: true, pages: 1 });
  });

  test('takes a document with predicted lists of objects to have a page', () => {
    const bytes = whole(
      `4 0 obj\n<</Type/ObjStm/Filter/FlateDecode/DecodeParms<</Predictor 12>>>>\nstream\n${deflateSync('?').toString('latin1')}\nendstream`,
    );
    assert.deepEqual(judgePdf(bytes), { isPdf: true, pages: 'not counted' });
  });

  test('takes bytes before the header, as readers do', () => {
    const bytes = Buffer.concat([Buffer.from('\ufeff\r\n'), whole('2 0 obj<</Type/Page>>endobj')]);
    assert.equal(judgePdf(bytes).isPdf, true);
  });

  const pages = '1 0 obj<</Type/Pages/Kids[2 0 R]>>endobj 2 0 obj<</Type/Page/Parent 1 0 R>>endobj';
  const drawn = deflateSync(Array.from({ length: 200 }, (_, at) => `${at * at} ${at * 7} m`).join(' ')).toString(
    'latin1',
  );
  const readAsText = (bytes: Uint8Array): Uint8Array => Buffer.from(Buffer.from(bytes).toString('utf8'));

  test('takes a line of binary bytes at the beginning that was read as text', () => {
    assert.equal(judgePdf(readAsText(whole(`%\xe2\xe3\xcf\xd3\n${pages}`))).isPdf, true);
  });

  for (const [name, bytes] of Object.entries({
    'read as text': readAsText(whole(`${pages} 3 0 obj<</Filter/FlateDecode>>stream\n${drawn}\nendstream endobj`)),
    'no header': Buffer.from('<!doctype html><p>%%EOF'),
    'cut off': Buffer.from('%PDF-1.4\n1 0 obj<</Type/Page>>'),
    'without a page': whole('1 0 obj<</Type/Pages/Kids[]/Count 0>>endobj'),
    'a page in a stream that is not a list of objects': packed('<</Type/Page>>', '/XObject'),
    nothing: new Uint8Array(),
  })) {
    test(`${name} is not a label`, () => assert.equal(judgePdf(bytes).isPdf, false));
  }
});

describe('judgePdf on files that are built to keep it busy', () => {
  const many = (text: string): string => text.repeat(Math.floor((4 * 1024 * 1024) / text.length));
  const rows: Readonly<Record<string, Uint8Array>> = {
    'streams without objects': whole(many('stream endstream ')),
    'streams without ends': whole(many('stream ')),
    'dictionaries of blanks': whole(`4 0 obj/Type${' '.repeat(4 * 1024 * 1024)}stream endstream`),
    'types and blanks': whole(many(`/Type${' '.repeat(500)}`)),
    'lists that unfold': whole(
      `4 0 obj /Type/ObjStm/Filter stream\n${deflateSync(Buffer.alloc(8 * 1024 * 1024)).toString('latin1')}\nendstream `.repeat(
        200,
      ),
    ),
  };
  for (const [name, bytes] of Object.entries(rows)) {
    test(name, () => {
      const started = process.cpuUsage();
      judgePdf(bytes);
      const { user, system } = process.cpuUsage(started);
      assert.ok((user + system) / 1000 < 2_000, `${(user + system) / 1000} ms`);
    });
  }
});
