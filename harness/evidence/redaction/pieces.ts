/** Redacted text in pieces, so that a label is never mistaken for what a target wrote. */
import type { Find } from './search/index.ts';

/** A stretch of redacted text: either as it was written, or the label (`$STORE_KEY`) of the secret that was there. */
export interface RedactedPiece {
  readonly text: string;
  readonly isLabel: boolean;
}

/** The text that the pieces make. */
export function joined(pieces: readonly RedactedPiece[]): string {
  const [only] = pieces;
  // Nearly every text holds no secret.
  return pieces.length === 1 && only !== undefined ? only.text : pieces.map(({ text }) => text).join('');
}

/** Replaces what a pattern finds in the text between labels: by what stays before it, and the label. */
export function within(
  pieces: readonly RedactedPiece[],
  pattern: RegExp,
  parts: (match: RegExpExecArray) => readonly [before: string, label: string],
): readonly RedactedPiece[] {
  return pieces.flatMap((piece) => {
    if (piece.isLabel) return [piece];
    const output: RedactedPiece[] = [];
    let at = 0;
    for (const match of piece.text.matchAll(pattern)) {
      const [before, label] = parts(match);
      output.push({ text: piece.text.slice(at, match.index) + before, isLabel: false }, { text: label, isLabel: true });
      at = match.index + match[0].length;
    }
    return at === 0 ? [piece] : [...output, { text: piece.text.slice(at), isLabel: false }];
  });
}

/** Overlapping finds are one: nothing of either stays, and the longest one gives the name; of equal ones the exact one. */
export function replaced(text: string, finds: readonly Find[]): RedactedPiece[] {
  const output: RedactedPiece[] = [];
  let at = 0;
  for (let i = 0; i < finds.length; ) {
    let longest = finds[i]!;
    let { end } = longest;
    const { start } = longest;
    for (i += 1; i < finds.length && finds[i]!.start < end; i += 1) {
      const other = finds[i]!;
      end = Math.max(end, other.end);
      const more = other.length - longest.length;
      if (more > 0 || (more === 0 && other.isExact && !longest.isExact)) longest = other;
    }
    output.push({ text: text.slice(at, start), isLabel: false }, { text: longest.label, isLabel: true });
    at = end;
  }
  output.push({ text: text.slice(at), isLabel: false });
  return output;
}
