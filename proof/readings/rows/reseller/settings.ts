/** Silences about the settings of a reseller account and its balance. */

import { intercepts } from '../../../../mock/faults/interception.ts';
import { parametersOf, refused } from '../../../../mock/faults/reseller/interception.ts';
import { CHANGEABLE_SETTINGS } from '../../../../mock/rules/reseller.ts';
import type { Reading, ReadingAnswer } from '../../reading.ts';
import { API, leaving, ofReseller } from '../demands.ts';

const SETTINGS = 'Resources and their fields, Reseller account settings (C)';

const fixedSettings = (
  id: string,
  about: string,
  fixed: readonly string[],
  undecides?: ReadingAnswer['undecides'],
): ReadingAnswer => ({
  id,
  about,
  ...leaving(undecides),
  http: ofReseller(API.setSettings, (parameters) => {
    const found = [...parameters.keys()].find((name) => fixed.includes(name));
    return found === undefined ? undefined : `${found} can not be changed.`;
  }),
});

const neededSettings = (id: string, about: string, needed: readonly string[]): ReadingAnswer => ({
  id,
  about,
  http: ofReseller(API.setSettings, (parameters) => {
    const missing = needed.find((name) => !parameters.has(name));
    return missing === undefined ? undefined : `${missing} is required.`;
  }),
});

const settingValues = (id: string, about: string, isGood: (value: string, name: string) => boolean): ReadingAnswer => ({
  id,
  about,
  http: ofReseller(API.setSettings, (parameters) => {
    const bad = [...parameters].find(([name, value]) => name !== 'apiToken' && !isGood(value, name));
    return bad === undefined ? undefined : `${bad[0]} can not have this value.`;
  }),
});

const allBut = (...names: readonly string[]): string[] => CHANGEABLE_SETTINGS.filter((name) => !names.includes(name));

