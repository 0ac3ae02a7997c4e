/** Faults of calls that change a setting which they do not name. Some of them show when a setting is set to the text that it has. */
import type { Deviation } from '../../../types/deviation.ts';

type Settings = Readonly<Record<string, string>>;

/** Changes the settings further after a call set the one of this name. */
const besides =
  (name: string, change: (settings: Settings) => Settings): NonNullable<Deviation['rules']> =>
  (correct) => ({
    settingsAfter: (reseller, changes) => {
      const settings = correct.settingsAfter(reseller, changes);
      return name in changes ? { ...settings, ...change(settings) } : settings;
    },
  });

/** Puts what is sent for a setting into another one. */
const puts =
  (from: string, to: string): NonNullable<Deviation['rules']> =>
  (correct) => ({
    settingsAfter: (reseller, changes) => {
      const { [from]: text, ...others } = changes;
      return correct.settingsAfter(reseller, text === undefined ? changes : { [to]: text, ...others });
    },
  });

const OTHERS = 'reseller.settings.set-keeps-others';

export const presentSettingFaults: readonly Deviation[] = [
  {
    id: 'reseller.settings-contact-address-for-support',
    clause: OTHERS,
    about: 'The mail address of the contact, when it is set, becomes that of the support as well.',
    rules: besides('contactEmail', ({ contactEmail = '' }) => ({ supportEmail: contactEmail })),
  },
  {
    id: 'reseller.settings-contact-address-lost',
    clause: OTHERS,
    about: 'The mail address of the contact is emptied when it is set.',
    rules: besides('contactEmail', () => ({ contactEmail: '' })),
  },
  {
    id: 'reseller.settings-terms-as-privacy',
    clauses: [OTHERS, 'reseller.settings.unchanged-refused'],
    about:
      'The link to the terms, when it is set, becomes the link to the privacy policy. A call that names both sets the latter only.',
    rules: puts('termsLink', 'privacyLink'),
  },
  {
    id: 'reseller.settings-support-address-as-contact',
    clause: OTHERS,
    about: 'The mail address of the support, when it is set, becomes that of the contact, which a run does not set.',
    rules: puts('supportEmail', 'contactEmail'),
  },
];
