/** Data is kept as it was sent, whatever its shape, and replaced whole (spec: Endpoints, B. Apps endpoints; App records). */
import { isDeepStrictEqual } from 'node:util';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { offerParts } from '../../../harness/plain/accepted-parts.ts';
import { AWKWARD_MEMBERS, AWKWARD_TEXTS } from '../../../harness/plain/awkward-members.ts';
import { withEscapes } from '../../../harness/target/client/request.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { type DataClause, dataIn, ownData, readData, rememberData, setData, storeString } from '../steps/data.ts';
import { keepsLongText, REFUSED } from '../steps/long-text.ts';
import { WRITING } from '../steps/options.ts';
import { defaultSlot, plainSnippet, remembered } from '../steps/snippets.ts';

const STRING = 'apps.data.string-kept';
const OBJECT = 'apps.data.object-kept';
const REPLACED = 'apps.data.replaced-entirely';

/** Strings that a careless reader would take for something else, or change. */
const STRINGS = (mark: string): string[] => [
  `${mark} Žagars & "dēli" Рига 蜂蜜 🐝 </script> \\n $& \r\n\ttail `,
  `{"mark": "${mark}", "list": [1, 2]}`,
  '0012.50',
  '2026-03-01T10:20:30+02:00',
  '4711',
  'null',
];

/** Strings that some language takes for nothing, or tidies, the first one twice: a service may refuse these. */
const OFFERED: readonly string[] = [
  '0',
  '0',
  'false',
  '',
  '\ufeffa\u00a0b\u200bc\u00add\u2028e\u200df',
  ...AWKWARD_TEXTS.map((text) => `${text} c/d//e, f; g: h=i ~ ^ _ @ …`),
  '"both ends"',
  '1e5',
  // For a service that takes ASCII only.
  `<script>f("x")</script> &amp; <b>5</b> it's [a] {{b}} $1 100%41 \\n  c`,
  'before\0after',
  'C:\\users \\u0041 \\x41 %u0041',
];
/** Sent with escapes in place of its letters, which say the same in JSON. */
const ESCAPED = 'Ķīpsala/東京 🚚';

/** Types that must stay what they are, at any depth; keys of any letters. */
function objects(mark: string): Record<string, unknown>[] {
  return [
    {
      mark,
      count: 42,
      share: 0.25,
      ready: false,
      'Žagars & dēli 蜂蜜': 'māja',
      'a.b $c/d[0]': null,
      numbers: {
        whole: 42,
        zero: 0,
        negative: -7,
        decimal: 0.1,
        precise: 56.946285123,
        exact: 0.30000000000000004,
        small: 1e-7,
        big: 9007199254740991,
      },
      texts: {
        number: '42',
        digits: '90071992547409931',
        empty: '',
        yes: 'true',
        none: 'null',
        day: '2026-03-01',
        bee: '🐝',
        // Letters that look like Latin ones, also in the key.
        карта: 'Рига',
        markup: '<b>"&"</b>\n',
        exponent: '1e5',
        line: 'one\rtwo',
        no: 'false',
        off: 'no',
        moment: '2026-03-01T10:20:30+02:00',
        json: '{"a": [1]}',
        signs: `a+b  c; it's 100%41 &amp; \\n \\u0041 $1`,
        sharp: 'ß',
      },
      // Each language has a style of its own for them.
      names: { camelCase: 1, PascalCase: 2, snake_case: 3, 'kebab-case': 4, UPPER: 5 },
      // Each number once, in no order.
      hours: Array.from({ length: 101 }, (_, at) => (at * 7) % 101),
      long: { [`${'a-long-key-'.repeat(10)}`]: 'ā'.repeat(300) },
      truths: [true, false, null],
      list: [1, '1', [], {}, [[2]], { deep: { deeper: [{ deepest: 'x' }] } }],
      days: ['we', 'mo', 'we', 'fr'],
      none: {},
      empty: [],
      single: ['one'],
      levels: { 2: { 3: { 4: { 5: { 6: 'six' } } } } },
    },
    // Keys that look like positions, and no key at all: a map is not a list.
    { '0': 'a', '1': 'b' },
    { '': 'a key without letters', beside: 1 },
    // The name of the member that carries it.
    { data: { mark } },
    {},
  ];
}

/** Sets data and asserts that it reads back; former keys beside it are another clause's. */
async function keepsData(context: Context, data: unknown, before: unknown, what: string): Promise<void> {
  const { apps, send, expect, given } = context;
  const set = await send(apps.setData(data), 'set');
  if (!isServed(set)) await expectEitherKind(context, data);
  // Plain data is next, so that this is where what a service accepts of the others is judged.
  if (!isServed(set) && context.explains) {
    if (isJsonObject(data)) await keepsParts(context, { ...OFFERED_TOGETHER, ...data });
    else await keepsOffered(context);
  }
  expect.accepted(set, `${what} must be accepted as data`);
  const response = await send(apps.getData(), 'read');
  expect.served(response, `${what} must be readable after it was set`);
  const read = dataIn(response);
  given.holds(!holdsFormer(read, data, before), REPLACED, 'the data still holds what was set before', {
    response,
  });
  expect.equal(read, data, `${what} must read back as it was set`, { pointer: '/data', response });
}

