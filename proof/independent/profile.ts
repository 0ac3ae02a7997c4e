// The target profile of a running service: everything that a harness may know about it.
import type { Seeded } from './seed.ts';

/** A profile as in its file: secrets are `${NAME}`. */
export type Profile = Record<string, unknown>;

const ALLOWED = ['write', 'drive', 'settings', 'site-status', 'billing', 'domains', 'password', 'uninstall'];

/** The profile of a seeded state, and the environment variables with the values of its `${NAME}` secrets. */
export function profileOf(
  seeded: Seeded,
  driverPath: string,
  authority: string | null,
): { profile: Profile; env: Record<string, string> } {
  const { world } = seeded;
  const [store, otherStore] = world.stores;
  const [provider] = world.providers;
  const [app] = world.apps;
  const [reseller] = world.resellers;
  const env: Record<string, string> = {};
  const hidden = (name: string, value: string): string => {
    env[name] = value;
    return `\${${name}}`;
  };
  const site = `${world.origin}/site/${store!.alias}`;
  const profile: Profile = {
    name: 'second service',
    v1: `${world.origin}/v1/`,
    api: `${world.origin}/api/`,
    delivery: {
      private: {
        apiKey: hidden('SECOND_STORE_KEY', store!.owner.key),
        otherApiKey: hidden('SECOND_OTHER_STORE_KEY', otherStore!.owner.key),
      },
      public: {
        apiKey: hidden('SECOND_PROVIDER_KEY', provider!.key),
        orderUuid: seeded.orderUuid,
        foreignOrderUuid: seeded.foreignOrderUuid,
        expectedFields: store!.fields.get(provider!.id),
      },
    },
    website: {
      languages: store!.owner.languages,
      defaultLanguage: store!.owner.defaultLanguage,
      country: store!.country,
      pages: { ru: `${site}/ru/`, lv: `${site}/`, en: `${site}/en/contacts/` },
    },
    apps: {
      apiKey: hidden('SECOND_APP_KEY', app!.key),
      appId: app!.id,
      appSecret: hidden('SECOND_APP_SECRET', app!.secret),
      tabMode: app!.tabMode,
      authCode: hidden('SECOND_AUTH_CODE', seeded.authCode),
      otherAuthCode: hidden('SECOND_OTHER_AUTH_CODE', seeded.otherAuthCode),
    },
    reseller: {
      email: hidden('SECOND_RESELLER_EMAIL', reseller!.email),
      password: hidden('SECOND_RESELLER_PASSWORD', reseller!.password),
      website: seeded.testWebsiteId,
      domain: 'check-second.example',
    },
    absent: [],
    listen: { host: '127.0.0.1', port: 0 },
    driver: driverPath,
    allow: ALLOWED,
    limits: { requestsPerSecond: 1000, timeoutMs: 15_000, maxPages: 2000, maxMinutes: 30 },
    ...(authority === null ? {} : { tls: { ca: authority } }),
  };
  return { profile, env };
}
