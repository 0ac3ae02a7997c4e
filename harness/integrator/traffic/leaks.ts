/** Whether something that a browser received gives a secret away, in any encoding that the redaction knows. */
import type { RecordedExchange } from '../../evidence/recorded-exchange.ts';
import { createRedaction, type Redaction } from '../../evidence/redaction/index.ts';
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

/** Names the secrets that a text contains. */
export function createLeakSearch(secrets: readonly Secret[]): (text: string) => Secret[] {
  const searches = secrets.map((secret) => {
    const isIn = searchOf(secret);
    const value = secret.reveal();
    const reversed = [...value].reverse().join('');
    const isLong = value.length >= MIN_JOINED_CHARACTERS;
    return {
      secret,
      isHeld: (text: string, joined: string, decoded: string): boolean =>
        isIn(text) || isIn(decoded) || (isLong && (joined.includes(value) || text.includes(reversed))),
    };
  });
  const remembered = new Map<string, Secret[]>();
  return (text) => {
    const searched = text.length > MAX_SEARCHED_CHARACTERS ? text.slice(0, MAX_SEARCHED_CHARACTERS) : text;
    if (searched === '') return [];
    const known = remembered.get(searched);
    if (known !== undefined) return known;
    const joined = joinedLiterals(searched);
    // All encoded parts at once: nearly no page holds a secret.
    const decoded = textOf(decodedTexts(searched));
    const found = searches.filter(({ isHeld }) => isHeld(searched, joined, decoded)).map(({ secret }) => secret);
    if (searched.length >= MIN_REMEMBERED_CHARACTERS && remembered.size < MAX_REMEMBERED)
      remembered.set(searched, found);
    return found;
  };
}

/** Makes known to a redaction each encoded part of a response that holds a secret, since by itself it recognises one layer only. */
export function learnEncodedParts(
  secrets: readonly Secret[],
  redaction: Pick<Redaction, 'add'>,
): (exchange: Pick<RecordedExchange, 'response'>) => void {
  const searches = secrets.map((secret) => ({ secret, isIn: searchOf(secret) }));
  return ({ response }) => {
    const { body = '', headers = [] } = response ?? {};
    const values = headers.map(([, value]) => (typeof value === 'string' ? value : value.reveal()));
    const written = typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
    const decoded = decodedTexts([...values, written.slice(0, MAX_SEARCHED_CHARACTERS)].join('\n'));
    const all = textOf(decoded);
    for (const { secret, isIn } of searches.filter((one) => one.isIn(all)))
      for (const { text, encoded } of decoded)
        if (isIn(text)) redaction.add({ name: secret.name, value: encoded, learned: true });
  };
}

const textOf = (decoded: readonly DecodedText[]): string => decoded.map(({ text }) => text).join('\n');

/** Whether a text holds a secret in an encoding that the redaction knows. */
function searchOf(secret: Secret): (text: string) => boolean {
  // A page may show the beginning of a key, as masked keys are shown.
  const redaction = createRedaction({ fragments: false });
  redaction.add({ name: secret.name, value: secret.reveal() });
  return (text) => text !== '' && redaction.text(text) !== text;
}

/** Where a secret was found, each place once: `a page, a cookie and a script`. */
export function placesOf(leaks: readonly Leak[]): string {
  const places = [...new Set(leaks.map(({ where }) => where))];
  return places.length < 2 ? (places[0] ?? '') : `${places.slice(0, -1).join(', ')} and ${places.at(-1)}`;
}
