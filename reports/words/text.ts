/**
 * Texts for people, made of what a target sent. Nothing here trusts it: characters that hide, reorder or steer
 * (terminal escapes, right-to-left overrides, zero-width marks) are shown as their code.
 */

/** Controls, bidirectional marks, invisible characters, lone surrogates; tab and line feed only where `visible` asks. */
export const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\u{e0000}-\u{e007f}]/gu;

/** The text with every hidden character written out: `\u202e`. Line feeds and tabs stay. */
export function visible(text: string): string {
  return text.replace(HIDDEN, (hidden) => {
    let codes = '';
    for (let index = 0; index < hidden.length; index += 1) {
      codes += `\\u${hidden.charCodeAt(index).toString(16).padStart(4, '0')}`;
    }
    return codes;
  });
}

/** On one line: line feeds and tabs written out too. */
export function oneLine(text: string): string {
  return visible(text).replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** What says how much was left out takes about this much itself. */
const NOTE_CHARACTERS = 24;

/** About `most` characters, with a word on what was left out where that is worth it; never half a character. */
export function clip(text: string, most: number): string {
  if (text.length <= most + NOTE_CHARACTERS) return text;
  let end = most;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd800 && last <= 0xdbff) end -= 1;
  return `${text.slice(0, end)}… (${grouped(text.length - end)} more characters)`;
}

/** A JSON value as text of several lines; what can't be written (too deep) says so. */
export function pretty(value: unknown): string {
  return written(value, 2);
}

/** A JSON value on one line. */
export function compact(value: unknown): string {
  return oneLine(written(value, 0));
}

/** Indented deeper than this, a value's text is mostly blanks. */
const MAX_INDENTED_LEVELS = 60;

function written(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, null, deeperThan(value, MAX_INDENTED_LEVELS) ? 0 : indent) ?? 'null';
  } catch {
    return '(nested too deeply to be shown)';
  }
}

function deeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => deeperThan(member, levels - 1));
}

/** A reason as a sentence: capital letter, full stop. Words that are names (`v1`, `openOrder()`) keep their case. */
export function sentence(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') return '';
  const begun = /^[a-z]+(?=[ ,])/.test(trimmed) ? trimmed.charAt(0).toUpperCase() + trimmed.slice(1) : trimmed;
  return /[.!?…:]$/.test(begun) ? begun : `${begun}.`;
}

/** A whole number with commas: `12,345`. Node's own way loads the rules of all languages first, which takes longer than a report. */
export const grouped = (number: number): string =>
  number < 1000 ? String(number) : `${grouped(Math.floor(number / 1000))},${String(number % 1000).padStart(3, '0')}`;

/** `1 check`, `2 checks`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/** Milliseconds for people: `3 ms`, `1.2 s`, `2 min 05 s`. */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return '?';
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;
}

/** Test orders that a run placed, counted and named. */
export function ordersPlaced(orders: readonly string[]): string {
  const shown = orders.slice(0, MAX_ORDERS_NAMED).join(', ');
  const rest = orders.length > MAX_ORDERS_NAMED ? ` and ${orders.length - MAX_ORDERS_NAMED} more` : '';
  return `placed ${count(orders.length, 'test order')}, which no interface removes: ${shown}${rest}`;
}
const MAX_ORDERS_NAMED = 20;

/** Objects that were left behind for one reason are one line: the first few by name, and how many there are. */
export function leftoverLines(
  orphans: readonly { readonly object: string; readonly reason?: string }[],
): { objects: string; reason: string | undefined }[] {
  return [...Map.groupBy(orphans, ({ reason }) => reason)].map(([reason, alike]) => {
    const names = alike.slice(0, MAX_NAMED_ORPHANS).map(({ object }) => clip(object, 200));
    const rest = alike.length - names.length;
    return { objects: `${names.join(', ')}${rest === 0 ? '' : ` and ${rest} more (results.json names them)`}`, reason };
  });
}
const MAX_NAMED_ORPHANS = 3;
