/** Whether a value that is read is the one that was sent, or that was read before, by the kind of its field. */
import type { Kind } from '../../../../fields/forms.ts';
import { isSameAddress } from '../../../../fields/label-addresses.ts';
import { readsBack } from '../../../../fields/multilanguage.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { isRedacted } from '../../../reading/redacted.ts';

/** Undefined where the contract leaves it open, or a value was taken out of the recording. */
export function isKept(kind: Kind, sent: unknown, read: unknown, languages: ReadonlySet<string>): boolean | undefined {
  if (sent === read) return true;
  // What an empty value does is not judged here: it may be ignored, and a default may take its place.
  if (isUnset(sent)) return undefined;
  const kept = isOfKindKept(kind, sent, read, languages);
  return kept === false && (holdsHidden(sent) || holdsHidden(read)) ? undefined : kept;
}

function isOfKindKept(kind: Kind, sent: unknown, read: unknown, languages: ReadonlySet<string>): boolean | undefined {
  if (kind === 'multilanguage') return isTextKept(sent, read, languages);
  if (kind === 'country')
    return typeof sent === 'string' ? typeof read === 'string' && read.toLowerCase() === sent.toLowerCase() : undefined;
  if (kind === 'countries') return areCountriesKept(sent, read);
  if (kind === 'object') {
    if (!isJsonObject(sent)) return undefined;
    return Object.keys(sent).length === 0 ? undefined : isEqual(sent, read);
  }
  if (kind === 'address' && typeof sent === 'string') return isSameAddress(sent, read);
  // A value of another type breaks a clause of the integrator, and what the service makes of it is open.
  return typeof sent === 'string' ? sent === read : undefined;
}

function isTextKept(sent: unknown, read: unknown, languages: ReadonlySet<string>): boolean | undefined {
  if (typeof sent === 'string') {
    if (!isJsonObject(read) && typeof read !== 'string' && !isUnset(read)) return undefined;
    return readsBack(sent, read, { languages: [] }).length === 0;
  }
  if (!isJsonObject(sent)) return undefined;
  const texts = Object.entries(sent).filter(([, text]) => typeof text === 'string' && text !== '');
  if (isJsonObject(read)) {
    const isLost = ([language, text]: [string, unknown]): boolean =>
      Object.hasOwn(read, language) && read[language] !== null ? read[language] !== text : languages.has(language);
    return texts.some(isLost) ? false : undefined;
  }
  if (typeof read === 'string' && read !== '') {
    // A string shows one language only, which need not be known: of two that the website has, the text of the other is lost.
    const known = new Set(texts.filter(([language]) => languages.has(language)).map(([, text]) => text));
    if (known.size > 1) return false;
    return texts.length > 1 && texts.every(([language, text]) => languages.has(language) && text !== read)
      ? false
      : undefined;
  }
  return texts.some(([language]) => languages.has(language)) ? false : undefined;
}

function areCountriesKept(sent: unknown, read: unknown): boolean | undefined {
  const codes = (value: unknown): string[] | undefined =>
    Array.isArray(value) && value.every((code) => typeof code === 'string')
      ? [...new Set(value.map((code) => code.toLowerCase()))].sort()
      : undefined;
  const wanted = codes(sent);
  if (wanted === undefined) return undefined;
  return isEqual(wanted, isUnset(read) ? [] : codes(read));
}

/** Equal as JSON values; the order of the members of an object means nothing. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((value, index) => isEqual(value, b[index]));
  if (!isJsonObject(a) || !isJsonObject(b)) return false;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && isEqual(a[name], b[name]))
  );
}

/** A text that was sent and is read damaged: cut, escaped, trimmed, in another case, as a number. */
export function isDamaged(sent: unknown, read: unknown): boolean {
  if (typeof sent !== 'string' || isUnset(read) || (typeof read !== 'string' && typeof read !== 'number')) return false;
  const text = String(read);
  if (text === sent) return false;
  const forms = [text.trim(), unescaped(text), unescaped(unescaped(text))];
  const isCut = sent.length > MIN_CUT_CHARS && text.length >= sent.length / 4 && sent.startsWith(text);
  const isNumber = /^[\d.]+$/.test(sent) && /^[\d.]+$/.test(text) && Number(sent) === Number(text);
  return isCut || isNumber || forms.includes(sent) || text.toLowerCase() === sent.toLowerCase() || text === sent.trim();
}

/** A shorter text may begin like another one by chance. */
const MIN_CUT_CHARS = 8;

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#039': "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#0?39);|\\(["'\\])/g, (_, name: string | undefined, plain: string | undefined) =>
    name === undefined ? (plain ?? '') : (ENTITIES[name] ?? ''),
  );

/** Whether a value was taken out of the recording, in whole or in part. */
export function holdsHidden(value: unknown): boolean {
  if (typeof value === 'string') return isRedacted(value);
  if (Array.isArray(value)) return value.some(holdsHidden);
  return isJsonObject(value) && Object.values(value).some(holdsHidden);
}

/** Codes of countries and sizes are in many texts by chance. */
const MIN_WORD_CHARS = 3;

/**
 * Whether a service that derives values from others could not have come to a text by those that were sent: none of them holds it,
 * or is held by it.
 */
export function areWordsApart(text: string, values: readonly unknown[]): boolean {
  const wanted = text.toLowerCase();
  const holds = (whole: string, part: string): boolean => part.length >= MIN_WORD_CHARS && whole.includes(part);
  return values.flatMap(textsOf).every((other) => other !== wanted && !holds(wanted, other) && !holds(other, wanted));
}

/** All texts of a value, in lower case. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsOf);
  return isUnset(value) ? [] : [String(value).toLowerCase()];
}
