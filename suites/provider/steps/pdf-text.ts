/** The text of a PDF, where it is written in letters and not in numbers of glyphs: enough to know a name again. */
import { inflateSync } from 'node:zlib';

const MAX_STREAMS = 200;
const MAX_STREAM_BYTES = 2 * 1024 * 1024;
/** A string in parentheses, or in hexadecimal digits, as the operators that show text take it. */
const STRINGS = /\(((?:\\[\s\S]|[^\\()])*)\)|<([0-9A-Fa-f\s]{2,})>/g;
/** Streams that show no text hold pictures and fonts. */
const SHOWS_TEXT = /\bT[jJ]\b|['"]\s*$/m;

export interface PdfText {
  /** The strings that are shown, one after another: names are often split to move their letters together. */
  readonly text: string;
  /** The instructions that show them. */
  readonly contents: readonly string[];
}

/** The text of a document. Empty where it is encrypted, packed in another way, or names glyphs by numbers. */
export function pdfTextOf(bytes: Uint8Array): PdfText {
  const contents = streamsOf(bytes).filter((content) => SHOWS_TEXT.test(content));
  return { text: contents.map(stringsOf).join(''), contents };
}

/** What the streams of a document consist of: instructions, and in newer documents most objects, such as what is said of its author. */
export function streamsOf(bytes: Uint8Array): string[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  const contents: string[] = [];
  let at = 0;
  for (let streams = 0; streams < MAX_STREAMS; streams += 1) {
    const begin = text.indexOf('stream', at);
    const end = begin < 0 ? -1 : text.indexOf('endstream', begin);
    if (end < 0) break;
    const before = text.slice(at, begin);
    at = end + 'endstream'.length;
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')));
    contents.push(contentOf(bytes.subarray(begin + (text.startsWith('\r\n', begin + 6) ? 8 : 7), end), dictionary));
  }
  return contents;
}

function contentOf(packed: Uint8Array, dictionary: string): string {
  if (!/\/Filter/.test(dictionary)) return Buffer.from(packed).toString('latin1');
  try {
    return inflateSync(packed, { maxOutputLength: MAX_STREAM_BYTES, finishFlush: 2 }).toString('latin1');
  } catch {
    return '';
  }
}

const stringsOf = (content: string): string =>
  [...content.matchAll(STRINGS)]
    .map(([, literal, digits]) =>
      literal === undefined ? Buffer.from((digits ?? '').replaceAll(/\s/g, ''), 'hex').toString('latin1') : literal,
    )
    .join('');
