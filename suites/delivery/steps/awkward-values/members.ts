/** Members of attributes that frameworks change: keys in the style of another language, and texts that are taken for something else. */

/** Keys that some keep for themselves, or take for the same without letter case. */
export const STYLED_KEYS: Readonly<Record<string, unknown>> = {
  ...{ camelCase: 1, PascalCase: 2, snake_case: 3, 'kebab-case': 4, UPPER: 5, upper: 6 },
  ...{ _id: 'a', _method: 'b', '@type': 'c', '#text': 'd', class: 'e', type: 'f', format: 'g', created_at: 'h' },
};

/**
 * Keys that every object of JavaScript has already. Guards against polluted prototypes drop them silently or refuse them; more of them
 * refuse the last one, which is therefore by itself.
 */
export const OWN_KEYS_OF_OBJECTS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'names-of-objects': { constructor: 'Steel & Co', prototype: 'P-1', hasOwnProperty: true, valueOf: 5 },
  'name-of-prototypes': { ['__proto__']: 'own', beside: 1 },
};

/** Texts for readers of JSON, YAML, spreadsheets or dates. */
export const AWKWARD_WORDS: Readonly<Record<string, unknown>> = {
  ...{ yes: 'yes', no: 'no', off: 'off', false: 'false', NULL: 'NULL', tilde: '~', json: '{"a": [1]}', list: '[]' },
  ...{
    moment: '2026-03-01T10:20:30+02:00',
    day: '2026-03-01',
    plus: '+371',
    minus: '-1',
    decimal: '1.50',
    hex: '0x1F',
    date: '24.12.2026',
    time: '12:30',
    uuid: 'C0FFEE00-1DEA-4B1D-9C0D-A1B2C3D4E5F6',
    thousands: '1,234.50',
    infinity: 'Infinity',
  },
};

/** More keys than a form has fields. */
export const MANY_KEYS: Readonly<Record<string, unknown>> = Object.fromEntries(
  Array.from({ length: 40 }, (_, at) => [`key ${at}`, at]),
);
