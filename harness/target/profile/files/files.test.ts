import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generate } from 'selfsigned';
import { UsageError } from '../../../process/usage-error.ts';
import { loadProfile } from '../index.ts';
import type { Profile } from '../types.ts';

/** Loads a profile from a folder with a certificate, its key, and files that are neither. */
async function loaderFor(t: TestContext): Promise<{ folder: string; load: (profile: unknown) => Profile }> {
  const folder = mkdtempSync(join(tmpdir(), 'proofmark-profile-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const made = await generate([{ name: 'commonName', value: 'a.example' }]);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const files = {
    'x.driver.mjs': 'export default {};',
    'ca.pem': made.cert,
    'key.pem': made.private,
    'other-key.pem': privateKey.export({ type: 'pkcs8', format: 'pem' }),
    'locked.pem': privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
    'damaged.pem': '-----BEGIN CERTIFICATE-----\nAA\n-----END CERTIFICATE-----\n',
    'bad.pem': 'no key',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const load = (profile: unknown): Profile => {
    writeFileSync(join(folder, 'p.json'), JSON.stringify(profile));
    return loadProfile(join(folder, 'p.json'), {});
  };
  return { folder, load };
}

test('files are relative to the profile', async (t) => {
  const { folder, load } = await loaderFor(t);
  const profile = load({ driver: './x.driver.mjs', tls: { ca: './ca.pem', cert: 'ca.pem', key: './key.pem' } });
  assert.equal(profile.driver, join(folder, 'x.driver.mjs'));
  assert.match(profile.tls?.ca ?? '', /CERTIFICATE/);
  const key = profile.tls?.key;
  assert.match(key?.reveal() ?? '', /PRIVATE KEY/);
  assert.equal(String(key), '$TLS_KEY');
  assert.ok(profile.secrets().some((secret) => secret.reveal() === key?.reveal()));
  assert.throws(() => loadProfile(join(folder, 'none.json'), {}), /the file does not exist/);
});

test('what no connection can be made with is found before the run', async (t) => {
  const { load } = await loaderFor(t);
  const rows: [tls: Readonly<Record<string, string>>, message: RegExp][] = [
    [{ ca: './bad.pem' }, /"tls\.ca" is not a PEM file/],
    [{ ca: './damaged.pem' }, /"tls\.ca" contains a certificate that is damaged/],
    [{ ca: './key.pem' }, /"tls\.ca" contains a private key: give one with a certificate/],
    [{ cert: './ca.pem' }, /belong together/],
    [{ cert: './ca.pem', key: './ca.pem' }, /"tls\.key" has no private key in PEM/],
    [{ cert: './ca.pem', key: './locked.pem' }, /"tls\.key" is locked with a passphrase/],
    [{ cert: './ca.pem', key: './other-key.pem' }, /"tls\.key" does not belong to the certificate/],
    [{ ca: '.' }, /can't be read: it is a folder/],
  ];
  for (const [tls, message] of rows)
    assert.throws(
      () => load({ tls }),
      (error) => error instanceof UsageError && message.test(error.message),
      String(message),
    );
});
