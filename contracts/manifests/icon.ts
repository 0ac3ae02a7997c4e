/**
 * The image behind `app_icon` (spec: "App manifest (B)"; Limits, "App icon size"): square, at least 80 x 80 pixels.
 *
 * Sizes are read by `image-size`, and only of the formats that browsers show everywhere: its readers of the rarer container
 * formats have looped for ever on crafted files more than once, and an icon comes from outside.
 *
 * SVG has no pixels. With `width` and `height` in fixed units it has a natural size: a smaller one than 80 is only a SHOULD,
 * because the drawing can be shown larger without loss. With a `viewBox` alone it takes whatever size it is given, so nothing
 * but its proportion is judged. An SVG with neither has no proportion to judge, which is a SHOULD.
 */
import { imageSize } from 'image-size';
import type { Fault, FaultLevel } from '../run/fault.ts';

/** Smallest width and height of the contract, in pixels. */
export const MIN_ICON_PIXELS = 80;

/** A root element longer than this is not an ordinary icon, and we would not want to search it. */
const MAX_SVG_PREFIX_BYTES = 64 * 1024;

/**
 * The faults of an icon's bytes.
 *
 * @example judgeIcon(await readFile('icon-64x64.png'))
 * // [{ rule: 'icon.size', level: 'MUST', message: 'The icon is 64 x 64 pixels; …', … }]
 */
export function judgeIcon(bytes: Uint8Array): Fault[] {
  const format = formatOf(bytes);
  if (format === undefined) {
    const what = bytes.length === 0 ? 'The icon is empty' : 'The icon is not an image';
    return [fault('icon.image', 'MUST', `${what}; PNG, JPEG, GIF, WebP or SVG is expected.`, 'an image', null)];
  }
  if (format === 'other') {
    const message =
      'Proofmark cannot read the format of the icon, and not every browser shows it; its size was not judged.';
    return [fault('icon.format', 'SHOULD', message, 'PNG, JPEG, GIF, WebP or SVG', null)];
  }
  return format === 'svg' ? judgeSvg(bytes) : judgePixels(bytes);
}

function judgePixels(bytes: Uint8Array): Fault[] {
  const size = sizeOf(bytes);
  if (size === undefined) {
    return [fault('icon.image', 'MUST', 'The icon is damaged: its size cannot be read.', 'a readable image', null)];
  }
  return [...judgeSquare(size), ...judgeLargeEnough(size, 'MUST')];
}

function judgeSvg(bytes: Uint8Array): Fault[] {
  const root = svgRoot(bytes);
  const size = root === undefined ? undefined : sizeOf(Buffer.from(root.element, 'utf8'));
  if (root === undefined || size === undefined) {
    const message = 'The SVG icon has neither `width` and `height` nor a `viewBox`, so it has no square size.';
    return [fault('icon.size', 'SHOULD', message, 'a square', null)];
  }
  if (root.hasFixedSize) return [...judgeSquare(size), ...judgeLargeEnough(size, 'SHOULD')];
  // Drawing programs export boxes such as 511.6 x 512: what is square at the smallest size shown is square.
  return judgeSquare({ width: Math.round((MIN_ICON_PIXELS * size.width) / size.height), height: MIN_ICON_PIXELS });
}

interface Size {
  readonly width: number;
  readonly height: number;
}

function judgeSquare({ width, height }: Size): Fault[] {
  if (width === height) return [];
  const message = `The icon is not square: the ratio of its sides is ${width} to ${height}.`;
  return [fault('icon.square', 'MUST', message, 'a square', `${width} x ${height}`)];
}

function judgeLargeEnough({ width, height }: Size, level: FaultLevel): Fault[] {
  if (width >= MIN_ICON_PIXELS && height >= MIN_ICON_PIXELS) return [];
  const least = `${MIN_ICON_PIXELS} x ${MIN_ICON_PIXELS}`;
  const message = `The icon is ${width} x ${height} pixels; at least ${least} are required.`;
  return [fault('icon.size', level, message, `at least ${least}`, `${width} x ${height}`)];
}

