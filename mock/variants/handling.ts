/** What other services do with requests that the contract leaves open. */

import type { Fixtures } from '../fixtures/fixtures.ts';
import { textIn } from '../state/state.ts';
import type { Deviation } from '../types/deviation.ts';
import type { Text } from '../types/text.ts';

export const handlingVariants: readonly Deviation[] = [
  {
    id: 'points.duplicate-replaced',
    about: 'Adding a point whose id already exists replaces the old one.',
    rules: () => ({ duplicatePoint: () => 'replace' }),
  },
  {
    id: 'handles.unknown-partial',
    about: 'A call on several handles serves those that exist when one of them does not: a partial success.',
    rules: () => ({ unknownHandleRefusesAll: () => false }),
  },
  {
    id: 'site.one-language',
    about: 'Stores, providers and websites have one language.',
    fixtures: (correct) => oneLanguage(correct),
  },
  {
    id: 'site.one-language-strings',
    about: 'Stores, providers and websites have one language, and texts sent as objects read back as strings.',
    fixtures: (correct) => oneLanguage(correct),
    rules: () => ({ renderText: (text, site) => textIn(text, site.defaultLanguage, site) }),
  },
  {
    id: 'reseller.one-session',
    about: 'Signing in ends the reseller’s earlier tokens.',
    rules: () => ({ tokensEndedBySignIn: (tokens) => tokens }),
  },
  {
    id: 'reseller.password-ends-other-sessions',
    about: 'Changing the password ends all tokens except the one that changed it.',
    rules: () => ({
      tokensEndedByPassword: (tokens, presented) => tokens.filter(({ token }) => token !== presented.token),
    }),
  },
  {
    id: 'reseller.domain-add-record',
    about: 'Adding a domain returns its record.',
    rules: (correct) => ({ domainAdded: (domain) => correct.domainRecord(domain) }),
  },
  {
    id: 'reseller.domain-lower-case',
    about: 'Domain names read back in lower case.',
    rules: (correct) => ({
      domainRecord: (domain) => correct.domainRecord({ ...domain, domain: domain.domain.toLowerCase() }),
    }),
  },
  {
    id: 'reseller.credit-fraction',
    about: 'The credit limit has a fraction.',
    rules: (correct) => ({
      settingsRecord: (reseller) => ({ ...correct.settingsRecord(reseller), creditLimit: reseller.creditLimit + 0.5 }),
    }),
  },
  {
    id: 'reseller.settings-empty-ignored',
    about: 'An empty value of a setting is ignored.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(
          reseller,
          Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== '')),
        ),
    }),
  },
];

/** Rows of a service on which all users write in the default language of the first website. */
function oneLanguage(fixtures: Fixtures): Fixtures {
  const language = fixtures.websites[0]?.defaultLanguage ?? 'en';
  const only = { languages: [language], defaultLanguage: language };
  const single = (text: Text | null): Text | null => (text === null ? null : textIn(text, language, only));
  const methods = fixtures.methods.map((method) => ({ ...method, title: single(method.title) }));
  return {
    ...fixtures,
    websites: fixtures.websites.map((website) => ({ ...website, ...only })),
    providers: fixtures.providers.map((provider) => ({ ...provider, ...only })),
    methods,
    points: Object.fromEntries(
      Object.entries(fixtures.points).map(([handle, points]) => [
        handle,
        points.map((point) => ({ ...point, title: single(point.title) })),
      ]),
    ),
    orders: fixtures.orders.map((order) => ({
      ...order,
      language,
      method: { ...order.method, title: single(order.method.title) },
    })),
  };
}
