/** What is wrong with the ids of a list of points. */
import type { WrongPoint } from '../../clauses.ts';
import type { MethodState } from '../world.ts';

/** What each mistake is called in messages. */
export const WRONG_IDS = {
  missing: 'a point is missing',
  stranger: 'a point must not be listed',
  twice: 'a point is listed twice',
} as const;

/** A point that was sent under one id and is listed under another. */
export function garbled(wrong: WrongPoint, ids: readonly string[], points: MethodState['points']): WrongPoint {
  const isLost = [...points.keys()].some((id) => !ids.includes(id));
  return wrong.what === 'stranger' && isLost && ids.length === points.size ? { ...wrong, what: 'garbled' } : wrong;
}

/** The first mistake in a list, if it has one: an id that is listed twice, one that must not be there, or one that is missing. */
export function wrongIds(
  ids: readonly string[],
  points: MethodState['points'],
): (WrongPoint & { readonly what: keyof typeof WRONG_IDS }) | undefined {
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) return { what: 'twice', id: twice };
  const stranger = ids.find((id) => !points.has(id));
  if (stranger !== undefined) return { what: 'stranger', id: stranger };
  const listed = new Set(ids);
  const missing = [...points.keys()].find((id) => !listed.has(id));
  return missing === undefined ? undefined : { what: 'missing', id: missing };
}
