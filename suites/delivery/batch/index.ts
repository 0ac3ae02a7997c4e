/** Batch replace: the list of pickup points of a method, in one call or in portions. */
import type { Check } from '../../../harness/check/check.ts';
import { checks as betweenPortions } from './between-portions.ts';
import { checks as countries } from './countries.ts';
import { checks as handles } from './handles.ts';
import { checks as limit } from './limit.ts';
import { checks as seen } from './observed.ts';
import { checks as defaults } from './points/defaults.ts';
import { checks as fields } from './points/fields.ts';
import { checks as ids } from './points/ids.ts';
import { checks as portions } from './portions.ts';
import { checks as replace } from './replace.ts';

export const checks: readonly Check[] = [
  ...replace,
  ...fields,
  ...countries,
  ...limit,
  ...portions,
  ...betweenPortions,
  ...defaults,
  ...handles,
  ...ids,
  ...seen,
];
