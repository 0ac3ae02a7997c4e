/** What a faulty app submits to the setup portal. The app itself is correct. */
import { examplesOver } from '../../support/example.ts';
import App from '../correct.ts';

const OBLONG_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAFAAAABkAQAAAAA5gYq7AAAAFklEQVR42mP4DwcMo8xR5ihzlEkuEwCNQORGIowblgAAAABJRU5ErkJggg==';

const SMALL_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABAAQAAAACCEkxzAAAAEklEQVR42mP4DwUMo4xRBukMAOPT/hAC2mzjAAAAAElFTkSuQmCC';

export default examplesOver(App, {
  'app.manifest.display-title-as-list': {
    clauses: ['app.manifest.display-title'],
    about: 'The titles for languages are a list.',
    manifest: { app_display_title: ['Greeting', 'Sveiciens'] },
  },
  'app.manifest.empty-text': {
    clauses: ['app.manifest.texts-not-empty'],
    about: 'The full description is empty in one of two languages.',
    manifest: { app_description_full: { en: 'Greets your visitors.', lv: '' } },
  },
  'app.manifest.icon-is-page': {
    clauses: ['app.manifest.icon-url'],
    about: 'The address of the icon shows a page.',
    manifest: (origin) => ({ app_icon: `${origin}/help` }),
  },
  'app.manifest.install-url-is-path': {
    clauses: ['app.manifest.install-url'],
    about: 'The install address is a path without a host.',
    manifest: { app_install_url: 'install' },
  },
  'app.manifest.short-description-too-long': {
    clauses: ['app.manifest.description-is-brief'],
    about: 'The short description is as long as a full one.',
    manifest: { app_description_short: 'Greets your visitors on every page of your website. '.repeat(10) },
  },
  'app.manifest.no-company-url': {
    clauses: ['app.manifest.vendor-company-url'],
    about: 'The vendor has no page of its own.',
    manifest: { app_vendor: { company_url: null } },
  },
  'app.manifest.no-company-name': {
    clauses: ['app.manifest.vendor-company-name'],
    about: 'The vendor has no company_name.',
    manifest: { app_vendor: { company_name: null } },
  },
  'app.manifest.no-developer-email': {
    clauses: ['app.manifest.vendor-developer-email'],
    about: 'The vendor has no developer_email.',
    manifest: { app_vendor: { developer_email: null } },
  },
  'app.manifest.no-full-description': {
    clauses: ['app.manifest.description-full'],
    about: 'The manifest has no full description.',
    manifest: { app_description_full: null },
  },
  'app.manifest.no-secret': {
    clauses: ['app.manifest.secret'],
    about: 'The manifest has no secret.',
    manifest: { app_secret: null },
  },
  'app.manifest.no-settings-url': {
    clauses: ['app.manifest.settings-url'],
    about: 'The manifest has no settings address.',
    manifest: { app_settings_url: null },
  },
  'app.manifest.no-short-description': {
    clauses: ['app.manifest.description-short'],
    about: 'The manifest has no short description.',
    manifest: { app_description_short: null },
  },
  'app.manifest.no-support-email': {
    clauses: ['app.manifest.vendor-support-email'],
    about: 'The vendor has no support_email.',
    manifest: { app_vendor: { support_email: null } },
  },
  'app.manifest.no-support-url': {
    clauses: ['app.manifest.vendor-support-url'],
    about: 'The vendor has no support_url.',
    manifest: { app_vendor: { support_url: null } },
  },
  'app.manifest.no-tos-url': {
    clauses: ['app.manifest.vendor-tos-url'],
    about: 'The vendor has no terms of service.',
    manifest: { app_vendor: { tos_url: null } },
  },
  'app.manifest.icon-not-square': {
    clauses: ['app.manifest.icon-square'],
    about: 'The icon measures 80 x 100 pixels.',
    change: () => ({
      icon: () => new Response(Buffer.from(OBLONG_PNG, 'base64'), { headers: { 'content-type': 'image/png' } }),
    }),
  },
  'app.manifest.other-permissions': {
    clauses: ['app.manifest.permissions'],
    about: 'The manifest requests permissions other than FULL.',
    manifest: { app_permissions: ['READ', 'WRITE'] },
  },
  'app.manifest.other-tab-mode': {
    clauses: ['app.manifest.tab-mode'],
    about: 'The tab mode is neither blank nor self.',
    manifest: { app_tab_mode: 'popup' },
  },
  'app.manifest.other-type': {
    clauses: ['app.manifest.app-type'],
    about: 'The manifest is of another type.',
    manifest: { app_type: 'DELIVERY_SERVICE' },
  },
  'app.manifest.plain-http': {
    clauses: ['app.manifest.https'],
    about: 'The install address is on another machine and uses plain http.',
    manifest: { app_install_url: 'http://apps.example/install' },
  },
  'app.manifest.privacy-not-a-url': {
    clauses: ['app.manifest.vendor-privacy-url'],
    about: 'The vendor’s privacy page is not an address.',
    manifest: { app_vendor: { privacy_url: 7 } },
  },
  'app.manifest.screenshots-as-list': {
    clauses: ['app.manifest.screenshots'],
    about: 'The screenshots are a list of addresses.',
    manifest: (origin) => ({ app_screenshots: [`${origin}/icon.png`] }),
  },
  'app.manifest.small-icon': {
    clauses: ['app.manifest.icon-size'],
    about: 'The icon measures 64 x 64 pixels.',
    change: () => ({
      icon: () => new Response(Buffer.from(SMALL_PNG, 'base64'), { headers: { 'content-type': 'image/png' } }),
    }),
  },
  'app.manifest.support-phone-as-number': {
    clauses: ['app.manifest.vendor-support-phone'],
    about: 'The vendor’s phone is a number.',
    manifest: { app_vendor: { support_phone: 37160000000 } },
  },
  'app.manifest.terms-not-found': {
    clauses: ['app.manifest.reachable-urls'],
    about: 'The page with the terms of service does not exist.',
    manifest: (origin) => ({ app_vendor: { tos_url: `${origin}/agreement` } }),
  },
  'app.manifest.title-by-language': {
    clauses: ['app.manifest.app-title'],
    about: 'The title, which is not localizable, is given by language.',
    manifest: { app_title: { en: 'Greeting' } },
  },
  'app.manifest.vendor-as-string': {
    clauses: ['app.manifest.vendor'],
    about: 'The vendor is a name, not an object.',
    manifest: { app_vendor: 'Example Apps Ltd' },
  },
  'app.manifest.two-part-version': {
    clauses: ['app.manifest.version'],
    about: 'The version has two numbers.',
    manifest: { app_version: '1.0' },
  },
  'app.manifest.weak-secret': {
    clauses: ['app.manifest.secret-is-strong'],
    about: 'The secret is short enough to be guessed.',
    change: ({ settings }) => ({ settings: { ...settings, appSecret: 'hunter2' } }),
  },
});
