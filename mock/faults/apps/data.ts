/** Faults of an app's data. */

import { isObject } from '../../http/request.ts';
import type { Deviation } from '../../types/deviation.ts';
import { type InterceptedRequest, intercepts, questionMarks, refused, success } from '../interception.ts';
import { APPS, codeIn } from './interception.ts';

const STRING = 'apps.data.string-kept';
const OBJECT = 'apps.data.object-kept';
const REPLACED = 'apps.data.replaced-entirely';

/** Changes each value in data, innermost first. */
const deep = (value: unknown, change: (value: unknown) => unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_key, inner) => change(inner));

/** Changes each value that has a name in data. */
const members = (value: unknown, change: (value: unknown) => unknown): unknown =>
  deep(value, (inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, change(one)])) : inner,
  );

/** Reads escapes of JavaScript and JSON in a text that was read before. */
const unescaped = (text: string): string =>
  text.replace(/\\u([0-9a-f]{4})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

const strings = (id: string, about: string, change: (sent: string) => unknown): Deviation => ({
  id,
  clause: STRING,
  about,
  rules: () => ({ dataKept: (_before, sent) => (typeof sent === 'string' ? change(sent) : sent) }),
});

const objects = (id: string, about: string, change: (sent: Record<string, unknown>) => unknown): Deviation => ({
  id,
  clause: OBJECT,
  about,
  rules: () => ({ dataKept: (_before, sent) => (isObject(sent) ? change(sent) : sent) }),
});

const replaces = (id: string, about: string, change: (before: unknown, sent: unknown) => unknown): Deviation => ({
  id,
  clause: REPLACED,
  about,
  rules: () => ({ dataKept: change }),
});

/** The old keys beside the new ones, at every depth. */
function merged(before: unknown, sent: unknown): unknown {
  if (!isObject(before) || !isObject(sent)) return sent;
  const keys = new Set([...Object.keys(before), ...Object.keys(sent)]);
  return Object.fromEntries([...keys].map((key) => [key, key in sent ? merged(before[key], sent[key]) : before[key]]));
}

/** Objects within objects as names with dots between them. */
function flat(value: Record<string, unknown>, prefix = ''): [string, unknown][] {
  return Object.entries(value).flatMap(([key, inner]): [string, unknown][] =>
    isObject(inner) && Object.keys(inner).length > 0 ? flat(inner, `${prefix}${key}.`) : [[`${prefix}${key}`, inner]],
  );
}

const isListLike = (value: Record<string, unknown>): boolean =>
  Object.keys(value).length > 0 && Object.keys(value).every((key, at) => key === String(at));

/** Whether a call is for an installation that is not the first one. */
const isOfLater = (met: InterceptedRequest): boolean =>
  met.service.state.installations.all().findIndex(({ authCode }) => authCode === codeIn(met)) > 0;

export const dataFaults: readonly Deviation[] = [
  {
    id: 'apps.data-objects-of-later-installations-as-text',
    clause: 'apps.data.object-kept',
    about: 'Every installation but the first keeps an object as its JSON text.',
    http: intercepts('POST', APPS.setData, async (met) => {
      const data = met.body?.data;
      return isOfLater(met) && isObject(data) ? met.pass({ body: { data: JSON.stringify(data) } }) : met.pass();
    }),
  },
  {
    id: 'apps.snippet-language-of-later-installations-ignored',
    clause: 'apps.snippet.language-kept',
    about: 'Every installation but the first keeps a snippet for a language as the one for all pages.',
    http: intercepts('POST', APPS.setSnippet, async (met) =>
      isOfLater(met) ? met.pass({ body: { snippet: met.body?.snippet } }) : met.pass(),
    ),
  },
  strings('apps.data-string-as-number', 'A string of digits reads back as a number.', (sent) =>
    /^\d+(\.\d+)?$/.test(sent) ? Number(sent) : sent,
  ),
  strings('apps.data-string-trimmed', 'White space around a string is lost.', (sent) => sent.trim()),
  strings('apps.data-string-as-question-marks', 'Letters outside ASCII become question marks.', questionMarks),
  {
    id: 'apps.data-string-refused',
    clause: STRING,
    about: 'Strings are refused; objects are accepted.',
    http: intercepts('POST', APPS.setData, ({ body, pass }) =>
      typeof body?.data === 'string' ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  {
    id: 'apps.data-object-refused',
    clause: OBJECT,
    about: 'Objects are refused; strings are accepted.',
    http: intercepts('POST', APPS.setData, ({ body, pass }) =>
      isObject(body?.data) ? Promise.resolve(refused(400)) : pass(),
    ),
  },
  objects('apps.data-numbers-as-strings', 'Numbers within data become strings.', (sent) =>
    deep(sent, (value) => (typeof value === 'number' ? String(value) : value)),
  ),
  objects('apps.data-large-numbers-rounded', 'Numbers lose what goes beyond 32 bits.', (sent) =>
    deep(sent, (value) => (typeof value === 'number' && Math.abs(value) > 2 ** 31 ? Math.fround(value) : value)),
  ),
  objects('apps.data-booleans-as-numbers', 'Booleans within data become 1 and 0.', (sent) =>
    deep(sent, (value) => (typeof value === 'boolean' ? Number(value) : value)),
  ),
  objects('apps.data-objects-as-lists', 'An object whose keys count from 0 becomes a list.', (sent) =>
    isListLike(sent) ? Object.values(sent) : sent,
  ),
  objects('apps.data-without-nulls', 'Keys whose value is null are lost.', (sent) =>
    Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== null)),
  ),
  objects('apps.data-numbers-sorted', 'A list of numbers comes back in ascending order.', (sent) =>
    deep(sent, (value) =>
      Array.isArray(value) && value.every((one) => typeof one === 'number')
        ? value.toSorted((one, other) => one - other)
        : value,
    ),
  ),
  objects('apps.data-moments-in-seconds', 'A moment in a text within data loses its fraction of a second.', (sent) =>
    members(sent, (value) =>
      typeof value === 'string' ? value.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/, '$1Z') : value,
    ),
  ),
  strings('apps.data-string-without-controls', 'Control characters of ASCII are removed from a string.', (sent) =>
    sent.replaceAll(/[\u0001-\u0008\u000b\u000e-\u001f]/g, ''),
  ),
  objects('apps.data-empty-strings-as-null', 'Empty texts within data become null.', (sent) =>
    deep(sent, (value) => (value === '' ? null : value)),
  ),
  objects(
    'apps.data-named-as-envelope-lost',
    'Members of an object that are named like those of an error are taken out.',
    (sent) =>
      Object.fromEntries(Object.entries(sent).filter(([name]) => !['error_code', 'error_message'].includes(name))),
  ),
  objects('apps.data-flattened', 'Objects within objects become names with dots.', (sent) =>
    Object.fromEntries(flat(sent)),
  ),
  objects('apps.data-numbers-of-14-digits', 'Numbers keep 14 significant digits.', (sent) =>
    deep(sent, (value) => (typeof value === 'number' && !Number.isInteger(value) ? +value.toPrecision(14) : value)),
  ),
  objects('apps.data-huge-integers-as-text', 'Integers beyond 64 bits become strings.', (sent) =>
    deep(sent, (value) => (typeof value === 'number' && value > 2 ** 63 ? BigInt(value).toString() : value)),
  ),
  strings('apps.data-string-escapes-decoded', 'A backslash, u and four digits in a string become a letter.', unescaped),
  objects(
    'apps.data-escapes-decoded',
    'A backslash, u and four digits in a text of an object become a letter.',
    (sent) => deep(sent, (value) => (typeof value === 'string' ? unescaped(value) : value)),
  ),
  objects('apps.data-limited-to-three-levels', 'Data nested deeper than three levels is cut off.', (sent) =>
    cut(sent, 3),
  ),
  strings('apps.data-false-as-boolean', 'The string false becomes the boolean.', (sent) =>
    sent === 'false' ? false : sent,
  ),
  objects('apps.data-words-as-booleans', 'The texts true and false within data become booleans.', (sent) =>
    deep(sent, (value) => (value === 'true' || value === 'false' ? value === 'true' : value)),
  ),
  objects('apps.data-keys-in-camel-case', 'Keys with underscores are rewritten in camel case.', (sent) =>
    renamed(sent, (key) => key.replaceAll(/(?<=[a-z])_([a-z])/g, (_, letter: string) => letter.toUpperCase())),
  ),
  objects('apps.data-keys-without-case', 'Of keys that are equal without letter case the last one is kept.', (sent) =>
    Object.fromEntries([...new Map(Object.entries(sent).map((one) => [one[0].toLowerCase(), one])).values()]),
  ),
  objects('apps.data-keys-tidied', 'Spaces in keys of data are removed at both ends and reduced to one.', (sent) =>
    renamed(sent, (key) => key.trim().replaceAll(/ {2,}/g, ' ')),
  ),
  objects('apps.data-keys-without-markup', 'Elements in keys of data are removed.', (sent) =>
    renamed(sent, (key) => key.replaceAll(/<[^<>]*>/g, '')),
  ),
  objects('apps.data-moments-in-utc', 'Times with an offset within data are rewritten in UTC.', (sent) =>
    deep(sent, (value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}[+-]/.test(value) ? new Date(value).toISOString() : value,
    ),
  ),
  objects('apps.data-moments-with-milliseconds', 'Times in UTC within data are written with milliseconds.', (sent) =>
    deep(sent, (value) =>
      typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:]{8}Z$/.test(value) ? new Date(value).toISOString() : value,
    ),
  ),
  objects('apps.data-long-lists-as-objects', 'Lists of more than twenty items become objects.', (sent) =>
    deep(sent, (value) => (Array.isArray(value) && value.length > 20 ? { ...value } : value)),
  ),
  objects(
    'apps.data-named-data-unwrapped',
    'An object whose only member is named data is stored as the value of it.',
    (sent) => (Object.keys(sent).join() === 'data' ? sent.data : sent),
  ),
  objects('apps.data-lists-of-255', 'Lists keep their first 255 items.', (sent) =>
    deep(sent, (value) => (Array.isArray(value) ? value.slice(0, 255) : value)),
  ),
  replaces('apps.data-merged', 'New data is merged into the old data.', (before, sent) =>
    isObject(before) && isObject(sent) ? { ...before, ...sent } : sent,
  ),
  replaces('apps.data-merged-deeply', 'New data is merged into the old data, at every depth.', merged),
  replaces(
    'apps.data-merged-below-top-level',
    'Keys of data are replaced, and what is below them is merged.',
    (before, sent) =>
      isObject(before) && isObject(sent)
        ? Object.fromEntries(
            Object.entries(sent).map(([key, value]) => {
              const old = before[key];
              return [key, isObject(old) && isObject(value) ? { ...old, ...value } : value];
            }),
          )
        : sent,
  ),
  replaces('apps.data-string-appended', 'A string is appended to the previous one.', (before, sent) =>
    typeof before === 'string' && typeof sent === 'string' ? before + sent : sent,
  ),
  {
    id: 'apps.data-never-cleared',
    clause: REPLACED,
    about: 'An empty object is accepted, and the old data remains.',
    http: intercepts('POST', APPS.setData, ({ body, pass }) =>
      isObject(body?.data) && Object.keys(body.data).length === 0 ? Promise.resolve(success()) : pass(),
    ),
  },
  {
    id: 'apps.data-string-zero-lost',
    clause: 'apps.data.string-kept',
    about: 'The string 0 counts as no data.',
    rules: (correct) => ({ dataKept: (before, sent) => correct.dataKept(before, sent === '0' ? '' : sent) }),
  },
  objects('apps.data-empty-lists-as-maps', 'A member whose value is an empty list reads as an empty object.', (sent) =>
    members(sent, (value) => (Array.isArray(value) && value.length === 0 ? {} : value)),
  ),
  objects(
    'apps.data-lists-of-one-unwrapped',
    'A member whose value is a list of one text reads as that text.',
    (sent) =>
      members(sent, (value) =>
        Array.isArray(value) && value.length === 1 && typeof value[0] === 'string' ? value[0] : value,
      ),
  ),
  {
    id: 'apps.data-string-truncated-at-nul',
    clause: 'apps.data.string-kept',
    about: 'A string is cut at its first NUL character.',
    rules: (correct) => ({
      dataKept: (before, sent) => correct.dataKept(before, typeof sent === 'string' ? sent.split('\0')[0] : sent),
    }),
  },
  {
    id: 'apps.data-long-object-truncated',
    clause: 'apps.data.object-kept',
    about: 'Keys of an object are kept up to 65,535 characters in all; the others are lost.',
    rules: (correct) => ({
      dataKept: (before, sent) => correct.dataKept(before, isObject(sent) ? within(sent, 65_535) : sent),
    }),
  },
  {
    id: 'apps.data-number-read-as-number',
    clause: STRING,
    about: 'A string of digits without a zero in front reads as a number.',
    rules: (correct) => ({
      dataRead: (installation) => {
        const data = correct.dataRead(installation);
        return typeof data === 'string' && /^[1-9]\d{0,8}$/.test(data) ? Number(data) : data;
      },
    }),
  },
  {
    id: 'apps.data-set-again-removed',
    clause: 'apps.data.string-kept',
    about: 'A string that is set again is removed.',
    rules: (correct) => ({
      dataKept: (before, sent) => (typeof sent === 'string' && sent === before ? '' : correct.dataKept(before, sent)),
    }),
  },
  strings('apps.data-string-unquoted', 'A string in double quotes loses them.', (sent) =>
    sent.replace(/^"([^"]*)"$/, '$1'),
  ),
  strings('apps.data-string-without-scripts', 'Elements of scripts are removed from a string.', (sent) =>
    sent.replaceAll(/<script>[^<]*<\/script>/g, ''),
  ),
  objects('apps.data-texts-trimmed-inside', 'Texts inside an object lose spaces at both ends.', (sent) =>
    deep(sent, (value) => (typeof value === 'string' ? value.trim() : value)),
  ),
  objects('apps.data-texts-normalized-inside', 'Texts inside an object are composed to fewer characters.', (sent) =>
    deep(sent, (value) => (typeof value === 'string' ? value.normalize('NFC') : value)),
  ),
  {
    id: 'apps.data-depth-cut',
    clause: 'apps.data.object-kept',
    about: 'Objects inside ten others are emptied.',
    rules: (correct) => {
      const cut = (value: unknown, depth: number): unknown =>
        !isObject(value)
          ? value
          : Object.fromEntries(
              depth === 0 ? [] : Object.entries(value).map(([key, inner]) => [key, cut(inner, depth - 1)]),
            );
      return { dataKept: (before, sent) => cut(correct.dataKept(before, sent), 10) };
    },
  },
];

/** An object with other keys, at every depth. */
function renamed(value: unknown, name: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, name));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [name(key), renamed(inner, name)]));
}

function cut(value: unknown, levels: number): unknown {
  if (!isObject(value)) return value;
  if (levels === 0) return null;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cut(inner, levels - 1)]));
}

/** The first keys of an object that are no longer together than that. */
function within(value: Record<string, unknown>, characters: number): Record<string, unknown> {
  const entries = Object.entries(value);
  while (entries.length > 0 && JSON.stringify(Object.fromEntries(entries)).length > characters) entries.pop();
  return Object.fromEntries(entries);
}
