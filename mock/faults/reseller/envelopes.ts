/** Faults of envelopes and statuses of the Reseller interface. */
import type { CallName } from '../../http/call.ts';
import type { Deviation } from '../../types/deviation.ts';
import { intercepts, type Json, page } from '../interception.ts';
import { API, bodies, changesResponses, refused } from './interception.ts';

const SUCCESS = 'envelope.reseller.success-error-false';

const successes = (
  id: string,
  about: string,
  operations: readonly CallName[],
  change: (body: Json) => unknown,
): Deviation => ({
  id,
  clause: SUCCESS,
  about,
  rules: bodies(operations, change),
});

const failures = (id: string, clause: string, about: string, change: (body: Json) => Json): Deviation => ({
  id,
  clause,
  about,
  rules: changesResponses(
    ({ status }) => status >= 400,
    (response) => ({ ...response, body: change(response.body) }),
  ),
});

const without = (name: string) => (body: Json) =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));

export const resellerEnvelopeFaults: readonly Deviation[] = [
  {
    id: 'reseller.envelope-refusal-as-text',
    clause: 'envelope.reseller.body-is-object',
    about: 'Refusals of the list of websites are plain text labelled as JSON; other refusals have the envelope.',
    http: intercepts('*', API.websites, async ({ pass }) => {
      const response = await pass();
      const headers = { 'content-type': 'application/json' };
      return response.status === 401 ? new Response('Unauthorized', { status: 401, headers }) : response;
    }),
  },
  {
    id: 'reseller.envelope-balance-as-list',
    clause: 'envelope.reseller.body-is-object',
    about: 'The balance is a list of its values.',
    rules: bodies(['readBalance'], (body) => Object.values(body)),
  },
  {
    id: 'reseller.envelope-labelled-as-html',
    clause: 'envelope.reseller.json-content-type',
    about: 'Responses are labelled as HTML.',
    rules: (correct) => ({
      contentType: (call) => (call.iface === 'reseller' ? 'text/html; charset=utf-8' : correct.contentType(call)),
    }),
  },
  successes(
    'reseller.envelope-without-error',
    'The balance has no error field; other responses have one.',
    ['readBalance'],
    without('error'),
  ),
  successes(
    'reseller.envelope-settings-error-as-number',
    'A change of settings returns error as 0.',
    ['changeSettings'],
    () => ({
      error: 0,
    }),
  ),
  successes(
    'reseller.envelope-premium-without-error',
    'Starting and stopping a subscription return no error field.',
    ['enablePremium', 'disablePremium'],
    () => ({}),
  ),
  successes('reseller.envelope-logout-empty', 'Logout returns an empty object.', ['logOut'], () => ({})),
  successes('reseller.envelope-enable-success-flag', 'Enabling returns {"success": true}.', ['enableWebsite'], () => ({
    success: true,
  })),
  successes(
    'reseller.envelope-domain-add-without-error',
    'Attaching a domain returns the domain alone.',
    ['addDomain'],
    () => ({
      domainID: 17,
    }),
  ),
  failures(
    'reseller.envelope-error-true-as-string',
    'envelope.reseller.error-true',
    'Refusals have error as the text "true".',
    (body) => ({
      ...body,
      error: 'true',
    }),
  ),
  failures(
    'reseller.envelope-error-true-as-number',
    'envelope.reseller.error-true',
    'Refusals have error as 1.',
    (body) => ({
      ...body,
      error: 1,
    }),
  ),
  failures(
    'reseller.envelope-code-as-string',
    'envelope.reseller.error-code-integer',
    'Error codes are strings.',
    (body) => ({
      ...body,
      errorCode: String(body.errorCode),
    }),
  ),
  failures(
    'reseller.envelope-code-as-word',
    'envelope.reseller.error-code-integer',
    'Refusals for unknown objects have a word as their code.',
    (body) => (body.errorCode === 404 ? { ...body, errorCode: 'not_found' } : body),
  ),
  failures(
    'reseller.envelope-message-as-list',
    'envelope.reseller.error-message-string',
    'Error messages are lists.',
    (body) => ({
      ...body,
      errorMsg: [body.errorMsg],
    }),
  ),
  failures(
    'reseller.envelope-message-omitted',
    'envelope.reseller.error-message-string',
    'Refused logins have no message.',
    (body) => (body.errorMsg === 'Email or password is wrong.' ? without('errorMsg')(body) : body),
  ),
  {
    id: 'reseller.envelope-delivery-field-names',
    clauses: [
      'envelope.reseller.error-code-integer',
      'envelope.reseller.error-message-string',
      'envelope.reseller.unknown-path-envelope',
    ],
    about: 'Error fields have the names that the other two interfaces use.',
    rules: changesResponses(
      ({ status }) => status >= 400,
      (response) => ({
        ...response,
        body: { error: true, error_code: response.body.errorCode, error_message: response.body.errorMsg },
      }),
    ),
  },
  {
    id: 'reseller.unknown-path-as-page',
    clause: 'envelope.reseller.unknown-path-envelope',
    about: 'A path that does not exist returns the page of a web framework.',
    http: intercepts('*', API.any, async ({ pass }) => {
      const response = await pass();
      const text = await response.clone().text();
      return response.status === 404 && !text.includes('website') ? page('Not found', 404) : response;
    }),
  },
  {
    id: 'reseller.old-premium-path-as-page',
    clause: 'envelope.reseller.unknown-path-envelope',
    about: 'The path of older clients that names no subscription returns the page of a web framework.',
    http: intercepts('*', /^\/api\/website\/[^/]+\/enable_premium\/$/, async () => page('Not found', 404)),
  },
  {
    id: 'reseller.unknown-path-with-other-names',
    clause: 'envelope.reseller.unknown-path-envelope',
    about: 'A path that does not exist returns error_code and error_message, as Delivery does.',
    rules: (correct) => ({
      errorEnvelope: (iface, code, message) =>
        correct.errorEnvelope(
          iface === 'reseller' && message.includes('no such path') ? 'delivery' : iface,
          code,
          message,
        ),
    }),
  },
  {
    id: 'reseller.unknown-path-served',
    clause: 'envelope.reseller.unknown-path',
    about: 'Unknown paths below the account settings return the settings.',
    http: intercepts('*', /^\/api\/settings\/(?!set\/)[^/]+\//, ({ pass }) => pass({ path: '/api/settings/' })),
  },
  {
    id: 'reseller.bad-input-as-500',
    clause: 'envelope.reseller.bad-input-is-4xx',
    about: 'A website id that is not a number causes status 500.',
    http: intercepts('*', /^\/api\/website\/(?!\d+\/)/, async () => refused(500, 'Internal error.')),
  },
  {
    id: 'reseller.status-authorize-201',
    clause: 'envelope.reseller.success-status',
    about: 'The call authorize returns status 201.',
    rules: changesResponses(
      ({ status }, { operation }) => status === 200 && operation === 'authorize',
      (response) => ({ ...response, status: 201 }),
    ),
  },
  {
    id: 'reseller.status-domains-206',
    clause: 'envelope.reseller.success-status',
    about: 'The list of domains has status 206.',
    rules: changesResponses(
      ({ status }, { operation }) => status === 200 && operation === 'listDomains',
      (response) => ({ ...response, status: 206 }),
    ),
  },
  {
    id: 'reseller.status-refusals-200',
    clause: 'envelope.reseller.failure-status',
    about: 'Refusals have status 200 with the correct envelope.',
    rules: changesResponses(
      ({ status }) => status >= 400,
      (response) => ({ ...response, status: 200 }),
    ),
  },
  {
    id: 'reseller.status-login-refused-200',
    clause: 'envelope.reseller.failure-status',
    about: 'A wrong password is refused with status 200; other calls with 4XX.',
    rules: changesResponses(
      ({ status }, { operation }) => status === 401 && operation === 'authorize',
      (response) => ({ ...response, status: 200 }),
    ),
  },
];
