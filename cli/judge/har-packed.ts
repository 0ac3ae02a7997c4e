/** Bodies that a recorder kept as they went over the wire, packed, beside a `Content-Encoding` that says how. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type { BodyText } from '../../contracts/run/events.ts';

/** The maximum size of an entry that is read; what unpacks to more is left out. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
const GZIP = [0x1f, 0x8b];
/** First bytes of a packed body in a text, whose other bytes are lost. */
const GZIP_AS_TEXT = /^\u001f[\u008b\ufffd]/;

type Unpack = (bytes: Uint8Array, limits: { maxOutputLength: number }) => Uint8Array;

/** How to unpack; undefined for bytes that are not packed in this way. */
function unpackerOf(coding: string, bytes: Uint8Array): Unpack | undefined {
  const isGzip = GZIP.every((byte, at) => bytes[at] === byte);
  if (/\bgzip\b/i.test(coding)) return isGzip ? gunzipSync : undefined;
  // Most recorders unpack and leave the header: what reads as text is not packed.
  if (isText(bytes)) return undefined;
  if (/\bbr\b/i.test(coding)) return brotliDecompressSync;
  if (/\bzstd\b/i.test(coding)) return zstdDecompressSync;
  return /\bdeflate\b/i.test(coding) ? inflateEither : undefined;
}

/** Some servers leave out the header of zlib. */
const inflateEither: Unpack = (bytes, limits) => {
  try {
    return inflateSync(bytes, limits);
  } catch {
    return inflateRawSync(bytes, limits);
  }
};

const MISSING: BodyText = { truncated: 1 };
const NOT_PACKED = /^(?:identity|none|utf-?8)?$/i;
/** Control characters, and what replaces bytes that are not text, where neither JSON nor a page begins. */
const PACKED_AS_TEXT = /^(?!\s*[[{"<]).*?[\u0000-\u0008\u000e-\u001f\ufffd]/s;

function isText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

/** The body as its reader got it; missing where it is packed and can't be unpacked. */
export function unpacked(body: BodyText, coding: string | undefined): BodyText {
  if (coding === undefined || NOT_PACKED.test(coding.trim())) return body;
  if (body.text !== undefined) return GZIP_AS_TEXT.test(body.text) || PACKED_AS_TEXT.test(body.text) ? MISSING : body;
  if (body.base64 === undefined) return body;
  const bytes = Buffer.from(body.base64, 'base64');
  const unpack = unpackerOf(coding, bytes);
  if (unpack === undefined) return isText(bytes) ? body : MISSING;
  try {
    return { base64: Buffer.from(unpack(bytes, { maxOutputLength: MAX_UNPACKED_BYTES })).toString('base64') };
  } catch {
    return MISSING;
  }
}
