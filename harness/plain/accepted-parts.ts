/**
 * What of an object a target accepts. Which keys and values attributes and data may hold is not stated: where a target refuses an object,
 * its members are offered by their kind, and kinds in halves, so that all that it accepts is judged; values whose keys it may refuse
 * also under plain keys.
 */

import { isJsonObject } from '../../contracts/json/object.ts';

type Members = Readonly<Record<string, unknown>>;

/** Offers for one object: a target that refuses nearly all members would get a call for each. */
const MAX_OFFERS = 60;
/** A kind of which no quarter was accepted is refused as such. What objects and lists hold may be of any kind. */
const MAX_DEPTH = 2;

/**
 * Offers parts of an object that was refused as a whole. `offer` sends and judges one, and says whether it was accepted; `at` counts
 * them from 1.
 */
export async function offerParts(
  members: Members,
  offer: (part: Members, at: number) => Promise<boolean>,
): Promise<void> {
  const byKind = Map.groupBy(Object.entries(members), ([key, value]) => `${shapeOf(key)} ${kindOf(value)}`);
  const open: { part: Part; depth: number }[] = [...byKind.values()].map((part) => ({ part, depth: 0 }));
  for (let at = 1; open.length > 0 && at <= MAX_OFFERS; at += 1) {
    const { part, depth } = open.shift()!;
    if (await offer(Object.fromEntries(part), at)) continue;
    if (depth === 0 && !part.every(([key]) => isWord(key))) open.push({ part: underPlainKeys(part), depth });
    if (depth < MAX_DEPTH || part.some(([, value]) => isNested(value)))
      open.push(...halvesOf(part).map((half) => ({ part: half, depth: depth + 1 })));
  }
}

type Part = readonly (readonly [key: string, value: unknown])[];

const underPlainKeys = (part: Part): Part => part.map(([, value], at) => [`member${at}`, value]);

/** Two halves of the members; those of the object that the only member holds. */
function halvesOf(part: Part): Part[] {
  const [[key, value] = ['', undefined], ...others] = part;
  if (others.length === 0)
    return isJsonObject(value) ? halvesOf(Object.entries(value)).map((half) => [[key, Object.fromEntries(half)]]) : [];
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)];
}

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null;

function kindOf(value: unknown): string {
  if (typeof value === 'string') return `${shapeOf(value)} text`;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return isNested(value) ? 'nested' : String(typeof value);
}

/** Of a key or a text: what services limit. */
function shapeOf(text: string): string {
  const length = text.length > MAX_SHORT ? 'long' : 'short';
  return `${length} ${isWord(text) ? 'word' : /^[\x20-\x7e]*$/.test(text) ? 'ASCII' : 'Unicode'}`;
}

const isWord = (text: string): boolean => /^\w+$/.test(text);

/** A usual length of columns. */
const MAX_SHORT = 30;
