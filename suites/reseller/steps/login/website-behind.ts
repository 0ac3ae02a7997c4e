/** Which website a page behind a login is about, as far as the page names it. */
import { type RecordId, recordId } from '../../../../contracts/json/record-ids.ts';
import type { Json } from '../../../../harness/target/interfaces/delivery.ts';

/** What identifies a website to its owner. A reseller may show its own brand to all of them, so that a brand alone says little. */
const NAMES = ['websiteAlias', 'websiteBrandname', 'userEmail', 'userName'] as const;
/** Shorter texts and numbers are on pages by chance. */
const MIN_NAME_CHARS = 4;

/**
 * The id of another website that a page names in place of the own one; undefined if the page names the own website, or none
 * for certain. What a page in front of the login says as well is not counted.
 */
export function websiteBehind(
  page: string,
  front: string,
  records: readonly Json[],
  own: RecordId,
): RecordId | undefined {
  const isNew = (name: string): boolean => hasWord(page, name) && !hasWord(front, name);
  const mine = records.find((record) => idOf(record) === own);
  if (mine === undefined) return undefined;
  // A website may be listed twice by mistake.
  const others = records.filter((record) => idOf(record) !== own);
  // A user with several websites has one name and one address for all of them.
  const isOfMineOnly = (name: string): boolean => !others.some((record) => namesOf(record).includes(name));
  if (namesOf(mine).some((name) => isOfMineOnly(name) && hasWord(page, name))) return undefined;
  const isNamed = (record: Json): boolean => {
    const own = namesOf(record).filter((name) => name !== idOf(record) && !namesOf(mine).includes(name));
    return isNew(idOf(record)) || new Set(own.filter(isNew)).size > 1;
  };
  const named = others.filter(isNamed);
  return named.length === 1 ? idOf(named[0]!) : undefined;
}

const idOf = (record: Json): RecordId => recordId(record, 'websiteID') ?? '';

const namesOf = (record: Json): string[] => [
  idOf(record),
  ...NAMES.map((name) => record[name]).filter((value): value is string => typeof value === 'string'),
];

/** Whether a text has a name as a word of its own, as it is written or escaped: for HTML, or in a text of a script. */
function hasWord(text: string, name: string): boolean {
  if (name.length < MIN_NAME_CHARS) return false;
  return [...formsOf(name)].some((form) =>
    partsBetween(text, form).some(([before, after]) => !isWordCharacter(before) && !isWordCharacter(after)),
  );
}

/** How languages escape an apostrophe and a quotation mark for HTML, where they do. */
const APOSTROPHES = ["'", '&#39;', '&#039;', '&#x27;', '&apos;'];
const QUOTES = ['"', '&quot;', '&#34;'];

function formsOf(name: string): Set<string> {
  const marked = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  const forms = new Set([name]);
  for (const html of [marked, marked.replaceAll('>', '&gt;')]) {
    for (const apostrophe of APOSTROPHES)
      for (const quote of QUOTES) forms.add(html.replaceAll("'", apostrophe).replaceAll('"', quote));
  }
  for (const form of [...forms]) {
    const inScript = JSON.stringify(form).slice(1, -1);
    forms.add(inScript).add(inScript.replaceAll(/[^\x20-\x7e]/g, unicodeEscape));
  }
  return forms;
}

const unicodeEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const isWordCharacter = (character: string): boolean => /[\p{L}\p{N}_-]/u.test(character);

/** The characters around each place of a text. */
function partsBetween(text: string, part: string): (readonly [before: string, after: string])[] {
  const found: (readonly [string, string])[] = [];
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1))
    found.push([text.charAt(at - 1), text.charAt(at + part.length)]);
  return found;
}
