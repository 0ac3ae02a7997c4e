/** Faults of account settings. */
import { setTimeout } from 'node:timers/promises';
import type { Deviation } from '../../../types/deviation.ts';
import { intercepts, MOMENT_MS } from '../../interception.ts';
import { API, parametersOf, refusesCalls } from '../interception.ts';

type MakesRules = NonNullable<Deviation['rules']>;

const settings =
  (name: string, value: unknown): MakesRules =>
  (correct) => ({ settingsRecord: (reseller) => ({ ...correct.settingsRecord(reseller), [name]: value }) });

const APPLIES = 'reseller.settings.set-applies';
const OTHERS = 'reseller.settings.set-keeps-others';
const UNCHANGED = 'reseller.settings.unchanged-refused';

/** Changes values before they are stored. */
const kept =
  (change: (value: string, name: string) => string): MakesRules =>
  (correct) => ({
    settingsAfter: (reseller, changes) =>
      correct.settingsAfter(
        reseller,
        Object.fromEntries(Object.entries(changes).map(([name, value]) => [name, change(value, name)])),
      ),
  });

export const settingFaults: readonly Deviation[] = [
  {
    id: 'reseller.settings-id-as-string',
    clause: 'reseller.settings.reseller-id',
    about: 'The id of the reseller is a string of digits.',
    rules: settings('resellerID', '9001'),
  },
  {
    id: 'reseller.settings-phone-as-number',
    clause: 'reseller.settings.strings',
    about: 'A telephone number is a number.',
    rules: settings('contactPhone', 37167000001),
  },
  {
    id: 'reseller.settings-link-as-object',
    clause: 'reseller.settings.strings',
    about: 'The last link is an object by language.',
    rules: settings('privacyLink', { en: 'https://web-resellers.example/privacy' }),
  },
  {
    id: 'reseller.settings-country-upper-case',
    clause: 'reseller.settings.country',
    about: 'The country of the reseller is in upper case.',
    rules: settings('addrCountry', 'LV'),
  },
  {
    id: 'reseller.settings-country-by-name',
    clause: 'reseller.settings.country',
    about: 'The country of the reseller is written as a name.',
    rules: settings('addrCountry', 'latvia'),
  },
  {
    id: 'reseller.settings-country-as-sent',
    clause: 'reseller.settings.country-in-capitals',
    about: 'A country of the reseller that is sent in upper case is stored as it was sent.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) => ({
        ...correct.settingsAfter(reseller, changes),
        ...(changes.addrCountry === undefined ? {} : { addrCountry: changes.addrCountry }),
      }),
    }),
  },
  {
    id: 'reseller.settings-ignored-except-company',
    clause: UNCHANGED,
    about: 'Every setting is accepted, and only the company is stored.',
    rules: (correct) => ({
      settingsAfter: (reseller, { company }) =>
        correct.settingsAfter(reseller, company === undefined ? {} : { company }),
    }),
  },
  {
    id: 'reseller.tlds-as-list',
    clause: 'reseller.settings.tlds',
    about: 'Top-level domains come as a list.',
    rules: settings('tlds', ['lv', 'com']),
  },
  {
    id: 'reseller.tlds-with-semicolons',
    clause: 'reseller.settings.tlds',
    about: 'Top-level domains are separated by semicolons.',
    rules: settings('tlds', 'lv;com;eu'),
  },
  {
    id: 'reseller.credit-as-string',
    clause: 'reseller.settings.credit-limit',
    about: 'The credit limit is a string.',
    rules: settings('creditLimit', '500.00'),
  },
  {
    id: 'reseller.settings-not-applied',
    clauses: [APPLIES, UNCHANGED],
    about: 'Settings are accepted and stay as they were.',
    rules: () => ({ settingsAfter: ({ settings: before }) => ({ ...before }) }),
  },
  {
    id: 'reseller.settings-only-first-applied',
    clause: APPLIES,
    about: 'Of two settings in one call only the first is stored; a single one is stored.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(reseller, Object.fromEntries(Object.entries(changes).slice(0, 1))),
    }),
  },
  {
    id: 'reseller.settings-only-last-applied',
    clause: APPLIES,
    about: 'Of several settings in one call only the last is stored; a single one is stored.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(reseller, Object.fromEntries(Object.entries(changes).slice(-1))),
    }),
  },
  {
    id: 'reseller.settings-in-latin-1',
    clause: APPLIES,
    about: 'Settings in UTF-8 are read as Latin-1.',
    rules: kept((value) => Buffer.from(value, 'utf8').toString('latin1')),
  },
  {
    id: 'reseller.settings-decoded-twice',
    clause: APPLIES,
    about: 'Plus signs in the name of the contact become spaces.',
    rules: kept((value, name) => (name === 'contactName' ? value.replaceAll('+', ' ') : value)),
  },
  {
    id: 'reseller.settings-placeholders-resolved',
    clause: APPLIES,
    about: 'Placeholders in braces are removed from settings.',
    rules: kept((value) => value.replaceAll(/\{\{\w+\}\}|\$\{\w+\}/g, '')),
  },
  {
    id: 'reseller.settings-quotes-unescaped',
    clause: APPLIES,
    about: 'A quote in a setting loses the backslash before it.',
    rules: kept((value) => value.replaceAll(/\\(["'])/g, '$1')),
  },
  {
    id: 'reseller.settings-cut-at-bar',
    clause: APPLIES,
    about: 'Settings are kept in one list with bars between them, and cut at a bar.',
    rules: kept((value) => value.split('|')[0] ?? ''),
  },
  {
    id: 'reseller.settings-link-slashes-merged',
    clause: APPLIES,
    about: 'Double slashes in the path of a link are merged.',
    rules: kept((value) => value.replaceAll(/(?<!:)\/{2,}/g, '/')),
  },
  {
    id: 'reseller.settings-link-loses-last-slash',
    clause: APPLIES,
    about: 'A link loses the slash at its end.',
    rules: kept((value) => value.replace(/^(https?:.*)\/$/, '$1')),
  },
  {
    id: 'reseller.settings-plus-of-form-kept',
    clause: APPLIES,
    about: 'Plus signs of a form stay plus signs; %20 becomes a space.',
    http: intercepts('POST', API.setSettings, async (met) => {
      const sent = await met.request.clone().text();
      return met.pass({ form: sent.replaceAll('+', '%2B') });
    }),
  },
  {
    id: 'reseller.settings-escaped',
    clause: APPLIES,
    about: 'Ampersands and quotes of settings are kept as entities.',
    rules: kept((value) => value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')),
  },
  {
    id: 'reseller.settings-replaced-entirely',
    clause: OTHERS,
    about: 'A change empties all settings that it does not name.',
    rules: () => ({ settingsAfter: (_reseller, changes) => ({ ...changes }) }),
  },
  {
    id: 'reseller.settings-clear-links',
    clause: OTHERS,
    about: 'A change empties the address of the shop; all else stays.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) => ({
        ...correct.settingsAfter(reseller, changes),
        buyLink: changes.buyLink ?? '',
      }),
    }),
  },
  {
    id: 'reseller.settings-overwrite-contact-mail',
    clause: OTHERS,
    about: 'A new address of the support becomes that of the contact as well.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(reseller, {
          ...(changes.supportEmail === undefined ? {} : { contactEmail: changes.supportEmail }),
          ...changes,
        }),
    }),
  },
  {
    id: 'reseller.settings-company-emptied',
    clauses: [APPLIES, UNCHANGED],
    about: 'A call that sets the company empties it, also with the present one.',
    rules: kept((value, name) => (name === 'company' ? '' : value)),
  },
  {
    id: 'reseller.settings-reset-by-next-change',
    clause: OTHERS,
    about: 'A change resets the settings that it does not name to their initial values.',
    rules: (correct) => {
      const first = new Map<number, Readonly<Record<string, string>>>();
      return {
        settingsAfter: (reseller, changes) => {
          if (!first.has(reseller.id)) first.set(reseller.id, reseller.settings);
          return correct.settingsAfter({ ...reseller, settings: first.get(reseller.id)! }, changes);
        },
      };
    },
  },
  {
    id: 'reseller.settings-phone-shared',
    clause: OTHERS,
    about: 'Setting the support phone also changes the contact phone.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) => {
        const after = correct.settingsAfter(reseller, changes);
        const { supportPhone } = changes;
        return supportPhone === undefined ? after : { ...after, contactPhone: supportPhone };
      },
    }),
  },
  {
    id: 'reseller.settings-support-email-logs-in',
    clause: 'reseller.account.nothing-else-changes',
    about: 'Setting the support e-mail also changes the e-mail with which the account logs in.',
    http: intercepts('*', API.setSettings, async (met) => {
      const response = await met.pass();
      const parameters = await parametersOf(met);
      const { resellers, tokens } = met.service.state;
      const email = parameters.get('supportEmail');
      const id = tokens.get(parameters.get('apiToken') ?? '')?.resellerId;
      if (response.status === 200 && email) met.service.change(() => resellers.patch(String(id), { email }));
      return response;
    }),
  },
  {
    id: 'reseller.settings-lost-at-once',
    clause: OTHERS,
    about: 'Of settings that are set at the same time only the last is kept: it writes the others as it read them.',
    http: intercepts('*', API.setSettings, async (met) => {
      const { resellers } = met.service.state;
      const before = resellers.all();
      await setTimeout(MOMENT_MS);
      const response = await met.pass();
      if (response.status !== 200) return response;
      const sent = [...(await parametersOf(met)).keys()];
      met.service.change(() => {
        for (const { id, settings: old } of before) {
          const now = resellers.get(String(id))?.settings ?? old;
          const own = Object.entries(now).filter(([name]) => sent.includes(name));
          resellers.patch(String(id), { settings: { ...old, ...Object.fromEntries(own) } });
        }
      });
      return response;
    }),
  },
  {
    id: 'reseller.settings-zero-ignored',
    clause: APPLIES,
    about: 'A setting that is set to 0 keeps its value.',
    rules: (correct) => ({
      settingsAfter: (reseller, changes) =>
        correct.settingsAfter(reseller, Object.fromEntries(Object.entries(changes).filter(([, text]) => text !== '0'))),
    }),
  },
  {
    id: 'reseller.settings-set-not-offered',
    clause: 'reseller.settings.set-applies',
    about: 'The call that changes settings does not exist.',
    http: refusesCalls(API.setSettings),
  },
];
