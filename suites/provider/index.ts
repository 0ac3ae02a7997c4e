/** Everything that a delivery provider's integration is judged by, in the order of the report. The last suites look back at all of it. */
import type { IntegratorSuite } from '../../harness/integrator/check.ts';
import { withSources } from '../source.ts';
import { checks as failedCallback } from './callback/failure.ts';
import { checks as callback } from './callback/success.ts';
import { checks as calls } from './calls.ts';
import { checks as checkout } from './checkout.ts';
import { checks as additional } from './label/additional-fields.ts';
import { checks as buyerMarkup } from './label/buyer-markup.ts';
import { checks as cancel } from './label/cancel.ts';
import { checks as correctedOrder } from './label/corrected-order.ts';
import { checks as document } from './label/document.ts';
import { checks as earlyReport } from './label/early-report.ts';
import { checks as failureShown } from './label/failure-shown.ts';
import { checks as observed } from './label/observed.ts';
import { checks as ownForm } from './label/own-form.ts';
import { checks as ownOrder } from './label/own-order.ts';
import { checks as ownSettings } from './label/own-settings.ts';
import { checks as label } from './label/page.ts';
import { checks as secondPrint } from './label/users/second-print.ts';
import { checks as simultaneous } from './label/users/simultaneous.ts';
import { checks as twoUsers } from './label/users/two-users.ts';
import { checks as wholeAddress } from './label/whole-address.ts';
import { checks as leaks } from './leaks.ts';
import { checks as manifest } from './manifest/manifest.ts';
import { checks as refusals } from './refusals/forged.ts';
import { checks as refusalPage } from './refusals/page.ts';
import type { DeliveryContext } from './session.ts';

export const DELIVERY_SUITES = withSources<IntegratorSuite<DeliveryContext>>([
  { name: 'provider/manifest', checks: manifest },
  {
    name: 'provider/label',
    checks: [
      ...label,
      ...additional,
      ...document,
      ...secondPrint,
      ...twoUsers,
      ...simultaneous,
      ...ownOrder,
      ...correctedOrder,
      ...wholeAddress,
      ...ownSettings,
      ...ownForm,
      ...buyerMarkup,
      ...cancel,
      ...earlyReport,
      ...failureShown,
    ],
  },
  { name: 'provider/callback', checks: [...callback, ...failedCallback] },
  { name: 'provider/refusals', checks: [...refusals, ...refusalPage, ...observed] },
  { name: 'provider/checkout', checks: checkout },
]);

/** What can only be said when everything else has happened. */
export const DELIVERY_SUITES_AFTER = withSources<IntegratorSuite<DeliveryContext>>([
  { name: 'provider/calls', checks: calls },
  { name: 'provider/leaks', checks: leaks },
]);

export const DELIVERY_CHECKS = [...DELIVERY_SUITES, ...DELIVERY_SUITES_AFTER].flatMap(({ checks }) => checks);
