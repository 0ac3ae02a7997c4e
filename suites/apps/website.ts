/** The website of the installation (spec: Resources and their fields, App records (B)). */
import { schemaErrors } from '../../contracts/schemas/index.ts';
import type { Check } from '../../harness/check/check.ts';
import { fieldCheck, wrappedCheck } from './steps/records.ts';

export const checks: readonly Check[] = [
  wrappedCheck('apps.website.wrapped', 'website'),
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
