/** The target profile with which `proofmark run` judges this service, with all parts that the fixtures provide. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { siteUrl } from './state/sites.ts';
import type { Installation, Order, Website } from './state/state.ts';
import type { MockService } from './types/service.ts';

const DRIVER = fileURLToPath(new URL('./driver.ts', import.meta.url));

export interface ProfileOptions {
  /** PEM file with the certificate of a service over HTTPS. */
  readonly caFile?: string;
}

/**
 * A profile as a JSON value (its format: docs). It contains secrets as they are, which is allowed for loopback addresses only.
 * Parts without data in the state are left out.
 */
export function profileOf(service: MockService, options: ProfileOptions = {}): Record<string, unknown> {
  const { state, origin } = service;
  const [store, otherStore] = state.websites.all();
  return {
    name: 'mock',
    v1: `${origin}/v1/`,
    api: `${origin}/api/`,
    delivery: {
      ...(store ? { private: { apiKey: store.apiKey, ...given('otherApiKey', otherStore?.apiKey) } } : {}),
      ...given('public', publicDelivery(service, store)),
    },
    ...given('website', store && websitePart(service, store)),
    ...given('apps', store && appsPart(service, store)),
    ...given('reseller', resellerPart(service)),
    ...(existsSync(DRIVER) ? { driver: DRIVER } : {}),
    allow: ['write', 'drive', 'settings', 'site-status', 'billing', 'domains', 'password', 'uninstall'],
    ...(options.caFile === undefined ? {} : { tls: { ca: options.caFile } }),
  };
}

function publicDelivery(service: MockService, store: Website | undefined): Record<string, unknown> | undefined {
  const { state } = service;
  const provider = state.providers.find((row) => row.status === 'approved');
  if (!provider) return undefined;
  const orders = state.orders.all();
  const isOwn = (order: Order): boolean => order.owner === `provider:${provider.id}`;
  const own = orders.find((order) => isOwn(order) && order.websiteId === store?.id) ?? orders.find(isOwn);
  const foreign =
    orders.find((order) => order.owner.startsWith('provider:') && !isOwn(order)) ??
    orders.find((order) => !isOwn(order));
  const fields = own && state.websites.get(String(own.websiteId))?.deliverySettings[provider.id];
  const texts = Object.entries(fields ?? {}).filter(([, value]) => typeof value === 'string');
  return {
    apiKey: provider.apiKey,
    ...given('orderUuid', own?.uuid),
    ...given('foreignOrderUuid', foreign?.uuid),
    ...(texts.length > 0 ? { expectedFields: Object.fromEntries(texts) } : {}),
  };
}

function websitePart(service: MockService, website: Website): Record<string, unknown> {
  return {
    languages: website.languages,
    defaultLanguage: website.defaultLanguage,
    country: website.country,
    pages: Object.fromEntries(website.languages.map((language) => [language, siteUrl(service, website, language)])),
  };
}

function appsPart(service: MockService, website: Website): Record<string, unknown> | undefined {
  const { state } = service;
  const installations = state.installations.all();
  const first = installations.find((row) => row.websiteId === website.id && row.installed);
  const app = first && state.apps.get(first.appId);
  if (!first || !app) return undefined;
  const isOther = (row: Installation): boolean => row.appId === app.id && row.authCode !== first.authCode;
  return {
    apiKey: app.apiKey,
    appId: app.id,
    appSecret: app.manifest.app_secret,
    tabMode: app.manifest.app_tab_mode,
    authCode: first.authCode,
    ...given('otherAuthCode', installations.find(isOther)?.authCode),
  };
}

/** The website for changes is one without a subscription on which nothing else in the profile depends. */
function resellerPart(service: MockService): Record<string, unknown> | undefined {
  const { state } = service;
  const reseller = state.resellers.find((row) => row.approved);
  if (!reseller) return undefined;
  const owned = state.websites.filter((row) => row.resellerId === reseller.id && row.premium === null);
  const website = owned.findLast((row) => row.status === 1) ?? owned.at(-1);
  return {
    email: reseller.email,
    password: reseller.password,
    ...given('website', website?.id),
    domain: 'check.example',
  };
}

function given(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value };
}
