/** Faults of the balance and the password of an account. */
import type { Deviation } from '../../../types/deviation.ts';
import { questionMarks } from '../../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const balance =
  (name: string, value: unknown): MakesRules =>
  (correct) => ({ balanceRecord: (reseller, sites) => ({ ...correct.balanceRecord(reseller, sites), [name]: value }) });

export const accountFaults: readonly Deviation[] = [
  {
    id: 'reseller.balance-without-currency',
    clause: 'reseller.balance.current',
    about: 'The balance is an amount without its currency.',
    rules: balance('currentBalance', '120.50'),
  },
  {
    id: 'reseller.balance-count-as-text-while-charged',
    clause: 'reseller.balance.premium-websites',
    about: 'The number of websites with a subscription is a string once it is larger than at first.',
    rules: (correct) => {
      let first: unknown;
      return {
        balanceRecord: (reseller, sites) => {
          const record = correct.balanceRecord(reseller, sites);
          const { premiumWebsites } = record;
          first ??= premiumWebsites;
          return Number(premiumWebsites) > Number(first)
            ? { ...record, premiumWebsites: String(premiumWebsites) }
            : record;
        },
      };
    },
  },
  {
    id: 'reseller.balance-as-number',
    clause: 'reseller.balance.current',
    about: 'The balance is a number.',
    rules: balance('currentBalance', 120.5),
  },
  {
    id: 'reseller.threshold-as-object',
    clause: 'reseller.balance.threshold',
    about: 'The billing threshold is an object of currency and amount.',
    rules: balance('billingThreshold', { currency: 'EUR', amount: '50.00' }),
  },
  {
    id: 'reseller.premium-count-as-string',
    clause: 'reseller.balance.premium-websites',
    about: 'The number of paid websites is a string.',
    rules: balance('premiumWebsites', '3'),
  },
  {
    id: 'reseller.password-stored-trimmed',
    clause: 'reseller.password.new-works',
    about: 'A new password is stored without its outer spaces.',
    rules: () => ({ passwordAfter: (_reseller, password) => password.trim() }),
  },
  {
    id: 'reseller.password-stored-escaped',
    clause: 'reseller.password.new-works',
    about: 'A new password is stored with escaped signs.',
    rules: () => ({
      passwordAfter: (_reseller, password) => password.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
    }),
  },
  {
    id: 'reseller.password-stored-in-ascii',
    clause: 'reseller.password.new-works',
    about: 'In a new password question marks replace letters outside ASCII.',
    rules: (correct) => ({
      passwordAfter: (reseller, password) => questionMarks(correct.passwordAfter(reseller, password)),
    }),
  },
  {
    id: 'reseller.password-stored-in-latin1',
    clause: 'reseller.password.new-works',
    about: 'In a new password question marks replace letters outside Latin-1.',
    rules: (correct) => ({
      passwordAfter: (reseller, password) =>
        correct.passwordAfter(reseller, password).replaceAll(/[^\x20-\xff]/gu, '?'),
    }),
  },
  {
    id: 'reseller.password-set-again-lost',
    clause: 'reseller.password.new-works',
    about: 'Setting the present password again stores another one.',
    rules: () => ({
      passwordAfter: (reseller, password) => (reseller.password === password ? `${password}${password}` : password),
    }),
  },
];
