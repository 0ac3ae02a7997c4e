/** Faults of envelopes and statuses of the Delivery and Apps interfaces. */

import { jsonIn } from '../../contracts/json/parse.ts';
import { pathOf } from '../../contracts/operations/index.ts';
import type { ServiceRequest } from '../http/call.ts';
import type { ServiceResponse } from '../rules/common.ts';
import type { Deviation } from '../types/deviation.ts';
import { intercepts, type Json, json, PATHS, success } from './interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const isV1 = (call: ServiceRequest): boolean => call.iface !== 'reseller';
const isEmptySuccess = ({ status, body }: ServiceResponse): boolean =>
  status === 200 && Object.keys(body).length === 1 && body.error === false;

/** Changes responses of the two interfaces. */
const finished =
  (
    which: (response: ServiceResponse, call: ServiceRequest) => boolean,
    change: (response: ServiceResponse) => ServiceResponse,
  ): MakesRules =>
  (correct) => ({
    finish: (call, response) => {
      const usual = correct.finish(call, response);
      return isV1(call) && which(usual, call) ? change(usual) : usual;
    },
  });

/** Success envelopes with another body. */
const empties = (body: unknown): MakesRules =>
  finished(isEmptySuccess, (response) => ({ ...response, body: body as Json }));

/** Error envelopes with another body. */
const errors = (change: (body: Json) => Json, which: (response: ServiceResponse) => boolean = () => true): MakesRules =>
  finished(
    (response) => response.status >= 400 && which(response),
    (response) => ({ ...response, body: change(response.body) }),
  );

