/**
 * Parses JSON, and a text that came a short while ago not again: what was uploaded is listed, a list is polled, and responses
 * without data look all the same. The value of one text is one object, which its readers share, so that none may change it.
 */
import { parseRecords } from '../../json/record-ids.ts';

/** Texts that are remembered, twice: those of now, and those before them. */
const MAX_TEXTS = 64;
/** A longer text is rare, and rarely comes twice. */
const MAX_CHARACTERS = 32 * 1024;

export class JsonTexts {
  #now = new Map<string, unknown>();
  #before = new Map<string, unknown>();

  /** Throws a SyntaxError for what is not JSON. */
  parse(text: string): unknown {
    if (text.length > MAX_CHARACTERS) return parseRecords(text);
    const known = this.#now.get(text);
    if (known !== undefined) return known;
    const value = this.#before.get(text) ?? parseRecords(text);
    if (this.#now.size >= MAX_TEXTS) {
      this.#before = this.#now;
      this.#now = new Map();
    }
    this.#now.set(text, value);
    return value;
  }
}
