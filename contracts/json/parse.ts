/** The value of a JSON text; undefined, which no JSON text has as its value, for any other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
