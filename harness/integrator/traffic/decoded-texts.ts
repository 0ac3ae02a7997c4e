/**
 * What the encoded parts of a text consist of: cookies of frameworks, tokens and states of pages are base64 of JSON, often of
 * compressed JSON, with base64 in it. The redaction knows one layer of base64 or hexadecimal digits; here are the others.
 */
import { constants, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib';

/** A part that was decoded, as it is written in the text, with what it consists of. */
export interface DecodedText {
  readonly encoded: string;
  readonly text: string;
}

/** Shorter parts hold no secret beside anything else. */
const MIN_ENCODED_CHARACTERS = 16;
/** Parts of one text that are decoded, and the characters that they may become. */
const MAX_PARTS = 400;
const MAX_CHARACTERS = 1024 * 1024;
/** What one compressed part may become. */
const MAX_INFLATED_BYTES = 256 * 1024;
/** Base64 in base64 in base64. */
const MAX_LAYERS = 3;
/** Where a part begins may belong to what is before it: a path, a name with an underscore. */
const BASE64_GROUP = 4;

/** Signs of base64 and of base64url, also as they are in an address and in JSON: `%2B`, `\/`, `\u002b`. */
const ESCAPED_SIGNS: readonly (readonly [RegExp, string])[] = [
  [/%2b|\\u002b/gi, '+'],
  [/%2f|\\u002f|\\\//gi, '/'],
  [/%3d|\\u003d/gi, '='],
];
const PART = new RegExp(`[A-Za-z0-9+/_-]{${MIN_ENCODED_CHARACTERS},}={0,2}`, 'g');
const MAY_HOLD_PART = new RegExp(PART.source);
const HEXADECIMAL = /^(?:[0-9a-f]{2})+$/i;

/** Names of programs have no digits, and words no capitals in the middle. */
const isEncoded = (part: string): boolean =>
  HEXADECIMAL.test(part) || (/[0-9]/.test(part) && /[A-Z]/.test(part) && /[a-z]/.test(part));

/** The part itself, and what it ends with behind a path. */
function writtenIn(part: string): string[] {
  const end = part.slice(part.lastIndexOf('/') + 1);
  return end.length < part.length && end.length >= MIN_ENCODED_CHARACTERS ? [part, end] : [part];
}

/** All that the encoded parts of a text consist of, one layer after the other. */
export const decodedTexts = (text: string): DecodedText[] => decode(text, MAX_LAYERS, { left: MAX_CHARACTERS });

/** `budget`: characters that may still be decoded, of all layers: what is compressed may become a thousand times as long, on each layer. */
function decode(text: string, layers: number, budget: { left: number }): DecodedText[] {
  if (layers === 0 || !MAY_HOLD_PART.test(text)) return [];
  const plain = ESCAPED_SIGNS.reduce((left, [sign, as]) => left.replace(sign, as), text);
  const found: DecodedText[] = [];
  for (const [encoded] of plain.matchAll(PART)) {
    if (found.length >= MAX_PARTS) break;
    if (budget.left < encoded.length || !writtenIn(encoded).some(isEncoded)) continue;
    const inside = contentsOf(encoded).join('\n');
    budget.left -= inside.length;
    const deeper = decode(inside, layers - 1, budget).map((one) => one.text);
    found.push({ encoded, text: [inside, ...deeper].join('\n') });
  }
  return found;
}

/** What a part may consist of: as base64 from each of its first characters on, as hexadecimal digits, and what was compressed in it. */
function contentsOf(encoded: string): string[] {
  const bytes = writtenIn(encoded).flatMap((part) => [
    ...(HEXADECIMAL.test(part) ? [Buffer.from(part, 'hex')] : []),
    ...Array.from({ length: BASE64_GROUP }, (_, offset) => Buffer.from(part.slice(offset), 'base64')),
  ]);
  return [...bytes, ...bytes.flatMap(inflated)].map(readable);
}

/** Text that is not compressed is mostly of these. */
const PRINTABLE = /^[\t\n\r -~]{8}/;

function inflated(bytes: Buffer): Buffer[] {
  const begin = bytes.toString('latin1', 0, 8);
  if (PRINTABLE.test(begin)) return [];
  try {
    // A cut stream gives what was before the cut.
    return [inflaterOf(begin)(bytes, { maxOutputLength: MAX_INFLATED_BYTES, finishFlush: constants.Z_SYNC_FLUSH })];
  } catch {
    return [];
  }
}

/** By the first bytes: gzip, zlib, or without a header, as requests of single sign-on are. */
function inflaterOf(begin: string): typeof gunzipSync {
  if (begin.startsWith('\x1f\x8b')) return gunzipSync;
  return begin.startsWith('x') ? inflateSync : inflateRawSync;
}

/** Bytes as a text of one character for each; of two-byte characters without the empty half. */
const readable = (bytes: Buffer): string => bytes.toString('latin1').replaceAll('\0', '');
