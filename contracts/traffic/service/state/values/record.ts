/** What a record that is read shows of the writes before it: each field that the contract settles, and no other. */
import type { Kind } from '../../../../fields/forms.ts';
import { isUnset } from '../../../../fields/unset.ts';
import { isJsonObject } from '../../../../json/object.ts';
import { pointerOf } from '../../../../json/pointer.ts';
import { inWords } from '../../../../json/words.ts';
import { isRedacted } from '../../../reading/redacted.ts';
import type { ClauseFinding } from '../../../tally.ts';
import { inheritedFindings } from '../lists/inherited.ts';
import { type Cause, creationOf, type Item, type Json, type SentFields, sentIn } from '../lists/item.ts';
import { emptiedFinding } from './emptied.ts';
import { isExpected } from './expected.ts';
import { isDamaged, isEqual, isKept } from './index.ts';
import { readOnlyFindings } from './read-only.ts';

export interface RecordFields {
  /** What the item is called in a message. */
  readonly what: string;
  /** Fields that clients write. */
  readonly fields: Readonly<Record<string, Kind>>;
  /** Fields that the service sets itself, with the clause. */
  readonly readOnly: Readonly<Record<string, string>>;
  /** Fields that are empty unless a client sets them, with the clause. */
  readonly nullUnlessSet: Readonly<Record<string, string>>;
  /** Languages in which the service has returned a text. */
  readonly languages: ReadonlySet<string>;
}

const NONE: readonly ClauseFinding[] = [];
const OTHER_LANGUAGES = 'delivery.multilanguage.string-keeps-other-languages';

/**
 * What the record of an item that a read began at `startMs` returned shows broken. `change`: what came between the read before and
 * this one.
 */
export function recordFindings(
  item: Item,
  record: Json,
  { startMs, change, about }: { startMs: number; change: Cause | undefined; about: RecordFields },
): ClauseFinding[] {
  const found: ClauseFinding[] = readOnlyFindings(item, record, startMs, about);
  if (item.sent === undefined && change === undefined) return found;
  const before = found.length;
  let differs = false;
  for (const name in about.fields) {
    const sent = sentIn(item, name);
    const wanted = sent === undefined ? item.record?.[name] : sent.fields[name];
    const kind = about.fields[name] as Kind;
    if (isKept(kind, wanted, record[name], about.languages) === false) {
      const cause = sent?.cause ?? change;
      const one = differenceOf(item, record, name, {
        wanted,
        cause,
        isSent: sent !== undefined,
        startMs,
        what: about.what,
      });
      differs = true;
      if (one !== undefined) found.push(one);
      continue;
    }
    const emptied = emptiedFinding(item, record, startMs, { name, what: about.what });
    if (emptied !== undefined) found.push(emptied);
    const isRecent = sent === undefined ? isFresh(item, startMs) : isExpected(sent.cause.endMs, startMs);
    if (!isRecent || isUnset(record[name])) continue;
    const shown = [
      unsetFindings(item, record, name, sent?.cause, about),
      inheritedFindings(item, record, name, about),
      kind === 'multilanguage' ? otherLanguages(item, record, name, about) : NONE,
    ];
    for (const findings of shown) if (findings.length > 0) found.push(...findings);
  }
  // Said once; what the other fields show then has the same cause.
  if (differs || found.length > before) item.sent = undefined;
  return found;
}

/** Whether an item was made so shortly before that no other client is taken to have changed it. */
const isFresh = ({ cause }: Item, startMs: number): boolean => cause !== undefined && isExpected(cause.endMs, startMs);

interface Difference {
  readonly wanted: unknown;
  readonly cause: Cause | undefined;
  readonly isSent: boolean;
  readonly startMs: number;
  readonly what: string;
}

function differenceOf(
  item: Item,
  record: Json,
  name: string,
  { wanted, cause, isSent, startMs, what }: Difference,
): ClauseFinding | undefined {
  const { refused } = item;
  if (refused !== undefined && Object.hasOwn(refused.fields, name) && isEqual(refused.fields[name], record[name]))
    return refusedFinding(item, name, refused, wanted, startMs, what);
  if (cause === undefined || !isExpected(isSent ? cause.endMs : item.readMs, startMs)) return undefined;
  if (isSent && item.mayBeOlder && cause === item.cause && !isDamaged(wanted, record[name])) return undefined;
  const clause = isSent ? cause.field?.(name) : cause === item.cause ? cause.otherFields : cause.otherItems;
  if (clause === undefined) return undefined;
  const by = `${cause.name} (exchange ${cause.n})`;
  return [
    clause,
    {
      message: isSent
        ? `${name} of the ${what} ${JSON.stringify(item.id)} is not read as ${by} set it`
        : `${name} of the ${what} ${JSON.stringify(item.id)} is another one after ${by}, which did not name it`,
      pointer: pointerOf(name),
      expected: wanted,
      actual: record[name] ?? inWords(record[name]),
    },
  ];
}

