/** All suites in the order of the report. Suites that share a singleton or a login form a serial group and run in this order. */
import type { Check, Suite } from '../harness/check/check.ts';
import { APPS_SUITES, INSTALLATION_SUITES } from './apps/index.ts';
import { checks as batch } from './delivery/batch/index.ts';
import { COUNTRY_SUITES } from './delivery/countries/index.ts';
import { DELIVERY_SUITES } from './delivery/index.ts';
import { checks as lists } from './delivery/lists/index.ts';
import { appsChecks as appsEnvelopes, deliveryChecks as deliveryEnvelopes } from './envelope/index.ts';
import { RESELLER_ENVELOPE_SUITES } from './envelope/reseller/index.ts';
import { INSTALL_SUITES } from './install/index.ts';
import { LABEL_SUITES } from './labels/index.ts';
import { PROPERTY_SUITES } from './properties/index.ts';
import { PASSWORD_SUITE, RESELLER_SUITES } from './reseller/index.ts';
import { withSources } from './source.ts';

export const SUITES: readonly Suite[] = withSources<Suite>([
  ...DELIVERY_SUITES,
  { name: 'delivery/lists', serialGroup: 'delivery', checks: lists },
  { name: 'delivery/batch', serialGroup: 'delivery', checks: batch },
  ...APPS_SUITES,
  ...RESELLER_SUITES,
  { name: 'envelope/delivery', serialGroup: 'delivery', checks: deliveryEnvelopes },
  { name: 'envelope/apps', serialGroup: 'apps', checks: appsEnvelopes },
  ...RESELLER_ENVELOPE_SUITES,
  ...COUNTRY_SUITES,
  ...LABEL_SUITES,
  ...INSTALL_SUITES,
  ...INSTALLATION_SUITES,
  ...PROPERTY_SUITES,
  PASSWORD_SUITE,
]);

/** Every check, in report order. */
export const CHECKS: readonly Check[] = SUITES.flatMap((suite) => suite.checks);
