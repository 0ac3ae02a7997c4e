/** Texts in JSON and in forms, decoded; what can't be decoded is returned unchanged. */

/** The text between the quotes of a JSON string. */
export function jsonText(inner: string): string {
  try {
    return JSON.parse(`"${inner}"`) as string;
  } catch {
    return inner;
  }
}

/** A value of a form or a query. */
export function formText(encoded: string): string {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return encoded;
  }
}