/** Which data a service takes is its choice, but it takes strings and objects: a plain one of a kind is refused for its kind. */
async function expectEitherKind({ apps, send, expect, resources }: Context, data: unknown): Promise<void> {
  const word = resources.newMark();
  const [plain, other] = isJsonObject(data) ? [{ word }, word] : [word, { word }];
  const response = await send(apps.setData(plain), 'set');
  if (isServed(response) || !isServed(await send(apps.setData(other), 'set'))) return;
  expect.served(
    response,
    `a plain ${isJsonObject(data) ? 'object' : 'string'} must be accepted as data, as ${isJsonObject(data) ? 'a string' : 'an object'} is`,
  );
}

/** Whether keys or text of the former data remain beside the new. */
function holdsFormer(read: unknown, data: unknown, before: unknown): boolean {
  if (typeof before === 'string' && typeof read === 'string' && before !== '' && read !== data) {
    // An object that comes back as a text was not kept: that text may say anything.
    return typeof data === 'string' ? read.includes(before) : read === before;
  }
  if (!isJsonObject(before) || !isJsonObject(read)) return false;
  return Object.keys(before).some((key) => key in read && !(isJsonObject(data) && key in data));
}

async function keepsEach(context: Context, all: readonly unknown[], clause: DataClause, what: string): Promise<void> {
  let before = await rememberData(context, ownData(context), clause, true);
  for (const data of all) {
    await keepsData(context, data, before, what);
    before = data;
  }
}

/** More than configurations need, and less than what JSON readers refuse. */
const DEPTH = 20;

/** Objects that some language or database makes something else of: a service may refuse these. */
const OFFERED_OBJECTS: readonly Record<string, unknown>[] = [
  {
    ...{ data: { data: 'inside' }, id: 'i', _id: '_', _method: 'm', '@type': 't', '#text': 'x', controller: 'c' },
    ...{ action: 'a', format: 'f', class: 'k', password: 'p', created_at: 'n', a: 1, A: 2 },
    ...Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`key${at}`, at])),
    deep: JSON.parse(`${'{"in":'.repeat(DEPTH)}"most"${'}'.repeat(DEPTH)}`),
  },
  { ...JSON.parse('{"__proto__": "own"}'), constructor: 'c', toString: 't', length: 3, $set: { $inc: 1 }, error: true },
  { first: 1, long: 'ā'.repeat(66_000), last: 2 },
  { many: Array.from({ length: 300 }, (_, at) => at) },
  // Beyond integers of 64 bits.
  { huge: 2 ** 64, larger: 1e21 },
  AWKWARD_MEMBERS,
];

/** All members of these objects; none of them has a key of another. */
const OFFERED_TOGETHER: Record<string, unknown> = Object.fromEntries(OFFERED_OBJECTS.flatMap(Object.entries));

/** Whether an object is accepted; then it has to read back. */
async function keepsIfTaken(context: Context, data: Record<string, unknown>): Promise<boolean> {
  const { apps, send, expect } = context;
  if (!isServed(await send(apps.setData(data), 'set'))) return false;
  const read = await readData(context, ownData(context), OBJECT);
  expect.that(isDeepStrictEqual(read, data), 'an accepted object must read back as it was set', {
    ...(isJsonObject(read) ? differingMembers(data, read) : { expected: 'an object', actual: inWords(read) }),
    pointer: '/data',
  });
  return true;
}

/** The members in which two objects differ, as each of them has them. */
function differingMembers(expected: Json, actual: Json): { readonly expected: Json; readonly actual: Json } {
  const names = Object.keys({ ...expected, ...actual });
  const differing = names.filter((name) => !isDeepStrictEqual(memberOf(expected, name), memberOf(actual, name)));
  const of = (object: Json): Json =>
    Object.fromEntries(differing.filter((name) => Object.hasOwn(object, name)).map((name) => [name, object[name]]));
  return { expected: of(expected), actual: of(actual) };
}

/** `__proto__` is a member like any other. */
const memberOf = (object: Json, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);

const keepsParts = (context: Context, data: Readonly<Record<string, unknown>>): Promise<void> =>
  offerParts(data, (part) => keepsIfTaken(context, { ...part }));

