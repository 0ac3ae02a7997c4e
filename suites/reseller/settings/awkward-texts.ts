/** Awkward texts for settings: accepted ones have to read back unchanged. */
import type { Context } from '../../../harness/check/context.ts';
import { withPlusForSpaces } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { isGetFirst } from '../steps/login/session.ts';
import { settingsOf } from '../steps/records.ts';
import { type Candidate, givenQuietSettings, notStoredTogether, pairsOf, set, textOf } from '../steps/settings.ts';

/** A form that is parsed in a wrong charset loses these. */
const AWKWARD_NAME = 'Žagars & Dēli + 50% = "5/7"';

/** More than 255 bytes, a common length of columns, in fewer characters. */
const LONG_NAME = `Proofmark ${'ž'.repeat(190)}`;

/** Common lengths of columns; the first accepted one covers the shorter ones. */
const LONG_TEXTS: readonly string[] = [
  ...[5000, 1100, 300].map((length) => LONG_NAME + 'l'.repeat(length - LONG_NAME.length)),
  LONG_NAME,
];

/** A text that some languages treat as empty, and none at all. */
const EMPTY_TO_SOME: readonly string[] = ['0', ''];

/** Each part is one that some services escape, unescape, strip, expand or cannot store. */
const HOSTILE_TEXT = 'Žagars Рига <b>&amp;</b> 5 + 7% "quoted" C:\\new O\'Neill $1 %41 ﬁ e\u0301 🐝';

/** Signs of templates, lists and filters, and invisible characters. */
const SIGNS_TEXT = `{0} {{x}} #{x} $\{x} %% %s "" '' a, b; c: d|e ~^_\`[f] <script>g()</script> \\u0041 \\" \\' h\u00a0i\u200bj\ufeffk “l” € **bold** _it_ snake_case_name`;

/** Spaces and line breaks, each kind alone: a service may refuse one of them. */
const SPACES: readonly string[] = [
  '  outer  and  inner  spaces  ',
  'before\tafter a tab',
  'first\nsecond',
  'first\r\nsecond',
  'first\rsecond',
];

/** Texts that may be parsed as a number or as a keyword. */
const WORDS: readonly string[] = ['0042', '1e3', 'null', 'true', 'false', 'undefined'];

const PARTS: readonly string[] = [AWKWARD_NAME, 'Proofmark 🐝', HOSTILE_TEXT, SIGNS_TEXT, ...SPACES];

/** All of these in one text, which begins and ends with spaces. If it is not shown, they are tried one by one. */
const COMBINED = `  ${PARTS.map((part) => part.trim()).join('  ')}  `;

const FREE_TEXTS: readonly (string | readonly string[])[] = [COMBINED, LONG_TEXTS, ...WORDS, ...EMPTY_TO_SOME];

/** Longer than the usual columns of 41 and 64 characters, and one for a service that limits them. */
const MAIL_ADDRESSES: readonly string[] = [
  `Check.Mixed+${'tag'.repeat(16)}@shop.proofmark.example`,
  'Check.Mixed+tag@Proofmark.example',
];

const address = (rest: string): string => `https://proofmark.example/${rest}`;

/** Awkward texts for a setting, in its format if it has one. Only the first accepted text of a list is used. */
function awkwardTextsFor(name: string): readonly (string | readonly string[])[] {
  if (/(Link|Website)$/.test(name)) {
    return [
      [address(`Path//to?q=a+b%20c&x=1#${'l'.repeat(230)}`), address('P//t?q=a+b%20c&x=1#l')],
      address("c'd'?a=1&amp;b=$1"),
      [5000, 1100, 300].map((length) => address(`${'l'.repeat(length)}/`)),
      'http://proofmark.example/unencrypted',
    ];
  }
  if (name === 'addrCountry') return [];
  if (name.endsWith('Email')) return [MAIL_ADDRESSES, "o'neill&co@proofmark.example"];
  if (name.endsWith('Phone')) return ['0042', '+371 (67) 12-34 56'];
  if (name.endsWith('Postal')) return ['0042', 'Lv  1017'];
  return FREE_TEXTS;
}

