/** Whether something that a browser received gives a secret away, in any encoding that the redaction knows. */
import { createRedaction } from '../../evidence/redaction/index.ts';
import type { Secret } from '../../target/secrets/secret.ts';
import { type DecodedText, decodedTexts } from './decoded-texts.ts';
import { joinedLiterals } from './script-literals.ts';

export interface Leak {
  readonly secret: Secret;
  /** For people: `the page`, `a script`, `the address`, `a cookie`, `the header X-Debug`. */
  readonly where: string;
  /** Whole address, still to be redacted. */
  readonly url: string;
  readonly exchange?: number;
}

/** More of one text is not searched: a browser's page that long is data. */
const MAX_SEARCHED_CHARACTERS = 1024 * 1024;

/** A shorter one may come about where ordinary words follow each other. */
const MIN_JOINED_CHARACTERS = 12;

/** Programs and pictures come again with every page: what was found in them is remembered. */
const MIN_REMEMBERED_CHARACTERS = 8 * 1024;
const MAX_REMEMBERED = 40;

/** Receives each encoded part of a text that holds a secret, which no redaction would recognise by itself. */
export type EncodedFound = (name: string, encoded: string) => void;

/** Names the secrets that a text contains. */
export function createLeakSearch(
  secrets: readonly Secret[],
  onEncoded: EncodedFound = () => undefined,
): (text: string) => Secret[] {
  const searches = secrets.map((secret) => {
    // A page may show the beginning of a key, as masked keys are shown.
    const redaction = createRedaction({ fragments: false });
    redaction.add({ name: secret.name, value: secret.reveal() });
    const value = secret.reveal();
    const reversed = [...value].reverse().join('');
    const isLong = value.length >= MIN_JOINED_CHARACTERS;
    const isIn = (text: string): boolean => redaction.text(text) !== text;
    const isEncodedIn = (decoded: readonly DecodedText[]): boolean => {
      // All of them at once: nearly no page holds a secret.
      if (!isIn(decoded.map(({ text }) => text).join('\n'))) return false;
      for (const { text, encoded } of decoded) if (isIn(text)) onEncoded(secret.name, encoded);
      return true;
    };
    return {
      secret,
      isHeld: (text: string, joined: string, decoded: readonly DecodedText[]): boolean =>
        isIn(text) || (isLong && (joined.includes(value) || text.includes(reversed))) || isEncodedIn(decoded),
    };
  });
  const remembered = new Map<string, Secret[]>();
  return (text) => {
    const searched = text.length > MAX_SEARCHED_CHARACTERS ? text.slice(0, MAX_SEARCHED_CHARACTERS) : text;
    if (searched === '') return [];
    const known = remembered.get(searched);
    if (known !== undefined) return known;
    const joined = joinedLiterals(searched);
    const decoded = decodedTexts(searched);
    const found = searches.filter(({ isHeld }) => isHeld(searched, joined, decoded)).map(({ secret }) => secret);
    if (searched.length >= MIN_REMEMBERED_CHARACTERS && remembered.size < MAX_REMEMBERED)
      remembered.set(searched, found);
    return found;
  };
}

/** Where a secret was found, each place once: `a page, a cookie and a script`. */
export function placesOf(leaks: readonly Leak[]): string {
  const places = [...new Set(leaks.map(({ where }) => where))];
  return places.length < 2 ? (places[0] ?? '') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
}
