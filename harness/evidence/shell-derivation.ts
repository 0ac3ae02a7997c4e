/**
 * How a POSIX shell makes a wrong credential of the right one, so that a command repeats what was sent without giving either
 * away: the expression says which character was changed, never what it was.
 */
import { ANY_CHARACTER, caseSwapped, nextOfUuid } from '../target/near-miss.ts';

/** Ways of changing one character; the shell does the same to any character of that kind. */
const CHANGES: readonly { readonly of: (char: string) => string; readonly filter: string }[] = [
  { of: (char) => (/\d/.test(char) ? String((Number(char) + 1) % 10) : ''), filter: 'tr 0-9 1-90' },
  // The digits and the letters of a UUID, as `nextOfUuid` changes them.
  { of: (char) => (/\d/.test(char) ? nextOfUuid(char) : ''), filter: 'tr 0-9 a-fa-d' },
  { of: (char) => (/[a-fA-F]/.test(char) ? nextOfUuid(char) : ''), filter: 'tr a-fA-F b-faB-FA' },
  { of: (char) => (char === 'q' ? 'z' : 'q'), filter: 'sed -e s/q/z/ -e t -e s/./q/' },
  { of: (char) => (char === 'Q' ? 'Z' : 'Q'), filter: 'sed -e s/Q/Z/ -e t -e s/./Q/' },
  {
    of: (char) => (/[g-v]/.test(char) ? 'A' : 'q'),
    filter: "sed -e 's/[ghijklmnopqrstuv]/A/' -e t -e s/./q/",
  },
];

const SWAP_CASE = 'tr a-zA-Z A-Za-z';

/** What shells and `cut` count alike. */
const PLAIN = /^[\u0021-\u007e]+$/;
const ALPHANUMERIC = /^[0-9A-Za-z]+$/;

/**
 * The expression, in double quotes, that makes `wrong` of the value of the variable `name`; undefined when none is known.
 *
 * @example derivationOf('STORE_KEY', 'abc', 'ab') // '"${STORE_KEY%?}"'
 */
export function derivationOf(name: string, right: string, wrong: string): string | undefined {
  if (!PLAIN.test(right) || !PLAIN.test(wrong)) return undefined;
  if (wrong === `${right}q`) return `"\${${name}}q"`;
  if (wrong === right.slice(0, -1)) return `"\${${name}%?}"`;
  if (wrong === right.slice(1)) return `"\${${name}#?}"`;
  const piped = (filters: string): string => `$(printf %s "$${name}" | ${filters})`;
  if (wrong === caseSwapped(right)) return `"${piped(SWAP_CASE)}"`;
  if (right.startsWith(wrong)) return `"${piped(`cut -c1-${wrong.length}`)}"`;
  const middle = Math.floor(right.length / 2);
  if (wrong === `${right.slice(0, middle)}${caseSwapped(right.slice(middle))}`)
    return `"${piped(`cut -c1-${middle}`)}${piped(`cut -c${middle + 1}- | ${SWAP_CASE}`)}"`;
  const before = (at: number): string =>
    at === 0 ? '' : at === right.length - 1 ? `\${${name}%?}` : piped(`cut -c1-${at}`);
  const after = (at: number): string =>
    at === right.length - 1 ? '' : at === 0 ? `\${${name}#?}` : piped(`cut -c${at + 2}-`);
  for (const any of ANY_CHARACTER) {
    const at = [...right].findIndex(
      (char, place) => char !== any && `${right.slice(0, place)}${any}${right.slice(place + 1)}` === wrong,
    );
    if (at >= 0) return `"${before(at)}${any}${after(at)}"`;
  }
  if (wrong.length !== right.length) return undefined;
  const changed = [...right].flatMap((char, at) => (char === wrong[at] ? [] : [at]));
  const [at = 0] = changed;
  if (changed.length > 1) {
    const isEveryOther = ALPHANUMERIC.test(right) && [...right].map(everyOther).join('') === wrong;
    return isEveryOther ? `"${piped("tr '0-9a-pr-zqA-PR-ZQ' '[q*35]z[Q*25]Z'")}"` : undefined;
  }
  const change = CHANGES.find(({ of }) => of(right[at]!) === wrong[at]);
  if (changed.length === 0 || change === undefined) return undefined;
  return `"${before(at)}${piped(`cut -c${at + 1} | ${change.filter}`)}${after(at)}"`;
}

/** Each character by itself changed, as a key that was never issued is made. */
const everyOther = (char: string): string =>
  /[A-Z]/.test(char) ? (char === 'Q' ? 'Z' : 'Q') : char === 'q' ? 'z' : 'q';