/**
 * Which characters and lengths are allowed is the service's choice, but accepted texts have to read back. All settings get
 * their next text in one call; a setting that does not return it then gets it alone.
 */
export async function showAwkwardTexts(context: Context, all: readonly Candidate[]): Promise<void> {
  const before = new Map(pairsOf(all, 'fresh'));
  const rounds = Math.max(...all.map(({ name }) => awkwardTextsFor(name).length));
  for (let round = 0; round < rounds; round += 1) {
    const asked = new Map(all.flatMap(({ name }) => textsAt(name, round)));
    const open = await notShown(context, asked, before);
    const combined = open.filter((name) => asked.get(name)?.[0] === COMBINED);
    for (const part of combined.length > 0 ? PARTS : []) await showsPart(context, combined, part, before);
    for (const name of open) await showsAlone(context, name, asked.get(name)!, before);
  }
  await showsSpacesOfForm(context, all);
}

/** Shows a part of the texts in these settings, or shorter parts of it where none of them takes it. */
async function showsPart(
  context: Context,
  names: readonly string[],
  part: string,
  before: Map<string, string>,
): Promise<void> {
  const open = await notShown(context, new Map(names.map((name) => [name, [part] as const])), before);
  let taken = names.length - open.length;
  for (const name of open) if (await showsAlone(context, name, [part], before)) taken += 1;
  if (taken > 0 || part.length <= SHORT) return;
  for (const piece of piecesOf(part)) await showsPart(context, names.slice(0, 1), piece, before);
}

/** A text of at most so many characters is one of the shortest that services take. */
const SHORT = 38;

