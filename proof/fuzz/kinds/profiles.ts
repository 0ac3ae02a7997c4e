/** Target profiles: each problem is a line with file, line and column. */
import assert from 'node:assert/strict';
import { parseProfile } from '../../../harness/target/profile/index.ts';
import type { Kind } from '../kind.ts';
import { expectPlainRefusal } from '../kind.ts';
import { changedJson, ODD_TEXTS } from '../mutate.ts';

const reference = (name: string): string => `$\{${name}}`;

/** Every key that a profile may have. */
const WHOLE = {
  name: 'staging',
  v1: 'https://staging.example/v1/',
  api: 'https://resellers.staging.example/api/',
  delivery: {
    private: { apiKey: reference('STORE_KEY'), otherApiKey: reference('OTHER_KEY') },
    public: {
      apiKey: reference('PROVIDER_KEY'),
      orderUuid: 'a-b',
      foreignOrderUuid: 'c-d',
      expectedFields: { client_id: 'C-77' },
    },
  },
  website: { languages: ['en', 'lv'], defaultLanguage: 'en', country: 'LV', pages: { en: 'https://shop.example/' } },
  apps: {
    apiKey: reference('APP_KEY'),
    appId: '7',
    appSecret: reference('APP_SECRET'),
    tabMode: 'blank',
    authCode: reference('AUTH_CODE'),
  },
  reseller: { email: reference('EMAIL'), password: reference('PASSWORD'), website: 55090, domain: 'check.example' },
  absent: ['portals'],
  listen: { host: '127.0.0.1', port: 0, publicUrl: 'https://tunnel.example/' },
  allow: ['write', 'drive'],
  limits: { requestsPerSecond: 5, timeoutMs: 15_000, maxPages: 200, maxMinutes: 30 },
  headers: { 'x-staging-gate': reference('GATE') },
  proxy: 'http://proxy.example:3128',
  driver: './driver.mjs',
  tls: { ca: './ca.pem', cert: './cert.pem', key: './key.pem' },
};
const NAMES = [
  'STORE_KEY',
  'OTHER_KEY',
  'PROVIDER_KEY',
  'APP_KEY',
  'APP_SECRET',
  'AUTH_CODE',
  'EMAIL',
  'PASSWORD',
  'GATE',
];

export const profiles: Kind = {
  name: 'profiles',
  few: 300,
  async tried(chance, folder) {
    const { driver: _driver, tls: _tls, ...plain } = WHOLE;
    // Missing files are a problem of their own: added sometimes.
    const text = changedJson(chance.oneIn(6) ? WHOLE : plain, chance).toString('utf8');
    const env = Object.fromEntries(
      NAMES.flatMap((name) =>
        chance.oneIn(20) ? [] : [[name, chance.oneIn(8) ? chance.pick(ODD_TEXTS) : `value-of-${name}`]],
      ),
    );
    const source = { file: 'staging.json', folder, env };
    return expectPlainRefusal(() => {
      try {
        const profile = parseProfile(text, source);
        JSON.stringify(profile.toShareable());
        for (const secret of profile.secrets()) secret.reveal();
      } catch (error) {
        for (const line of (error as Error).message.split('\n'))
          assert.match(line, /^staging\.json:\d+:\d+: \S/, `no place in: ${String(error)}`);
        throw error;
      }
    }, 'staging.json');
  },
};
