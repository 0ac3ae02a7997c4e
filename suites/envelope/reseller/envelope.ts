/** Both envelopes of Reseller, and the paths that it does not have (spec: Endpoints, C. Reseller endpoints; Errors). */
import { ERROR_NAMES, isJsonContentType } from '../../../contracts/envelopes/index.ts';
import { inWords } from '../../../contracts/run/fault.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import { summary } from '../../../harness/check/expect.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { GivenFailure, Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceRequest } from '../../../harness/target/client/request.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { resellerCall } from '../../../harness/target/interfaces/reseller.ts';
import { isObject, isRefused, isServed } from '../../../harness/target/response/judge-response.ts';
import { add, attached, remove, runDomain } from '../../reseller/steps/domains.ts';
import { BILLING, DOMAINS, LINKS, READING, SETTINGS, STATUS } from '../../reseller/steps/options.ts';
import { ownRecord } from '../../reseller/steps/records.ts';
import { ask, ownSessions, website } from '../../reseller/steps/session.ts';
import { changed, set } from '../../reseller/steps/settings.ts';
import { downgrade, upgrade, withoutSubscription } from '../../reseller/steps/subscription.ts';
import { switching } from '../../reseller/steps/switch-website.ts';
import { warnOfBlemish } from '../form.ts';
import { unavailable } from '../samples.ts';
import { type Named, refusals, successes } from './responses.ts';

function expectMember(
  context: Context,
  named: Named,
  field: string,
  expected: string,
  isRight: (value: unknown) => boolean,
): void {
  const { json } = named.answer;
  if (!isObject(json)) {
    // That has a check of its own.
    throw new GivenFailure(`${named.what} answers no object`, 'envelope.reseller.body-is-object', {
      answer: named.answer,
    });
  }
  const value = json[field];
  context.expect.that(isRight(value), `${named.what} must answer with ${field} as ${expected}`, {
    expected,
    actual: field === ERROR_NAMES.api.message ? typeof value : inWords(value),
    pointer: `/${field}`,
    answer: named.answer,
  });
}

/** What the target answers on paths that Reseller does not have. Throws when it is not available. */
async function unknownPathAnswers(
  context: Context,
): Promise<{ readonly call: ServiceRequest; readonly answer: ServiceResponse }[]> {
  const reseller = await context.reseller();
  // Nothing that resembles a call which changes something: a service could take it for one.
  const calls: ServiceRequest[] = [
    reseller.call('proofmark/'),
    reseller.call('proofmark/', [], 'GET'),
    reseller.call('settings/proofmark/unknown/'),
    reseller.call('balance/proofmark/', [], 'GET'),
    resellerCall('proofmark/', [], 'GET'),
  ];
  const answers: { call: ServiceRequest; answer: ServiceResponse }[] = [];
  for (const call of calls) {
    const answer = await context.send(call, 'probe');
    if (isRefused(answer) === 'unavailable') throw unavailable(answer);
    answers.push({ call, answer });
  }
  return answers;
}

const SUCCESS = ['envelope.reseller.success-status', 'envelope.reseller.body-is-object'] as const;

/** The whole form of a success: its status, an object, and the envelope; each breach is one of its own clause. */
function expectErrorFalse(context: Context, { what, answer }: Named): void {
  const [status, object] = SUCCESS;
  context.expect.that(answer.status === 200, `${what} must be answered with status 200`, {
    expected: 200,
    actual: answer.status,
    pointer: 'status',
    answer,
    clauses: [status],
  });
  const { json } = answer;
  context.expect.that(isObject(json), `${what} must be answered with a JSON object`, {
    expected: 'a JSON object',
    actual: json === undefined ? `a body that ${answer.jsonFault}` : inWords(json),
    answer,
    clauses: [object],
  });
  const error = isObject(json) ? json.error : undefined;
  context.expect.that(error === false, `${what} must answer with error as the boolean false`, {
    expected: 'the boolean false',
    actual: inWords(error),
    pointer: '/error',
    answer,
    clauses: ['envelope.reseller.success-error-false'],
  });
}

