/** Manifests of integrators: they are read, judged by both sets of rules, and each fault gets its line. */
import assert from 'node:assert/strict';
import { parseManifest } from '../../../cli/precheck/manifest.ts';
import { judgeAppManifest, judgeDeliveryManifest } from '../../../contracts/manifests/index.ts';
import { expectPlainRefusal, type Kind } from '../kind.ts';
import { changedJson } from '../mutate.ts';

const VENDOR = { company_name: 'A', support_email: 'a@a.example', support_phone: '1', developer_email: 'd@a.example' };
const APP = {
  app_type: 'APP',
  app_title: 'Honey',
  app_display_title: { en: 'Honey', lv: 'Medus' },
  app_icon: 'https://a.example/icon.png',
  app_version: '1.0.0',
  app_description_short: { en: 'Honey.' },
  app_description_full: 'All about honey.',
  app_screenshots: { en: 'https://a.example/1.png' },
  app_vendor: {
    ...VENDOR,
    company_url: 'https://a.example/',
    support_url: { en: 'https://a.example/' },
    privacy_url: 'https://a.example/',
    tos_url: 'https://a.example/',
  },
  app_permissions: ['FULL'],
  app_tab_mode: 'blank',
  app_install_url: 'https://a.example/install',
  app_settings_url: 'https://a.example/settings',
  app_secret: 'a-secret-of-many-letters',
};
const PROVIDER = {
  app_type: 'DELIVERY_SERVICE',
  app_title: 'Bees',
  app_vendor: VENDOR,
  delivery_api_data_fields: [{ id: 'client', title: { en: 'Client' }, type: 'text', required: true }],
  delivery_service_info: { info_url: { en: 'https://a.example/' } },
};

export const manifests: Kind = {
  name: 'manifests',
  few: 300,
  tried(chance) {
    const bytes = changedJson(chance.pick([APP, PROVIDER]), chance);
    return expectPlainRefusal(() => {
      const manifest = parseManifest(bytes, 'manifest.json');
      for (const fault of [...judgeAppManifest(manifest.value), ...judgeDeliveryManifest(manifest.value)])
        assert.ok(manifest.lineOf(fault.pointer) >= 1, `no line of ${fault.pointer}`);
    }, 'manifest.json');
  },
};
