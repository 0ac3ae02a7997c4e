/**
 * Plain strings as titles: a service may read them with other code than objects of languages (spec: Multilanguage text). It may refuse
 * them where the website has several languages and the text is new; what it accepts it has to keep.
 */
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { MAX_USUAL_CHARACTERS, wholeTexts } from '../steps/awkward-values/texts.ts';
import { inOneLanguage } from '../steps/fields.ts';
import { tryMethod } from '../steps/methods/create-method.ts';
import { listPoints, type Method, readPoint } from '../steps/reading.ts';
import { pointAt } from '../steps/values.ts';
import { faultsOf, type Titled } from './titled.ts';

interface Text {
  readonly name: string;
  readonly words: string;
}

/** As a title has them. */
const textsOfTitles = async (context: Context): Promise<readonly Text[]> =>
  (await wholeTexts(context)).map(({ name, textOf }) => ({ name, words: textOf(0) }));

/** Those that an update with a plain string tries one by one. */
export const awkwardStrings = async (context: Context): Promise<readonly string[]> =>
  (await textsOfTitles(context)).filter(({ name }) => ['letters', 'signs'].includes(name)).map(({ words }) => words);

/**
 * States, where a plain string was not kept, that the same words in an object of one language are: other checks judge those. A service may
 * refuse an object that lacks a language.
 */
export async function givenKeptInOneLanguage(context: Context, holder: Titled, words: string): Promise<void> {
  await givenShows(context, holder, `Plain words ${context.resources.newMark()}`, holder.applies);
  await givenShows(context, holder, words, holder.kept);
}

async function givenShows(
  context: Context,
  { what, change, read }: Titled,
  words: string,
  clause: string,
): Promise<void> {
  const text = inOneLanguage(context, words);
  if (typeof text === 'string' || !isServed(await change(text))) return;
  const [fault] = faultsOf(context, text, await read());
  context.given.holds(fault === undefined, clause, `${what} in one language is not kept: ${fault?.message}`);
}

/** States, where a list changes a plain string, that a point which is added alone keeps it. */
async function givenKeptAlone(context: Context, method: Method, words: string): Promise<void> {
  const id = 'string-alone';
  const point = { ...pointAt(context, id), title: words };
  if (!isServed(await context.send(method.delivery.addPoint(method.handle, point), 'add'))) return;
  const [fault] = faultsOf(context, words, (await readPoint(context, method, id)).title);
  const message = `a plain string as the title of a point is not kept: ${fault?.message}`;
  context.given.holds(fault === undefined, 'delivery.point.title-kept', message);
}

/** A new method, and a new point of the given one, whose title is a plain string; only what the service takes. */
export async function plainlyTitled(
  context: Context,
  host: Method,
): Promise<{ readonly methods: readonly Method[]; readonly points: readonly string[] }> {
  const title = 'A first plain string';
  const { method } = await tryMethod(context, host.delivery, { title });
  const point = { ...pointAt(context, 'plain'), title };
  const isTaken = isServed(await context.send(host.delivery.addPoint(host.handle, point), 'add'));
  return { methods: method === undefined ? [] : [method], points: isTaken ? ['plain'] : [] };
}

/** Asserts that points of a batch call, each with an awkward text as its title, are listed with it. A refusal decides nothing. */
export async function keepsStringsOfPoints(context: Context, method: Method): Promise<void> {
  const texts = await textsOfTitles(context);
  const usual = texts.filter(({ words }) => words !== '' && words.length <= MAX_USUAL_CHARACTERS);
  const idOf = ({ name }: Text): string => `string-${name}`;
  for (const some of [texts, usual]) {
    const points = some.map((text) => ({ ...pointAt(context, idOf(text)), title: text.words }));
    if (!isServed(await context.send(wholeList(method, points), 'batch'))) continue;
    const listed = await listPoints(context, method);
    for (const text of some) {
      const id = idOf(text);
      const read = listed.find((point) => point.id === id);
      const isListed = read !== undefined;
      context.given.holds(isListed, 'delivery.batch.replaces-all', `the point ${id} of a batch call is not listed`);
      const [fault] = faultsOf(context, text.words, read?.title);
      if (fault !== undefined) await givenKeptAlone(context, method, text.words);
      const rule = `a plain string as the title of a point must be listed as sent: ${fault?.message}`;
      context.expect.that(fault === undefined, rule, {
        ...{ expected: fault?.expected, actual: fault?.actual, pointer: '/title' },
        clauses: ['delivery.batch.fields-kept'],
      });
    }
    return;
  }
}
