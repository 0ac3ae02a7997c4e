/**
 * A profile as text with every key explained: keys that have a value are active, the others are comments with an example. Each
 * line ends with a comma and each object is there, so that taking the `//` from one line makes a valid profile.
 */
import { PERMISSION_MEANINGS, PROFILE_SHAPE, type Shape } from '../shape/index.ts';

/** Values of a profile, nested as in its file. */
export type ProfileValues = { readonly [key: string]: ProfileValues | string | number | readonly string[] | undefined };

export interface TemplateOptions {
  /** Values for the comments of keys that have no value, in place of the examples. */
  readonly suggested?: Readonly<Record<string, string | number | readonly string[]>>;
  /** Further lines of comment on a key, by its path (`website.languages`). */
  readonly notes?: Readonly<Record<string, readonly string[]>>;
  /** Lines of comment at the top. */
  readonly heading?: readonly string[];
}

type ObjectShape = Extract<Shape, { type: 'object' }>;

/** Long enough for a sentence, short enough for an editor beside a terminal. */
const MAX_COMMENT_CHARACTERS = 100;

/** The text of a profile with these values. */
export function profileText(values: ProfileValues, options: TemplateOptions = {}): string {
  const fields = fieldLines(PROFILE_SHAPE, values, '', options);
  const { heading = [] } = options;
  return `${[...heading.flatMap((line) => comment(line)), '{', ...indent(fields), '}'].join('\n')}\n`;
}

/** A profile with a value for every key. */
export function exampleValues(shape: ObjectShape = PROFILE_SHAPE): ProfileValues {
  const entries = Object.entries(shape.fields).map(([key, field]) => [
    key,
    field.type === 'object' ? exampleValues(field) : field.example,
  ]);
  return Object.fromEntries(entries) as ProfileValues;
}

function fieldLines(shape: ObjectShape, values: ProfileValues, path: string, options: TemplateOptions): string[] {
  const blocks = Object.entries(shape.fields).map(([key, field]) => {
    const at = path === '' ? key : `${path}.${key}`;
    const value = values[key];
    const explained = [
      ...comment(field.about),
      ...choices(field),
      ...(options.notes?.[at] ?? []).flatMap((line) => comment(line)),
    ];
    if (field.type === 'object') {
      const inner = fieldLines(field, (value ?? {}) as ProfileValues, at, options);
      return [...explained, `${JSON.stringify(key)}: {`, ...indent(inner), '},'];
    }
    const line = `${JSON.stringify(key)}: ${inline(value ?? options.suggested?.[at] ?? field.example)},`;
    return [...explained, value === undefined ? `// ${line}` : line];
  });
  // Blank lines separate the parts of the profile, but not the keys within one.
  return blocks.flatMap((lines, at) => (path === '' && at > 0 ? ['', ...lines] : lines));
}

/** What a list of known words may hold. */
function choices(field: Shape): string[] {
  const known = field.type === 'list' && field.items.type === 'string' ? field.items.oneOf : undefined;
  if (known === undefined)
    return field.type === 'string' && field.oneOf ? comment(`One of ${listed(field.oneOf)}.`) : [];
  const meanings: Readonly<Record<string, string>> = PERMISSION_MEANINGS;
  if (!known.every((word) => word in meanings)) return comment(`Any of ${listed(known)}.`);
  return known.flatMap((word) => comment(`  ${JSON.stringify(word)}: ${meanings[word]}`));
}

const listed = (words: readonly string[]): string => words.map((word) => JSON.stringify(word)).join(', ');

/** On one line, so that one `//` makes it a comment. */
function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, entry]) => `${JSON.stringify(key)}: ${inline(entry)}`)
    .join(', ')} }`;
}

/** Lines of comment; text that a target sent can't end one. */
function comment(text: string): string[] {
  const margin = /^ */.exec(text)?.[0] ?? '';
  const lines: string[] = [];
  let line = '';
  for (const word of text.trim().split(/[\s\u0000-\u001f\u0085\u2028\u2029]+/)) {
    if (line !== '' && margin.length + line.length + word.length + 1 > MAX_COMMENT_CHARACTERS) {
      lines.push(line);
      line = margin === '' ? '' : '  ';
    }
    line = /^ *$/.test(line) ? `${line}${word}` : `${line} ${word}`;
  }
  return [...lines, line].map((each) => `// ${margin}${each}`);
}

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === '' ? '' : `  ${line}`));
