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

const sorted = (text: string): string => [...text].sort().join('');

/** As a sum of the characters: in any order. */
export const inAnyOrder: Comparison = (presented, stored) => sorted(presented) === sorted(stored);

const lettersAndDigits = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '');

/** As numbers of accounts are compared: without the signs between their letters and digits. */
export const byLettersAndDigits: Comparison = (presented, stored) =>
  lettersAndDigits(presented) === lettersAndDigits(stored);

/** From the end, up to the length of the stored text. */
export const fromTheEnd: Comparison = (presented, stored) => presented.endsWith(stored);
