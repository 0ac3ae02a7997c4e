/** The compressed parts of binary documents: the streams of a PDF, and a file that is gzip as a whole. */
import { constants, gunzipSync, inflateSync } from 'node:zlib';

const MAX_STREAMS = 200;
const MAX_STREAM_BYTES = 2 * 1024 * 1024;

export interface PackedStream {
  /** Where its bytes begin and end in the document. */
  readonly begin: number;
  readonly end: number;
  /** Its bytes unpacked, as far as they go; empty if they are packed in another way. */
  readonly content: string;
}

const GZIP = [0x1f, 0x8b];
const UNPACKING = { maxOutputLength: MAX_STREAM_BYTES, finishFlush: constants.Z_SYNC_FLUSH };

/** The streams of a document, unpacked. What is cut off at the end of a piece is read as far as it goes. */
export function packedStreamsOf(bytes: Uint8Array): PackedStream[] {
  if (GZIP.every((byte, at) => bytes[at] === byte))
    return [{ begin: 0, end: bytes.length, content: unpacked(gunzipSync, bytes) }];
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (!text.includes('%PDF-')) return [];
  const streams: PackedStream[] = [];
  let at = 0;
  while (streams.length < MAX_STREAMS) {
    const keyword = text.indexOf('stream', at);
    if (keyword < 0) break;
    const closing = text.indexOf('endstream', keyword);
    const end = closing < 0 ? bytes.length : closing;
    const before = text.slice(at, keyword);
    const dictionary = before.slice(Math.max(0, before.lastIndexOf(' obj')));
    const begin = Math.min(end, keyword + (text.startsWith('\r\n', keyword + 6) ? 8 : 7));
    const packed = bytes.subarray(begin, end);
    const isPlain = !/\/Filter/.test(dictionary);
    const content = isPlain ? Buffer.from(packed).toString('latin1') : unpacked(inflateSync, packed);
    streams.push({ begin, end, content });
    at = end + 'endstream'.length;
  }
  return streams;
}

function unpacked(unpack: typeof inflateSync, packed: Uint8Array): string {
  try {
    return unpack(packed, UNPACKING).toString('latin1');
  } catch {
    return '';
  }
}

/** Strings that a PDF shows one after another, with how far the next letters are moved between them. */
const BETWEEN_STRINGS = /\)[\s\d.-]*\(/g;

/** The document with the streams overwritten that hold a secret: compressed bytes can't be redacted in part. */
export function withoutSecretStreams(bytes: Uint8Array, holdsSecret: (text: string) => boolean): Uint8Array {
  const secret = packedStreamsOf(bytes).filter(
    ({ content }) => holdsSecret(content) || holdsSecret(content.replace(BETWEEN_STRINGS, '')),
  );
  if (secret.length === 0) return bytes;
  const left = Uint8Array.from(bytes);
  for (const { begin, end } of secret) left.fill('*'.charCodeAt(0), begin, end);
  return left;
}
