/** The balance (spec: Resources and their fields, Reseller balance (C)). */
import { resourceOf } from '../../contracts/envelopes/index.ts';
import { BALANCE } from '../../contracts/fields/catalogue/reseller.ts';
import { fieldsOfClause } from '../../contracts/fields/catalogue/row.ts';
import { FORMS } from '../../contracts/fields/forms.ts';
import { isJsonObject } from '../../contracts/json/object.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { judgeFields } from './steps/fields.ts';
import { TOKEN_WORKS } from './steps/login/session.ts';
import { READING } from './steps/options.ts';
import { readRecord } from './steps/records.ts';

const balanceCheck = (id: string, title: CheckTitle): Check =>
  check(id, title, { clauses: [id], ...READING }, async (context) => {
    const reseller = await context.resellerUnchecked();
    const response = await context.given.promised(
      readRecord(context, (via) => reseller.readBalance(via)),
      TOKEN_WORKS,
    );
    const balance = resourceOf(response.json, 'balance');
    judgeFields(context, [isJsonObject(balance) ? balance : {}], fieldsOfClause(BALANCE, id), response);
  });

const MONEY = FORMS.money.expected;

export const checks: readonly Check[] = [
  balanceCheck('reseller.balance.premium-websites', 'MUST return premiumWebsites as an integer'),
  balanceCheck('reseller.balance.current', `MUST return currentBalance as ${MONEY}`),
  balanceCheck('reseller.balance.threshold', `MUST return billingThreshold as ${MONEY}`),
];
