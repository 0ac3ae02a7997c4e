/** Where text of a target is shortened: always after its secrets were taken out, so that none is cut in two and missed. */

import type { RedactedPiece } from './redaction/index.ts';

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Characters beyond a cut that are searched for secrets as well. */
export const READ_AHEAD_CHARS = 16 * 1024;

/**
 * The beginning of a text, redacted and then cut, with `…` where something is missing. Of a long text only as much is looked
 * at as can be shown.
 */
export function cutRedacted(text: string, most: number, redact: Redact): string {
  const piece = text.length > most + READ_AHEAD_CHARS ? text.slice(0, most + READ_AHEAD_CHARS) : text;
  const redacted = redact(piece);
  if (piece.length === text.length && redacted.length <= most) return redacted;
  return `${redacted.slice(0, shownLength(redacted.length, most, piece.length < text.length)).toWellFormed()}…`;
}

/** The same for a text whose labels are still separate from what was written. */
export function cutPieces(
  text: string,
  most: number,
  redact: (text: string) => readonly RedactedPiece[],
): readonly RedactedPiece[] {
  const piece = text.length > most + READ_AHEAD_CHARS ? text.slice(0, most + READ_AHEAD_CHARS) : text;
  const redacted = redact(piece);
  const length = redacted.reduce((sum, one) => sum + one.text.length, 0);
  if (piece.length === text.length && length <= most) return redacted;
  let left = shownLength(length, most, piece.length < text.length);
  const shown = redacted.flatMap((one) => {
    const kept = one.text.slice(0, Math.max(0, left)).toWellFormed();
    left -= one.text.length;
    // Half a label names nothing.
    return kept === '' || (one.isLabel && kept !== one.text) ? [] : [{ ...one, text: kept }];
  });
  return [...shown, { text: '…', isLabel: false }];
}

/**
 * How much of a redacted piece is shown. At the end of a piece a secret may begin that goes on beyond it, so the last stretch
 * is never shown while there is more.
 */
export function shownLength(redacted: number, most: number, isPiece: boolean): number {
  return Math.max(0, Math.min(most, isPiece ? redacted - READ_AHEAD_CHARS : redacted));
}
