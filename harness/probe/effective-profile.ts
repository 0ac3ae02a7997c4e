/** The profile as the checks see it: without the values that do not fit the target. */
import type { Profile } from '../target/profile/types.ts';
import type { Unusable } from './probing.ts';

type Tree = Readonly<Record<string, unknown>>;

/** The profile without its unfit values: a check that could use one and does not need it does as if it were not configured. */
export function effectiveProfile(profile: Profile, unusable: Unusable): Profile {
  // Whole interfaces stay: their checks are not run, and messages name their address.
  const unfit = Object.keys(unusable).filter((key) => key.includes('.'));
  return unfit.reduce<Profile>((rest, key) => without(rest as never, key.split('.')) as never, profile);
}

function without(tree: Tree, [name, ...rest]: readonly string[]): Tree {
  if (name === undefined || tree[name] === undefined) return tree;
  const value = rest.length === 0 ? undefined : without(tree[name] as Tree, rest);
  return { ...tree, [name]: value };
}