/** The words of a text in parts of at most `SHORT` characters, or of one word. */
function piecesOf(text: string): string[] {
  const pieces: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${pieces.at(-1) ?? ''} ${word}`.trim();
    if (pieces.length > 0 && longer.length <= SHORT) pieces[pieces.length - 1] = longer;
    else pieces.push(word);
  }
  return pieces;
}

/** A text with a space, which a form writes as a plus sign, and with a plus sign, which it encodes. */
const SPACED = 'Proofmark 1+1 check';

/** Reads back a text from a form whose spaces are plus signs. A service may refuse it, or take no settings by POST. */
async function showsSpacesOfForm(context: Context, all: readonly Candidate[]): Promise<void> {
  const name = all.find((one) => awkwardTextsFor(one.name) === FREE_TEXTS)?.name;
  if (name === undefined) return;
  const reseller = await context.reseller();
  const call = withPlusForSpaces(reseller.changeSettings([[name, SPACED]], 'POST'));
  if (!isServed(await context.send(call, 'set'))) return;
  const { settings, response } = await settingsOf(context);
  const shown = textOf(settings[name]);
  await givenQuietSettings(context, shown === SPACED ? [] : [name]);
  context.expect.equal(
    shown,
    SPACED,
    `${name} must show the value that was set by a form with plus signs for its spaces`,
    { pointer: `/${name}`, response },
  );
}

/** A text for a query: what is decoded twice, cut at a separator of queries, or trimmed. It is kept by a form as well. */
const QUERY_TEXT = '  Žagars & Dēli; a=1 + 50%25 #7 🐝  ';
/** The same for a service that takes ASCII only. */
const PLAIN_QUERY_TEXT = 'Zagars & Deli; a=1 + 50%25 #7';

/** Sets free texts by the method that this context tries first, and states that they read back; the service may refuse them. */
export async function givenTextInQuery(context: Context, all: readonly Candidate[]): Promise<void> {
  const names = all.map(({ name }) => name).filter((name) => awkwardTextsFor(name) === FREE_TEXTS);
  if (names.length === 0) return;
  const pairs = names.map((name) => [name, QUERY_TEXT] as const);
  const isTaken = isServed(await set(context, pairs));
  const { settings } = isTaken ? await settingsOf(context) : { settings: {} as Json };
  const open = names.filter((name) => textOf(settings[name]) !== QUERY_TEXT);
  // How many settings one call may change is not shown. If none of them is kept, one shows why.
  for (const name of open.slice(0, open.length === names.length ? 1 : undefined)) await givenText(context, name);
}

/** The same for one setting, by that method alone: all of them together may not fit in an address. */
async function givenText(context: Context, name: string): Promise<void> {
  const reseller = await context.reseller();
  const via = isGetFirst(context) ? 'GET' : 'POST';
  const text = await firstTaken([QUERY_TEXT, PLAIN_QUERY_TEXT, AWKWARD_NAME], (one) =>
    context.send(reseller.changeSettings([[name, one]], via), 'set'),
  );
  if (text === undefined) return;
  const { settings, response } = await settingsOf(context);
  const shown = textOf(settings[name]);
  await givenQuietSettings(context, shown === text ? [] : [name]);
  context.given.holds(shown === text, 'reseller.settings.set-applies', `${name} does not show what was set by GET`, {
    expected: text,
    actual: shown,
    pointer: `/${name}`,
    response,
  });
}

/** Sets the first text of each setting in one call, and returns the settings that do not return it. */
async function notShown(
  context: Context,
  asked: ReadonlyMap<string, Texts>,
  before: Map<string, string>,
): Promise<string[]> {
  const pairs = [...asked].map(([name, [first]]) => [name, first] as const);
  const open = await notStoredTogether(context, pairs);
  for (const [name, first] of pairs) if (!open.includes(name)) before.set(name, first);
  return open;
}

type Texts = readonly [string, ...string[]];

/** The alternative texts of a round for a setting; none after its last round. */
function textsAt(name: string, round: number): [string, Texts][] {
  const texts = awkwardTextsFor(name)[round];
  if (texts === undefined) return [];
  return [[name, typeof texts === 'string' ? [texts] : (texts as Texts)]];
}

/** Whether the setting takes one of the texts, which it then has to show. */
async function showsAlone(context: Context, name: string, texts: Texts, before: Map<string, string>): Promise<boolean> {
  const words = await firstTaken(texts, (one) => set(context, [[name, one]]));
  if (words === undefined) return false;
  const { settings, response } = await settingsOf(context);
  const shown = textOf(settings[name]);
  // An empty value may count as a missing one, which leaves the setting as it is.
  if (words === '' && shown === before.get(name)) return true;
  before.set(name, words);
  if (meansSame(name, shown, words)) return true;
  await givenQuietSettings(context, shown === words ? [] : [name]);
  context.expect.equal(shown, words, `${name} must show the value that was set`, {
    pointer: `/${name}`,
    response,
  });
  return true;
}

/**
 * Whether a service only writes a text in its own form: the same address for nearly every mail server, the same number to dial, or the
 * same top-level domains.
 */
export function meansSame(name: string, shown: string, words: string): boolean {
  if (name.endsWith('Email')) return shown.toLowerCase() === words.toLowerCase();
  if (name === 'tlds') return domainsIn(shown) === domainsIn(words);
  return name.endsWith('Phone') && dialled(shown) === dialled(words);
}

/** The top-level domains of a list, without their order and what separates them. */
const domainsIn = (tlds: string): string =>
  tlds
    .toLowerCase()
    .split(/[\s,]+/)
    .sort()
    .join(',');

/** A phone number without what only groups its digits. A plus sign is a part of it. */
const dialled = (phone: string): string => phone.replaceAll(/[\s()./\-\u2010-\u2015]/gu, '');

/** The first of the texts with which a call is served. */
async function firstTaken(texts: Texts, send: (text: string) => Promise<ServiceResponse>): Promise<string | undefined> {
  for (const words of texts) if (isServed(await send(words))) return words;
  return undefined;
}
