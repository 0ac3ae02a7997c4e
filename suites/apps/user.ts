/** The user of the website (spec: Resources and their fields, App records (B)). */
import type { Check } from '../../harness/check/check.ts';
import { fieldCheck, wrappedCheck } from './steps/records.ts';

export const checks: readonly Check[] = [
  wrappedCheck('apps.user.wrapped', 'user'),
  fieldCheck(
    'apps.user.email',
    'user',
    'email',
    "MUST return the user's email as a string",
    'a string',
    (value) => typeof value === 'string',
  ),
  fieldCheck(
    'apps.user.email-confirmed',
    'user',
    'email_confirmed',
    'MUST return email_confirmed of the user as a boolean',
    'a boolean',
    (value) => typeof value === 'boolean',
  ),
];
