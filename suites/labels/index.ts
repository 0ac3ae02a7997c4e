/** Labels, their requests and callbacks, and dynamic checkouts: all that is signed. In the order of the report. */
import type { Suite } from '../../harness/check/check.ts';
import { checks as checkout } from '../checkout/request.ts';
import { checks as button } from './button.ts';
import { checks as callbackAccepted } from './callback/accepted.ts';
import { checks as callbackRefused } from './callback/refused.ts';
import { checks as observed } from './observed.ts';
import { checks as requestIdentity } from './request/identity.ts';
import { checks as requestKinds } from './request/orders.ts';
import { checks as signature } from './request/signature.ts';
import { checks as requestValues } from './request/values.ts';

export const SIGNING_SUITES: readonly Suite[] = [
  {
    name: 'signing/labels',
    lane: 'browser',
    checks: [...button, ...requestIdentity, ...requestValues, ...requestKinds, ...signature],
  },
  { name: 'signing/callbacks', lane: 'browser', checks: [...callbackAccepted, ...callbackRefused] },
  { name: 'signing/checkout', lane: 'browser', checks: checkout },
  { name: 'signing/observed', lane: 'browser', checks: observed },
];
