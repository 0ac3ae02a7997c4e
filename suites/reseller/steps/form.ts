/** The form of a Reseller response to any call: both envelopes and their statuses (spec: Errors). */
import { ERROR_NAMES } from '../../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';

const SUCCESS_STATUS = 'envelope.reseller.success-status';
const FAILURE_STATUS = 'envelope.reseller.failure-status';
const BODY = 'envelope.reseller.body-is-object';

/** The clauses about the form of a success, besides `error`. */
export const SUCCESS_CLAUSES = [SUCCESS_STATUS, BODY] as const;

function expectObject({ expect }: Context, what: string, response: ServiceResponse): void {
  const { json } = response;
  expect.that(isJsonObject(json), `the response to ${what} must be a JSON object`, {
    expected: 'a JSON object',
    actual: json === undefined ? `a body that ${response.jsonFault}` : inWords(json),
    response,
    clauses: [BODY],
  });
}

function expectMember(
  { expect }: Context,
  { what, response, member }: { readonly what: string; readonly response: ServiceResponse; readonly member: string },
  rule: { readonly clause: string; readonly expected: string; readonly isRight: (value: unknown) => boolean },
): void {
  const value = isJsonObject(response.json) ? response.json[member] : undefined;
  expect.that(rule.isRight(value), `the response to ${what} must have ${member} as ${rule.expected}`, {
    expected: rule.expected,
    // The text of a message is not judged here.
    actual: typeof value === 'string' ? 'a text' : inWords(value),
    pointer: `/${member}`,
    response,
    clauses: [rule.clause],
  });
}

/** The whole form of a success: its status, an object, and the envelope; each violation has its own clause. */
export function expectErrorFalse(context: Context, what: string, response: ServiceResponse): void {
  context.expect.that(response.status === 200, `the response to ${what} must have status 200`, {
    expected: 200,
    actual: response.status,
    pointer: 'status',
    response,
    clauses: [SUCCESS_STATUS],
  });
  expectObject(context, what, response);
  expectMember(
    context,
    { what, response, member: 'error' },
    {
      clause: 'envelope.reseller.success-error-false',
      expected: 'the boolean false',
      isRight: (value) => value === false,
    },
  );
}

/** The whole form of a refusal; each violation has its own clause. */
export function expectRefusalForm(context: Context, what: string, response: ServiceResponse): void {
  context.expect.that(
    response.status >= 400 && response.status <= 599,
    `the response to ${what} must have a 4XX or 5XX status when it is refused`,
    {
      expected: 'a status of 400 to 599',
      actual: response.status,
      pointer: 'status',
      response,
      clauses: [FAILURE_STATUS],
    },
  );
  expectObject(context, what, response);
  const { code, message } = ERROR_NAMES.api;
  for (const [member, clause, expected, isRight] of [
    ['error', 'envelope.reseller.error-true', 'the boolean true', (value: unknown) => value === true],
    [code, 'envelope.reseller.error-code-integer', 'an integer', Number.isInteger],
    [message, 'envelope.reseller.error-message-string', 'a string', (value: unknown) => typeof value === 'string'],
  ] as const) {
    expectMember(context, { what: `${what}, which is refused,`, response, member }, { clause, expected, isRight });
  }
}
