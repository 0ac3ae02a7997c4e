/** Texts for settings that are hard to keep: what is taken has to be shown as it was given. */
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { settingsOf } from '../steps/records.ts';
import { type Candidate, notShownTogether, pairsOf, set, textOf } from '../steps/settings.ts';

/** A form that is read with the wrong eyes loses these. */
const AWKWARD_NAME = 'Žagars & Dēli + 50% = "5/7"';

/** Beyond 255 bytes, where a popular kind of column ends, in fewer letters. */
const LONG_NAME = `Proofmark ${'ž'.repeat(190)}`;

/** Lengths at which columns end; the first that is taken proves the shorter ones. */
const LONG_TEXTS: readonly string[] = [5000, 1100, 300].map((length) => `Proofmark ${'l'.repeat(length)}`);

/** What some languages take for nothing. */
const EMPTY_TO_SOME: readonly string[] = ['0', ''];

/** Each part is one that some service escapes, unescapes, strips, expands or can't write. */
const HOSTILE_TEXT = 'Žagars <b>&amp;</b> 5 + 7% "quoted" C:\\new O\'Neill $1 %41 ﬁ e\u0301 🐝';

/** Spaces and ends of lines, each kind alone: a service may refuse one of them. */
const SPACES: readonly string[] = [
  '  outer  and  inner  spaces  ',
  'before\tafter a tab',
  'first\nsecond',
  'first\r\nsecond',
  'first\rsecond',
];

/** What is read as a number, or as a word of a language. */
const WORDS: readonly string[] = ['0042', '1e3', 'null', 'true', 'undefined'];

const FREE_TEXTS: readonly (string | readonly string[])[] = [
  AWKWARD_NAME,
  'Proofmark 🐝',
  HOSTILE_TEXT,
  LONG_NAME,
  LONG_TEXTS,
  ...SPACES,
  ...WORDS,
  ...EMPTY_TO_SOME,
];

const address = (rest: string): string => `https://proofmark.example/${rest}`;

/** Texts for a setting beyond its plain one: of the form that it has, where it has one. Of a list the first that is taken. */
function awkwardTextsFor(name: string): readonly (string | readonly string[])[] {
  if (/(Link|Website)$/.test(name)) {
    return [
      address(`Path?q=a+b%20c&x=1#${'l'.repeat(230)}`),
      address("c'd'?a=1&amp;b=$1"),
      [5000, 1100, 300].map((length) => address('l'.repeat(length))),
    ];
  }
  if (name === 'addrCountry') return [];
  if (name.endsWith('Email')) return ['Check.Mixed+tag@Proofmark.example', "o'neill&co@proofmark.example"];
  if (name.endsWith('Phone')) return ['0042'];
  if (name.endsWith('Postal')) return ['0042', 'Lv  1017'];
  return FREE_TEXTS;
}

/**
 * Whether letters, signs and lengths are allowed there is the service's affair; those that it takes must be shown. All settings get
 * their next text in one call; one that does not show it then is given it alone.
 */
export async function showAwkwardTexts(context: Context, all: readonly Candidate[]): Promise<void> {
  const before = new Map(pairsOf(all, 'fresh'));
  const rounds = Math.max(...all.map(({ name }) => awkwardTextsFor(name).length));
  for (let round = 0; round < rounds; round += 1) {
    const asked = new Map(all.flatMap(({ name }) => textsAt(name, round)));
    const open = await notShownTogether(
      context,
      [...asked].map(([name, [first]]) => [name, first]),
    );
    for (const [name, texts] of asked) {
      if (open.includes(name)) await showsAlone(context, name, texts, before);
      else before.set(name, texts[0]);
    }
  }
}

type Texts = readonly [string, ...string[]];

/** The texts of a round for a setting, of which one is enough; none after its last round. */
function textsAt(name: string, round: number): [string, Texts][] {
  const texts = awkwardTextsFor(name)[round];
  if (texts === undefined) return [];
  return [[name, typeof texts === 'string' ? [texts] : (texts as Texts)]];
}

async function showsAlone(context: Context, name: string, texts: Texts, before: Map<string, string>): Promise<void> {
  const words = await firstTaken(context, name, texts);
  if (words === undefined) return;
  const { settings, answer } = await settingsOf(context);
  const shown = textOf(settings[name]);
  // A part that is left undone is legal, and who takes a value for none at all leaves this one undone.
  if (EMPTY_TO_SOME.includes(words) && shown === before.get(name)) return;
  before.set(name, words);
  // To nearly every mail server it is the same address.
  if (name.endsWith('Email') && shown.toLowerCase() === words.toLowerCase()) return;
  context.expect.equal(shown, words, `${name} must show the value that it was given`, {
    pointer: `/${name}`,
    answer,
  });
}

async function firstTaken(context: Context, name: string, texts: Texts): Promise<string | undefined> {
  for (const words of texts) if (isServed(await set(context, [[name, words]]))) return words;
  return undefined;
}
