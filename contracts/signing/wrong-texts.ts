/** What programs make of fields before they sign them, where the contract signs something else. */

/** What programs put between values. */
export const SEPARATORS = ['&', ',', ';', '|', ':', ' ', '-', '.', '_', '/', '#', '\t', '\n', '\r\n', '\0'] as const;

/** How programs write a field with its name, and what they put between such fields. */
const WITH_NAMES: readonly (readonly [how: string, write: (name: string, value: string) => string])[] = [
  ['name=value', (name, value) => `${name}=${value}`],
  ['name:value', (name, value) => `${name}:${value}`],
  ['name and value', (name, value) => name + value],
  ['<name>value</name>', (name, value) => `<${name}>${value}</${name}>`],
];
const BETWEEN_FIELDS = ['', '&', ',', ';', '|', ' ', '\n', '\r\n'] as const;

/** Names and values in the forms that programs give them, each with what is said of it. */
export function namedTexts(pairs: Pairs): { readonly how: string; readonly text: string }[] {
  return WITH_NAMES.flatMap(([how, write]) => {
    const fields = pairs.map(([name, value]) => write(name, value));
    return BETWEEN_FIELDS.map((between) => ({
      how: between === '' ? how : `${how} joined by ${JSON.stringify(between)}`,
      text: fields.join(between),
    }));
  });
}

type Pairs = readonly (readonly [name: string, value: string])[];

/**
 * An object of these fields as JSON, as the libraries of JavaScript, PHP and Python write it, in the received order and in that of the
 * names; each with what is said of it.
 */
export function jsonTexts(pairs: Pairs): { readonly how: string; readonly text: string }[] {
  const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return [
    { how: '', object: Object.fromEntries(pairs) },
    { how: ' sorted by name', object: Object.fromEntries(sorted) },
  ].flatMap(({ how, object }) => {
    const compact = JSON.stringify(object);
    const members = Object.entries(object).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
    return [
      { how, text: compact },
      { how: `${how} with escaped slashes`, text: compact.replaceAll('/', '\\/') },
      { how: `${how} with spaces`, text: `{${members.join(', ')}}` },
    ];
  });
}
