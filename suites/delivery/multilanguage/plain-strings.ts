/**
 * Plain strings as titles: a service may read them with other code than objects of languages (spec: Multilanguage text). It may refuse
 * them where the website has several languages and the text is new; what it accepts it has to keep.
 */
import type { Context } from '../../../harness/check/context.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { wholeList } from '../batch/calls.ts';
import { eachText } from '../steps/awkward-values/texts.ts';
import { listPoints, type Method } from '../steps/reading.ts';
import { pointAt } from '../steps/values.ts';
import { faultsOf } from './titled.ts';

/** Services refuse longer texts for good reasons. */
const MAX_USUAL_CHARACTERS = 200;

interface Text {
  readonly name: string;
  readonly words: string;
}

/** The awkward texts, many of them in one: `letters`, `signs`, … */
async function textsOfTitles(context: Context): Promise<readonly Text[]> {
  const texts: Text[] = [];
  await eachText(context, async (name, textOf) => {
    texts.push({ name, words: textOf(0) });
    return true;
  });
  return texts;
}

/** Those that an update with a plain string tries one by one. */
export const awkwardStrings = async (context: Context): Promise<readonly string[]> =>
  (await textsOfTitles(context)).filter(({ name }) => ['letters', 'signs'].includes(name)).map(({ words }) => words);

/** Asserts that points of a batch call, each with an awkward text as its title, are listed with it. A refusal decides nothing. */
export async function keepsStringsOfPoints(context: Context, method: Method): Promise<void> {
  const texts = await textsOfTitles(context);
  const usual = texts.filter(({ words }) => words !== '' && words.length <= MAX_USUAL_CHARACTERS);
  for (const some of [texts, usual]) {
    const idOf = ({ name }: Text): string => `string-${name}`;
    const points = some.map((text) => ({ ...pointAt(context, idOf(text)), title: text.words }));
    if (!isServed(await context.send(wholeList(method, points), 'batch'))) continue;
    const listed = await listPoints(context, method);
    for (const text of some) {
      const id = idOf(text);
      const read = listed.find((point) => point.id === id);
      context.given.holds(
        read !== undefined,
        'delivery.batch.replaces-all',
        `the point ${id} of a batch call is not listed`,
      );
      const [fault] = faultsOf(context, text.words, read?.title);
      context.expect.that(
        fault === undefined,
        `a plain string as the title of a point must be listed as sent: ${fault?.message}`,
        {
          expected: fault?.expected,
          actual: fault?.actual,
          pointer: '/title',
          clauses: ['delivery.batch.fields-kept'],
        },
      );
    }
    return;
  }
}
