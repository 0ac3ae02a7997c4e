/** Methods and pickup points whose title checks read and change, and titles in the languages of the website. */
import { isDeepStrictEqual } from 'node:util';
import { fits } from '../../../contracts/fields/forms.ts';
import { type MultilanguageText, readsBack } from '../../../contracts/fields/multilanguage.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { isServed } from '../../../harness/target/response/judge-response.ts';
import { inOneLanguage, textsOf, websiteOf } from '../steps/fields.ts';
import { inTurn } from '../steps/methods/create-method.ts';
import { addPoints, type Method, readMethod, readPoint } from '../steps/reading.ts';
import { pointAt } from '../steps/values.ts';

/** An object with a title. */
export interface Titled {
  readonly what: string;
  readonly method: Method;
  /** The clause about updates of its title. */
  readonly applies: string;
  /** The clause about storing a title in one language. */
  readonly kept: string;
  /** The clause about fields that an update does not name. */
  readonly unnamed: string;
  /** An update of the title, and of something else beside it where that is named. */
  change(title: unknown, beside?: Json): Promise<ServiceResponse>;
  /** Other fields, with values that they do not have. */
  readonly beside: Json;
  read(): Promise<unknown>;
  /** The whole object with the title. */
  readAll(): Promise<Json>;
}

/** A new method, and a new point of it, both with this title. Without the method where it can only have another one. */
export async function titled(context: Context, title: MultilanguageText): Promise<Titled[]> {
  const { delivery, given, resources, send } = context;
  const method = await given.newMethod(delivery, { title });
  await addPoints(context, method, [{ ...pointAt(context, 'p'), title }]);
  const holders: Titled[] = [
    {
      what: 'the title of a method',
      method,
      applies: 'delivery.method.update-applies',
      kept: 'delivery.method.title-kept',
      beside: { print_label_url: 'https://labels.example/beside', reference: `${resources.newMark()} beside` },
      change: (text, beside) => send(delivery.changeMethod(method.handle, { title: text, ...beside }), 'change'),
      read: async () => (await readMethod(context, method)).title,
      unnamed: 'delivery.method.update-keeps-omitted-fields',
      readAll: () => readMethod(context, method),
    },
    {
      what: 'the title of a pickup point',
      method,
      applies: 'delivery.point.update-applies',
      kept: 'delivery.point.title-kept',
      beside: { address: 'Street beside 1' },
      change: (text, beside) => send(delivery.changePoint(method.handle, 'p', { title: text, ...beside }), 'change'),
      read: async () => (await readPoint(context, method, 'p')).title,
      unnamed: 'delivery.point.update-keeps-omitted-fields',
      readAll: () => readPoint(context, method, 'p'),
    },
  ];
  return isDeepStrictEqual(method.fields.title, title) ? holders : holders.slice(1);
}

/**
 * The objects whose title can be changed, since the contract does not state which fields can be. All of them until a refusal.
 */
export async function changeable(context: Context, title: MultilanguageText): Promise<Titled[]> {
  const holders = await titled(context, title);
  if (!context.sendsMinimum) return holders;
  const responses = await inTurn(holders, async ({ change }) => {
    const same = await change(title);
    if (isServed(same)) return same;
    // A service may refuse an update that changes nothing.
    const other = await change(changed(title));
    return isServed(other) ? change(title) : same;
  });
  const taken = holders.filter((_, at) => isServed(responses[at]!));
  if (taken.length === 0) await context.given.accepted(responses[0]!, holders[0]!.applies);
  return taken;
}

/** Other words in the same languages. */
const changed = (text: MultilanguageText): MultilanguageText =>
  typeof text === 'string'
    ? `${text} again`
    : Object.fromEntries(Object.entries(text).map(([language, words]) => [language, `${words} again`]));

export const languagesOf = (context: Context): readonly string[] => websiteOf(context).languages;

/** The default language, where it is known. */
export function defaultOf(context: Context): string | undefined {
  const { languages, defaultLanguage } = websiteOf(context);
  return defaultLanguage ?? (languages.length === 1 ? languages[0] : undefined);
}

/** An update in these languages, and in the default one if a text without it is refused. */
export async function changeNamed(
  context: Context,
  holder: Titled,
  text: Record<string, string>,
): Promise<ServiceResponse> {
  const response = await holder.change(text);
  const language = defaultOf(context);
  if (isServed(response) || language === undefined || Object.hasOwn(text, language)) return response;
  return holder.change({ ...text, [language]: 'Default words' });
}

/** A different text for each language. */
export const inEach = (context: Context, words: string): Record<string, string> =>
  Object.fromEntries(languagesOf(context).map((language) => [language, `${words} (${language})`]));

export const sameInEach = (context: Context, words: string): Record<string, string> =>
  Object.fromEntries(languagesOf(context).map((language) => [language, words]));

/** The differences of a text from what was sent; languages that it must not have are judged by other checks. */
export const faultsOf = (context: Context, sent: MultilanguageText, read: unknown) =>
  readsBack(sent, read, websiteOf(context)).filter(({ rule }) => rule === 'multilanguage.reads-back');

/** States that the title has a text in each language of the website; returns the texts, and the object with the title. */
export async function givenInEach(
  context: Context,
  { what, readAll }: Titled,
): Promise<{ readonly texts: Readonly<Record<string, unknown>>; readonly whole: Json }> {
  const whole = await readAll();
  const { title } = whole;
  const texts = textsOf(context, title);
  context.given.holds(
    fits('multilanguage', title),
    'delivery.multilanguage.shape',
    `${what} reads ${JSON.stringify(title)}`,
  );
  context.given.holds(
    languagesOf(context).every((language) => texts[language] !== undefined),
    'delivery.multilanguage.object-read-back',
    `${what} was given in each language and reads ${JSON.stringify(title)}`,
  );
  return { texts, whole };
}

/** States that an update of the title in one language works, which only explains why another one does not. */
export async function givenUpdates(context: Context, { what, applies, change, read }: Titled): Promise<void> {
  if (!context.explains) return;
  const words = inOneLanguage(context, `Changed words ${context.resources.newMark()}`);
  await context.given.accepted(change(words), applies);
  const lost = faultsOf(context, words, await read());
  context.given.holds(lost.length === 0, applies, `an update of ${what} in one language is lost`);
}