/** Tries them in one object, in parts where that is refused, and each by itself where it reads differently. */
async function keepsOfferedObjects(context: Context): Promise<void> {
  const { apps, send } = context;
  if (!isServed(await send(apps.setData(OFFERED_TOGETHER), 'set'))) return keepsParts(context, OFFERED_TOGETHER);
  if (isDeepStrictEqual(await readData(context, ownData(context), OBJECT), OFFERED_TOGETHER)) return;
  for (const data of OFFERED_OBJECTS) await keepsIfTaken(context, data);
}

async function keepsOffered(context: Context): Promise<void> {
  const { apps, send, expect } = context;
  const calls = OFFERED.map((data) => [data, apps.setData(data)] as const);
  for (const [data, call] of [...calls, [ESCAPED, withEscapes(apps.setData(ESCAPED))] as const]) {
    if (!isServed(await send(call, 'set'))) continue;
    const read = await readData(context, ownData(context), STRING);
    expect.equal(read ?? '', data, 'an accepted string must read back as it was set', { pointer: '/data' });
  }
  await keepsLongText(context, {
    name: 'data',
    pointer: '/data',
    set: (text) => apps.setData(text),
    get: () => apps.getData(),
    valueIn: dataIn,
  });
}

/** Data stay when something else is set, or installed is called once more. */
async function staysBesideOthers(context: Context): Promise<void> {
  const { apps, resources, send, expect } = context;
  const owner = ownData(context);
  const mark = resources.newMark();
  await storeString(context, owner, mark);
  await remembered(context, defaultSlot(context));
  for (const call of [apps.setSnippet(plainSnippet(resources.newMark())), apps.finishInstallation()]) {
    await send(call, 'other call');
    expect.equal(await readData(context, owner, STRING), mark, `${call.path} must leave the data unchanged`);
  }
}

export const checks: readonly Check[] = [
  check(
    'apps.data.string-kept',
    'MUST return data that is a string',
    { clauses: [STRING, REFUSED], ...WRITING },
    async (context) => {
      await keepsEach(context, STRINGS(context.resources.newMark()), STRING, 'a string');
      await keepsOffered(context);
      await staysBesideOthers(context);
    },
  ),
  check(
    'apps.data.object-kept',
    'MUST return data that is an object, with nested values and types',
    { clauses: [OBJECT], ...WRITING },
    async (context) => {
      await keepsEach(context, objects(context.resources.newMark()), OBJECT, 'an object');
      await keepsOfferedObjects(context);
    },
  ),
  check(
    'apps.data.replaced-entirely',
    'MUST replace data as a whole when it is set again',
    { clauses: [REPLACED], ...WRITING },
    async (context) => {
      const { resources, expect, given, send } = context;
      const owner = ownData(context);
      const mark = resources.newMark();
      const old = await rememberData(context, owner, OBJECT);
      const first = { gone: mark, kept: { inner: mark } };
      await setData(context, owner, first, OBJECT);
      const one = await readData(context, owner, OBJECT);
      expect.that(!holdsFormer(one, first, old), 'data must not contain what was there before it was set', {
        actual: one,
      });
      given.holds(isJsonObject(one) && 'gone' in one, OBJECT, 'the data is not what was set', { actual: one });

      await setData(context, owner, { kept: { other: 1 } }, OBJECT);
      const two = await readData(context, owner, OBJECT);
      const left = isJsonObject(two) && ('gone' in two || (isJsonObject(two.kept) && 'inner' in two.kept));
      expect.that(!left, 'data that was set again must not contain keys of the earlier data', {
        expected: { kept: { other: 1 } },
        actual: two,
      });
      expect.that(!isDeepStrictEqual(two, one), 'data must not keep its earlier value after it is set again', {
        expected: { kept: { other: 1 } },
        actual: two,
      });
      const holds = isJsonObject(two) && isJsonObject(two.kept) && 'other' in two.kept;
      given.holds(holds, OBJECT, 'the data is not what was set last', { actual: two });

      // Nothing at all is a value as well: how an app forgets what it had.
      await setData(context, owner, {}, OBJECT);
      const none = await readData(context, owner, OBJECT);
      expect.that(!(isJsonObject(none) && 'kept' in none), 'an empty object must remove all keys of the earlier data', {
        expected: {},
        actual: none,
      });

      await storeString(context, owner, mark);
      const other = resources.newMark();
      await setData(context, owner, other, STRING);
      const last = await readData(context, owner, STRING);
      expect.that(typeof last === 'string' && !last.includes(mark), 'a string must replace the earlier one', {
        expected: other,
        actual: last,
      });

      // An empty string may be refused; one that is taken leaves nothing of the former.
      if (!isServed(await send(context.apps.setData(''), 'emptied'))) return;
      const empty = await readData(context, owner, STRING);
      expect.that(isUnset(empty), 'an empty string must replace the earlier one', {
        expected: '',
        actual: empty,
      });
    },
  ),
];
