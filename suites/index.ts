/** All suites in the order of the report. Lanes: suites that share a singleton or a login run in one lane, in this order. */
import type { Check, Suite } from '../harness/check.ts';
import { DELIVERY_SUITES } from './delivery/index.ts';

export const LANES = ['delivery', 'apps', 'reseller', 'browser', 'properties'] as const;

export const SUITES: readonly Suite[] = [...DELIVERY_SUITES];

/** Every check, in report order. */
export const CHECKS: readonly Check[] = SUITES.flatMap((suite) => suite.checks);
