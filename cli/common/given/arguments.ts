/** The arguments of a command as its report repeats them, so that a reader can run one check again on the same target. */
import { relative, resolve, sep } from 'node:path';

/** What the command line gave for each flag, by the flag's name. */
export type GivenFlags = Readonly<Record<string, string | boolean | number | readonly string[] | undefined>>;

/** The arguments that give these flags again, as a report may name them; a flag without a value, or with `false`, is left out. */
export const argumentsOf = (flags: GivenFlags): string[] => written(flags, shown);

/** The same word for word, for the terminal of the person who gave them: a command with a shortened path would find no file. */
export const argumentsAsGiven = (flags: GivenFlags): string[] => written(flags, (value) => value);

function written(flags: GivenFlags, form: (value: string) => string): string[] {
  return Object.entries(flags).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    const values = typeof value === 'object' ? value : [String(value)];
    return values.flatMap((one) => [`--${name}`, form(one)]);
  });
}

/** A report is passed on: an address keeps neither user nor query, and a path no folders outside the working folder. */
function shown(value: string): string {
  if (/^https?:/i.test(value)) return withoutPrivateParts(value);
  if (!value.startsWith(sep)) return value;
  const inside = relative(process.cwd(), resolve(value));
  return inside === '' || inside.startsWith('..') ? (value.split(sep).at(-1) ?? value) : inside;
}

function withoutPrivateParts(address: string): string {
  const url = URL.parse(address);
  if (url === null) return address;
  return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`;
}
