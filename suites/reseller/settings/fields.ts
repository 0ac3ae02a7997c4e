/** The account settings record (spec: Resources and their fields, Reseller account settings (C)). */
import { resourceOf } from '../../../contracts/envelopes/index.ts';
import { ACCOUNT_SETTINGS } from '../../../contracts/fields/catalogue/reseller.ts';
import { fieldsOfClause } from '../../../contracts/fields/catalogue/row.ts';
import { isJsonObject } from '../../../contracts/json/object.ts';
import { inWords } from '../../../contracts/json/words.ts';
import { type Check, check } from '../../../harness/check/check.ts';
import type { CheckTitle } from '../../../harness/check/facts.ts';
import { judgeFields } from '../steps/fields.ts';
import { ask, TOKEN_WORKS } from '../steps/login/session.ts';
import { READING } from '../steps/options.ts';
import { settingsOf } from '../steps/records.ts';

const RULES: readonly (readonly [id: string, title: CheckTitle, mayShow: boolean])[] = [
  ['reseller.settings.strings', 'MUST return the text settings as strings', false],
  ['reseller.settings.country', 'MUST return addrCountry as two lower-case letters', true],
  ['reseller.settings.tlds', 'MUST return tlds as a comma-separated string of top-level domains', true],
  ['reseller.settings.credit-limit', 'MUST return creditLimit as a number', false],
];

export const checks: readonly Check[] = [
  check(
    'reseller.settings.reseller-id',
    'MUST return resellerID as an integer',
    { clauses: ['reseller.settings.reseller-id'], ...READING },
    async (context) => {
      const reseller = await context.reseller();
      const response = await context.given.promised(
        ask(context, (via) => reseller.readSettings(via)),
        TOKEN_WORKS,
      );
      const settings = resourceOf(response.json, 'settings');
      const id = isJsonObject(settings) ? settings.resellerID : undefined;
      context.expect.that(Number.isInteger(id), 'resellerID must be an integer', {
        expected: 'an integer',
        actual: inWords(id),
        pointer: '/resellerID',
        response,
      });
    },
  ),
  ...RULES.map(([id, title, mayShow]) =>
    check(id, title, { clauses: [id], ...READING }, async (context) => {
      const { settings, response } = await settingsOf(context);
      judgeFields(context, [settings], { ...fieldsOfClause(ACCOUNT_SETTINGS, id), mayShow }, response);
    }),
  ),
];
