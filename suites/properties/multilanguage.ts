/** Texts in any languages of the website, created and updated in any way that may be sent (spec: Multilanguage text). */
import fc from 'fast-check';
import { type MultilanguageText, readsBack } from '../../contracts/fields/multilanguage.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { AssertionFailure } from '../../harness/check/failures.ts';
import { forAll } from '../../harness/property/index.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isServed } from '../../harness/target/response/judge-response.ts';
import { changedFields, inOneLanguage, textsOf, websiteOf } from '../delivery/steps/fields.ts';
import { tryMethod } from '../delivery/steps/methods/create-method.ts';
import { OWN_TEXTS } from '../delivery/steps/options.ts';
import { readMethod, readPoint } from '../delivery/steps/reading.ts';
import { pointAt } from '../delivery/steps/values.ts';
import { anyText, isPlain } from './steps/texts.ts';

const TITLES = ['delivery.method.title-kept', 'delivery.point.title-kept'];
const CREATED = 'delivery.multilanguage.object-read-back';
const OBJECT = 'delivery.multilanguage.object-sets-named-languages';
const STRING = 'delivery.multilanguage.string-sets-default-language';
const OTHERS = 'delivery.multilanguage.string-keeps-other-languages';
const FOREIGN = 'delivery.multilanguage.only-website-languages';
const REFUSED = 'envelope.delivery.refusal-changes-nothing';

/** A method, perhaps a point, and each text sent and read. */
const REQUESTS_PER_RUN = 14;
const MAX_UPDATES = 3;

/** Something that has a title. */
interface Titled {
  change(title: MultilanguageText): Promise<ServiceResponse>;
  read(): Promise<unknown>;
}

/** Texts in one language or several, named in any order; a language may be given the empty text. */
function objectsOf(languages: readonly string[]): fc.Arbitrary<MultilanguageText> {
  const text = fc.oneof({ weight: 6, arbitrary: anyText }, { weight: 1, arbitrary: fc.constant('') });
  return fc
    .shuffledSubarray([...languages], { minLength: 1 })
    .chain((named) => fc.tuple(...named.map((language) => text.map((words) => [language, words] as const))))
    .map((pairs) => Object.fromEntries(pairs));
}

/** A service may refuse texts that are not plain; nothing is known of one that says nothing at all. */
const mayRefuse = (text: MultilanguageText): boolean =>
  typeof text === 'string' ? !isPlain(text) : !Object.values(text).every(isPlain);

/** A text without the default language, with it: a service may need that one; undefined where nothing is to be added. */
function withDefault(context: Context, text: MultilanguageText): MultilanguageText | undefined {
  const { defaultLanguage } = websiteOf(context);
  if (typeof text === 'string' || defaultLanguage === undefined) return undefined;
  return (text[defaultLanguage] ?? '') === '' ? { ...text, [defaultLanguage]: 'Kurjers' } : undefined;
}

/** Makes the method or the point; undefined where the service refuses the title. */
async function titled(
  context: Context,
  what: 'method' | 'point',
  title: MultilanguageText,
): Promise<Titled | undefined> {
  const { delivery, given, send } = context;
  const isRefusable = mayRefuse(title) || withDefault(context, title) !== undefined;
  const { response, method } = await tryMethod(context, delivery, what === 'method' ? { title } : {});
  if (method === undefined) {
    if (what === 'point' || !isRefusable) await given.accepted(response, 'delivery.method.create-stores');
    return undefined;
  }
  if (what === 'method') {
    return {
      change: (text) => send(delivery.changeMethod(method.handle, { title: text }), 'change'),
      read: async () => (await readMethod(context, method)).title,
    };
  }
  const added = await send(delivery.addPoint(method.handle, { ...pointAt(context, 'p'), title }), 'add');
  if (!isServed(added)) {
    if (!isRefusable) await given.accepted(added, 'delivery.point.create-stores');
    return undefined;
  }
  return {
    change: (text) => send(delivery.changePoint(method.handle, 'p', { title: text }), 'change'),
    read: async () => (await readPoint(context, method, 'p')).title,
  };
}

/** Notes the languages in which a text says something, and forgets those that it empties. */
function noteNamed(named: Set<string>, text: MultilanguageText): void {
  for (const [language, words] of typeof text === 'string' ? [] : Object.entries(text)) {
    if (words === '') named.delete(language);
    else named.add(language);
  }
}

/**
 * What was read in languages that were named: in one that was not named, or is empty, a service may show the default language's
 * text, which then changes with it.
 */
function inNamedLanguages(context: Context, title: unknown, named: ReadonlySet<string>): Record<string, string> {
  const texts = textsOf(context, title) as Record<string, string>;
  return Object.fromEntries(Object.entries(texts).filter(([language]) => named.has(language)));
}

