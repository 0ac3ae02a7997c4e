/** The same JSON in other characters: letters beyond ASCII and slashes as escapes, as the JSON writers of several languages do. */

/** JSON text with letters beyond ASCII and slashes as escapes. A character beyond the first plane is two, as in the text itself. */
export const escapedJson = (text: string): string =>
  text
    .replaceAll('/', '\\/')
    .replaceAll(/[^\0-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
