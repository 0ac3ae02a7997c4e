/**
 * Multilanguage text (spec: Delivery interface, "Multilanguage text"; Limits, "Language codes"): a plain string, or an object
 * from language code to text.
 *
 * A plain string means the text in the default language. What is distinguished here: what may be sent to a website, what an
 * update means, and what must be read back afterwards. Whatever the contract leaves open is `free`.
 */

import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { inWords } from '../json/words.ts';
import type { Fault } from '../run/fault.ts';

export type MultilanguageText = string | Readonly<Record<string, string>>;

/** The languages of a website; the default one may be unknown. An empty list says that the languages are unknown, too. */
export interface WebsiteLanguages {
  readonly languages: readonly string[];
  readonly defaultLanguage?: string | undefined;
}

/** Whether a text conforms to the contract when it is sent; `reason` is a sentence in either case. */
export interface SendResponse {
  readonly allowed: boolean;
  readonly reason: string;
}

/**
 * Says whether a client may send this text to this website.
 *
 * @example maySend({ de: 'Kurier' }, { languages: ['en', 'lv'] })
 * // { allowed: false, reason: 'The website has no language "de"; it has en, lv.' }
 */
export function maySend(text: unknown, website: WebsiteLanguages): SendResponse {
  if (typeof text === 'string') {
    const reason = isMonolingual(website)
      ? 'A plain string is allowed: the website has a single language.'
      : 'A plain string is allowed: it changes the text in the default language only.';
    return { allowed: true, reason };
  }
  if (!isJsonObject(text)) {
    return {
      allowed: false,
      reason: `A text is a string or an object of language codes and strings, not ${inWords(text)}.`,
    };
  }
  for (const [language, value] of Object.entries(text)) {
    if (typeof value !== 'string') {
      return {
        allowed: false,
        reason: `The text in the language "${language}" is ${inWords(value)} instead of a string.`,
      };
    }
    if (hasNot(website, language)) {
      const has = website.languages.join(', ');
      return { allowed: false, reason: `The website has no language ${JSON.stringify(language)}; it has ${has}.` };
    }
  }
  const reason =
    website.languages.length === 0 ? 'The languages of the website are not known.' : 'The website has every language.';
  return { allowed: true, reason };
}

/** What an update means for what is read afterwards. */
export interface UpdateMeaning {
  /** Texts that must be read back, by language. */
  readonly mustRead: Readonly<Record<string, string>>;
  /** Languages of the website about which the contract says nothing: an observation. */
  readonly free: readonly string[];
  /** Set when a string was sent and the default language is not known: the text must be read under some language. */
  readonly somewhere?: string;
}

/**
 * What must be read back after `sent` was sent to a website that held `previous` (undefined: nothing yet).
 * A string changes the default language only, so the texts of the other languages stay. An object must read back in the
 * languages that it names; whether the others stay is an observation.
 *
 * @example afterUpdate({ en: 'A', lv: 'B' }, 'C', { languages: ['en', 'lv'], defaultLanguage: 'en' })
 * // { mustRead: { en: 'C', lv: 'B' }, free: [] }
 * @example afterUpdate({ en: 'A', lv: 'B' }, { lv: 'C' }, { languages: ['en', 'lv'], defaultLanguage: 'en' })
 * // { mustRead: { lv: 'C' }, free: ['en'] }
 */
export function afterUpdate(
  previous: MultilanguageText | undefined,
  sent: MultilanguageText,
  website: WebsiteLanguages,
): UpdateMeaning {
  const meaning = (mustRead: Record<string, string>): UpdateMeaning => ({
    mustRead,
    free: website.languages.filter((language) => !Object.hasOwn(mustRead, language)),
  });
  if (typeof sent !== 'string') return meaning({ ...sent });
  const defaultLanguage = defaultOf(website);
  if (defaultLanguage === undefined) return { ...meaning({}), somewhere: sent };
  const kept = typeof previous === 'object' ? previous : {};
  return meaning({ ...kept, [defaultLanguage]: sent });
}

/**
 * The faults of a text that was read after `sent` had been sent. Tolerated, because the contract allows it:
 * a string sent may be read as an object with that text under the default language; an object may be read as a string where
 * the website has one language (or the object names the default language only); an empty text may be read as absent, or as the
 * text of another language, which a service may show where a language has none.
 *
 * @param previous what the website held before, if that is known: a string sent must leave its other languages as they were
 * @example readsBack('Kurjers', { lv: 'Kurjers' }, { languages: ['lv', 'en'], defaultLanguage: 'lv' }) // []
 * @example readsBack({ en: 'A' }, { en: 'B' }, { languages: ['en'] })
 * // [{ rule: 'multilanguage.reads-back', pointer: '/en', expected: 'A', actual: 'B', … }]
 */