const page = (status: number, words: string): Response =>
  new Response(`<!doctype html><title>${words}</title><h1>${words}</h1>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });

const isApps = (request: Request): boolean => new URL(request.url).pathname.startsWith('/v1/apps/');

const isUnknownAppsPath = (request: Request): boolean => {
  const { pathname } = new URL(request.url);
  return (
    isApps(request) && !/^\/v1\/apps\/(installed|delete|[gs]et_(snippet|data)|user|website|languages)\//.test(pathname)
  );
};

const isUnknownPath = (request: Request): boolean => {
  // A doubled slash is a clause of its own.
  const pathname = new URL(request.url).pathname.replace(/\/{2,}/g, '/');
  const known = Object.values(PATHS).filter((path) => path !== PATHS.anyDelivery);
  return /^\/v1\/store\//.test(pathname) && !known.some((path) => path.test(pathname.replace(/\/?$/, '/')));
};

/** Bodies that are not JSON get the response of a web framework, before the service sees them. */
const badJson = (response: () => Response, path: RegExp = PATHS.anyDelivery): NonNullable<Deviation['http']> =>
  intercepts('*', path, async ({ request, body, pass }) => {
    const text = request.body === null ? '' : await request.clone().text();
    const isBroken = text !== '' && body === undefined && jsonIn(text) === undefined;
    return isBroken ? response() : pass();
  });

export const envelopeFaults: readonly Deviation[] = [
  {
    id: 'envelopes.success-is-true',
    clause: 'envelope.v1.body-is-object',
    about: 'A success without data is the JSON value true.',
    rules: empties(true),
  },
  {
    id: 'envelopes.success-is-empty-list',
    clause: 'envelope.v1.body-is-object',
    about: 'A success without data is an empty list.',
    rules: empties([]),
  },
  {
    id: 'envelopes.refusal-is-string',
    clause: 'envelope.v1.body-is-object',
    about: 'Calls for unknown objects are refused with a JSON string instead of an object.',
    rules: finished(
      ({ status }, { operation }) => status === 404 && operation !== 'unknown',
      (response) => ({ ...response, body: 'Not found' as unknown as Json }),
    ),
  },
  {
    id: 'envelopes.unauthorized-is-string',
    clause: 'envelope.v1.body-is-object',
    about: 'Bad credentials are refused with a JSON string instead of an object.',
    rules: finished(
      ({ status }) => status === 401,
      (response) => ({ ...response, body: 'Unauthorized' as unknown as Json }),
    ),
  },
  {
    id: 'envelopes.unknown-order-as-page',
    clause: 'envelope.v1.body-is-object',
    about:
      'A call for the custom field values of an unknown order is refused with a page; all other refusals have the envelope.',
    http: intercepts('POST', PATHS.settings, async ({ pass }) => {
      const response = await pass();
      return response.status === 404 ? page(404, 'Not Found') : response;
    }),
  },
  {
    id: 'envelopes.labelled-as-html',
    clause: 'envelope.v1.json-content-type',
    about: 'JSON is labelled as HTML.',
    rules: (correct) => ({
      contentType: (call) => (isV1(call) ? 'text/html; charset=utf-8' : correct.contentType(call)),
    }),
  },
  {
    id: 'envelopes.long-lists-labelled-as-text',
    clause: 'envelope.v1.json-content-type',
    about: 'Lists of a hundred points are labelled as plain text; shorter lists as JSON.',
    rules: finished(
      ({ body: { pickup_points: points } }) => Array.isArray(points) && points.length === 100,
      (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }),
    ),
  },
  {
    id: 'envelopes.refusals-labelled-as-text',
    clause: 'envelope.v1.json-content-type',
    about: 'Refusals are labelled as plain text; successes as JSON.',
    rules: finished(
      ({ status }) => status >= 400,
      (response) => ({ ...response, headers: { ...response.headers, 'content-type': 'text/plain' } }),
    ),
  },
  {
    id: 'envelopes.success-error-as-string',
    clause: 'envelope.v1.success-error-false',
    about: 'A success without data has error as the text "false".',
    rules: empties({ error: 'false' }),
  },
  {
    id: 'envelopes.success-error-as-number',
    clause: 'envelope.v1.success-error-false',
    about: 'A success without data has error as the number 0.',
    rules: empties({ error: 0 }),
  },
  {
    id: 'envelopes.success-error-null',
    clause: 'envelope.v1.success-error-false',
    about: 'A success without data has error as null.',
    rules: empties({ error: null }),
  },
  {
    id: 'envelopes.reads-with-error-as-string',
    clause: 'envelope.v1.success-error-false',
    about: 'What is read comes with error as the string "false".',
    rules: finished(
      (response) => response.status === 200 && !isEmptySuccess(response),
      (response) => ({ ...response, body: { ...response.body, error: 'false' } }),
    ),
  },
  {
    id: 'envelopes.success-flag-instead-of-error',
    clause: 'envelope.v1.success-error-false',
    about: 'A success without data is {"success": true}.',
    rules: empties({ success: true }),
  },
  {
    id: 'envelopes.delete-returns-empty-object',
    clause: 'envelope.v1.success-error-false',
    about: 'A delete returns {}; other calls without data return the envelope.',
    rules: finished(
      (response, call) => isEmptySuccess(response) && call.method === 'DELETE',
      (response) => ({ ...response, body: {} }),
    ),
  },
  {
    id: 'envelopes.error-as-string',
    clause: 'envelope.v1.error-true',
    about: 'Refusals have error as the text "true".',
    rules: errors((body) => ({ ...body, error: 'true' })),
  },
  {
    id: 'envelopes.error-as-number',
    clause: 'envelope.v1.error-true',
    about: 'Refusals have error as the number 1.',
    rules: errors((body) => ({ ...body, error: 1 })),
  },
  {
    id: 'envelopes.error-omitted',
    clause: 'envelope.v1.error-true',
    about: 'Refusals for unknown objects have no error member; others have it.',
    rules: errors(
      ({ error: _, ...body }) => body,
      ({ status }) => status === 404,
    ),
  },
  {
    id: 'envelopes.code-as-string',
    clause: 'envelope.v1.error-code-integer',
    about: 'Refusals have error_code as a text.',
    rules: errors((body) => ({ ...body, error_code: String(body.error_code) })),
  },
  {
    id: 'envelopes.code-with-fraction',
    clause: 'envelope.v1.error-code-integer',
    about: 'Refusals have error_code as a number with a fraction, such as 404.3.',
    rules: errors((body) => ({ ...body, error_code: Number(body.error_code) + 0.3 })),
  },
  {
    id: 'envelopes.code-omitted-without-key',
    clause: 'envelope.v1.error-code-integer',
    about: 'Refusals of bad credentials have no error_code; others have it.',
    rules: errors(
      ({ error_code: _, ...body }) => body,
      ({ status }) => status === 401,
    ),
  },
  {
    id: 'envelopes.code-as-word',
    clause: 'envelope.v1.error-code-integer',
    about: 'Refusals have error_code as a word, such as NOT_FOUND.',
    rules: errors((body) => ({ ...body, error_code: 'NOT_FOUND' })),
  },
  {
    id: 'envelopes.message-omitted',
    clause: 'envelope.v1.error-message-string',
    about: 'Refusals have no error_message.',
    rules: errors(({ error_message: _, ...body }) => body),
  },
  {
    id: 'envelopes.message-as-list',
    clause: 'envelope.v1.error-message-string',
    about: 'Refusals of bad values have error_message as a list of texts.',
    rules: errors(
      (body) => ({ ...body, error_message: [body.error_message] }),
      ({ status }) => status === 400,
    ),
  },
  {
    id: 'envelopes.reseller-field-names',
    clauses: ['envelope.v1.error-code-integer', 'envelope.v1.error-message-string'],
    about: 'Refusals have errorCode and errorMsg, the names of the Reseller interface.',
    rules: errors(({ error, error_code, error_message }) => ({
      error,
      errorCode: error_code,
      errorMsg: error_message,
    })),
  },
  {
    id: 'envelopes.unknown-path-as-page',
    clause: 'envelope.v1.unknown-path-envelope',
    about: 'An unknown path returns a page of the web framework.',
    http: async (request, next) => (isUnknownPath(request) ? page(404, 'Not Found') : next(request)),
  },
  {
    id: 'envelopes.other-method-as-page',
    clause: 'envelope.v1.unknown-path-envelope',
    about: 'A path returns a page of the web framework for an HTTP method that no operation there has.',
    http: async (request, next) => {
      const response = await next(request);
      return response.status === 405 ? page(405, 'Method Not Allowed') : response;
    },
  },
  {
    id: 'envelopes.unknown-path-served',
    clause: 'envelope.v1.unknown-path',
    about: 'An unknown path returns the success envelope.',
    http: async (request, next) => (isUnknownPath(request) ? success() : next(request)),
  },
  {
    id: 'envelopes.unknown-apps-path-as-page',
    clause: 'envelope.v1.unknown-path-envelope',
    about: 'An unknown path of Apps returns a page of the web framework; Delivery returns the envelope.',
    http: async (request, next) => (isUnknownAppsPath(request) ? page(404, 'Not Found') : next(request)),
  },
  {
    id: 'envelopes.malformed-apps-body-as-page',
    clause: 'envelope.v1.malformed-input',
    about: 'A body to Apps that is not JSON returns a page of the web framework; Delivery returns the envelope.',
    http: badJson(() => page(400, 'Bad Request'), /^\/v1\/apps\//),
  },
  {
    id: 'envelopes.malformed-as-page',
    clause: 'envelope.v1.malformed-input',
    about: 'A body that is not JSON returns a page of the web framework.',
    http: badJson(() => page(400, 'Bad Request')),
  },
  {
    id: 'envelopes.malformed-as-other-json',
    clause: 'envelope.v1.malformed-input',
    about: 'A body that is not JSON returns JSON of the web framework.',
    http: badJson(() => json({ statusCode: 400, message: 'Unexpected token' }, 400)),
  },
  {
    id: 'envelopes.malformed-as-500',
    clause: 'envelope.v1.bad-input-is-4xx',
    about: 'A body that is not JSON returns status 500 with the envelope.',
    http: badJson(() => json({ error: true, error_code: 500, error_message: 'Internal error' }, 500)),
  },
  {
    id: 'envelopes.bad-values-as-500',
    clause: 'envelope.v1.bad-input-is-4xx',
    about: 'Status 500 replaces status 400, with the envelope.',
    rules: finished(
      ({ status }, { operation }) => status === 400 && operation !== 'unknown',
      (response) => ({ ...response, status: 500 }),
    ),
  },
  {
    id: 'status.create-is-201',
    clause: 'envelope.v1.success-status',
    about: 'A create returns status 201.',
    rules: finished(
      ({ status }, call) => status === 200 && (call.operation === 'addMethod' || call.operation === 'addPoint'),
      (response) => ({ ...response, status: 201 }),
    ),
  },
  {
    id: 'status.page-is-206',
    clause: 'envelope.v1.success-status',
    about: 'A list of methods returns status 206, like a part of a file.',
    rules: finished(
      ({ status }, { operation }) => status === 200 && operation === 'listMethods',
      (response) => ({ ...response, status: 206 }),
    ),
  },
  {
    id: 'status.apps-reads-are-203',
    clause: 'envelope.v1.success-status',
    about: 'Reads of Apps return status 203, as a proxy would set it.',
    rules: finished(
      ({ status }, { iface, method }) => status === 200 && iface === 'apps' && method === 'GET',
      (response) => ({ ...response, status: 203 }),
    ),
  },
  {
    id: 'status.apps-writes-are-201',
    clause: 'envelope.v1.success-status',
    about: 'Writes of Apps return status 201.',
    rules: finished(
      ({ status }, { iface, method }) => status === 200 && iface === 'apps' && method === 'POST',
      (response) => ({ ...response, status: 201 }),
    ),
  },
  {
    id: 'status.batch-is-202',
    clause: 'envelope.v1.success-status',
    about: 'A batch call returns status 202, although it is carried out at once.',
    rules: finished(
      ({ status }, call) => status === 200 && call.operation === 'batchReplace',
      (response) => ({ ...response, status: 202 }),
    ),
  },
  {
    id: 'status.refusals-are-200',
    clause: 'envelope.v1.failure-status',
    about: 'Refusals have status 200, with the error envelope.',
    rules: finished(
      ({ status }) => status >= 400,
      (response) => ({ ...response, status: 200 }),
    ),
  },
  {
    id: 'status.unknown-is-200',
    clause: 'envelope.v1.failure-status',
    about: 'Calls for unknown objects are refused with status 200 and the error envelope; other refusals have a 4XX.',
    rules: finished(
      ({ status }) => status === 404,
      (response) => ({ ...response, status: 200 }),
    ),
  },
  {
    id: 'status.refused-update-done-in-part',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'An update of a method with a bad field is refused, and its other fields are stored.',
    http: intercepts('PUT', PATHS.method, async ({ body, pass }) => {
      const response = await pass();
      const fields = Object.entries((body?.delivery_method as Json | undefined) ?? {});
      if (response.status !== 400 || fields.length < 2) return response;
      for (const [name, value] of fields) await pass({ body: { delivery_method: { [name]: value } } });
      return response;
    }),
  },
  {
    id: 'status.refused-list-stored-in-part',
    clauses: ['envelope.delivery.refusal-changes-nothing', 'delivery.batch.refused-list-changes-nothing'],
    about: 'A batch call with a bad point is refused, and the points before it are stored.',
    http: intercepts('POST', PATHS.batch, async ({ body, pass }) => {
      const response = await pass();
      const points = (body?.pickup_points ?? []) as Json[];
      if (response.status !== 400 || !Array.isArray(points)) return response;
      const bad = points.findIndex((point) => typeof point?.id !== 'string');
      if (bad > 0) await pass({ body: { ...body, pickup_points: points.slice(0, bad) } });
      return response;
    }),
  },
  {
    id: 'status.refused-delete-done-for-first-handle',
    clause: 'envelope.delivery.refusal-changes-nothing',
    about: 'A delete under a known and an unknown handle is refused, and carried out for the known one.',
    http: intercepts('DELETE', PATHS.point, async ({ parts, pass, service }) => {
      const response = await pass();
      const handles = (parts[0] ?? '').split(',');
      const known = handles.find((handle) => service.state.methods.has(handle));
      if (response.status !== 404 || handles.length < 2 || known === undefined) return response;
      const path = `/v1/${pathOf('deletePoint', { handle: encodeURIComponent(known), point: encodeURIComponent(parts[1] ?? '') })}`;
      await pass({ path });
      return response;
    }),
  },
];
