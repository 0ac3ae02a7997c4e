/** Why a user's module can't be loaded, with the file and line at which its author has to look. */
import { spawnSync } from 'node:child_process';
import { lineIn, pathOf, textOf } from './driver-error.ts';
import { firstLine } from './first-line.ts';

/** `Expression expected (/staging/driver.ts:3)`: the message on one line, and the place as far as it is known. */
export function loadErrorOf(file: string, thrown: unknown): string {
  const place = lineIn(file, thrown) ?? syntaxPlaceOf(textOf(thrown, 'stack')) ?? checkedPlaceOf(file, thrown);
  const reason = firstLine(thrown).replace(/ is not supported in strip-only mode$/, ONLY_TYPES);
  return `${reason}${place === undefined ? '' : ` (${place})`}`;
}

/** Node says that it removes types only, in words of its own. */
const ONLY_TYPES =
  ' needs a compiler, and Node only removes types: write it in plain JavaScript, or compile the module to .mjs';

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
