/** What to look for, for one secret: it as it is, in other charsets, without what looks like escapes in it, as base64, as hexadecimal digits. */
import { latin1Of, misread } from './charsets.ts';
import { comparedOf, exactOf } from './compared.ts';
import { fillLevel, MAX_LEVELS, newLevel, removeEscapes } from './levels.ts';
import type { Needle } from './needle-index.ts';

export interface SecretText {
  readonly name: string;
  readonly value: string;
}

/** Compared characters that a search needs at least; fewer would be found by chance. */
const MIN_NEEDLE_CHARS = 6;

/** Whether enough of the value is compared, as it is or without what looks like escapes in it. */
export function isCompared(secret: SecretText): boolean {
  if (comparedOf(secret.value).length >= MIN_NEEDLE_CHARS) return true;
  return needlesOf(secret).some(({ label }) => label === `$${secret.name}`);
}

/** Everything to look for; empty when all of it is too short. */
export function needlesOf({ name, value }: SecretText): Needle[] {
  const written = new Set([value, ...misread(value)].flatMap((text) => [text, withPlusSigns(text)]));
  const texts = new Set(
    [...written].flatMap((text) => [text, withoutEscapes(text, false), withoutEscapes(text, true)]),
  );
  const wrapped = new Set([value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]);
  const bytes = [...[...wrapped].map((text) => Buffer.from(text, 'utf8')), ...latin1Of(value)];
  const encoded = bytes.flatMap((each) => [0, 1, 2].map((offset) => base64Core(each, offset)));
  const rows: [string, string][] = [
    ...[...texts].map((text): [string, string] => [text, `$${name}`]),
    ...encoded.map((text): [string, string] => [text, `$${name}(base64)`]),
    ...[Buffer.from(value, 'utf8'), ...latin1Of(value)].map((each): [string, string] => [
      each.toString('hex'),
      `$${name}(hex)`,
    ]),
  ];
  const needles = new Map<string, Needle>();
  for (const [text, label] of rows) {
    const codes = comparedOf(text);
    if (codes.length >= MIN_NEEDLE_CHARS && !needles.has(codes.join()))
      needles.set(codes.join(), { label, codes, exact: exactOf(text) });
  }
  return [...needles.values()];
}

/** The value with the indentation of its lines as a form has it: plus signs for spaces, which are not taken for indentation. */
const withPlusSigns = (value: string): string =>
  value.replaceAll(/(?<=[\r\n])[ \t]+/g, (indent) => '+'.repeat(indent.replaceAll('\t', '').length));

/** A secret may itself look like an escape (`50%25off`): what it becomes when the text around it is unescaped. */
function withoutEscapes(value: string, mail: boolean): string {
  const level = newLevel(value.length);
  fillLevel(level, value, 0, value.length);
  for (const again of [false, true, true]) {
    if (again && mail) removeEscapes(level, true);
    for (let i = 0; i < MAX_LEVELS && removeEscapes(level, false); i += 1);
  }
  return String.fromCharCode(...level.codes.subarray(0, level.length));
}

/** The part of a base64 text that a secret alone decides, when `offset` bytes (0, 1 or 2) precede it in its group. */
function base64Core(text: Buffer, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), text]);
  const encoded = bytes.toString('base64').replace(/={1,2}$/, '');
  const undecidedBefore = Math.ceil((offset * 8) / 6);
  return encoded.slice(undecidedBefore, Math.floor((bytes.length * 8) / 6));
}
