import { isJsonObject } from '../../contracts/json/object.ts';
import { schemaErrors } from '../../contracts/schemas/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import { summary } from '../../harness/check/expect.ts';
import { GivenFailure } from '../../harness/check/failures.ts';
import { installationsOf } from './steps/installations.ts';
import { READING } from './steps/options.ts';

export const checks: readonly Check[] = [
  check(
    'apps.languages.array',
    'MUST list the languages as an array of strings named languages',
    { clauses: ['apps.languages.array'], ...READING },
    async (context) => {
      const { given, send, expect } = context;
      for (const [apps, owner] of installationsOf(context)) {
        const response = await given.promised(send(apps.getLanguages(), 'read'), 'apps.credentials.accepted');
        // Other members are judged by the envelope checks.
        const faults = schemaErrors('v1', 'Languages', response.json).filter(({ pointer }) => pointer !== '/error');
        const what = 'the response must contain an array of language codes named languages';
        expect.noFaults(faults, `${what}, for ${owner}`, { actual: summary(response), response });
      }
    },
  ),
  check(
    'apps.languages.exactly-website-languages',
    'MUST list exactly the languages that the website uses, each once',
    {
      clauses: ['apps.languages.exactly-website-languages'],
      ...READING,
      needs: [...READING.needs, 'website.languages'],
    },
    async (context) => {
      const { apps, given, send, expect, profile } = context;
      // What another installation was just shown must not be shown to this one.
      if (profile.apps?.otherAuthCode !== undefined) await send(context.otherApps.getLanguages(), 'other installation');
      const response = await given.promised(send(apps.getLanguages(), 'read'), 'apps.credentials.accepted');
      const listed = isJsonObject(response.json) ? response.json.languages : undefined;
      if (!Array.isArray(listed)) {
        throw new GivenFailure('the response contains no array of languages', 'apps.languages.array', {
          response,
        });
      }
      const expected = given.configured(profile.website?.languages, 'website.languages');
      expect.equal(
        listed.map(String).sort(),
        [...expected].sort(),
        'the languages must be those that the website uses (website.languages of the profile), each once',
        { pointer: '/languages', response },
      );
    },
  ),
];
