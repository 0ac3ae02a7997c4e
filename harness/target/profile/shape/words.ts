/** How messages about a profile name its keys, values and kinds. */
import { editDistance } from '../../../process/nearest.ts';
import type { JsonNode } from '../../response/json-text.ts';

/** A path as messages name it. */
export const quoted = (path: string): string => (path === '' ? 'The profile' : shownText(path));

/** Keys and values appear in messages as JSON writes them, on one line, and no longer than a line. */
export const shownText = (text: string): string =>
  JSON.stringify(text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text);
const SHOWN_CHARACTERS = 120;

/** The kind of a JSON value, in words. */
export function nameOf(node: JsonNode): string {
  const names = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
    null: 'null',
    array: 'a list',
    object: 'an object',
  };
  return names[node.kind];
}

/** The end of a message about an unknown word: the nearest known one, or the list of all. */
export function suggestion(given: string, known: readonly string[]): string {
  const ranked = known.map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }));
  ranked.sort((a, b) => a.distance - b.distance);
  const best = ranked[0];
  if (best !== undefined && best.distance <= Math.max(2, Math.floor(best.name.length / 3)))
    return `; the nearest known one is "${best.name}"`;
  return known.length === 0 ? '' : `; it can be ${known.filter((name) => !name.startsWith('$')).join(', ')}`;
}
