/** Statuses, codes and headers as other services choose them. */

import type { RefusalKind } from '../http/refusal.ts';
import type { Deviation } from '../types/deviation.ts';

/** Often enough to occur in any run, rare enough not to make it slow. */
const CALLS_BETWEEN_REFUSALS = 150;

const OTHER_STATUS: Partial<Record<RefusalKind, number>> = {
  invalid: 422,
  conflict: 400,
  gone: 404,
  'too-many': 413,
  'wrong-method': 404,
};

export const responseVariants: readonly Deviation[] = [
  {
    id: 'errors.other-codes',
    about: 'Error codes and statuses of refusals differ from those of the usual service.',
    rules: (correct) => ({
      errorStatus: (kind) => OTHER_STATUS[kind] ?? correct.errorStatus(kind),
      errorCode: (kind) => 1_000 + [...kind].reduce((sum, letter) => sum + letter.charCodeAt(0), 0),
    }),
  },
  {
    id: 'errors.all-400',
    about: 'Every refusal has status 400 and code 400, except for bad credentials and rate limits.',
    rules: (correct) => ({
      errorStatus: (kind) => (kind === 'unauthorized' || kind === 'too-often' ? correct.errorStatus(kind) : 400),
    }),
  },
  {
    id: 'errors.foreign-forbidden',
    about: 'Unknown objects are refused with status 403, like objects of other owners.',
    rules: (correct) => ({ errorStatus: (kind) => (kind === 'not-found' ? 403 : correct.errorStatus(kind)) }),
  },
  {
    id: 'success.with-data',
    about: 'The success envelope contains additional data.',
    rules: () => ({ successEnvelope: () => ({ error: false, status: 'ok', data: null }) }),
  },
  {
    id: 'content-type.charset',
    about: 'The content type includes a charset.',
    rules: () => ({ contentType: () => 'application/json; charset=utf-8' }),
  },
  {
    id: 'throttle.occasional',
    about: 'Every 150th call is refused with status 429 and Retry-After, and not carried out.',
    rules: () => {
      let calls = 0;
      return { retryAfterSeconds: () => (++calls % CALLS_BETWEEN_REFUSALS === 0 ? 1 : null) };
    },
  },
  {
    id: 'headers.gateway',
    about: 'Responses contain gateway headers and a cookie.',
    rules: (correct) => ({
      finish: (call, response) =>
        correct.finish(call, {
          ...response,
          headers: {
            ...response.headers,
            'x-gateway': 'edge-3',
            'cache-control': 'no-store',
            'set-cookie': 'gw=1; Path=/',
          },
        }),
    }),
  },
];
