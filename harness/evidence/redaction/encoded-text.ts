/** Texts as they stand in JSON and in forms, read; what can't be read stays as it stands. */

/** What stands between the quotes of a JSON text. */
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
