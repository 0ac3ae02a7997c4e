/** Whether something that a browser received gives a secret away, in any encoding that the redaction knows. */
import { createRedaction } from '../../evidence/redaction/index.ts';
import type { Secret } from '../../target/secrets/secret.ts';
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

/** Names the secrets that a text contains. */
export function createLeakSearch(secrets: readonly Secret[]): (text: string) => Secret[] {
  const searches = secrets.map((secret) => {
    // A page may show the beginning of a key, as masked keys are shown.
    const redaction = createRedaction({ fragments: false });
    redaction.add({ name: secret.name, value: secret.reveal() });
    const value = secret.reveal();
    const isJoined = (joined: string): boolean => value.length >= MIN_JOINED_CHARACTERS && joined.includes(value);
    return { secret, holds: (text: string, joined: string) => redaction.text(text) !== text || isJoined(joined) };
  });
  return (text) => {
    const searched = text.length > MAX_SEARCHED_CHARACTERS ? text.slice(0, MAX_SEARCHED_CHARACTERS) : text;
    if (searched === '') return [];
    const joined = joinedLiterals(searched);
    return searches.filter(({ holds }) => holds(searched, joined)).map(({ secret }) => secret);
  };
}

/** Where a secret was found, each place once: `a page, a cookie and a script`. */
export function placesOf(leaks: readonly Leak[]): string {
  const places = [...new Set(leaks.map(({ where }) => where))];
  return places.length < 2 ? (places[0] ?? '') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
}
