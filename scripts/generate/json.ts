/** JSON as the formatter of this repository writes it: a list of plain values is on one line where it fits. */
export function jsonText(value: unknown): string {
  return `${written(value, '', 0)}\n`;
}

const MAX_COLUMNS = 120;

/** `taken` is what precedes the value on its line, `indent` the depth of the line. */
function written(value: unknown, indent: string, taken: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    const isPlain = value.every((item) => typeof item !== 'object' || item === null);
    // The comma after the list belongs to the line.
    if (isPlain && taken + line.length + 1 <= MAX_COLUMNS) return line;
    return `[\n${value.map((item) => `${inner}${written(item, inner, inner.length)}`).join(',\n')}\n${indent}]`;
  }
  const entries = Object.entries(value).filter(([, entry]) => entry !== undefined);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, entry]) => {
    const head = `${inner}${JSON.stringify(key)}: `;
    return `${head}${written(entry, inner, head.length)}`;
  });
  return `{\n${lines.join(',\n')}\n${indent}}`;
}