/** A value that was refused and is stored nevertheless. */
function refusedFinding(
  { id }: Item,
  name: string,
  { fields, cause }: SentFields,
  wanted: unknown,
  startMs: number,
  what: string,
): ClauseFinding | undefined {
  if (cause.item === undefined || !isExpected(cause.endMs, startMs)) return undefined;
  const message = `${name} of the ${what} ${JSON.stringify(id)} is what ${cause.name} (exchange ${cause.n}) was refused`;
  return [cause.item, { message, pointer: pointerOf(name), expected: wanted, actual: fields[name] }];
}

/** A value in a field that is empty unless a client sets it: of a new item, or after it was set to null. */
function unsetFindings(
  item: Item,
  record: Json,
  name: string,
  nulled: Cause | undefined,
  { nullUnlessSet, what }: RecordFields,
): readonly ClauseFinding[] {
  const clause = nullUnlessSet[name];
  const value = record[name];
  const [last] = item.sent ?? [];
  if (clause === undefined || last === undefined || isRedacted(value)) return NONE;
  const sent = sentIn(item, name);
  const isRemoved = sent !== undefined && sent.fields[name] === null;
  const isNew = sent === undefined && !item.mayBeOlder && creationOf(item) !== undefined;
  if (!isRemoved && !isNew) return NONE;
  const cause = nulled ?? last.cause;
  const message = isRemoved
    ? `the ${what} ${JSON.stringify(item.id)} has ${name} after ${cause.name} (exchange ${cause.n}) set it to null`
    : `the ${what} ${JSON.stringify(item.id)} has ${name}, which no client set since ${cause.name} (exchange ${cause.n})`;
  return [[clause, { message, pointer: pointerOf(name), expected: null, actual: value }]];
}

/**
 * A plain string sets the default language, whichever that is, so that of the texts that clients sent in other languages one at
 * most may be read as the string, and none may be another one or gone.
 */
function otherLanguages(
  item: Item,
  record: Json,
  name: string,
  { languages, what }: RecordFields,
): readonly ClauseFinding[] {
  // It takes the write of an object and a later one of a string.
  if (item.sent === undefined || item.sent.length < 2) return NONE;
  const read = record[name];
  const writes = item.sent.filter(({ fields }) => fields[name] !== undefined);
  const [last] = writes;
  const string = last?.fields[name];
  if (last === undefined || typeof string !== 'string' || string === '' || isRedacted(string)) return NONE;
  const objectAt = writes.findIndex(({ fields }) => typeof fields[name] !== 'string');
  const object = writes[objectAt]?.fields[name];
  if (!isJsonObject(object)) return NONE;
  const before = { ...earlierTexts(item, writes.slice(objectAt + 1), name), ...object };
  const strings = new Set(writes.slice(0, objectAt).map(({ fields }) => fields[name]));
  const others = Object.entries(before).filter(
    ([language, text]) => languages.has(language) && typeof text === 'string' && text !== '' && !isRedacted(text),
  );
  // A text that was read by language is read as a string once all languages but the default one are lost.
  const wasByLanguage = isJsonObject(item.record?.[name]);
  if (!isJsonObject(read) && !(wasByLanguage && typeof read === 'string' && strings.has(read))) return NONE;
  const readIn = (language: string): unknown => (isJsonObject(read) ? read[language] : read);
  const changed = others.filter(([language, text]) => readIn(language) !== text);
  const isDefault = ([language]: [string, unknown]): boolean => strings.has(readIn(language));
  const lost = changed.find((one) => !isDefault(one)) ?? changed.filter(isDefault)[1];
  if (lost === undefined || isRedacted(readIn(lost[0]))) return NONE;
  const { n, name: by } = last.cause;
  const message = `${name} of the ${what} ${JSON.stringify(item.id)} in the language ${JSON.stringify(lost[0])} is another one after ${by} (exchange ${n}), which sent a plain string`;
  return [
    [
      OTHER_LANGUAGES,
      {
        message,
        pointer: pointerOf(name, lost[0]),
        expected: lost[1],
        actual: readIn(lost[0]) ?? inWords(readIn(lost[0])),
      },
    ],
  ];
}

/** Texts of earlier objects that were there still when the item was read last, which was before it was written last. */
function earlierTexts({ record, readStep, writeStep }: Item, writes: readonly SentFields[], name: string): Json {
  const read = record?.[name];
  if (!isJsonObject(read) || readStep >= writeStep) return {};
  const sent: Record<string, unknown> = {};
  for (const { fields } of writes.toReversed()) if (isJsonObject(fields[name])) Object.assign(sent, fields[name]);
  return Object.fromEntries(Object.entries(sent).filter(([language, text]) => read[language] === text));
}
