// The inventory accounts for every sentence and table row of the spec, so that none is skipped in silence and a changed
// one is noticed. Here the spec is cut into units; contracts/inventory/inventory.yaml says what became of each of them.
import { createHash } from 'node:crypto';

/** One sentence or one table row of a document. */
export interface Unit {
  /** The headings above it (the title only where no other heading is above), then the caption, joined by `, `. */
  section: string;
  /** Its place among the units of its section, from 1. */
  ordinal: number;
  /** Its text with every run of white space as one space; a table row keeps its bars. */
  text: string;
  /** SHA-256 of `text` as lower-case hexadecimal digits. */
  sha256: string;
}

/** Why a unit became neither a clause nor an observation. */
export const REASONS = ['not-normative', 'outside-the-interface', 'not-observable', 'stated-elsewhere'] as const;

/** What became of one unit: clauses, observations or both, or else one reason. The text itself is never kept. */
export interface InventoryRow {
  section: string;
  ordinal: number;
  sha256: string;
  clauses?: string[];
  observation?: string;
  observations?: string[];
  because?: (typeof REASONS)[number];
  /** With `stated-elsewhere`: the clause that another sentence carries already. */
  where?: string;
}

type Block =
  | { kind: 'heading'; depth: number; text: string }
  | { kind: 'paragraph'; text: string; lines: number }
  | { kind: 'item'; text: string }
  | { kind: 'row'; text: string }
  | { kind: 'code'; text: string };

const HEADING = /^(#{1,6})\s+(.*?)\s*#*$/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(.*)$/;
const ROW = /^\s*\|/;
const SEPARATOR = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const FENCE = /^\s*(?:```|~~~)/;

/** A caption is a short paragraph that only names what follows it, such as a heading would. */
const MAX_CAPTION_WORDS_AT = 3;

/** Words that end with a full stop in the middle of a sentence; single letters ("A. Delivery") are known by their length. */
const ABBREVIATIONS = new Set([
  'e.g.',
  'i.e.',
  'etc.',
  'cf.',
  'vs.',
  'approx.',
  'no.',
  'resp.',
  'incl.',
  'max.',
  'min.',
]);

/** All units of a Markdown document in their order. Pure: the same text gives the same units. */
export function unitsOf(markdown: string): Unit[] {
  const units: Unit[] = [];
  const ordinals = new Map<string, number>();
  const headings: { depth: number; text: string }[] = [];
  let caption: string | undefined;

  const add = (text: string) => {
    const path = headings
      .filter((heading) => heading.depth > 1 || headings.length === 1)
      .map((heading) => heading.text);
    const section = [...path, ...(caption === undefined ? [] : [caption])].join(', ');
    const ordinal = (ordinals.get(section) ?? 0) + 1;
    ordinals.set(section, ordinal);
    units.push({ section, ordinal, text, sha256: createHash('sha256').update(text, 'utf8').digest('hex') });
  };

  const blocks = blocksOf(markdown);
  blocks.forEach((block, at) => {
    switch (block.kind) {
      case 'heading':
        while (headings.length > 0 && headings[headings.length - 1]!.depth >= block.depth) headings.pop();
        headings.push({ depth: block.depth, text: block.text });
        caption = undefined;
        break;
      case 'paragraph':
        caption = captionIn(block, blocks[at + 1]);
        if (caption === undefined) sentencesOf(block.text).forEach(add);
        break;
      case 'item':
        sentencesOf(block.text).forEach(add);
        break;
      case 'row':
      case 'code':
        add(block.text);
        break;
    }
  });
  return units;
}

/**
 * The sentences of one line of prose. A sentence ends with `.`, `?` or `!` (and closing brackets or quotes) before white space
 * and a character that can begin another; never inside code, after an abbreviation or after a single letter.
 */
export function sentencesOf(prose: string): string[] {
  const text = squeezed(prose);
  const sentences: string[] = [];
  let begin = 0;
  let inCode = false;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '`') inCode = !inCode;
    if (inCode || !'.?!'.includes(text[at]!)) continue;
    const rest = /^[.?!]+[)\]"'”’*_]*( )(?=[\p{Lu}\d`({[*"'“‘<])/u.exec(text.slice(at));
    if (rest === null || isAbbreviation(text.slice(begin, at + 1))) continue;
    const end = at + rest[0].length - 1;
    sentences.push(text.slice(begin, end));
    begin = end + 1;
    at = end;
  }
  if (begin < text.length) sentences.push(text.slice(begin));
  return sentences;
}

