/** Evidence in a size that people can read and reports can carry, whatever a target answered. */
import { createHash } from 'node:crypto';
import type { Redaction } from './redaction/index.ts';

/** Values that are smaller than this, as JSON, are kept as they are. */
const MAX_CHARACTERS = 64 * 1024;
/** In a value that is larger: of each text, of each list and object, and of levels. */
const MAX_CHARACTERS_OF_TEXT = 2_000;
const MAX_MEMBERS = 100;
const MAX_LEVELS = 40;
/** A sentence longer than this contains a value of the target. */
const MAX_CHARACTERS_OF_SENTENCE = 4_000;

/**
 * A JSON value as it is, or, when it is large, with long texts and lists cut. What was cut says how much it was and carries a
 * hash of it, so that two values which part only in what was cut still read as different.
 */
export function bounded<T>(value: T): T | unknown {
  const room = { characters: MAX_CHARACTERS };
  return fits(value, room, 0) ? value : cut(value, { characters: MAX_CHARACTERS }, 0);
}

/**
 * A JSON value without its secrets, and then in a size that can be carried: what is cut first is not recognised any more. What
 * was cut is redacted again, for a cut can leave a short secret at the end of a text.
 */
export function evidenceOf<T>(value: T, redaction: Redaction): T | unknown {
  const redacted = redaction.value(value);
  const shown = bounded(redacted);
  return shown === redacted ? redacted : redaction.value(shown);
}

/** The same of a sentence. */
export function sentenceOf(text: string, redaction: Redaction): string {
  const redacted = redaction.text(text);
  const shown = boundedSentence(redacted);
  return shown === redacted ? redacted : redaction.text(shown);
}

/** A sentence, cut where it is longer than a person reads. */
export function boundedSentence(text: string): string {
  return text.length <= MAX_CHARACTERS_OF_SENTENCE ? text : cutText(text, MAX_CHARACTERS_OF_SENTENCE);
}

interface Room {
  characters: number;
}

function fits(value: unknown, room: Room, level: number): boolean {
  room.characters -= typeof value === 'string' ? value.length + 2 : 4;
  if (room.characters < 0 || level > MAX_LEVELS) return false;
  if (typeof value !== 'object' || value === null) return true;
  for (const [key, member] of Object.entries(value)) {
    if (!Array.isArray(value)) room.characters -= key.length;
    if (!fits(member, room, level + 1)) return false;
  }
  return true;
}

function cut(value: unknown, room: Room, level: number): unknown {
  if (typeof value === 'string') {
    const shown = value.length > MAX_CHARACTERS_OF_TEXT ? cutText(value, MAX_CHARACTERS_OF_TEXT) : value;
    room.characters -= shown.length;
    return shown;
  }
  room.characters -= 4;
  if (typeof value !== 'object' || value === null) return value;
  if (level >= MAX_LEVELS) return `… (more than ${MAX_LEVELS} levels deep)`;
  const members = Object.entries(value);
  const kept: [string, unknown][] = [];
  for (const [key, member] of members.slice(0, MAX_MEMBERS)) {
    if (room.characters <= 0) break;
    room.characters -= key.length;
    kept.push([key.length > MAX_CHARACTERS_OF_TEXT ? cutText(key, 100) : key, cut(member, room, level + 1)]);
  }
  const more = members.length - kept.length;
  if (Array.isArray(value)) return [...kept.map(([, member]) => member), ...(more > 0 ? [moreOf(more, value)] : [])];
  return Object.fromEntries([...kept, ...(more > 0 ? [['…', moreOf(more, value)]] : [])]);
}

const moreOf = (count: number, value: object): string =>
  `… (${count.toLocaleString('en')} more, ${hashOf(value)} in all)`;

function cutText(text: string, most: number): string {
  const left = text.length - most;
  return `${text.slice(0, most).toWellFormed()}… (${left.toLocaleString('en')} more characters, ${hashOf(text)} in all)`;
}

/** Distinguishes two large values; a few digits are enough for that. */
function hashOf(value: unknown): string {
  const hash = createHash('sha256');
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'object' && next !== null) {
      hash.update(Array.isArray(next) ? '[' : '{');
      for (const [key, member] of Object.entries(next)) waiting.push(key, member);
    } else hash.update(`${typeof next}:${String(next)};`);
  }
  return `SHA-256 ${hash.digest('hex').slice(0, 12)}`;
}
