/** Labels, their requests and callbacks, and dynamic checkouts: all that is signed. In the order of the report. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as checkout } from '../checkout/request.ts';
import { checks as button } from './button.ts';
import { checks as callbackAccepted } from './callback/accepted.ts';
import { checks as callbackObserved } from './callback/observed.ts';
import { checks as callbackRefused } from './callback/refused.ts';
import { checks as requestIdentity } from './request/identity.ts';
import { checks as knownValues } from './request/known-values.ts';
import { checks as requestObserved } from './request/observed.ts';
import { checks as oneSeller } from './request/one-seller.ts';
import { checks as requestKinds } from './request/orders.ts';
import { checks as posted } from './request/posted.ts';
import { checks as signature } from './request/signature.ts';
import { checks as requestValues } from './request/values.ts';
import { checks as settings } from './settings.ts';

export const LABEL_SUITES: readonly Suite[] = [
  {
    name: 'labels/request',
    serialGroup: 'browser',
    checks: [
      ...button,
      ...posted,
      ...requestIdentity,
      ...requestValues,
      ...requestKinds,
      ...knownValues,
      ...oneSeller,
      ...signature,
      ...settings,
    ],
  },
  { name: 'labels/callback', serialGroup: 'browser', checks: [...callbackAccepted, ...callbackRefused] },
  { name: 'checkout/request', serialGroup: 'browser', checks: checkout },
  { name: 'labels/observed', serialGroup: 'browser', checks: [...requestObserved, ...callbackObserved] },
];