export const settingReadings: readonly Reading[] = [
  {
    id: 'reseller.settings-fixed',
    section: SETTINGS,
    silence: 'Which settings can be changed.',
    answers: [
      fixedSettings('contact-name', 'The contact name can not be changed.', ['contactName']),
      fixedSettings('city-only', 'Only the city can be changed.', allBut('addrCity')),
      fixedSettings('phone-only', 'Only the support phone can be changed.', allBut('supportPhone')),
      fixedSettings('link-only', 'Only the link to the terms can be changed.', allBut('termsLink')),
      fixedSettings('country-only', 'Only the country can be changed.', allBut('addrCountry')),
      fixedSettings('notify-only', 'Only the notify link can be changed.', allBut('notifyLink')),
      fixedSettings(
        'email-and-company',
        'Only e-mail addresses and the company can be changed.',
        allBut('supportEmail', 'contactEmail', 'company'),
      ),
      fixedSettings('none', 'No setting can be changed.', [...CHANGEABLE_SETTINGS]),
      {
        id: 'others-ignored',
        about: 'Settings that can not be changed are ignored; city and phone can.',
        rules: (correct) => ({
          maySet: () => true,
          settingsAfter: (reseller, changes) =>
            correct.settingsAfter(
              reseller,
              Object.fromEntries(Object.entries(changes).filter(([name]) => /^(addrCity|supportPhone)$/.test(name))),
            ),
        }),
      },
      {
        id: 'one-at-a-time',
        about: 'A call changes one setting.',
        http: ofReseller(API.setSettings, (parameters) =>
          [...parameters.keys()].filter((name) => name !== 'apiToken').length > 1 ? 'One setting a call.' : undefined,
        ),
      },
    ],
  },
  {
    id: 'reseller.settings-required',
    section: SETTINGS,
    silence: 'Which settings each change has to name.',
    answers: [
      {
        ...neededSettings('company', 'The company.', ['company']),
        // No change could name it.
        without: ['city-only', 'phone-only', 'link-only', 'country-only', 'notify-only', 'none', 'one-at-a-time'].map(
          (answer) => `reseller.settings-fixed/${answer}`,
        ),
      },
      {
        ...neededSettings('all', 'All that can be changed.', CHANGEABLE_SETTINGS),
        without: ['reseller.settings-fixed'],
      },
    ],
  },
  {
    id: 'reseller.settings-values',
    section: SETTINGS,
    silence: 'Which values a setting can have.',
    answers: [
      ...[20, 40, 50].map((count) =>
        settingValues(`at-most-${count}`, `At most ${count} characters.`, (value) => value.length <= count),
      ),
      settingValues('no-markup', 'No markup characters.', (value) => !/[<>&"']/.test(value)),
      {
        ...settingValues('ascii', 'ASCII only.', (value) => /^[\x20-\x7e]*$/.test(value)),
        // The city of the account has another letter: where nothing else can be set, a run can't put back what it would set.
        without: ['reseller.settings-fixed'],
      },
      settingValues('not-empty', 'Not empty.', (value) => value !== ''),
      settingValues(
        'letters',
        'Names and cities of letters and spaces only.',
        (value, name) => !/^(contactName|addrCity|company)$/.test(name) || /^[\p{L} ]*$/u.test(value),
      ),
      settingValues(
        'checked-links',
        'Links on known names only.',
        (value, name) => !/Link$|Website$/.test(name) || value === '' || /\.(com|lv)\//.test(value),
      ),
      settingValues(
        'checked-mail',
        'Mail addresses on known names only.',
        (value, name) => !/Email$/.test(name) || /\.(com|lv)$/.test(value),
      ),
      settingValues(
        'small-country',
        'A country in small letters only.',
        (value, name) => name !== 'addrCountry' || value === value.toLowerCase(),
      ),
      {
        id: 'other-country-ignored',
        about: 'A country that is not in small letters is ignored.',
        rules: (correct) => ({
          settingsAfter: (reseller, changes) =>
            correct.settingsAfter(
              reseller,
              Object.fromEntries(
                Object.entries(changes).filter(
                  ([name, value]) => name !== 'addrCountry' || value === value.toLowerCase(),
                ),
              ),
            ),
        }),
      },
      {
        id: 'country-as-sent',
        about: 'A country is stored in the case in which it was sent.',
        rules: (correct) => ({
          settingsAfter: (reseller, changes) => ({
            ...correct.settingsAfter(reseller, changes),
            ...(changes.addrCountry === undefined ? {} : { addrCountry: changes.addrCountry }),
          }),
        }),
      },
      {
        id: 'same-refused',
        about: 'A call that would change nothing is refused.',
        // One with a plain text has to take another one: the others could not be put back if it were refused for itself.
        without: ['reseller.settings-fixed', 'reseller.settings-extremes'],
        http: intercepts('*', API.setSettings, async (met) => {
          const [reseller] = met.service.state.resellers.all();
          const present: Readonly<Record<string, string>> = { ...reseller?.settings };
          const { apiToken: _token, ...changes } = Object.fromEntries(await parametersOf(met));
          const isSame = Object.entries(changes).every(([name, value]) => (present[name] ?? '') === value);
          return isSame ? refused(409, 'Nothing to change.') : met.pass();
        }),
      },
      {
        id: 'empty-ignored',
        about: 'An empty value is ignored.',
        rules: (correct) => ({
          settingsAfter: (reseller, changes) =>
            correct.settingsAfter(
              reseller,
              Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== '')),
            ),
        }),
      },
    ],
  },
  {
    id: 'reseller.login-email',
    section: SETTINGS,
    silence: 'Whether one of the e-mail addresses among the settings is the one that logs in.',
    answers: ['supportEmail', 'contactEmail'].map((name) => ({
      id: name === 'supportEmail' ? 'support' : 'contact',
      about: `The account logs in with its ${name}, whatever it is.`,
      // Where that is the only setting which takes another text, none is left to change.
      without: ['reseller.settings-fixed', 'reseller.settings-extremes'],
      fixtures: (fixtures) => ({
        ...fixtures,
        resellers: fixtures.resellers.map((one) => ({ ...one, settings: { ...one.settings, [name]: one.email } })),
      }),
      http: intercepts('*', API.setSettings, async (met) => {
        const response = await met.pass();
        const email = (await parametersOf(met)).get(name);
        const { resellers } = met.service.state;
        const [reseller] = resellers.all();
        if (response.status === 200 && email && reseller)
          met.service.change(() => resellers.patch(String(reseller.id), { email }));
        return response;
      }),
    })),
  },
  {
    id: 'reseller.settings-record',
    section: SETTINGS,
    silence: 'How settings are shown that were never set, and which further ones are.',
    answers: [
      {
        id: 'null',
        about: 'Empty ones are null.',
        rules: (correct) => ({
          settingsRecord: (reseller) =>
            Object.fromEntries(
              Object.entries(correct.settingsRecord(reseller)).map(([name, value]) => [
                name,
                value === '' ? null : value,
              ]),
            ),
        }),
      },
      {
        id: 'omitted',
        about: 'Empty ones are left out.',
        rules: (correct) => ({
          settingsRecord: (reseller) =>
            Object.fromEntries(Object.entries(correct.settingsRecord(reseller)).filter(([, value]) => value !== '')),
        }),
      },
      {
        id: 'further',
        about: 'There are further ones, one of which counts calls.',
        rules: (correct) => {
          let count = 0;
          return {
            settingsRecord: (reseller) => {
              count += 1;
              return {
                ...correct.settingsRecord(reseller),
                theme: 'dark',
                callsToday: count,
                lastCall: `2026-11-20 10:00:${count}`,
              };
            },
          };
        },
      },
      {
        id: 'numbers',
        about: 'The credit limit has a fraction, and tlds have spaces between them.',
        rules: (correct) => ({
          settingsRecord: (reseller) => ({
            ...correct.settingsRecord(reseller),
            creditLimit: -12.5,
            tlds: reseller.tlds.replaceAll(',', ', '),
          }),
        }),
      },
    ],
  },
  {
    id: 'reseller.balance-form',
    section: 'Resources and their fields, Reseller balance (C)',
    silence: 'How currency code and amount are written.',
    answers: ['EUR 1234.50', '1,234.50 EUR', 'EUR-12.5', 'EUR1234', '€ EUR 0'].slice(0, 4).map((text, at) => ({
      id: `form-${at + 1}`,
      about: `As "${text}".`,
      rules: (correct) => ({
        balanceRecord: (reseller, all) => ({
          ...correct.balanceRecord(reseller, all),
          currentBalance: text,
          billingThreshold: text,
        }),
      }),
    })),
  },
];
