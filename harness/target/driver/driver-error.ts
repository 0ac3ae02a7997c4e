/** What a function of a user's driver threw, as the user needs it: the sentence, the line of the driver, and what the browser did. */

import { fileURLToPath } from 'node:url';
import { shortened } from '../../../contracts/json/words.ts';

/** Colours of terminals, in which Playwright writes its call log. */
const COLOURS = /\u001b\[[0-9;]*m/g;
/** A call log repeats what was retried; its first steps say what was waited for. */
const MAX_LOG_LINES = 6;
const MAX_LOG_CHARACTERS = 600;

/** `staging.driver.mjs:12:5` with the whole path, where the stack of an error leads through the file; undefined elsewhere. */
export function lineIn(file: string, thrown: unknown): string | undefined {
  const stack = textOf(thrown, 'stack');
  for (const [, place = '', position = ''] of stack.matchAll(
    /(?:\(|at (?:async )?)([^()\s][^()\n]{0,1000}?):(\d+:\d+)\)?$/gm,
  )) {
    // A module that was loaded again has a query behind its address.
    const [address = ''] = place.split('?', 1);
    if (pathOf(address) === file) return `${file}:${position}`;
  }
  return undefined;
}

/** The steps of the browser before an error of Playwright's, on one line; undefined without them. */
export function callLogOf(thrown: unknown): string | undefined {
  const [, log] = textOf(thrown, 'message')
    .replaceAll(COLOURS, '')
    .split(/\n[ \t]*Call log:[ \t]*\n/, 2);
  if (log === undefined) return undefined;
  const lines = log
    .split('\n')
    .map((line) => line.replace(/^[\s-]+/, '').trim())
    .filter((line) => line !== '');
  const shown = shortened(lines.slice(0, MAX_LOG_LINES).join('; '), MAX_LOG_CHARACTERS);
  return shown === '' ? undefined : `${shown}${lines.length > MAX_LOG_LINES ? '; …' : ''}`;
}

/** ` at FILE:LINE:COLUMN (the browser: …)`, as far as it is known. */
export function placeOf(file: string, thrown: unknown): string {
  const line = lineIn(file, thrown);
  const log = callLogOf(thrown);
  return `${line === undefined ? '' : ` at ${line}`}${log === undefined ? '' : ` (the browser's call log: ${log})`}`;
}

/** Anything can be thrown, and anything can go wrong in looking at it. */
export function textOf(thrown: unknown, name: 'stack' | 'message'): string {
  try {
    return thrown instanceof Error ? String(thrown[name] ?? '') : '';
  } catch {
    return '';
  }
}

/** The path of a file address; other addresses as they are. */
export function pathOf(address: string): string {
  try {
    return address.startsWith('file:') ? fileURLToPath(address) : address;
  } catch {
    return address;
  }
}
