/**
 * The words that replace a check's own values, and the reverse. A word is made from a key, so that the same value always goes out as
 * the same word; responses are translated back by exact match.
 */
import { isJsonObject } from '../../../contracts/json/object.ts';
import { digitsOf, type IdForm, IN_FORM, lettersOf } from './codes.ts';
import { isPostalCodeOf, postalCodeOf } from './postal-codes.ts';

const MAX_CODE_ATTEMPTS = 50;

export class Replacements {
  readonly #mark: string;
  readonly #wordByKey = new Map<string, string>();
  /** By word: the value that it replaces; `undefined` for one that the check did not send. */
  readonly #valueByWord = new Map<string, unknown>();

  /** `mark` makes the words of two attempts differ. */
  constructor(mark: string) {
    this.#mark = mark;
  }

  get isEmpty(): boolean {
    return this.#valueByWord.size === 0;
  }

  /** Notes that a word goes out for a value. */
  note(word: string, own: unknown): void {
    this.#valueByWord.set(word, own);
  }

  /** A word for a value: a first letter and small letters. */
  word(key: string, own: unknown, firstLetter = 'P'): string {
    const known = this.#wordByKey.get(key);
    if (known !== undefined) return known;
    const word = `${firstLetter}${lettersOf(`${this.#mark} ${this.#wordByKey.size} ${key}`)}`;
    this.#wordByKey.set(key, word);
    this.#valueByWord.set(word, own);
    return word;
  }

  /** A word for something that the check did not send; it is removed from responses. */
  filler(name: string, of = ''): string {
    return this.word(`nothing ${name} ${of}`, undefined);
  }

  /** A short code in a form; a value that has this form already stays. */
  code(form: IdForm, key: string, own: string | undefined): string {
    const known = own !== undefined && IN_FORM[form].test(own) ? own : this.#wordByKey.get(key);
    if (known !== undefined) return known;
    for (let attempt = 0; ; attempt += 1) {
      const letters = lettersOf(`${this.#mark} ${attempt} ${key}`).toUpperCase();
      const code = form === 'capitals' ? letters : digitsOf(letters);
      if (this.#valueByWord.has(code)) continue;
      this.#wordByKey.set(key, code);
      this.#valueByWord.set(code, own);
      return code;
    }
  }

  /** A zip as it goes out: as it is if the country has such codes, otherwise a postal code of the country. `plain`: its plain form. */
  zip(own: string, plain: string, country: unknown): string {
    if ((plain === own && this.#replacesAnother(own)) || !isPostalCodeOf(country, plain))
      return this.postalCode(`zip ${own}`, own, country);
    // From now on it replaces itself and no other zip.
    if (plain === own && !this.#valueByWord.has(own)) this.#valueByWord.set(own, own);
    return plain;
  }

  /** A zip that goes out as it is; another postal code where it has gone out for another zip before, or responses would show that one. */
  keptZip(own: string, country: unknown): string {
    if (this.#replacesAnother(own)) return this.postalCode(`zip ${own}`, own, country);
    if (own !== '') this.#valueByWord.set(own, own);
    return own;
  }

  /** A country has so few codes that this one may have gone out for another zip before. */
  #replacesAnother(own: string): boolean {
    return this.#valueByWord.has(own) && this.#valueByWord.get(own) !== own;
  }

  /** A postal code of the country: the same for the same key, a different one for each key. */
  postalCode(key: string, own: unknown, country: unknown): string {
    const keyOfCountry = `${String(country)} ${key}`;
    const known = this.#wordByKey.get(keyOfCountry);
    if (known !== undefined) return known;
    for (let attempt = 0; attempt < MAX_CODE_ATTEMPTS; attempt += 1) {
      const code = postalCodeOf(country, lettersOf(`${this.#mark} ${attempt} ${key}`));
      if (code === undefined || this.#valueByWord.has(code)) continue;
      this.#wordByKey.set(keyOfCountry, code);
      this.#valueByWord.set(code, own);
      return code;
    }
    return this.word(key, own);
  }

  /** A JSON value with the check's own values in place of the words. */
  restoreJson(value: unknown): unknown {
    if (typeof value === 'string') return this.#valueByWord.has(value) ? this.#valueByWord.get(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.restoreJson(one));
    if (!isJsonObject(value)) return value;
    const names = Object.keys(value);
    const { own } = value;
    const replacesObject = names.length === 1 && typeof own === 'string' && this.#valueByWord.has(own);
    if (replacesObject) return this.#valueByWord.get(own);
    const members = names.map((name) => [name, this.restoreJson(value[name])] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  }

  /** A text, such as a page, with the check's own values in place of the words. */
  restoreText(text: string): string {
    let restored = text;
    // The longest first: a whole snippet before the word in it.
    for (const [word, own] of [...this.#valueByWord].sort(([a], [b]) => b.length - a.length))
      if (typeof own === 'string' && restored.includes(word)) restored = restored.replaceAll(word, () => own);
    return restored;
  }
}
