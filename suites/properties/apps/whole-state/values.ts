/** Values of data and snippets: every service takes the plain ones, and may refuse any other; what it takes it keeps as it was sent. */
import fc from 'fast-check';
import { isPlainText, textArbitrary } from '../../delivery/whole-state/alphabets.ts';

/** Objects as JSON, so that a key may be any text, `__proto__` included. */
const OBJECTS = [
  '{"a": 1}',
  '{"a": {"b": "c"}, "b": true}',
  '{}',
  '{"inner": {}, "list": [], "text": "", "none": null}',
  '{"list": [[], {}, [{}], [null]]}',
  '{"": "no name", " ": "a space"}',
  '{"0": "zero", "1": "one"}',
  '{"1": "one", "01": "zero one", "1.0": "a point"}',
  '{"a": 1, "A": 2, "\u00e9": 3, "e\u0301": 4}',
  '{"numbers": [0, -1, 1.5, 0.1, 1e-7, 4294967297, 9007199254740991, 1e21, 1.7976931348623157e308]}',
  '{"words": ["null", "true", "007", "1.50", null, true, false]}',
  '{"null": null, "true": true, "undefined": "undefined"}',
  '{"data": {"data": "data"}, "error": true, "error_code": 401}',
  '{"a.b": 1, "a[b]": 2, "a[]": 3, "a b": 4, "a&b=c": 5}',
  '{"$set": {"a": 1}, "$1": "$&", "#": "%41"}',
  '{"length": 3, "constructor": "c", "toString": "t", "hasOwnProperty": 1}',
  '{"text": "<b>&amp;</b> \\\\n \\r\\n \\t \u{1f69a}", "quote": "\\"\'"}',
] as const;

/** A name that a careless service takes for its own parts: only for services on this machine. */
const POLLUTION = '{"__proto__": {"polluted": "yes"}, "a": 1}';
const IS_POLLUTION = /"__proto__":/;

const parsed = (text: string): unknown => JSON.parse(text);

const leaf: fc.Arbitrary<unknown> = fc.oneof(
  textArbitrary,
  fc.integer(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, 0.1, 1e21, 4_294_967_297, ''),
);
const key = fc.constantFrom('a', 'b', 'A', '', '0', '01', 'null', 'key with spaces', 'ключ');

/** Many keys, a long list, many levels: shapes of a size that a counter or a buffer ends at. */
const large: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`key${at}`, at])),
  { list: Array.from({ length: 257 }, (_, at) => `item ${at}`) },
  Array.from({ length: 21 }).reduce<unknown>((inner, _, at) => ({ [`level${at}`]: inner }), { end: 'here' }),
);

const dataObjectArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...OBJECTS).map(parsed) },
  { weight: 4, arbitrary: fc.dictionary(key, leaf, { maxKeys: 4, noNullPrototype: true }) },
  { weight: 1, arbitrary: large },
  { weight: 1, arbitrary: fc.constant(POLLUTION).map(parsed) },
);

export const dataValueArbitrary: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: textArbitrary as fc.Arbitrary<unknown> },
  { weight: 6, arbitrary: dataObjectArbitrary },
  { weight: 1, arbitrary: fc.constantFrom<unknown>('', null) },
);

/** A snippet is a text within an element that hides it, or is alone. */
export interface SnippetText {
  readonly text: string;
  readonly alone: boolean;
}

/** Whole snippets that a careless path of storage takes for something else. */
const ALONE = [
  'null',
  'true',
  'false',
  'undefined',
  '0',
  '007',
  '1.50',
  '1e5',
  '[]',
  '{}',
  '"',
  '<br>',
  '$1',
  ' x ',
  'x\n',
] as const;

export const snippetArbitrary: fc.Arbitrary<SnippetText> = fc.oneof(
  { weight: 6, arbitrary: textArbitrary.map((text) => ({ text, alone: false })) },
  { weight: 3, arbitrary: fc.constantFrom(...ALONE).map((text) => ({ text, alone: true })) },
  { weight: 1, arbitrary: fc.constant({ text: '', alone: false }) },
);

/**
 * The snippet as it is sent. Alone a text can be seen on the pages of the website while it is tried: that is for services on
 * this machine only.
 */
export function snippetOf({ text, alone }: SnippetText, isHere: boolean): string {
  return text === '' || (alone && isHere) ? text : `<div hidden="">${text}</div>`;
}

/** Whether it may be sent to a service that is somewhere else. */
export const isHarmlessData = (value: unknown): boolean => !IS_POLLUTION.test(JSON.stringify(value) ?? '');

/** Whether no service has a reason to refuse it. */
export const isPlainData = (value: unknown): boolean =>
  typeof value === 'string' ? isPlainText(value) : JSON.stringify(value) === '{"a":1}';
export const isPlainSnippet = ({ text, alone }: SnippetText): boolean => !alone && isPlainText(text);
