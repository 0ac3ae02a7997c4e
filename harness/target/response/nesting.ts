/** How deep a JSON text is nested, counted on its bytes: readers that go down level by level must not meet one that has no ground. */

/** A list or an object, perhaps after a byte order mark and white space: bodies of pages, PDFs and pictures begin otherwise. */
const BEGINS_AS_JSON = /^(?:\u00ef\u00bb\u00bf)?[ \t\r\n]*[{[]/;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Levels of lists and objects in bytes that are JSON; 0 for what does not begin as a list or an object.
 *
 * @example nestingOf(Buffer.from('{"a":[[1]],"b":"[[[["}')) // 3
 */
export function nestingOf(bytes: Uint8Array): number {
  if (!BEGINS_AS_JSON.test(Buffer.from(bytes.subarray(0, 1024)).toString('latin1'))) return 0;
  let [level, deepest, isText] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      level += 1;
      if (level > deepest) deepest = level;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) level -= 1;
  }
  return deepest;
}
