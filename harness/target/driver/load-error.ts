/** Why a user's module can't be loaded, with the file and line at which its author has to look. */
import { spawnSync } from 'node:child_process';
import { lineIn, pathOf, textOf } from './driver-error.ts';
import { firstLine } from './first-line.ts';

/** `Expression expected (/staging/driver.ts:3)`: the message on one line, and the place as far as it is known. */
export function loadErrorOf(file: string, thrown: unknown): string {
  const place = lineIn(file, thrown) ?? syntaxPlaceOf(textOf(thrown, 'stack')) ?? checkedPlaceOf(file, thrown);
  return `${firstLine(thrown)}${place === undefined ? '' : ` (${place})`}`;
}

/** Node begins the stack of an error in the text of a module with its file and line. */
function syntaxPlaceOf(text: string): string | undefined {
  const [, address, line] = /^(\S[^\n]*):(\d+)\r?\n/.exec(text) ?? [];
  return address === undefined ? undefined : `${pathOf(address)}:${line}`;
}

/** A syntax error of JavaScript that was caught has lost its place: `node --check` reads the file without running it. */
function checkedPlaceOf(file: string, thrown: unknown): string | undefined {
  if (!(thrown instanceof SyntaxError)) return undefined;
  return syntaxPlaceOf(spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' }).stderr ?? '');
}
