import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseProfile } from '../target/profile/index.ts';
import { Secret } from '../target/secrets/secret.ts';
import { contextOptions } from './browser-context.ts';

/** A secret as a profile names it. */
const named = (variable: string) => ['$', '{', variable, '}'].join('');

const profileOf = (fields: object) =>
  parseProfile(JSON.stringify(fields), {
    file: 'p.json',
    folder: '/',
    env: { PROXY: 'http://me:p%40ss@proxy.example:8080/', GATE: 'gate-secret-1' },
  });

test('the browser begins at the origin of the target, and verifies its certificate unless it is on this machine', () => {
  assert.deepEqual(contextOptions(profileOf({ v1: 'https://shop.example:8443/v1/' })), {
    ignoreHTTPSErrors: false,
    baseURL: 'https://shop.example:8443',
  });
  const both = { v1: 'https://127.0.0.1:8443/v1/', api: 'https://api.example/api/' };
  assert.equal(contextOptions(profileOf(both)).ignoreHTTPSErrors, false);
  assert.equal(contextOptions(profileOf({ v1: both.v1 })).ignoreHTTPSErrors, true);
});

test('the proxy of the profile is used with its password, and not for pages on this machine', () => {
  const { proxy } = contextOptions(profileOf({ v1: 'https://shop.example/v1/', proxy: named('PROXY') }));
  assert.deepEqual(proxy, {
    server: 'http://proxy.example:8080',
    username: 'me',
    password: 'p@ss',
    bypass: 'localhost,127.0.0.1,[::1]',
  });
  const own = contextOptions(profileOf({ v1: 'http://127.0.0.1:1/v1/', proxy: named('PROXY') }));
  assert.equal(own.proxy?.bypass, undefined);
});

test('the certificate of the profile is shown to the target alone', () => {
  const profile = profileOf({ v1: 'https://shop.example/v1/', api: 'https://api.example/api/' });
  const tls = { ca: undefined, cert: 'CERT', key: new Secret('KEY', 'PRIVATE') };
  const { clientCertificates } = contextOptions({ ...profile, tls });
  assert.deepEqual(
    clientCertificates?.map(({ origin, cert, key }) => `${origin} ${cert} ${key}`),
    ['https://shop.example CERT PRIVATE', 'https://api.example CERT PRIVATE'],
  );
});
