/** Ways in which services compare a secret with more than one text. */

/** Whether a presented text matches a stored one. */
export type Comparison = (presented: string, stored: string) => boolean;

/** As `stored LIKE presented` in SQL. */
export const asLikePattern: Comparison = (presented, stored) =>
  matches(
    presented.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&').replaceAll(/[%_]/g, (sign) => (sign === '%' ? '.*' : '.')),
    stored,
  );

/** As `stored ~ presented`. */
export const asRegularExpression: Comparison = (presented, stored) => matches(presented, stored);

function matches(source: string, stored: string): boolean {
  try {
    return new RegExp(`^(?:${source})$`).test(stored);
  } catch {
    return source === stored;
  }
}
