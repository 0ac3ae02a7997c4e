/** Both envelopes of Reseller, and the paths that it does not have (spec: Endpoints, C. Reseller endpoints; Errors). */
import { ERROR_NAMES, isJsonContentType } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import { pathOf } from '../../../contracts/operations/index.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import { atOnce } from '../../../harness/process/at-once.ts';
import { once } from '../../../harness/resources/once.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { resellerCall } from '../../../harness/target/interfaces/reseller.ts';
import { isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { expectErrorFalse, SUCCESS_CLAUSES } from '../../reseller/steps/form.ts';
import { withOwnSessions } from '../../reseller/steps/login/session.ts';
import { READING } from '../../reseller/steps/options.ts';
import { warnOfJsonDefects } from '../form.ts';
import { unavailable } from '../samples.ts';
import { type NamedResponse, refusals, SHARED, successes } from './responses.ts';
import { responsesTo, sharedBy, WRITES } from './writes.ts';

function expectMember(
  context: Context,
  named: NamedResponse,
  field: string,
  expected: string,
  isRight: (value: unknown) => boolean,
): void {
  const { json } = named.response;
  if (!isJsonObject(json)) {
    // That has a check of its own.
    throw new GivenFailure(`the response to ${named.what} is not an object`, 'envelope.reseller.body-is-object', {
      response: named.response,
    });
  }
  const value = json[field];
  context.expect.that(isRight(value), `the response to ${named.what} must have ${field} as ${expected}`, {
    expected,
    actual: field === ERROR_NAMES.api.message ? typeof value : inWords(value),
    pointer: `/${field}`,
    response: named.response,
  });
}

interface PathResponse {
  readonly call: ServiceRequest;
  readonly response: ServiceResponse;
}

/** What the target answers on paths that Reseller does not have, asked once. Throws when it is not available. */
const unknownPathResponses = (context: Context): Promise<PathResponse[]> =>
  once(context, UNKNOWN_PATHS, () => responsesOnUnknownPaths(context));

const UNKNOWN_PATHS = 'answers on unknown paths of Reseller';

/** Whether all of the members are there; that each of them is right has checks of its own. */
const isErrorEnvelope = ({ json }: ServiceResponse): boolean =>
  isJsonObject(json) &&
  ['error', ERROR_NAMES.api.code, ERROR_NAMES.api.message].every((name) => json[name] !== undefined);

async function responsesOnUnknownPaths(context: Context): Promise<PathResponse[]> {
  const reseller = await context.reseller();
  // Nothing that resembles a call which changes something: a service could take it for one.
  const calls: ServiceRequest[] = [
    reseller.call('proofmark/'),
    reseller.call('proofmark/', [], 'GET'),
    reseller.call('settings/proofmark/unknown/'),
    reseller.call('balance/proofmark/', [], 'GET'),
    // As older clients enable a subscription; no website has this id.
    reseller.call('website/proofmark/enable_premium/'),
    resellerCall('proofmark/', [], 'GET'),
  ];
  return atOnce(
    calls.map((call) => async () => {
      const response = await context.send(call, 'probe');
      if (isRefused(response) === 'unavailable') throw unavailable(response);
      return { call, response };
    }),
  );
}

function expectLabel(context: Context, named: NamedResponse): void {
  const { what, response } = named;
  const type = response.header('content-type');
  context.expect.that(isJsonContentType(type), `the response to ${what} should have a JSON content type`, {
    expected: 'application/json',
    actual: type ?? 'none',
    pointer: 'header content-type',
    response,
  });
  warnOfJsonDefects(context, [named]);
}

/** One member of the error envelope, in every kind of refusal. */
const errorMember = (
  id: string,
  title: CheckTitle,
  field: string,
  expected: string,
  isRight: (value: unknown) => boolean,
): Check =>
  check(id, title, { clauses: [id], ...READING, shares: SHARED }, async (context) => {
    for (const named of await refusals(context)) expectMember(context, named, field, expected, isRight);
  });

export const checks: readonly Check[] = [
  check(
    'envelope.reseller.body-is-object',
    'MUST respond to each Reseller call with a JSON object',
    { clauses: ['envelope.reseller.body-is-object'], ...READING, shares: SHARED },
    async (context) => {
      for (const { what, response } of [...(await successes(context)), ...(await refusals(context))]) {
        context.expect.that(isJsonObject(response.json), `the response to ${what} must be a JSON object`, {
          expected: 'a JSON object',
          actual: response.json === undefined ? `a body that ${response.jsonFault}` : inWords(response.json),
          response,
        });
      }
    },
  ),
  check(
    'envelope.reseller.json-content-type',
    'SHOULD label Reseller responses as JSON',
    { clauses: ['envelope.reseller.json-content-type'], ...READING, shares: SHARED },
    async (context) => {
      const named = [...(await successes(context)), ...(await refusals(context))];
      for (const one of named) expectLabel(context, one);
    },
  ),
  check(
    'envelope.reseller.success-error-false',
    'MUST return error as false in responses to Reseller reads',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS_CLAUSES], ...READING, shares: SHARED },
    async (context) => {
      for (const { what, response } of await successes(context)) expectErrorFalse(context, what, response);
    },
  ),
  ...WRITES.flatMap((writes) => {
    const { ids, what } = writes;
    const options = { ...writes.options, shares: sharedBy(writes) };
    return [
      check(
        ids.form,
        `MUST return error as false in responses to ${what}`,
        { clauses: ['envelope.reseller.success-error-false', ...SUCCESS_CLAUSES], ...options },
        async (context) => {
          for (const named of await responsesTo(context, writes)) expectErrorFalse(context, named.what, named.response);
        },
      ),
      check(
        ids.label,
        `SHOULD label responses to ${what} as JSON`,
        { clauses: ['envelope.reseller.json-content-type'], ...options },
        async (context) => {
          for (const named of await responsesTo(context, writes)) expectLabel(context, named);
        },
      ),
    ];
  }),
  errorMember(
    'envelope.reseller.error-true',
    'MUST return error as true in responses to unsuccessful Reseller calls',
    'error',
    'the boolean true',
    (value) => value === true,
  ),
  errorMember(
    'envelope.reseller.error-code-integer',
    'MUST return errorCode as an integer in responses to unsuccessful Reseller calls',
    ERROR_NAMES.api.code,
    'an integer',
    Number.isInteger,
  ),
  errorMember(
    'envelope.reseller.error-message-string',
    'MUST return errorMsg as a string in responses to unsuccessful Reseller calls',
    ERROR_NAMES.api.message,
    'a string',
    (value) => typeof value === 'string',
  ),
  check(
    'envelope.reseller.unknown-path',
    'SHOULD refuse an unknown Reseller path',
    { clauses: ['envelope.reseller.unknown-path'], ...READING, shares: UNKNOWN_PATHS },
    async (context) => {
      for (const { call, response } of await unknownPathResponses(context))
        context.expect.that(isRefused(response) !== 'served', `${call.method} ${call.path} must be refused`, {
          expected: 'a refusal',
          actual: summary(response),
          response,
        });
    },
  ),
  check(
    'envelope.reseller.unknown-path-envelope',
    'MUST refuse an unknown Reseller path with its error envelope and not with a page',
    { clauses: ['envelope.reseller.unknown-path-envelope'], ...READING, shares: UNKNOWN_PATHS },
    async (context) => {
      const responses = await unknownPathResponses(context);
      const refused = responses.filter(({ response }) => isRefused(response) !== 'served');
      if (refused.length === 0)
        throw new Inconclusive('every unknown Reseller path is served, so there is no refusal to judge', 'target');
      for (const { call, response } of refused)
        context.expect.that(
          isErrorEnvelope(response),
          `${call.method} ${call.path} must be refused with the error envelope`,
          {
            expected: '{ "error": true, "errorCode": …, "errorMsg": … }',
            actual:
              response.json === undefined ? `${response.status}, a body that ${response.jsonFault}` : summary(response),
            response,
          },
        );
    },
  ),
  check(
    'envelope.reseller.bad-input-is-4xx',
    'SHOULD refuse invalid Reseller input with a 4XX',
    { clauses: ['envelope.reseller.bad-input-is-4xx'], ...READING },
    withOwnSessions(async (context) => {
      const { expect, send } = context;
      const reseller = await context.reseller();
      const token = ['apiToken', reseller.token] as const;
      const domainsOf = (website: string) => reseller.call(pathOf('listDomains', { website }));
      const form = resellerCall(pathOf('authorize', {}), []);
      const calls: (readonly [what: string, call: ServiceRequest])[] = [
        ['a website id that is not a number', domainsOf('abc')],
        ['a negative website id', domainsOf('-1')],
        ['a website id beyond all integers', domainsOf('99999999999999999999999')],
        ['a website id of unusual characters', domainsOf("1'%22%20%3B%C4%80")],
        ['authorize without parameters', form],
        [
          'authorize with a body that is not a form',
          { ...form, body: { raw: '{"email":', contentType: 'application/json' } },
        ],
        [
          'authorize with a body of unusual bytes',
          { ...form, body: { raw: 'email=%ZZ&password=%E0%A4&&=', contentType: FORM } },
        ],
        ['a token given twice', { ...reseller.listWebsites(), body: { form: [token, ['apiToken', 'x']] } }],
        ['a token as a list', { ...reseller.listWebsites(), body: { form: [['apiToken[]', reseller.token]] } }],
      ];
      const responses = await atOnce(
        calls.map(([what, call]) => async () => ({ what, response: await send(call, 'probe') })),
      );
      for (const { what, response } of responses) {
        // Where it is taken after all, nothing is wrong.
        expect.that(isServed(response) || response.status < 500, `the response to ${what} should have a 4XX status`, {
          expected: 'a status below 500',
          actual: summary(response),
          response,
        });
      }
    }),
  ),
];

const FORM = 'application/x-www-form-urlencoded';
