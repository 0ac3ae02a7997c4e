/** Values for the fields of methods and points: two plain sets that differ everywhere, and texts that are hard to keep. */
import { METHOD, POINT } from '../../../contracts/fields/catalogue/delivery.ts';
import type { Fields } from '../../../contracts/fields/catalogue/row.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { Json } from '../../../harness/target/interfaces/delivery.ts';
import { inOneLanguage } from './fields.ts';

/** Letters, quotes and signs that a wrong charset or an escaping would change. */
export const AWKWARD_TEXT = `Rīga "Ķīp" & 'Co' 5 < 6 100% \\n a+b; Łódź 東京 עברית`;
/** Characters beyond the first plane, which a database with three-byte characters may refuse but must not lose. */
export const EMOJI_TEXT = 'Locker 🚚📦 👩‍💻';
/** Spaces at both ends and two between, and a letter written as two signs: nothing of it is for a service to tidy. */
export const UNTIDY_TEXT = ' Ri\u0304ga  Central ';
/** Beyond 255 characters, where a popular kind of column ends: a service may refuse it but must not cut it. */
export const LONG_TEXT = `${'Garā iela '.repeat(29)}7`;
/** Texts that are hard to keep; a service may refuse some of them. */
export const HARD_TEXTS: readonly string[] = [AWKWARD_TEXT, EMOJI_TEXT, LONG_TEXT];
/** What a reader of numbers would shorten. */
export const NUMERIC_TEXT = '007';

/** Everything that a method can be given. `which` distinguishes two sets; the reference carries a mark. */
export function methodValues(context: Context, which: 'first' | 'second'): Json {
  const mark = context.resources.newMark();
  const second = which === 'second';
  return {
    title: inOneLanguage(context, second ? `Pakomāts Nr. 2 ${mark}` : `Courier to the door ${mark}`),
    reference: second ? `${mark} Rīga/2` : `${mark} one`,
    ...samplesOf(METHOD, which),
  };
}

/** The values of fields that depend neither on the website nor on the run. */
const samplesOf = (rows: Fields, which: 'first' | 'second'): Json =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([name, { samples }]) =>
      samples === undefined ? [] : [[name, samples[which === 'first' ? 0 : 1]]],
    ),
  );

/** Everything that a pickup point can be given, but for its id. */
export function pointValues(context: Context, which: 'first' | 'second'): Json {
  const second = which === 'second';
  return {
    title: inOneLanguage(context, second ? 'Centrāltirgus pakomāts' : 'Central Station'),
    ...samplesOf(POINT, which),
  };
}

/** A pickup point of the first set of values under an id, with an address of its own. */
export function pointAt(context: Context, id: string, address = `Street of ${id}`): Json {
  return { id, ...pointValues(context, 'first'), address };
}