/** Asserts that a title reads as it was sent; `previous` is what has to stay beside a plain string. */
function expectReads(
  context: Context,
  sent: MultilanguageText,
  title: unknown,
  clause: string,
  previous?: Record<string, string>,
): void {
  const faults = readsBack(sent, title, websiteOf(context), previous);
  const foreign = faults.filter(({ rule }) => rule === 'multilanguage.language-exists');
  const { expect, given } = context;
  given.holds(
    !faults.some(({ rule }) => rule === 'multilanguage.type'),
    'delivery.multilanguage.shape',
    'a title is not a text',
  );
  expect.noFaults(foreign, 'a title must not contain a language that the website does not have', {
    clauses: [FOREIGN],
  });
  // A fault of a language that was not sent can only be that of one to be left as it was.
  const others = typeof sent === 'string' ? faults.filter(({ expected }) => expected !== sent) : [];
  expect.noFaults(others, 'a plain string must leave the other languages as they were', { clauses: [OTHERS] });
  expect.noFaults(faults, 'a title must read back as it was sent', { clauses: [clause] });
}

type What = 'method' | 'point';

/** A title in one language, alone: undefined where it is not taken, else whether it reads back. */
async function isKeptAlone(context: Context, what: What, words: string): Promise<boolean | undefined> {
  const text = inOneLanguage(context, words);
  const holder = await titled(context, what, text);
  return holder === undefined ? undefined : readsBack(text, await holder.read(), websiteOf(context)).length === 0;
}

/** States that an update of a title in one language works: else texts have nothing to show. */
async function givenUpdates(context: Context, what: What): Promise<void> {
  const applies = `delivery.${what}.update-applies`;
  const holder = await titled(context, what, inOneLanguage(context, 'one'));
  if (holder === undefined) return;
  const other = inOneLanguage(context, 'other');
  await context.given.accepted(holder.change(other), applies);
  const lost = readsBack(other, await holder.read(), websiteOf(context)).length > 0;
  context.given.holds(!lost, applies, 'an update of a title in one language is lost');
}

/** A text that is not even kept alone is the fault of the field, and no longer that of languages. */
async function blamed(context: Context, what: What, texts: readonly MultilanguageText[], judged: () => Promise<void>) {
  try {
    await judged();
  } catch (thrown) {
    if (!(thrown instanceof AssertionFailure)) throw thrown;
    const words = new Set(texts.flatMap((text) => (typeof text === 'string' ? [text] : Object.values(text))));
    for (const text of ['plain', ...words].filter((one) => one !== '')) {
      if ((await isKeptAlone(context, what, text)) !== false) continue;
      throw new AssertionFailure(thrown.message, { ...thrown.evidence, clauses: [`delivery.${what}.title-kept`] });
    }
    await givenUpdates(context, what);
    throw thrown;
  }
}

/** Creates something with the first text, changes it to the others in turn, and reads it each time. */
async function judgeTexts(
  context: Context,
  what: 'method' | 'point',
  first: MultilanguageText,
  changes: readonly MultilanguageText[],
): Promise<void> {
  const holder = await titled(context, what, first);
  if (holder === undefined) {
    const whole = withDefault(context, first);
    return whole === undefined ? undefined : judgeTexts(context, what, whole, changes);
  }
  let before = await holder.read();
  expectReads(context, first, before, CREATED);
  const named = new Set<string>();
  noteNamed(named, first);
  for (const text of changes) {
    const response = await holder.change(text);
    const after = await holder.read();
    if (!isServed(response)) {
      const isRefusable = mayRefuse(text) || withDefault(context, text) !== undefined;
      if (!isRefusable) await context.given.accepted(response, `delivery.${what}.update-applies`);
      const changed = changedFields(context, ['title'], { title: before }, { title: after });
      context.expect.equal(changed, [], 'a refused update must leave the title', {
        clauses: [REFUSED],
        response,
      });
    } else if (typeof text === 'string') {
      expectReads(context, text, after, STRING, inNamedLanguages(context, before, named));
    } else {
      expectReads(context, text, after, OBJECT);
      noteNamed(named, text);
    }
    before = after;
  }
}

/** Whether texts can be sent to a website with these languages. */
function isWritable(
  languages: readonly string[],
  first: MultilanguageText,
  rest: readonly MultilanguageText[],
): boolean {
  const known = (text: MultilanguageText) =>
    typeof text === 'string' || Object.keys(text).every((language) => languages.includes(language));
  return [first, ...rest].every(known) && (typeof first !== 'string' || languages.length === 1);
}

export const checks: readonly Check[] = [
  check(
    'properties.multilanguage.texts',
    'MUST return the texts of all languages after any create or update',
    { ...OWN_TEXTS, clauses: [...TITLES, CREATED, OBJECT, STRING, OTHERS, FOREIGN, REFUSED], additional: true },
    (context) => {
      const { languages } = websiteOf(context);
      const object = objectsOf(languages);
      // On a website with several languages a plain string only changes the default one.
      const created = languages.length === 1 ? fc.oneof(object, anyText) : object;
      const updates = fc.array(fc.oneof({ weight: 2, arbitrary: object }, { weight: 1, arbitrary: anyText }), {
        maxLength: MAX_UPDATES,
      });
      const what = fc.constantFrom('method' as const, 'point' as const);
      return forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN, fits: ([, first, rest]) => isWritable(languages, first, rest) },
        [what, created, updates],
        async (run, of, first, rest) => {
          run.step(`the title of a ${of}: ${[first, ...rest].map((text) => JSON.stringify(text)).join(', then ')}`);
          await blamed(run.context, of, [first, ...rest], () => judgeTexts(run.context, of, first, rest));
        },
      );
    },
  ),
];
