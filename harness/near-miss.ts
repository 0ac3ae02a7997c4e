/**
 * A text that differs from the given one in exactly one character, in the middle, and keeps its alphabet: a service that
 * compares a prefix, a suffix or without regard to case takes it, one that compares all of it does not.
 */
export function nearMissOf(text: string): string {
  if (text === '') return 'x';
  const characters = [...text];
  const at = Math.floor(characters.length / 2);
  const old = characters[at]!;
  const next = /[0-9]/.test(old) ? String((Number(old) + 1) % 10) : old.toLowerCase() === 'q' ? 'z' : 'q';
  return characters.with(at, /[A-Z]/.test(old) ? next.toUpperCase() : next).join('');
}

/** The text with the case of its letters swapped; `undefined` when it has none. */
export function caseSwapped(text: string): string | undefined {
  const swapped = [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('');
  return swapped === text ? undefined : swapped;
}
