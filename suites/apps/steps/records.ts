/** Checks of the two records that an app reads: user and website (spec: Resources and their fields, App records (B)). */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { Context } from '../../../harness/check/context.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { Inconclusive } from '../../../harness/check/failures.ts';
import type { ServiceResponse } from '../../../harness/target/client/types.ts';
import { installationsOf } from './installations.ts';
import { READING } from './options.ts';

const READS = { user: 'getUser', website: 'getWebsite' } as const;
type RecordName = keyof typeof READS;

/** A served response of one of the two calls. */
async function asked(context: Context, name: RecordName, apps = context.apps): Promise<ServiceResponse> {
  const { given, send } = context;
  return given.promised(send(apps[READS[name]](), 'read'), 'apps.credentials.accepted');
}

/** A check of one field of a record, judged where it is given. */
export const fieldCheck = (
  id: string,
  name: RecordName,
  field: string,
  title: CheckTitle,
  expected: string,
  isRight: (value: unknown) => boolean,
): Check =>
  check(id, title, { clauses: [id], ...READING }, async (context) => {
    const response = await asked(context, name);
    const record = resourceOf(response.json, name);
    const value = isJsonObject(record) ? record[field] : undefined;
    // An empty text is a value of a wrong type where a truth is due, not a missing one.
    if (value === undefined || value === null || (field !== 'email_confirmed' && isUnset(value))) {
      throw new Inconclusive(
        `the ${name} has no ${field}, which the contract allows: set one for the test website, so that its format can be judged`,
        'configuration',
      );
    }
    // The value itself is personal data and is not printed.
    context.expect.that(isRight(value), `the ${field} of the ${name} must be ${expected}`, {
      expected,
      actual: typeof value === 'string' ? 'another text' : inWords(value),
      pointer: `/${name}/${field}`,
      response,
    });
  });

/** A check that a record is returned under its name. */
export const wrappedCheck = (id: string, name: RecordName): Check =>
  check(
    id,
    `MUST return an object named ${name} from the ${name} call`,
    { clauses: [id], ...READING },
    async (context) => {
      for (const [apps, owner] of installationsOf(context)) {
        const response = await asked(context, name, apps);
        const holds = isJsonObject(response.json) && isJsonObject(response.json[name]);
        context.expect.that(holds, `the response must contain an object named ${name}, for ${owner}`, {
          expected: `{ "${name}": { … } }`,
          actual: isJsonObject(response.json) ? Object.keys(response.json) : inWords(response.json),
          pointer: `/${name}`,
          response,
        });
      }
    },
  );
