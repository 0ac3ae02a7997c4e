/** Lists and their pages, on pickup points and on delivery methods. */
import type { Check } from '../../../harness/check.ts';
import { checks as rules } from './rules.ts';
import { checks as seen } from './seen.ts';

export const checks: readonly Check[] = [...rules, ...seen];