export function readsBack(
  sent: MultilanguageText,
  read: unknown,
  website: WebsiteLanguages,
  previous?: MultilanguageText,
): Fault[] {
  const texts = readTexts(read);
  if (texts === undefined) {
    const message = `A text is a string or an object of language codes and strings; ${inWords(read)} was read.`;
    return [fault('multilanguage.type', message, '', sent, read)];
  }
  if (typeof texts === 'string') return stringReadsBack(sent, texts, website, previous);
  const foreign = Object.keys(texts)
    .filter((language) => hasNot(website, language))
    .map((language) => {
      const message = `The language ${JSON.stringify(language)} was read, which the website does not have.`;
      return fault('multilanguage.language-exists', message, pointerOf(language), website.languages, language);
    });
  return [...foreign, ...objectReadsBack(afterUpdate(previous, sent, website), texts, previous)];
}

/** A string was read: it is the text in the default language, and shows no other. */
function stringReadsBack(
  sent: MultilanguageText,
  read: string,
  website: WebsiteLanguages,
  previous: MultilanguageText | undefined,
): Fault[] {
  const defaultLanguage = defaultOf(website);
  if (defaultLanguage !== undefined) {
    return differing(afterUpdate(previous, sent, website).mustRead, { [defaultLanguage]: read });
  }
  if (typeof sent === 'string') {
    if (sent !== read) return [notRead(sent, read, '')];
    if (textsIn(previous).length < 2) return [];
    const message = 'Several languages had a text; after a plain string was sent, only a plain string remains.';
    return [fault('multilanguage.reads-back', message, '', previous, read)];
  }
  const [only, ...others] = textsIn(sent);
  if (others.length > 0) {
    const message = `Texts in ${others.length + 1} languages were sent, and a plain string was read, which shows one at most.`;
    return [fault('multilanguage.reads-back', message, '', sent, read)];
  }
  return only === undefined || only === read ? [] : [notRead(only, read, '')];
}

/** The texts of an object that say something. */
function textsIn(text: MultilanguageText | undefined): string[] {
  return typeof text === 'object' ? Object.values(text).filter((value) => value !== '') : [];
}

function objectReadsBack(
  { mustRead, somewhere }: UpdateMeaning,
  read: Readonly<Record<string, string>>,
  previous: MultilanguageText | undefined,
): Fault[] {
  if (somewhere === undefined) return differing(mustRead, read);
  const holders = Object.keys(read).filter((language) => read[language] === somewhere);
  if (holders.length === 0 && somewhere !== '') {
    const message = `The text ${JSON.stringify(somewhere)} was sent and is not read in any language.`;
    return [fault('multilanguage.reads-back', message, '', somewhere, read)];
  }
  if (typeof previous !== 'object') return [];
  // One language has changed: the unknown default. It may be any language that holds the new text.
  const candidates = [...holders, ...(somewhere === '' ? Object.keys(previous) : [])];
  const byDefault = candidates.map((language) => differing(without(previous, language), read));
  return byDefault.sort((a, b) => a.length - b.length)[0] ?? [];
}

function differing(expected: Readonly<Record<string, string>>, read: Readonly<Record<string, string>>): Fault[] {
  return Object.entries(expected)
    .filter(([language, text]) => text !== (Object.hasOwn(read, language) ? read[language] : ''))
    .filter(([language, text]) => text !== '' || !isOfOther(read, language))
    .map(([language, text]) => notRead(text, read[language], pointerOf(language)));
}

/** Whether a language shows the text of another one: a service may do so where it was given none, and take the empty text for none. */
function isOfOther(read: Readonly<Record<string, string>>, language: string): boolean {
  return Object.entries(read).some(([other, text]) => other !== language && text === read[language]);
}

/** The texts of a read value: null as an absent text; undefined when it is not a multilanguage text at all. */
function readTexts(read: unknown): MultilanguageText | undefined {
  if (typeof read === 'string') return read;
  if (read === null || read === undefined) return {};
  if (Array.isArray(read) && read.length === 0) return {};
  if (!isJsonObject(read)) return undefined;
  const texts = Object.entries(read).filter(([, text]) => text !== null);
  return texts.every((entry): entry is [string, string] => typeof entry[1] === 'string')
    ? Object.fromEntries(texts)
    : undefined;
}

function isMonolingual(website: WebsiteLanguages): boolean {
  return website.languages.length === 1;
}

function defaultOf(website: WebsiteLanguages): string | undefined {
  return website.defaultLanguage ?? (isMonolingual(website) ? website.languages[0] : undefined);
}

function hasNot(website: WebsiteLanguages, language: string): boolean {
  return website.languages.length > 0 && !website.languages.includes(language);
}

function without(texts: Readonly<Record<string, string>>, language: string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([key]) => key !== language));
}

function notRead(expected: string, actual: unknown, pointer: string): Fault {
  const where = pointer === '' ? '' : ` under ${pointer}`;
  const message = `The text ${JSON.stringify(expected)} was sent and ${inWords(actual)} was read${where}.`;
  return fault('multilanguage.reads-back', message, pointer, expected, actual);
}

function fault(rule: string, message: string, pointer: string, expected: unknown, actual: unknown): Fault {
  return { rule, level: 'MUST', message, pointer, expected, actual };
}
