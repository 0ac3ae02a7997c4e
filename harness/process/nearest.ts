/** The known word that was probably meant. */

/** A shorter beginning is shared by chance. */
const MIN_BEGINNING_CHARACTERS = 4;

/** ` Did you mean "…"?` with the nearest of the known words; empty when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const best = nearest(word, known);
  return best === undefined ? '' : ` Did you mean "${best}"?`;
}

/** The nearest of the known words, when it is near enough to be meant. A word may be the beginning of what was meant. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: { readonly name: string; readonly distance: number; readonly whole: number } | undefined;
  for (const name of known) {
    const row = distances(word.toLowerCase(), name.toLowerCase());
    const whole = row[name.length] as number;
    const begun = Math.min(...row) + 1;
    const isBegun = word.length >= MIN_BEGINNING_CHARACTERS && begun <= Math.floor(word.length / 4);
    const distance = isBegun ? Math.min(whole, begun) : whole;
    if (distance > Math.max(2, Math.floor(name.length / 3))) continue;
    if (best === undefined || distance < best.distance || (distance === best.distance && whole < best.whole))
      best = { name, distance, whole };
  }
  return best?.name;
}

/** Insertions, removals, replacements and swaps of neighbours that turn one word into the other. */
export const editDistance = (a: string, b: string): number => distances(a, b)[b.length] as number;

/** The same for each beginning of `b`, by its length. */
function distances(a: string, b: string): number[] {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min(rows[i - 1]![j]! + 1, row[j - 1]! + 1, rows[i - 1]![j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, rows[i - 2]![j - 2]! + 1);
      row.push(best);
    }
    rows.push(row);
  }
  return rows[a.length] as number[];
}
