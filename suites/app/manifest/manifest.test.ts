import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeAppManifest, type ManifestFault } from '../../../contracts/manifests/index.ts';
import { otherAddresses } from './icon.ts';
import { isAddressAdvice, isIconFault, ownersOf } from './manifest.ts';

const GOOD = {
  app_type: 'APP',
  app_title: 'Greeting',
  app_icon: 'https://app.example/icon.png',
  app_version: '1.0.0',
  app_description_short: { en: 'Greets' },
  app_description_full: 'Greets everybody.',
  app_vendor: {
    company_name: 'Example',
    support_email: 'a@b.example',
    support_phone: '1',
    developer_email: 'a@b.example',
    company_url: 'https://app.example/',
    support_url: 'https://app.example/',
    privacy_url: 'https://app.example/',
    tos_url: 'https://app.example/',
  },
  app_permissions: ['FULL'],
  app_tab_mode: 'blank',
  app_install_url: 'https://app.example/install',
  app_settings_url: 'https://app.example/settings',
  app_secret: 'q7Rk2vN9xT4bW8mZ',
};
const TOP = [...Object.keys(GOOD), 'app_display_title', 'app_screenshots'];
const VENDOR = Object.keys(GOOD.app_vendor);
const VALUES = [
  undefined,
  null,
  '',
  ' ',
  7,
  true,
  [],
  {},
  ['x'],
  { en: 1 },
  { english: 'x' },
  { en: '' },
  'http://a.example/',
  'ftp://a.example',
  'x'.repeat(300),
];

/** Every fault that a wrong value in any one place can cause. */
function* faultsOfEverything(): Generator<ManifestFault> {
  for (const name of TOP) for (const value of VALUES) yield* judgeAppManifest({ ...GOOD, [name]: value });
  for (const name of VENDOR) {
    for (const value of VALUES) yield* judgeAppManifest({ ...GOOD, app_vendor: { ...GOOD.app_vendor, [name]: value } });
  }
  yield* judgeAppManifest({ ...GOOD, app_secret: ' short', app_title: 'has q7Rk2vN9xT4bW8mZ in it' });
  yield* judgeAppManifest({ ...GOOD, app_title: GOOD.app_secret });
  yield* judgeAppManifest({ ...GOOD, app_screenshots: { lv: 'https://a.example/' } });
}

test('the manifest of these tests has no fault', () => assert.deepEqual(judgeAppManifest(GOOD), []));

test('every fault belongs to exactly one check', () => {
  for (const fault of faultsOfEverything()) {
    const elsewhere = isIconFault(fault) || isAddressAdvice(fault) ? 1 : 0;
    assert.equal(ownersOf(fault).length + elsewhere, 1, JSON.stringify(fault));
  }
});

test('each field has its own clause', () => {
  const owner = (change: object): (readonly string[])[] =>
    judgeAppManifest({ ...GOOD, ...change }).flatMap((fault) => ownersOf(fault).map(({ clauses }) => clauses));
  assert.deepEqual(owner({ app_version: '1.0' }), [['app.manifest.version']]);
  assert.deepEqual(owner({ app_install_url: 'http://app.example/' }), [['app.manifest.https']]);
  assert.deepEqual(owner({ app_install_url: 'nowhere' }), [['app.manifest.install-url']]);
  assert.deepEqual(owner({ app_vendor: { ...GOOD.app_vendor, tos_url: undefined } }), [
    ['app.manifest.vendor-tos-url'],
  ]);
  assert.deepEqual(owner({ app_vendor: 'x' }), [['app.manifest.vendor']]);
});

test('an address that several places name is visited once', () => {
  const vendor = ['company_url', 'support_url', 'privacy_url', 'tos_url'].map((name) => `/app_vendor/${name}`);
  assert.deepEqual(
    [...otherAddresses(GOOD)],
    [
      ['https://app.example/icon.png', ['/app_icon']],
      ['https://app.example/', vendor],
    ],
  );
});