/** The size that the library reads; undefined where it can't. Orientations of JPEG don't matter to a square. */
function sizeOf(bytes: Uint8Array): Size | undefined {
  try {
    const { width, height } = imageSize(bytes);
    return Number.isFinite(width) && Number.isFinite(height) ? { width, height } : undefined;
  } catch {
    return undefined;
  }
}

/** Decided by the first bytes only, so that a page of HTML with a drawing in it is not taken for an icon. */
function formatOf(bytes: Uint8Array): 'pixels' | 'svg' | 'other' | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (start.startsWith('\x89PNG\r\n\x1a\n') || start.startsWith('\xff\xd8\xff') || /^GIF8[79]a/.test(start))
    return 'pixels';
  if (/^RIFF....WEBP/s.test(start)) return 'pixels';
  const other = [
    /^BM/,
    /^\0\0[\x01\x02]\0/,
    /^....ftyp(?:avif|avis|heic|heix|mif1)/s,
    /^II\*\0|^MM\0\*/,
    /^\xff\x0a/,
    /^\0\0\0\x0cJXL /,
  ];
  if (other.some((magic) => magic.test(start))) return 'other';
  return svgRoot(bytes) === undefined ? undefined : 'svg';
}

/** Larger side of a rewritten `viewBox`: large enough that rounding keeps the proportion. */
const SVG_BOX_SCALED_TO = 8000;

/**
 * The root element of an SVG document, rewritten in the plain form that the library reads (one space between the numbers of a
 * `viewBox`, no spaces around `=`, no prefix); undefined when the document has another root.
 */
function svgRoot(bytes: Uint8Array): { element: string; hasFixedSize: boolean } | undefined {
  let text = Buffer.from(bytes.subarray(0, MAX_SVG_PREFIX_BYTES))
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  for (let prolog = PROLOG.exec(text); prolog; prolog = PROLOG.exec(text)) text = text.slice(prolog[0].length);
  const open = /^<(?:[A-Za-z][\w.-]*:)?svg(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)>/.exec(text);
  if (!open) return undefined;
  const attributes = new Map<string, string>();
  for (const [, name, , quoted, single] of open[1]!.matchAll(
    /(?<![\w:.-])([\w:.-]{1,200})\s{0,64}=\s{0,64}("([^"]*)"|'([^']*)')/g,
  )) {
    attributes.set(name!, (quoted ?? single ?? '').trim());
  }
  const box = attributes
    .get('viewBox')
    ?.split(/[\s,]+/)
    .map(Number);
  const kept: string[] = [];
  for (const name of ['width', 'height']) {
    const length = attributes.get(name);
    if (length !== undefined && /^\+?[0-9.]+(?:e\d+)?(?:in|cm|mm|pc|pt|px|em|ex)?$/i.test(length))
      kept.push(`${name}="${length.toLowerCase()}"`);
  }
  const hasFixedSize = kept.length > 0;
  if (box?.length === 4 && box.every(Number.isFinite) && box[2]! > 0 && box[3]! > 0) {
    // Only the proportion matters; the library rounds to whole numbers, so that small ones would lose it.
    const scale = SVG_BOX_SCALED_TO / Math.max(box[2]!, box[3]!);
    kept.push(`viewBox="0 0 ${Math.round(box[2]! * scale)} ${Math.round(box[3]! * scale)}"`);
  }
  return { element: `<svg ${kept.join(' ')}></svg>`, hasFixedSize };
}

/** What may precede the root: white space, XML declaration and other instructions, comments, a document type. */
const PROLOG = /^(?:\s+|<\?[\s\S]*?\?>|<!--[\s\S]*?-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>)/i;

function fault(rule: string, level: FaultLevel, message: string, expected: unknown, actual: unknown): Fault {
  return { rule, level, message, pointer: '', expected, actual };
}
