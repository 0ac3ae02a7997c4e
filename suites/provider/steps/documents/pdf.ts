/** Whether bytes are a PDF with a page: as much of the format as distinguishes a document from something else. */
import { isUtf8 } from 'node:buffer';
import { inflateSync } from 'node:zlib';

export type PdfResponse =
  | { readonly isPdf: true; readonly pages: number | 'not counted' }
  | { readonly isPdf: false; readonly why: string };

/** Readers look for the header in this much of the beginning. */
const HEADER_WITHIN_BYTES = 1_024;
const PAGE = /\/Type\s{0,64}\/Page(?![A-Za-z])/g;
/** Lists of objects that are unpacked in search of a page, and how much of each. */
const MAX_LISTS = 200;
const MAX_STREAM_BYTES = 8 * 1024 * 1024;
/** Of all lists together: what unfolds that far is not a label. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024;

/** U+FFFD in UTF-8, which a decoder puts in place of an invalid byte. */
const REPLACED = /\u00ef\u00bf\u00bd/g;
/** The line of binary bytes at the beginning of a PDF may be damaged without harm. */
const MAX_HARMLESS_REPLACEMENTS = 7;

/**
 * Judges a document. Pages in compressed object streams are found; where the objects can't be read (encrypted, packed in
 * another way) a whole document is taken to have a page.
 */
export function judgePdf(bytes: Uint8Array): PdfResponse {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!text.slice(0, HEADER_WITHIN_BYTES).includes('%PDF-'))
    return { isPdf: false, why: 'it does not begin with %PDF-' };
  if (!text.includes('%%EOF')) return { isPdf: false, why: 'it begins as a PDF but is truncated: it has no %%EOF' };
  if (isUtf8(bytes) && (text.match(REPLACED)?.length ?? 0) > MAX_HARMLESS_REPLACEMENTS)
    return { isPdf: false, why: 'its bytes were read as UTF-8 text, so that those of pages and fonts are lost' };
  const plain = text.match(PAGE)?.length ?? 0;
  if (plain > 0) return { isPdf: true, pages: plain };
  const { pages, unread } = packedPages(text, bytes);
  if (pages > 0) return { isPdf: true, pages };
  if (unread) return { isPdf: true, pages: 'not counted' };
  return { isPdf: false, why: 'it is a PDF without a page' };
}

function packedPages(text: string, bytes: Uint8Array): { pages: number; unread: boolean } {
  let pages = 0;
  let unread = /\/Encrypt\b/.test(text);
  let at = 0;
  let unpackedBytes = 0;
  for (let lists = 0; ; ) {
    const begin = text.indexOf('stream', at);
    if (begin < 0) break;
    const end = text.indexOf('endstream', begin);
    if (end < 0) break;
    // The dictionary of a stream begins behind the stream before it.
    const before = text.slice(at, begin);
    at = end + 'endstream'.length;
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')));
    if (!/\/Type\s{0,64}\/ObjStm/.test(dictionary)) continue;
    lists += 1;
    if (lists > MAX_LISTS || unpackedBytes > MAX_UNPACKED_BYTES) return { pages, unread: true };
    // Bytes that were predicted from their neighbours are not text.
    if (/\/(?:DecodeParms|DP)\b/.test(dictionary)) unread = true;
    const skip = text.startsWith('\r\n', begin + 6) ? 8 : 7;
    try {
      const packed = bytes.subarray(begin + skip, end);
      const unpacked = /\/Filter/.test(dictionary)
        ? inflateSync(packed, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: 2 })
        : Buffer.from(packed);
      unpackedBytes += unpacked.length;
      pages += unpacked.toString('latin1').match(PAGE)?.length ?? 0;
    } catch {
      unread = true;
    }
  }
  return { pages, unread };
}