/** One member of the error envelope, in every kind of refusal. */
const errorMember = (
  id: string,
  title: CheckTitle,
  field: string,
  expected: string,
  isRight: (value: unknown) => boolean,
): Check =>
  check(
    id,
    title,
    { clauses: [id], ...READING },
    ownSessions(async (context) => {
      for (const named of await refusals(context)) expectMember(context, named, field, expected, isRight);
    }),
  );

export const checks: readonly Check[] = [
  check(
    'envelope.reseller.body-is-object',
    'MUST answer each Reseller call with a JSON object',
    { clauses: ['envelope.reseller.body-is-object'], ...READING },
    ownSessions(async (context) => {
      for (const { what, answer } of [...(await successes(context)), ...(await refusals(context))]) {
        context.expect.that(isObject(answer.json), `${what} must be answered with a JSON object`, {
          expected: 'a JSON object',
          actual: answer.json === undefined ? `a body that ${answer.jsonFault}` : inWords(answer.json),
          answer,
        });
      }
    }),
  ),
  check(
    'envelope.reseller.json-content-type',
    'SHOULD label Reseller responses as JSON',
    { clauses: ['envelope.reseller.json-content-type'], ...READING },
    ownSessions(async (context) => {
      const named = [...(await successes(context)), ...(await refusals(context))];
      for (const { what, answer } of named) {
        const type = answer.header('content-type');
        context.expect.that(isJsonContentType(type), `${what} should be answered with a JSON content type`, {
          expected: 'application/json',
          actual: type ?? 'none',
          pointer: 'header content-type',
          answer,
        });
      }
      warnOfBlemish(context, named);
    }),
  ),
  check(
    'envelope.reseller.success-error-false',
    'MUST answer reading Reseller calls with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...READING },
    ownSessions(async (context) => {
      for (const named of await successes(context)) expectErrorFalse(context, named);
    }),
  ),
  check(
    'envelope.reseller.success-error-false-links-and-logout',
    'MUST answer the login call and logout with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...LINKS },
    ownSessions(async (context) => {
      const { given } = context;
      await ownRecord(context);
      const reseller = await context.reseller();
      const link = ask(context, (via) => reseller.login(website(context), via));
      expectErrorFalse(context, { what: 'login', answer: await given.accepted(link, 'reseller.login.link') });
      const logout = ask(context, (via) => reseller.logout(via));
      expectErrorFalse(context, {
        what: 'logout',
        answer: await given.accepted(logout, 'reseller.logout.invalidates'),
      });
    }),
  ),
  check(
    'envelope.reseller.success-error-false-switches',
    'MUST answer enable and disable with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...STATUS },
    async (context) => {
      const { given } = context;
      const { disable, enable } = await switching(context);
      const disabled = await given.accepted(disable(), 'reseller.website.disable');
      expectErrorFalse(context, { what: 'disable', answer: disabled });
      expectErrorFalse(context, { what: 'enable', answer: await given.accepted(enable(), 'reseller.website.enable') });
    },
  ),
  check(
    'envelope.reseller.success-error-false-domains',
    'MUST answer adding and removing a domain with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...DOMAINS },
    async (context) => {
      const { given } = context;
      const id = await attached(context);
      const removed = await given.accepted(remove(context, id), 'reseller.domain.remove-detaches');
      expectErrorFalse(context, { what: 'removing a domain', answer: removed });
      const added = await given.accepted(add(context, runDomain(context)), 'reseller.domain.add-attaches');
      expectErrorFalse(context, { what: 'adding a domain', answer: added });
    },
  ),
  check(
    'envelope.reseller.success-error-false-settings',
    'MUST answer a change of settings with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...SETTINGS },
    async (context) => {
      const [{ name, old }] = await changed(context);
      const answer = await context.given.accepted(set(context, [[name, old]]), 'reseller.settings.set-applies');
      expectErrorFalse(context, { what: 'settings/set', answer });
    },
  ),
  check(
    'envelope.reseller.success-error-false-premium',
    'MUST answer starting and stopping a subscription with error as false',
    { clauses: ['envelope.reseller.success-error-false', ...SUCCESS], ...BILLING },
    async (context) => {
      const { given } = context;
      await withoutSubscription(context);
      const started = await given.accepted(upgrade(context, 'premium'), 'reseller.premium.enable');
      expectErrorFalse(context, { what: 'enable_premium', answer: started });
      const stopped = await given.accepted(downgrade(context), 'reseller.premium.disable');
      expectErrorFalse(context, { what: 'disable_premium', answer: stopped });
    },
  ),
  errorMember(
    'envelope.reseller.error-true',
    'MUST answer unsuccessful Reseller calls with error as true',
    'error',
    'the boolean true',
    (value) => value === true,
  ),
  errorMember(
    'envelope.reseller.error-code-integer',
    'MUST answer unsuccessful Reseller calls with errorCode as an integer',
    ERROR_NAMES.api.code,
    'an integer',
    Number.isInteger,
  ),
  errorMember(
    'envelope.reseller.error-message-string',
    'MUST answer unsuccessful Reseller calls with errorMsg as a string',
    ERROR_NAMES.api.message,
    'a string',
    (value) => typeof value === 'string',
  ),
  check(
    'envelope.reseller.unknown-path',
    'SHOULD refuse a path that Reseller does not have',
    { clauses: ['envelope.reseller.unknown-path'], ...READING },
    async (context) => {
      for (const { call, answer } of await unknownPathAnswers(context))
        context.expect.that(isRefused(answer) !== 'served', `${call.method} ${call.path} must be refused`, {
          expected: 'a refusal',
          actual: summary(answer),
          answer,
        });
    },
  ),
  check(
    'envelope.reseller.unknown-path-envelope',
    'MUST refuse a path that Reseller does not have with its error envelope and no other page',
    { clauses: ['envelope.reseller.unknown-path-envelope'], ...READING },
    async (context) => {
      const answers = await unknownPathAnswers(context);
      const refused = answers.filter(({ answer }) => isRefused(answer) !== 'served');
      if (refused.length === 0)
        throw new Inconclusive('every path that Reseller does not have is served, so that no refusal shows', 'target');
      for (const { call, answer } of refused)
        context.expect.that(
          isObject(answer.json) && answer.json.error !== undefined,
          `${call.method} ${call.path} must be refused with the error envelope`,
          {
            expected: '{ "error": true, … }',
            actual: answer.json === undefined ? `${answer.status}, a body that ${answer.jsonFault}` : summary(answer),
            answer,
          },
        );
    },
  ),
  check(
    'envelope.reseller.bad-input-is-4xx',
    'SHOULD refuse invalid Reseller input with a 4XX',
    { clauses: ['envelope.reseller.bad-input-is-4xx'], ...READING },
    ownSessions(async (context) => {
      const { expect, send } = context;
      const reseller = await context.reseller();
      const token = ['apiToken', reseller.token] as const;
      const form = resellerCall('authorize/', []);
      const calls: (readonly [what: string, call: ServiceRequest])[] = [
        ['a website that is not a number', reseller.call('website/abc/domains/')],
        ['a website below zero', reseller.call('website/-1/domains/')],
        ['a website beyond all numbers', reseller.call('website/99999999999999999999999/domains/')],
        ['a website of odd characters', reseller.call("website/1'%22%20%3B%C4%80/domains/")],
        ['authorize without parameters', form],
        [
          'authorize with a body that is no form',
          { ...form, body: { raw: '{"email":', contentType: 'application/json' } },
        ],
        [
          'authorize with a body of odd bytes',
          { ...form, body: { raw: 'email=%ZZ&password=%E0%A4&&=', contentType: FORM } },
        ],
        ['a token given twice', { ...reseller.websites(), body: { form: [token, ['apiToken', 'x']] } }],
        ['a token as a list', { ...reseller.websites(), body: { form: [['apiToken[]', reseller.token]] } }],
      ];
      for (const [what, call] of calls) {
        const answer = await send(call, 'probe');
        // Where it is taken after all, nothing is wrong.
        expect.that(isServed(answer) || answer.status < 500, `${what} should be answered with a 4XX`, {
          expected: 'a status below 500',
          actual: summary(answer),
          answer,
        });
      }
    }),
  ),
];

const FORM = 'application/x-www-form-urlencoded';
