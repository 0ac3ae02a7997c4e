/** Countries at checkout. */
import type { Suite } from '../../../harness/check/check.ts';
import { checks } from './offered.ts';

export const COUNTRY_SUITES: readonly Suite[] = [{ name: 'countries', serialGroup: 'browser', checks }];
