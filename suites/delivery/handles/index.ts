/** Calls under several handles, joined by commas: in few methods and in many. */
import type { Check } from '../../../harness/check/check.ts';
import { checks as each } from './each.ts';
import { checks as many } from './many.ts';

export const checks: readonly Check[] = [...each, ...many];
