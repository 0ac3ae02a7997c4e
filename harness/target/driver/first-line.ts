/** A message of the user's module is cut at about one line. */
const SHOWN_CHARACTERS = 300;

/** What was thrown, on one line: anything can be thrown, and anything can go wrong in looking at it. */
export function firstLine(thrown: unknown): string {
  let text: string;
  try {
    text = thrown instanceof Error ? String(thrown.message) : `it throws ${String(thrown)}`;
  } catch {
    text = '';
  }
  const [line = ''] = text.split(/[\r\n]/, 1);
  const shown = line.length > SHOWN_CHARACTERS ? `${line.slice(0, SHOWN_CHARACTERS)}…` : line;
  return shown.trim().replace(/(?<![.:\s])[.:\s]+$/, '') || 'it throws an error without a message';
}
