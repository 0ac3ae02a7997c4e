/** Where text of a target is shortened: always after its secrets were taken out, so that none is cut in two and missed. */

/** Takes secrets out of a text. */
export type Redact = (text: string) => string;

/** Characters beyond a cut that are looked through for secrets as well. */
export const LOOK_AHEAD_CHARS = 16 * 1024;

/**
 * The beginning of a text, redacted and then cut, with `…` where something is missing. Of a long text only as much is looked
 * at as can be shown.
 */
export function cutRedacted(text: string, most: number, redact: Redact): string {
  const piece = text.length > most + LOOK_AHEAD_CHARS ? text.slice(0, most + LOOK_AHEAD_CHARS) : text;
  const redacted = redact(piece);
  if (piece.length === text.length && redacted.length <= most) return redacted;
  return `${redacted.slice(0, shownLength(redacted.length, most, piece.length < text.length)).toWellFormed()}…`;
}

/**
 * How much of a redacted piece is shown. At the end of a piece a secret may begin that goes on beyond it, so the last stretch
 * is never shown while there is more.
 */
export function shownLength(redacted: number, most: number, isPiece: boolean): number {
  return Math.max(0, Math.min(most, isPiece ? redacted - LOOK_AHEAD_CHARS : redacted));
}
