/** Lists and their pages, on pickup points and on delivery methods. */
import type { Check } from '../../../harness/check/check.ts';
import { checks as besideOthers } from './beside-others.ts';
import { checks as deletedMethods } from './deleted-methods.ts';
import { checks as lasting } from './lasting.ts';
import { checks as laterPages } from './later-pages.ts';
import { checks as seen } from './observed.ts';
import { checks as ofOwners } from './owners.ts';
import { checks as rules } from './rules.ts';
import { checks as stalePages } from './stale-pages.ts';

export const checks: readonly Check[] = [
  ...rules,
  ...laterPages,
  ...ofOwners,
  ...seen,
  ...stalePages,
  ...besideOthers,
  ...lasting,
  // It deletes what other checks share.
  ...deletedMethods,
];