function isAbbreviation(upToStop: string): boolean {
  const word = upToStop.slice(upToStop.lastIndexOf(' ') + 1).replace(/^[([{"']+/, '');
  return ABBREVIATIONS.has(word.toLowerCase()) || /^\p{L}\.$/u.test(word);
}

function captionIn(block: { text: string; lines: number }, next: Block | undefined): string | undefined {
  const named = block.lines === 1 && block.text.endsWith(':') && (next?.kind === 'item' || next?.kind === 'row');
  const words = block.text.slice(0, -1).split(' ');
  return named && words.length <= MAX_CAPTION_WORDS_AT ? words.join(' ') : undefined;
}

function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { kind: 'paragraph' | 'item'; parts: string[] } | undefined;
  let table: string[] = [];
  let code: string[] | undefined;

  const close = () => {
    if (open !== undefined) {
      const text = squeezed(open.parts.join(' '));
      blocks.push(
        open.kind === 'item' ? { kind: 'item', text } : { kind: 'paragraph', text, lines: open.parts.length },
      );
    }
    open = undefined;
    // The first row of a table is its header when the second one is the separator.
    const body = SEPARATOR.test(table[1] ?? '') ? table.slice(2) : table;
    for (const row of body) if (!SEPARATOR.test(row)) blocks.push({ kind: 'row', text: squeezed(row) });
    table = [];
  };

  for (const line of markdown.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    if (code !== undefined) {
      if (FENCE.test(line)) {
        blocks.push({ kind: 'code', text: squeezed(code.join(' ')) });
        code = undefined;
      } else code.push(line);
      continue;
    }
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line);
    if (FENCE.test(line)) {
      close();
      code = [];
    } else if (heading !== null) {
      close();
      blocks.push({ kind: 'heading', depth: heading[1]!.length, text: squeezed(heading[2]!) });
    } else if (ROW.test(line)) {
      if (table.length === 0) close();
      table.push(line);
    } else if (line.trim() === '') {
      close();
    } else if (item !== null) {
      close();
      open = { kind: 'item', parts: [item[1]!] };
    } else {
      if (table.length > 0) close();
      open ??= { kind: 'paragraph', parts: [] };
      open.parts.push(line);
    }
  }
  close();
  if (code !== undefined && code.length > 0) blocks.push({ kind: 'code', text: squeezed(code.join(' ')) });
  return blocks.filter((block) => block.text !== '');
}

function squeezed(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}

/**
 * What is wrong with an inventory, as sentences: units without a row, rows without a unit, changed texts, rows that say nothing or
 * two things, ids that do not exist, and ids that no row names (a clause that no sentence carries is invented).
 */
export function inventoryProblems(
  units: readonly Unit[],
  rows: readonly InventoryRow[],
  known: { clauses: readonly string[]; observations: readonly string[] },
): string[] {
  return [...pairingProblems(units, rows), ...rows.flatMap(rowProblems), ...namingProblems(rows, known)];
}

/** The observations that a row names, in either spelling. */
export function observationsIn(row: InventoryRow): string[] {
  return [...(row.observation === undefined ? [] : [row.observation]), ...(row.observations ?? [])];
}

function placeOf(at: { section: string; ordinal: number }): string {
  return `${at.section}, unit ${at.ordinal}`;
}

function pairingProblems(units: readonly Unit[], rows: readonly InventoryRow[]): string[] {
  const problems: string[] = [];
  const rowAt = new Map<string, InventoryRow>();
  for (const row of rows) {
    if (rowAt.has(placeOf(row))) problems.push(`${placeOf(row)}: the inventory has two rows for it.`);
    rowAt.set(placeOf(row), row);
  }
  for (const unit of units) {
    const row = rowAt.get(placeOf(unit));
    if (row === undefined) problems.push(`${placeOf(unit)}: the spec has this unit, the inventory has no row for it.`);
    else if (row.sha256 !== unit.sha256) {
      problems.push(`${placeOf(unit)}: the text changed (${unit.sha256}); read it again and judge its row again.`);
    }
  }
  const places = new Set(units.map(placeOf));
  for (const row of rows)
    if (!places.has(placeOf(row))) problems.push(`${placeOf(row)}: this unit does not exist in the spec.`);
  return problems;
}

const ROW_KEYS = new Set([
  'section',
  'ordinal',
  'sha256',
  'clauses',
  'observation',
  'observations',
  'because',
  'where',
]);

function rowProblems(row: InventoryRow): string[] {
  const problems: string[] = [];
  const say = (what: string) => problems.push(`${placeOf(row)}: ${what}`);
  const named = [...(row.clauses ?? []), ...observationsIn(row)];
  for (const key of Object.keys(row)) if (!ROW_KEYS.has(key)) say(`"${key}" is not a key of an inventory row.`);
  if (!/^[0-9a-f]{64}$/.test(row.sha256)) say('sha256 must be 64 lower-case hexadecimal digits.');
  if (new Set(named).size !== named.length) say('an id is listed twice.');
  if (named.length === 0 && row.because === undefined) say('name clauses, an observation, or a reason.');
  if (named.length > 0 && row.because !== undefined)
    say('a unit with clauses or observations has no reason beside them.');
  if (row.because !== undefined && !REASONS.includes(row.because))
    say(`"${row.because}" is not one of ${REASONS.join(', ')}.`);
  if ((row.because === 'stated-elsewhere') !== (row.where !== undefined)) {
    say('"where" goes with stated-elsewhere and with nothing else.');
  }
  return problems;
}

function namingProblems(
  rows: readonly InventoryRow[],
  known: { clauses: readonly string[]; observations: readonly string[] },
): string[] {
  const clauses = new Set(known.clauses);
  const observations = new Set(known.observations);
  const problems: string[] = [];
  for (const row of rows) {
    const named = [...(row.clauses ?? []), ...(row.where === undefined ? [] : [row.where])];
    for (const id of named) if (!clauses.has(id)) problems.push(`${placeOf(row)}: the clause "${id}" does not exist.`);
    for (const id of observationsIn(row)) {
      if (!observations.has(id)) problems.push(`${placeOf(row)}: the observation "${id}" does not exist.`);
    }
  }
  const carried = new Set(rows.flatMap((row) => [...(row.clauses ?? []), ...observationsIn(row)]));
  for (const id of clauses) if (!carried.has(id)) problems.push(`Clause "${id}": no unit of the spec refers to it.`);
  for (const id of observations)
    if (!carried.has(id)) problems.push(`Observation "${id}": no unit of the spec refers to it.`);
  return problems;
}
