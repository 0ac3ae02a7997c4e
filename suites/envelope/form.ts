/** The form of responses, rule by rule: each asserts one clause over all samples it is given (spec: Common rules; Errors). */

import { isJsonContentType } from '../../contracts/envelopes/index.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import { inWords } from '../../contracts/json/words.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import { isEnvelopeLike, type Sample, type SampleScope } from './samples.ts';

/** The rules by name. */
export type FormRuleName =
  | 'body-is-object'
  | 'content-type'
  | 'success-status'
  | 'success-envelope'
  | 'success-error'
  | 'failure-status'
  | 'error-true'
  | 'error-code'
  | 'error-message';

export interface FormRule {
  readonly clause: string;
  /** Names the rule where suites list their ids. */
  readonly name: FormRuleName;
  /** `%` is replaced by whose responses they are. */
  readonly title: CheckTitle;
  /** Which responses it covers. */
  readonly of: SampleScope;
  /** Where set, responses that are not a JSON object are skipped: they break a clause of their own. */
  readonly objectsOnly?: boolean;
  readonly pointer: string;
  readonly expected: string;
  /** What is wrong with a response, as the end of a sentence that begins with "the response to …"; undefined: nothing. */
  wrong(response: ServiceResponse): string | undefined;
  /** Warns of what the clause allows and some integrators can't read. */
  readonly warns?: (context: Context, samples: readonly Sample[]) => void;
}

const member = (response: ServiceResponse, name: string): unknown =>
  isJsonObject(response.json) ? response.json[name] : undefined;

export const FORM_RULES: readonly FormRule[] = [
  {
    clause: 'envelope.v1.body-is-object',
    name: 'body-is-object',
    title: 'MUST respond to % with a JSON object',
    of: 'all',
    pointer: '',
    expected: 'a JSON object',
    wrong: ({ json, jsonFault }) => {
      if (isJsonObject(json)) return undefined;
      return json === undefined ? `is not JSON: the body ${jsonFault ?? 'is unreadable'}` : `is ${inWords(json)}`;
    },
  },
  {
    clause: 'envelope.v1.json-content-type',
    name: 'content-type',
    title: 'SHOULD label responses to % as JSON',
    of: 'all',
    objectsOnly: true,
    pointer: 'header content-type',
    expected: 'application/json',
    wrong: (response) => {
      const type = response.header('content-type');
      return isJsonContentType(type) ? undefined : `is JSON under the content type ${inWords(type)}`;
    },
    warns: warnOfJsonDefects,
  },
  {
    clause: 'envelope.v1.success-status',
    name: 'success-status',
    title: 'MUST respond to successful % with status 200',
    of: 'successes',
    pointer: 'status',
    expected: '200',
    wrong: ({ status }) => (status === 200 ? undefined : `is a success with status ${status}`),
  },
  {
    clause: 'envelope.v1.success-error-false',
    name: 'success-envelope',
    title: 'MUST respond to % with error: false, a boolean, when there is nothing to return',
    of: 'empty successes',
    objectsOnly: true,
    pointer: '/error',
    expected: 'the boolean false',
    wrong: (response) => {
      const error = member(response, 'error');
      return error === false ? undefined : `is a success whose error is ${inWords(error)}`;
    },
  },
  {
    clause: 'envelope.v1.success-error-false',
    name: 'success-error',
    title: 'MUST return error, if present, as the boolean false in responses to successful %',
    of: 'successes',
    objectsOnly: true,
    pointer: '/error',
    expected: 'the boolean false, or no error at all',
    wrong: (response) => {
      // A resource may come bare, and what is missing may be null.
      const error = member(response, 'error') ?? false;
      return error === false ? undefined : `is a success whose error is ${inWords(error)}`;
    },
  },
  {
    clause: 'envelope.v1.failure-status',
    name: 'failure-status',
    title: 'MUST respond to refused % with a 4XX or 5XX status',
    of: 'refusals',
    pointer: 'status',
    expected: '4XX or 5XX',
    wrong: ({ status }) => (status >= 400 && status <= 599 ? undefined : `is a refusal with status ${status}`),
  },
  {
    clause: 'envelope.v1.error-true',
    name: 'error-true',
    title: 'MUST respond to refused % with error: true, a boolean',
    of: 'refusals',
    objectsOnly: true,
    pointer: '/error',
    expected: 'the boolean true',
    wrong: (response) => {
      const error = member(response, 'error');
      return error === true ? undefined : `is a refusal whose error is ${inWords(error)}`;
    },
  },
  {
    clause: 'envelope.v1.error-code-integer',
    name: 'error-code',
    title: 'MUST return an integer error_code when it refuses %',
    of: 'refusals',
    objectsOnly: true,
    pointer: '/error_code',
    expected: 'an integer',
    wrong: (response) => {
      const code = member(response, 'error_code');
      return Number.isInteger(code) ? undefined : `is a refusal whose error_code is ${inWords(code)}`;
    },
  },
  {
    clause: 'envelope.v1.error-message-string',
    name: 'error-message',
    title: 'MUST return an error_message string when it refuses %',
    of: 'refusals',
    objectsOnly: true,
    pointer: '/error_message',
    expected: 'a string',
    wrong: (response) => {
      const message = member(response, 'error_message');
      return typeof message === 'string' ? undefined : `is a refusal whose error_message is ${inWords(message)}`;
    },
  },
];

