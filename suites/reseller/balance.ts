/** The balance (spec: Resources and their fields, Reseller balance (C)). */
import { resourceOf } from '../../contracts/envelopes/index.ts';
import { isMoneyText } from '../../contracts/fields/scalars.ts';
import { isUnset } from '../../contracts/fields/unset.ts';
import { type Check, check } from '../../harness/check/check.ts';
import type { CheckTitle } from '../../harness/check/facts.ts';
import { isObject } from '../../harness/target/response/judge-response.ts';
import { isMissing, judgeFields } from './steps/fields.ts';
import { ask, TOKEN_WORKS } from './steps/login/session.ts';
import { READING } from './steps/options.ts';

const balanceCheck = (
  id: string,
  field: string,
  title: CheckTitle,
  expected: string,
  isRight: (value: unknown) => boolean,
): Check =>
  check(id, title, { clauses: [id], ...READING }, async (context) => {
    const reseller = await context.reseller();
    const answer = await context.given.accepted(
      ask(context, (via) => reseller.readBalance(via)),
      TOKEN_WORKS,
    );
    const balance = resourceOf(answer.json, 'balance');
    const rule = { fields: [field], expected, isRight, isUnset: field === 'premiumWebsites' ? isMissing : isUnset };
    judgeFields(context, [isObject(balance) ? balance : {}], rule, answer);
  });

const MONEY = 'one string of a currency code and an amount';

export const checks: readonly Check[] = [
  balanceCheck(
    'reseller.balance.premium-websites',
    'premiumWebsites',
    'MUST return premiumWebsites as an integer',
    'an integer',
    Number.isInteger,
  ),
  balanceCheck(
    'reseller.balance.current',
    'currentBalance',
    `MUST return currentBalance as ${MONEY}`,
    MONEY,
    isMoneyText,
  ),
  balanceCheck(
    'reseller.balance.threshold',
    'billingThreshold',
    `MUST return billingThreshold as ${MONEY}`,
    MONEY,
    isMoneyText,
  ),
];
