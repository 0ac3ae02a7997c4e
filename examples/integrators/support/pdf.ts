/** PDFs of one page, small enough to be read as a text. */
import { deflateSync } from 'node:zlib';

/** A label of 100 x 150 mm (283 x 425 points) with these lines on it. Letters beyond Latin-1 become question marks. */
export function labelPdf(lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map(
    (line) => `(${line.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')}) Tj T*`,
  );
  const content = `BT /F1 12 Tf 16 TL 20 390 Td ${shown.join(' ')} ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 283 425] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(`${text}xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}`, 'latin1'));
}

/** A page without text in PDF 1.5, as most programs write it: an object stream with catalog, pages and page, and a cross-reference stream instead of the table. */
export function compressedPdf(): Uint8Array<ArrayBuffer> {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 283 425]>>',
  ];
  const starts = objects.map((_, at) => objects.slice(0, at).join(' ').length + (at === 0 ? 0 : 1));
  const index = starts.map((start, at) => `${at + 1} ${start}`).join(' ');
  const packed = deflateSync(`${index} ${objects.join(' ')}`);
  const head = `%PDF-1.5\n4 0 obj\n<</Type/ObjStm/N 3/First ${index.length + 1}/Length ${packed.length}/Filter/FlateDecode>>\nstream\n`;
  const first = Buffer.concat([Buffer.from(head), packed, Buffer.from('\nendstream\nendobj\n')]);
  // One row of four bytes an object: kind, two bytes of place, one of index or generation.
  const rows = [
    0,
    0,
    0,
    255,
    ...[0, 1, 2].flatMap((at) => [2, 0, 4, at]),
    1,
    0,
    9,
    0,
    1,
    first.length >> 8,
    first.length & 255,
    0,
  ];
  const table = deflateSync(Uint8Array.from(rows));
  const tail = `5 0 obj\n<</Type/XRef/Size 6/W[1 2 1]/Root 1 0 R/Length ${table.length}/Filter/FlateDecode>>\nstream\n`;
  const end = `\nendstream\nendobj\nstartxref\n${first.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.concat([first, Buffer.from(tail), table, Buffer.from(end)]));
}
