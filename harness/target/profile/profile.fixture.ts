/** A whole profile, its environment, and what reading a profile gives or refuses. */
import assert from 'node:assert/strict';
import { UsageError } from '../../process/usage-error.ts';
import { parseProfile } from './index.ts';
import type { Profile } from './types.ts';

/** An environment with everything that the whole profile names. */
export const ENV = {
  STORE_KEY: 'store-key-123456',
  OTHER_STORE_KEY: 'other-key-123456',
  PROVIDER_KEY: 'provider-key-123',
  APP_KEY: 'app-key-12345678',
  APP_SECRET: 'app-secret-12345',
  AUTH_CODE: 'code-1',
  OTHER_AUTH_CODE: 'code-2',
  RESELLER_EMAIL: 'reseller@staging.example',
  RESELLER_PASSWORD: 'pass-word-1234',
  GATE: 'gate-value-123',
  FIELD: 'field-value-123',
  HOST: 'staging.example',
  SITE: '55090',
  EMPTY: '',
};

/** Values as shells and env files pass them on by mistake. */
export const MISTAKES = {
  NL: 'a\nb',
  CR: 'store-key-123456\r',
  QUOTED: '"store-key-123456"',
  NESTED: '${OTHER}',
  LETTERS: 'ключ-123456',
};

/** The profile of the design, with everything in it that needs no other file. */
export const WHOLE = {
  name: 'staging',
  v1: 'https://${HOST}/v1/',
  api: 'https://resellers.staging.example/api/',
  delivery: {
    private: { apiKey: '${STORE_KEY}', otherApiKey: '${OTHER_STORE_KEY}' },
    public: {
      apiKey: '${PROVIDER_KEY}',
      orderUuid: 'o-1',
      foreignOrderUuid: 'o-2',
      expectedFields: { client_id: 'C-77', api_password: '${FIELD}' },
    },
  },
  website: {
    languages: ['en', 'lv'],
    defaultLanguage: 'en',
    country: 'LV',
    pages: { en: 'https://shop.example/', lv: 'https://shop.example/lv/' },
  },
  apps: {
    apiKey: '${APP_KEY}',
    appId: '7',
    appSecret: '${APP_SECRET}',
    tabMode: 'blank',
    authCode: '${AUTH_CODE}',
    otherAuthCode: '${OTHER_AUTH_CODE}',
  },
  reseller: {
    email: '${RESELLER_EMAIL}',
    password: '${RESELLER_PASSWORD}',
    website: '${SITE}',
    domain: 'check.example',
  },
  absent: [],
  listen: { host: '127.0.0.1', port: 0, publicUrl: 'https://tunnel.example/' },
  allow: ['write', 'drive'],
  limits: { requestsPerSecond: 2.5, timeoutMs: 1000, maxPages: 20, maxMinutes: 3 },
  headers: { 'x-staging-gate': 'Gate ${GATE}' },
  proxy: 'http://proxy.example:3128',
};

/** Parses a profile that is given as a text or as an object. */
export function parse(profile: unknown, env: Record<string, string | undefined> = ENV): Profile {
  const text = typeof profile === 'string' ? profile : JSON.stringify(profile, null, 2);
  return parseProfile(text, { file: 'staging.json', folder: '/nowhere', env });
}

/** The message with which a profile is refused. */
export function refusal(profile: unknown, env?: Record<string, string | undefined>): string {
  try {
    parse(profile, env);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  throw new Error(`It was taken: ${JSON.stringify(profile)}`);
}
