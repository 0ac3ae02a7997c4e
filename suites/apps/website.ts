/** The website of the installation (spec: Resources and their fields, App records (B)). */

import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../contracts/json/object.ts';
import { schemaErrors } from '../../contracts/schemas/index.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { Given } from '../../harness/check/given/index.ts';
import type { ServiceResponse } from '../../harness/target/client/types.ts';
import type { Apps } from '../../harness/target/interfaces/apps.ts';
import { READING } from './steps/options.ts';
import { fieldCheck, wrappedCheck } from './steps/records.ts';

/** What distinguishes websites: the values of the website in a response. */
function websiteIn(given: Given, { json }: ServiceResponse): Readonly<Record<string, unknown>> {
  const website = isJsonObject(json) ? json.website : undefined;
  given.holds(isJsonObject(website), 'apps.website.wrapped', 'a response has no object named website');
  const { url, brandname } = website as Readonly<Record<string, unknown>>;
  return { url, brandname };
}

export const checks: readonly Check[] = [
  wrappedCheck('apps.website.wrapped', 'website'),
  check(
    'apps.website.of-installation',
    'MUST return the website of the installation whose authCode is sent, also after the call of another installation',
    { clauses: ['apps.website.of-installation'], ...READING, needs: [...READING.needs, 'apps.otherAuthCode'] },
    async ({ apps, otherApps, given, send, expect }) => {
      const read = (one: Apps) => given.promised(send(one.getWebsite(), 'read'), 'apps.credentials.accepted');
      // What a service remembers of the call before is that of this installation first, then of the other one.
      await read(apps);
      const before = websiteIn(given, await read(apps));
      const other = websiteIn(given, await read(otherApps));
      const response = await read(apps);
      const after = websiteIn(given, response);
      // A change by a user lasts; what depends on the call before goes back when the same one is repeated.
      const isOthers =
        !isDeepStrictEqual(after, before) &&
        (isDeepStrictEqual(after, other) || isDeepStrictEqual(websiteIn(given, await read(apps)), before));
      expect.that(!isOthers, 'must return the same website for an installation after the call of another one', {
        // A name may be personal data and is not printed.
        expected: 'the url and the brandname that it had before',
        actual: 'another url or brandname',
        pointer: '/website',
        response,
      });
    },
  ),
  fieldCheck(
    'apps.website.url',
    'website',
    'url',
    "MUST return the website's url as a web address",
    'a full http or https address',
    (value) => schemaErrors('v1', 'WebUrl', value).length === 0,
  ),
  fieldCheck(
    'apps.website.brandname',
    'website',
    'brandname',
    "MUST return the website's brandname as a string",
    'a string',
    (value) => typeof value === 'string',
  ),
];
