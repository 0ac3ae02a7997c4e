/** Secrets so short that they occur by chance in ordinary text: they are replaced only in fields that carry credentials. */
import { type RedactedPiece, within } from './pieces.ts';
import type { SecretText } from './search/index.ts';

/** Longer values are replaced wherever they are. */
export const MIN_EVERYWHERE_CHARS = 8;

/**
 * `password=abc`, `"apiToken": "abc"`, `Authorization: ApiKey abc`: a credential field in running text, up to its value. All
 * runs are bounded, so that the time stays in proportion to the text.
 */
const CREDENTIAL_IN_TEXT =
  '((?:api[-_]?key|api[-_]?token|app[-_]?secret|auth[-_]?code|authorization|email|login[-_]?url|password|secret|token)' +
  '(?:%22|\\\\{0,15}["\'])?\\s{0,8}(?:=|:|%3[aA]|%3[dD])\\s{0,8}(?:%22|\\\\{0,15}["\'])?' +
  '(?:(?:ApiKey|Basic|Bearer)(?:\\s|%20|\\+){1,8})?)';

export class ShortSecrets {
  /** The longest first. */
  readonly #secrets: SecretText[] = [];
  #inText: RegExp | undefined;

  add(secret: SecretText): void {
    this.#secrets.push(secret);
    this.#secrets.sort((a, b) => b.value.length - a.value.length);
    const forms = this.#secrets.map(({ value }) => formsOf(value)).join('|');
    this.#inText = new RegExp(`${CREDENTIAL_IN_TEXT}(${forms})(?![A-Za-z0-9_])`, 'gi');
  }

  /** Replaces them in running text, behind the names of credential fields. */
  inText(pieces: readonly RedactedPiece[]): readonly RedactedPiece[] {
    if (this.#inText === undefined) return pieces;
    return within(pieces, this.#inText, ([, before = '', found = '']) => [before, this.#labelOf(found)]);
  }

  /** Replaces them wherever they are in the value of a credential field. */
  inField(pieces: readonly RedactedPiece[]): readonly RedactedPiece[] {
    return this.#secrets.reduce(
      (output, { name, value }) => within(output, new RegExp(escaped(value), 'g'), () => ['', `$${name}`]),
      pieces,
    );
  }

  /** The text with what `instead` gives for each of them behind the name of a credential field. */
  replacedBy(text: string, instead: (found: string) => string): string {
    if (this.#inText === undefined) return text;
    return text.replace(this.#inText, (_all, before: string, found: string) => `${before}${instead(found)}`);
  }

  #labelOf(found: string): string {
    const match =
      this.#secrets.find(({ value }) => value === found) ??
      this.#secrets.find(({ value }) => new RegExp(`^(?:${formsOf(value)})$`, 'i').test(found));
    return match === undefined ? '$SECRET' : `$${match.name}`;
  }
}

/** A pattern for a secret as it is, URL-encoded, and in JSON. */
export function formsOf(value: string): string {
  const forms = new Set([value, encodeURIComponent(value.toWellFormed()), JSON.stringify(value).slice(1, -1)]);
  return [...forms].map(escaped).join('|');
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
