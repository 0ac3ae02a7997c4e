/** What an app reads about its user and website (spec: Resources and their fields, App records (B)). */
import { resourceOf } from '../../contracts/envelopes/index.ts';
import { isUnset } from '../../contracts/fields/unset.ts';
import { inWords } from '../../contracts/run/fault.ts';
import { schemaErrors } from '../../contracts/schemas/index.ts';
import { type Check, type CheckTitle, check } from '../../harness/check/check.ts';
import type { Context } from '../../harness/check/context.ts';
import { summary } from '../../harness/check/expect.ts';
import { GivenFailure, Inconclusive } from '../../harness/check/failures.ts';
import type { Answer } from '../../harness/target/client/index.ts';
import { isObject } from '../../harness/target/response/judge-response.ts';
import { READING } from './steps/options.ts';

type RecordName = 'user' | 'website';

/** A served answer of one of the two calls. */
async function asked({ apps, given, send }: Context, name: RecordName): Promise<Answer> {
  return given.promised(send(apps[name](), 'read'), 'apps.credentials.accepted');
}

/** One field of a record, judged where it is given. */
const fieldCheck = (
  name: RecordName,
  field: string,
  title: CheckTitle,
  expected: string,
  isRight: (value: unknown) => boolean,
): Check =>
  check(
    `apps.${name}.gives-${field.replace('_', '-')}`,
    title,
    { clauses: [`apps.${name}.${field.replace('_', '-')}`], ...READING },
    async (context) => {
      const answer = await asked(context, name);
      const record = resourceOf(answer.json, name);
      const value = isObject(record) ? record[field] : undefined;
      // An empty text is a value of a wrong type where a truth is due, not a missing one.
      if (value === undefined || value === null || (field !== 'email_confirmed' && isUnset(value))) {
        throw new Inconclusive(
          `the ${name} carries no ${field}, which the contract allows: fill in one for the test website, so that its form can be judged`,
          'configuration',
        );
      }
      // The value itself is somebody's own and is not printed.
      context.expect.that(isRight(value), `the ${field} of the ${name} must be ${expected}`, {
        expected,
        actual: typeof value === 'string' ? 'another text' : inWords(value),
        pointer: `/${name}/${field}`,
        answer,
      });
    },
  );

const wrapped = (name: RecordName): Check =>
  check(
    `apps.${name}.comes-under-its-name`,
    `MUST answer the ${name} call with an object named ${name}`,
    { clauses: [`apps.${name}.wrapped`], ...READING },
    async (context) => {
      const answer = await asked(context, name);
      const holds = isObject(answer.json) && isObject(answer.json[name]);
      context.expect.that(holds, `the answer must hold an object named ${name}`, {
        expected: `{ "${name}": { … } }`,
        actual: isObject(answer.json) ? Object.keys(answer.json) : inWords(answer.json),
        pointer: `/${name}`,
        answer,
      });
    },
  );

const isText = (value: unknown): boolean => typeof value === 'string';
const isWebUrl = (value: unknown): boolean => schemaErrors('v1', 'WebUrl', value).length === 0;

export const checks: readonly Check[] = [
  wrapped('user'),
  fieldCheck('user', 'email', "MUST give the user's email as a string", 'a string', isText),
  fieldCheck(
    'user',
    'email_confirmed',
    'MUST give email_confirmed of the user as a boolean',
    'a boolean',
    (value) => typeof value === 'boolean',
  ),
  wrapped('website'),
  fieldCheck(
    'website',
    'url',
    "MUST give the website's url as a web address",
    'a full http or https address',
    isWebUrl,
  ),
  fieldCheck('website', 'brandname', "MUST give the website's brandname as a string", 'a string', isText),
  check(
    'apps.languages.array',
    'MUST list the languages as an array of strings named languages',
    { clauses: ['apps.languages.array'], ...READING },
    async ({ apps, given, send, expect }) => {
      const answer = await given.promised(send(apps.languages(), 'read'), 'apps.credentials.accepted');
      const faults = schemaErrors('v1', 'Languages', answer.json);
      expect.noFaults(faults, 'the answer must hold an array of language codes named languages', {
        actual: summary(answer),
        answer,
      });
    },
  ),
  check(
    'apps.languages.of-website',
    'MUST list exactly the languages that the website uses, each once',
    { clauses: ['apps.languages.of-website'], ...READING, needs: [...READING.needs, 'website.languages'] },
    async ({ apps, given, send, expect, profile }) => {
      const answer = await given.promised(send(apps.languages(), 'read'), 'apps.credentials.accepted');
      const listed = isObject(answer.json) ? answer.json.languages : undefined;
      if (!Array.isArray(listed)) {
        throw new GivenFailure('the answer holds no array of languages', 'apps.languages.array', { answer });
      }
      const expected = given.configured(profile.website?.languages, 'website.languages');
      expect.equal(
        listed.map(String).sort(),
        [...expected].sort(),
        'the languages must be those that the website uses (website.languages of the profile), each once',
        { pointer: '/languages', answer },
      );
    },
  ),
];
