/** The judgements that both manifests share: one small object that collects faults while the fields are gone through. */

import { isLanguageCode } from '../fields/scalars.ts';
import { isJsonObject } from '../json/object.ts';
import { pointerOf } from '../json/pointer.ts';
import { inWords } from '../json/words.ts';
import type { FaultLevel } from '../run/fault.ts';

/** One fault of a manifest. No message contains the secret. */
export interface ManifestFault {
  /** A path of meaning, stable: `manifest.text.type`. */
  readonly rule: string;
  readonly level: FaultLevel;
  /** JSON pointer (RFC 6901) to the field; for a missing field, to where it would be. */
  readonly pointer: string;
  readonly message: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A field of an object that is being judged. */
export interface Field {
  readonly owner: JsonObject;
  readonly pointer: string;
  readonly name: string;
}

/** Shorter secrets occur in other texts by chance: masking them would spoil every message. Their own field is never shown. */
export const MIN_MASKED_SECRET_CHARACTERS = 8;

export class ManifestJudge {
  readonly faults: ManifestFault[] = [];
  readonly #secret: string | undefined;

  /** @param secret masked in every message, anywhere in the manifest */
  constructor(secret?: unknown) {
    this.#secret = typeof secret === 'string' && secret.length >= MIN_MASKED_SECRET_CHARACTERS ? secret : undefined;
  }

  add(rule: string, level: FaultLevel, pointer: string, message: string): void {
    this.faults.push({
      rule: `manifest.${rule}`,
      level,
      pointer: this.#masked(pointer),
      message: this.#masked(message),
    });
  }

  /** A value in words, shortened only after the secret was masked, so that no part of it is left. */
  inWords(value: unknown): string {
    return inWords(typeof value === 'string' ? this.#masked(value) : value);
  }

  /** The value of a field; undefined when it is absent or null, which is a fault only of a mandatory one. */
  valueOf(field: Field, mandatory: boolean): unknown {
    const value = field.owner[field.name] ?? undefined;
    if (value === undefined && mandatory)
      this.add('mandatory', 'MUST', at(field), `\`${field.name}\` is mandatory and missing.`);
    return value;
  }

  /** A text in one language. Returns it when it says something. */
  text(field: Field, mandatory: boolean): string | undefined {
    const value = this.valueOf(field, mandatory);
    if (value === undefined) return undefined;
    if (typeof value !== 'string') {
      const hint = isJsonObject(value) ? ' This field is not localizable.' : '';
      this.add(
        'text.type',
        'MUST',
        at(field),
        `\`${field.name}\` is ${this.inWords(value)}; it must be a string.${hint}`,
      );
      return undefined;
    }
    return this.#filled(value, at(field), field.name);
  }

  /** A text, or an object from language code to text. Returns what says something, with its pointers. */
  localized(field: Field, mandatory: boolean): ReadonlyArray<{ text: string; pointer: string; language?: string }> {
    const value = this.valueOf(field, mandatory);
    if (value === undefined) return [];
    const pointer = at(field);
    if (typeof value === 'string') {
      const text = this.#filled(value, pointer, field.name);
      return text === undefined ? [] : [{ text, pointer }];
    }
    if (!isJsonObject(value)) {
      const message = `\`${field.name}\` is ${this.inWords(value)}; it must be a string or an object of language codes and strings.`;
      this.add('text.type', 'MUST', pointer, message);
      return [];
    }
    if (Object.keys(value).length === 0)
      this.add('text.empty', 'SHOULD', pointer, `\`${field.name}\` contains no text in any language.`);
    return Object.entries(value).flatMap(([language, text]) => {
      const own = pointer + pointerOf(language);
      if (!isLanguageCode(language)) {
        const message = `${JSON.stringify(language)} in \`${field.name}\` is not a language code such as "en" or "pt-BR".`;
        this.add('text.language-code', 'MUST', own, message);
      }
      if (typeof text !== 'string') {
        const message = `\`${field.name}\` in ${JSON.stringify(language)} is ${this.inWords(text)}; it must be a string.`;
        this.add('text.type', 'MUST', own, message);
        return [];
      }
      const filled = this.#filled(text, own, `${field.name} in ${language}`);
      return filled === undefined ? [] : [{ text: filled, pointer: own, language }];
    });
  }

  /** One of a few fixed texts. */
  oneOf(field: Field, allowed: readonly string[]): void {
    const value = this.valueOf(field, true);
    if (value === undefined || (typeof value === 'string' && allowed.includes(value))) return;
    const choices = allowed.map((choice) => `"${choice}"`).join(' or ');
    this.add('enum', 'MUST', at(field), `\`${field.name}\` is ${this.inWords(value)}; it must be ${choices}.`);
  }

  /**
   * An address. `level` is how badly a text that is not an address breaks the contract: a MUST where the field is defined as URL
   * or link, a SHOULD where only its name says so. `https` is a MUST for pages that the integrator hosts, except on loopback.
   */
  address(text: string, pointer: string, name: string, level: FaultLevel, https: FaultLevel = 'SHOULD'): void {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined) {
      const message = `\`${name}\` is ${this.inWords(text)}, which is not a full address such as https://example.com/page.`;
      this.add('url', level, pointer, message);
    } else if (/\s/.test(text)) {
      // Browsers drop or encode it; other programs refuse the address, or cut it off there.
      this.add('url', level, pointer, `\`${name}\` is ${this.inWords(text)}, an address that contains whitespace.`);
    } else if (url.protocol === 'https:' || isLoopback(url)) {
      return;
    } else if (url.protocol === 'http:') {
      const why =
        https === 'MUST' ? 'pages that the integrator hosts have to use https' : 'browsers and stores expect https';
      this.add('https', https, pointer, `\`${name}\` is an address over plain http; ${why}.`);
    } else {
      this.add(
        'url',
        https === 'MUST' ? 'MUST' : level,
        pointer,
        `\`${name}\` has the scheme "${url.protocol}" instead of https.`,
      );
    }
  }

  #filled(text: string, pointer: string, name: string): string | undefined {
    if (text.trim() !== '') return text;
    this.add('text.empty', 'SHOULD', pointer, `\`${name}\` is empty.`);
    return undefined;
  }

  #masked(text: string): string {
    if (this.#secret === undefined) return text;
    const forms = [
      this.#secret,
      JSON.stringify(this.#secret).slice(1, -1),
      encodeURIComponent(this.#secret.toWellFormed()),
      pointerOf(this.#secret).slice(1),
    ];
    return forms.reduce((masked, form) => masked.replaceAll(form, '***'), text);
  }
}

/** The pointer of a field. */
export function at(field: Field): string {
  return field.pointer + pointerOf(field.name);
}

/** Something with an `@` between other characters: all that can be said of an address without sending mail. */
export function looksLikeEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text.trim());
}

function isLoopback(url: URL): boolean {
  const host = url.hostname.toLowerCase();
  const loopback =
    host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host);
  return loopback && url.protocol === 'http:';
}
