// Reads the fields of methods and points from a body. Values of a wrong type are refused; nothing is coerced.
import { isObject, Refusal } from '../server/http.ts';
import type { Owner, Texts } from '../state.ts';

const refused = (message: string) => new Refusal(422, 1017, message);

/** The object that a call carries under `name`; a 422 when it is not there. */
export function wrapped(body: Record<string, unknown>, name: string): Record<string, unknown> {
  const value = body[name];
  if (!isObject(value)) throw refused(`The body has to hold an object named ${name}.`);
  return value;
}

/** A text, or null to remove it. */
export function textOrNull(value: unknown, name: string): string | null {
  if (value === null) return null;
  if (typeof value !== 'string') throw refused(`${name} has to be a string.`);
  if (!value.isWellFormed()) throw refused(`${name} holds half a character.`);
  return value;
}

/** A boolean, or `fallback` if it is absent. */
export function flag(value: unknown, name: string, fallback: boolean): boolean {
  if (value === undefined || value === null) return fallback;
  if (typeof value !== 'boolean') throw refused(`${name} has to be true or false.`);
  return value;
}

/** A 2-letter country code in the letter case it was sent in. */
function countryCode(value: unknown, name: string): string {
  if (typeof value !== 'string' || !/^[a-z]{2}$/i.test(value)) throw refused(`${name} has to be a 2-letter code.`);
  return value;
}

/** A country code, or `''` if `''` or null removes it. */
export function countryOrNone(value: unknown, name: string): string {
  return value === null || value === '' ? '' : countryCode(value, name);
}

/** A list of country codes as sent; null empties it. */
export function countries(value: unknown, name: string): string[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw refused(`${name} has to be an array of country codes.`);
  return value.map((entry) => countryCode(entry, `Each entry of ${name}`));
}

/** An address of the integrator: https, or plain http on this machine. Null switches label printing off. */
export function pageAddress(value: unknown, name: string): string | null {
  const text = textOrNull(value, name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const loopback = url !== null && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback)) return text;
  throw refused(`${name} has to be an https address.`);
}

/**
 * What a text becomes after `value` is sent: a plain string changes the default language, an object changes the
 * languages it names and leaves the others. Languages that the website does not have are skipped, null in an object
 * removes one language, null instead of a text removes all.
 */
export function mergedTexts(owner: Owner, before: Texts, value: unknown, name: string): Texts {
  if (value === null) return {};
  if (typeof value === 'string') return { ...before, [owner.defaultLanguage]: textOrNull(value, name) ?? '' };
  if (!isObject(value)) throw refused(`${name} has to be a string or an object of texts by language.`);
  const after = { ...before };
  for (const [language, entry] of Object.entries(value)) {
    const text = textOrNull(entry, `${name}.${language}`);
    if (!owner.languages.includes(language)) continue;
    if (text === null) delete after[language];
    else after[language] = text;
  }
  return after;
}

/** A text as it reads back: an object by language, a string for a website with one language, `''` when never set. */
export function readTexts(owner: Owner, texts: Texts): Texts | string {
  if (Object.keys(texts).length === 0) return '';
  return owner.textsReadAs === 'object' ? texts : (texts[owner.defaultLanguage] ?? '');
}

/** A text in one language, for a person. */
export function textFor(owner: Owner, texts: Texts, language: string): string {
  return texts[language] ?? texts[owner.defaultLanguage] ?? Object.values(texts)[0] ?? '';
}
