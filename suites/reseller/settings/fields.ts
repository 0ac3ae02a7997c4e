/** The account settings as they read (spec: Resources and their fields, Reseller account settings (C)). */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { isCountryCode } from '../../../contracts/fields/scalars.ts';
import { isUnset } from '../../../contracts/fields/unset.ts';
import { inWords } from '../../../contracts/run/fault.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { isObject } from '../../../harness/target/response/judge-response.ts';
import { type FieldRule, isListOfTlds, isMissing, judgeFields } from '../steps/fields.ts';
import { ask, TOKEN_WORKS } from '../steps/login/session.ts';
import { READING } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';
import { TEXT_SETTINGS } from '../steps/settings.ts';

const RULES: readonly (readonly [id: string, title: CheckTitle, rule: FieldRule])[] = [
  [
    'reseller.settings.strings',
    'MUST return the text settings as strings',
    {
      // The country and the domains have rules of their own, of which this one is a part.
      fields: TEXT_SETTINGS.filter((name) => name !== 'addrCountry' && name !== 'tlds'),
      expected: 'a string',
      isRight: (value) => typeof value === 'string',
      isUnset,
    },
  ],
  [
    'reseller.settings.country',
    'MUST return addrCountry as two lower-case letters',
    {
      fields: ['addrCountry'],
      expected: 'two lower-case letters',
      isRight: (value) => isCountryCode(value, 'lower'),
      isUnset,
      mayShow: true,
    },
  ],
  [
    'reseller.settings.tlds',
    'MUST return tlds as a comma-separated string of top-level domains',
    {
      fields: ['tlds'],
      expected: 'top-level domains in one string, with commas between them',
      isRight: isListOfTlds,
      isUnset,
      mayShow: true,
    },
  ],
  [
    'reseller.settings.credit-limit',
    'MUST return creditLimit as a number',
    {
      fields: ['creditLimit'],
      expected: 'a number',
      isRight: (value) => typeof value === 'number',
      isUnset: isMissing,
    },
  ],
];

export const checks: readonly Check[] = [
  check(
    'reseller.settings.reseller-id',
    'MUST return resellerID as an integer',
    { clauses: ['reseller.settings.reseller-id'], ...READING },
    async (context) => {
      const reseller = await context.reseller();
      const answer = await context.given.accepted(
        ask(context, (via) => reseller.readSettings(via)),
        TOKEN_WORKS,
      );
      const settings = resourceOf(answer.json, 'settings');
      const id = isObject(settings) ? settings.resellerID : undefined;
      context.expect.that(Number.isInteger(id), 'resellerID must be an integer', {
        expected: 'an integer',
        actual: inWords(id),
        pointer: '/resellerID',
        answer,
      });
    },
  ),
  ...RULES.map(([id, title, rule]) =>
    check(id, title, { clauses: [id], ...READING }, async (context) => {
      const { settings, answer } = await settingsOf(context);
      judgeFields(context, [settings], rule, answer);
    }),
  ),
];
