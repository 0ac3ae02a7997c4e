/** Faults that show when a setting is set to the text that it has. */
import type { Deviation } from '../../types/deviation.ts';

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
];
