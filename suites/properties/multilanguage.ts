/** Texts in any languages of the website, created and updated in any way that may be sent (spec: Multilanguage text). */
import fc from 'fast-check';
import { type MultilanguageText, readsBack } from '../../contracts/multilanguage.ts';
import { type Check, check } from '../../harness/check.ts';
import type { Context } from '../../harness/context.ts';
import { AssertionFailure } from '../../harness/failures.ts';
import { isServed } from '../../harness/judge-answer.ts';
import { forAll } from '../../harness/property.ts';
import type { Answer } from '../../harness/target/client.ts';
import { changedFields, inOneLanguage, textsOf, websiteOf } from '../delivery/kit/fields.ts';
import { tryMethod } from '../delivery/kit/making.ts';
import { OWN_TEXTS } from '../delivery/kit/options.ts';
import { readMethod, readPoint } from '../delivery/kit/reading.ts';
import { pointAt } from '../delivery/kit/values.ts';
import { anyText, isPlain } from './kit/texts.ts';

const CREATED = 'multilanguage.object-read-back';
const OBJECT = 'multilanguage.object-sets-named-languages';
const STRING = 'multilanguage.string-sets-default-language';
const OTHERS = 'multilanguage.string-keeps-other-languages';
const FOREIGN = 'multilanguage.only-website-languages';
const REFUSED = 'status.v1.refusal-changes-nothing';

/** A method, perhaps a point, and each text sent and read. */
const REQUESTS_PER_RUN = 14;
const MOST_UPDATES = 3;

/** Something that has a title. */
interface Titled {
  change(title: MultilanguageText): Promise<Answer>;
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

/** Makes the method or the point; undefined where the service refuses the title. */
async function titled(
  context: Context,
  what: 'method' | 'point',
  title: MultilanguageText,
): Promise<Titled | undefined> {
  const { delivery, given, send } = context;
  const { answer, method } = await tryMethod(context, delivery, what === 'method' ? { title } : {});
  if (method === undefined) {
    if (what === 'point' || !mayRefuse(title)) await given.accepted(answer, 'delivery.method.create-stores');
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
    if (!mayRefuse(title)) await given.accepted(added, 'delivery.point.create-stores');
    return undefined;
  }
  return {
    change: (text) => send(delivery.changePoint(method.handle, 'p', { title: text }), 'change'),
    read: async () => (await readPoint(context, method, 'p')).title,
  };
}

/** Asserts that a title reads as it was sent; `before` is what was read before an update with a plain string. */
function expectReads(
  context: Context,
  sent: MultilanguageText,
  title: unknown,
  clause: string,
  before?: unknown,
): void {
  const previous = before === undefined ? undefined : (textsOf(context, before) as Record<string, string>);
  const faults = readsBack(sent, title, websiteOf(context), previous);
  const foreign = faults.filter(({ rule }) => rule === 'multilanguage.language-exists');
  const { expect, given } = context;
  given.holds(!faults.some(({ rule }) => rule === 'multilanguage.type'), 'multilanguage.shape', 'a title is no text');
  expect.noFaults(foreign, 'a title must hold no language that the website has not', { clauses: [FOREIGN] });
  // A fault of a language that was not sent can only be that of one to be left as it was.
  const others = typeof sent === 'string' ? faults.filter(({ expected }) => expected !== sent) : [];
  expect.noFaults(others, 'a plain string must leave the other languages as they were', { clauses: [OTHERS] });
  expect.noFaults(faults, 'a title must read back as it was sent', { clauses: [clause] });
}

/** States that a plain text in one language is kept through a create and an update: else texts have nothing to show. */
async function givenPlainTextWorks(context: Context, what: 'method' | 'point'): Promise<void> {
  const { given } = context;
  const reads = async (holder: Titled, text: MultilanguageText, clause: string) => {
    const title = await holder.read();
    const lost = readsBack(text, title, websiteOf(context)).length > 0;
    given.holds(!lost, clause, `a plain title in one language reads as ${JSON.stringify(title)}`);
  };
  const [one, other] = [inOneLanguage(context, 'one'), inOneLanguage(context, 'other')];
  const holder = await titled(context, what, one);
  if (holder === undefined) return;
  await reads(holder, one, `delivery.${what}.title-kept`);
  const applies = `delivery.${what}.update-applies`;
  await given.accepted(holder.change(other), applies);
  await reads(holder, other, applies);
}

/** What is wrong with a plain text already is the fault of the field, and no longer of languages. */
async function judgedAgainstPlain(context: Context, what: 'method' | 'point', judged: () => Promise<void>) {
  try {
    await judged();
  } catch (thrown) {
    if (thrown instanceof AssertionFailure) await givenPlainTextWorks(context, what);
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
  if (holder === undefined) return;
  let before = await holder.read();
  expectReads(context, first, before, CREATED);
  for (const text of changes) {
    const answer = await holder.change(text);
    const after = await holder.read();
    if (!isServed(answer)) {
      if (!mayRefuse(text)) await context.given.accepted(answer, `delivery.${what}.update-applies`);
      const changed = changedFields(context, ['title'], { title: before }, { title: after });
      context.expect.equal(changed, [], 'a refused update must leave the title', { clauses: [REFUSED], answer });
    } else if (typeof text === 'string') expectReads(context, text, after, STRING, before);
    else expectReads(context, text, after, OBJECT);
    before = after;
  }
}

export const checks: readonly Check[] = [
  check(
    'properties.multilanguage',
    'MUST keep the texts of any languages of the website through creates and updates of any kind',
    { ...OWN_TEXTS, clauses: [CREATED, OBJECT, STRING, OTHERS, FOREIGN, REFUSED] },
    (context) => {
      const { languages } = websiteOf(context);
      const object = objectsOf(languages);
      // On a website with several languages a plain string only changes the default one.
      const created = languages.length === 1 ? fc.oneof(object, anyText) : object;
      const updates = fc.array(fc.oneof({ weight: 2, arbitrary: object }, { weight: 1, arbitrary: anyText }), {
        maxLength: MOST_UPDATES,
      });
      const what = fc.constantFrom('method' as const, 'point' as const);
      return forAll(
        context,
        { requestsPerRun: REQUESTS_PER_RUN },
        [what, created, updates],
        async (run, of, first, rest) => {
          run.step(`the title of a ${of}: ${[first, ...rest].map((text) => JSON.stringify(text)).join(', then ')}`);
          await judgedAgainstPlain(run.context, of, () => judgeTexts(run.context, of, first, rest));
        },
      );
    },
  ),
];
