/** Silences about how Reseller calls are sent: GET or POST, query or body. */

import { intercepts } from '../../../../mock/faults/interception.ts';
import { refused } from '../../../../mock/faults/reseller/interception.ts';
import type { Reading } from '../../reading.ts';
import { API } from '../demands.ts';

const ENDPOINTS = 'Endpoints, C. Reseller endpoints';

export const requestReadings: readonly Reading[] = [
  {
    id: 'reseller.methods',
    section: ENDPOINTS,
    silence: 'Whether each call takes both GET and POST, or one of them: "GET or POST".',
    answers: [
      {
        id: 'post-only',
        about: 'Calls that change something take POST only.',
        http: intercepts(
          'GET',
          /^\/api\/(website\/.*|settings\/set\/|password\/|authorize\/(logout\/)?)$/,
          async ({ request, pass }) =>
            /\/domains\/$/.test(new URL(request.url).pathname) ? pass() : refused(405, 'Use POST.'),
        ),
      },
      {
        id: 'get-only',
        about: 'Calls that read take GET only.',
        http: intercepts('POST', /^\/api\/(websites|settings|balance|website\/[^/]+\/domains)\/$/, async () =>
          refused(405, 'Use GET.'),
        ),
      },
      {
        id: 'get-for-reads',
        about: 'Calls that read take GET only, all others POST only.',
        http: intercepts('*', API.any, async ({ request, pass }) => {
          const reads = [API.websites, API.settings, API.balance, API.domains, API.login];
          const isRead = reads.some((path) => path.test(new URL(request.url).pathname));
          const method = isRead ? 'GET' : 'POST';
          return request.method === method ? pass() : refused(405, `Use ${method}.`);
        }),
      },
      {
        id: 'all-post',
        about: 'Every call takes POST only.',
        http: intercepts('GET', API.any, async () => refused(405, 'Use POST.')),
      },
      {
        id: 'all-get',
        about: 'Every call takes GET only.',
        http: intercepts('POST', API.any, async () => refused(405, 'Use GET.')),
      },
    ],
  },
  {
    id: 'reseller.spaces-around-tokens',
    section: ENDPOINTS,
    silence: 'Whether spaces around a parameter belong to it: many frameworks remove them.',
    answers: [
      {
        id: 'removed',
        about: 'A token is compared without the spaces around it.',
        rules: (correct) => ({ tokenMatches: (presented, row) => correct.tokenMatches(presented.trim(), row) }),
      },
    ],
  },
  {
    id: 'reseller.parameter-places',
    section: ENDPOINTS,
    silence: 'Where parameters are read: in the query or in the form, for both methods or for one.',
    answers: [
      {
        id: 'form-only',
        about: 'By POST they are not read in the address.',
        http: intercepts('POST', API.any, ({ pass }) => pass({ search: '' })),
      },
      {
        id: 'form-only-by-any-method',
        // What takes GET only is never served with a form.
        without: ['reseller.methods/all-get', 'reseller.methods/get-only', 'reseller.methods/get-for-reads'],
        about: 'They are read from the form only, so that each GET is refused as one without a token.',
        http: intercepts('*', API.any, ({ pass }) => pass({ search: '' })),
      },
      {
        id: 'query-only',
        // What takes POST only is never served with the form that the contract gives it.
        without: ['reseller.methods/all-post', 'reseller.methods/post-only', 'reseller.methods/get-for-reads'],
        about: 'They are read from the address only, so that each form is refused as one without a token.',
        http: intercepts('POST', API.any, ({ pass }) => pass({ form: '' })),
      },
    ],
  },
];