/** Whether a rule has something to say about a response; what it passes over breaks another clause. */
function concerns({ clause, of, objectsOnly }: FormRule, { response, strange, returnsNothing }: Sample): boolean {
  if (of === 'empty successes' && !returnsNothing) return false;
  if (strange && clause === 'envelope.v1.body-is-object') return false;
  if (strange && of === 'refusals' && objectsOnly) return isEnvelopeLike(response);
  return !objectsOnly || isJsonObject(response.json);
}

/** Asserts a rule over all samples. */
export function expectForm(context: Context, rule: FormRule, samples: readonly Sample[]): void {
  const { given, expect } = context;
  const judged = samples.filter((sample) => concerns(rule, sample));
  const bare = samples.find(({ strange, response }) => strange !== true && !isJsonObject(response.json));
  const clause = 'envelope.v1.body-is-object';
  if (judged.length === 0 && bare !== undefined)
    given.holds(false, clause, 'no response was a JSON object', { response: bare.response });
  given.granted(judged.length > 0, clause, 'no response was of the kind that the rule covers');
  for (const { what, response } of judged) {
    const wrong = rule.wrong(response);
    expect.that(wrong === undefined, `the response to ${what} ${wrong}`, {
      expected: rule.expected,
      actual: summary(response),
      pointer: rule.pointer,
      response,
      clauses: [rule.clause],
    });
  }
  rule.warns?.(context, judged);
}

/** All that MUST be; the content type is only a SHOULD. */
const MUSTS = FORM_RULES.filter(({ name }) => name !== 'content-type');
export const MUST_CLAUSES: readonly string[] = [...new Set(MUSTS.map(({ clause }) => clause))];

/** Asserts every rule over the samples that it covers. */
export function expectEveryForm(
  context: Context,
  { served, refused }: { readonly served: readonly Sample[]; readonly refused: readonly Sample[] },
): void {
  for (const rule of MUSTS)
    expectForm(context, rule, rule.of === 'all' ? [...served, ...refused] : rule.of === 'refusals' ? refused : served);
}

/** What some readers of JSON pass over and others refuse: a byte order mark (RFC 8259 forbids it), a key twice. */
export function warnOfJsonDefects(context: Context, samples: readonly Pick<Sample, 'what' | 'response'>[]): void {
  const found = samples.find(({ response }) => isJsonObject(response.json) && response.jsonFault !== undefined);
  if (found === undefined) return;
  const { what, response } = found;
  context.warn(
    `the response to ${what} ${response.jsonFault}: integrators whose JSON reader is strict can't read it, others read it differently`,
  );
}

/** The rule of this name. */
export const formRule = (name: FormRuleName): FormRule => FORM_RULES.find((rule) => rule.name === name)!;

/** The member `error` of a read, where it is there at all: the clause is decided by calls that return nothing else. */
export const besideOthers = ({ name }: FormRule): { readonly additional?: true } =>
  name === 'success-error' ? { additional: true } : {};
