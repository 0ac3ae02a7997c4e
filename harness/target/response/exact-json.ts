/** JSON with numbers that JavaScript can't hold: read as usual they lose digits, and would be put back as other numbers. */

/** Only texts with a number in this form can lose digits. */
const MAY_LOSE_DIGITS = /\d{16}|\d[eE]/;

const { rawJSON: rawJson } = JSON as unknown as { rawJSON: (text: string) => unknown };

/**
 * The text of a member of a JSON object, with the digits of all numbers as they are written; undefined where the text has no number
 * that would lose any.
 */
export function exactTextOf(text: string, member: string): string | undefined {
  if (!MAY_LOSE_DIGITS.test(text)) return undefined;
  let isInexact = false;
  const keep = (_key: string, value: unknown, { source }: { readonly source?: string }): unknown => {
    if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
    isInexact = true;
    return rawJson(source);
  };
  try {
    const read: unknown = JSON.parse(text, keep as (key: string, value: unknown) => unknown);
    const value = typeof read === 'object' && read !== null ? (read as Record<string, unknown>)[member] : undefined;
    return isInexact && value !== undefined ? JSON.stringify(value) : undefined;
  } catch {
    return undefined;
  }
}
