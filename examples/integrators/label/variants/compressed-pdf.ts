// Correct: The objects of the PDF, its page among them, are in a compressed stream, as most programs write them.
import { deflateSync } from 'node:zlib';
import type { ExampleNote } from '../../kit/example.ts';
import LabelPage, { type Order } from '../correct.ts';

export const note: ExampleNote = {
  id: 'label.variant.compressed-pdf',
  clauses: [],
  about: 'The objects of the PDF, its page among them, are in a compressed stream, as most programs write them.',
};

export default class extends LabelPage {
  override makeLabel(order: Order, customer: string): string {
    const id = super.makeLabel(order, customer);
    this.labels.set(id, compressedPdf());
    return id;
  }
}

/** PDF 1.5: an object stream with catalog, pages and page, and a cross-reference stream in place of the table. */
function compressedPdf(): Uint8Array<ArrayBuffer> {
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
