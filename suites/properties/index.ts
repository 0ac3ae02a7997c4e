/** Properties: what has to hold for any values and any sequence of calls, in report order. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as appData } from './apps/data.ts';
import { checks as appsModel } from './apps/model.ts';
import { checks as appSnippets } from './apps/snippets.ts';
import { checks as appsState } from './apps/whole-state/index.ts';
import { checks as portions } from './batch.ts';
import { checks as deliveryModel } from './delivery/model.ts';
import { checks as deliveryState } from './delivery/whole-state/index.ts';
import { checks as walks } from './lists.ts';
import { checks as multilanguage } from './multilanguage.ts';
import { checks as ids } from './points.ts';
import { checks as resellerModel } from './reseller/model.ts';
import { checks as resellerState } from './reseller/whole-state/index.ts';

export const PROPERTY_SUITES: readonly Suite[] = [
  {
    name: 'properties',
    serialGroup: 'properties',
    checks: [...deliveryModel, ...deliveryState, ...multilanguage, ...ids, ...portions, ...walks],
  },
  // In the serial group of Apps: there are only two installations, and other checks set their snippets and data.
  { name: 'properties/apps', serialGroup: 'apps', checks: [...appsModel, ...appsState, ...appData, ...appSnippets] },
  // In the serial group of Reseller, for the same reason: one account, one website.
  { name: 'properties/reseller', serialGroup: 'reseller', checks: [...resellerModel, ...resellerState] },
];
